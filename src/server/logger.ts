import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Asked every few seconds, by machines. */
export const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The log entry of an error. Of a failed query neither the values nor the row: both contain user input. The
 * database layer puts them into the message, and so into the stack, PostgreSQL into `detail`.
 */
function tellError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint, table, query } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: query === undefined ? error.message : 'failed query',
    code,
    constraint,
    table,
    query,
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^ +at /.test(line))
      .join('\n'),
    ...(error.cause === undefined ? {} : { cause: tellError(error.cause) }),
  };
}

/**
 * JSON lines. Secrets are redacted by name wherever an object with them is logged.
 * @param fields added to each line, such as the trace that it belongs to
 */
export function createLogger(level: string, destination?: DestinationStream, fields?: () => object): Logger {
  const secrets = [
    ...['password', 'newPassword', 'token', 'setupToken', 'twoFactorToken', 'cookie', 'authorization'],
    ...['secret', 'otpauthUrl', 'qrSvg', 'recoveryCodes'],
    ...['apiKey', 'clientSecret', 'lwaClientSecret', 'certId', 'keystring', 'secretKey'],
  ];
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: tellError },
      ...(fields === undefined ? {} : { mixin: fields }),
      redact: { paths: [...secrets, ...secrets.map((name) => `*.${name}`)], censor: '[removed]' },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  );
}

/** One line per response, with the route's pattern: addresses may contain tokens, as the setup link does. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip } = request;
    const route = request.is404 ? 'none' : request.routeOptions.url;
    const level = route !== undefined && QUIET_ROUTES.has(route) ? 'debug' : 'info';
    const took = Math.round(reply.elapsedTime);
    request.log[level]({ method, route, status: reply.statusCode, ip, took }, 'answered');
  });
}
