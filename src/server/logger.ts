import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics']);

/** JSON lines. Secrets are removed by name wherever an object with them is logged. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const secrets = ['password', 'token', 'setupToken', 'twoFactorToken', 'cookie', 'authorization'];
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: { paths: [...secrets, ...secrets.map((name) => `*.${name}`)], censor: '[removed]' },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  );
}

/** One line per answer, with the route's pattern: addresses can carry tokens, as the set-up link does. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip } = request;
    const route = request.is404 ? 'none' : request.routeOptions.url;
    const level = route !== undefined && QUIET_ROUTES.has(route) ? 'debug' : 'info';
    const took = Math.round(reply.elapsedTime);
    request.log[level]({ method, route, status: reply.statusCode, ip, took }, 'answered');
  });
}
