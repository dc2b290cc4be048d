import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { AppDeps } from './app-deps.ts';
import { type ConnectionRoom, Connections } from './open-sockets.ts';
import { trustedAddresses } from './trusted-addresses.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Receives a file: its body may arrive slowly, once the session is known. */
    isUpload?: boolean;
  }
}

export interface ConnectionLimits extends ConnectionRoom {
  /** Milliseconds in which the body of a request must arrive, except for files. */
  readonly body: number;
  /** Milliseconds between two checks for requests that are past their timeout: Node's own is thirty seconds. */
  readonly looks: number;
  /** Milliseconds for open requests when the server stops; less than the limit of the whole process. */
  readonly ending: number;
}

/** Overridden only in tests. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 2_000,
  strangers: 200,
  // Ten browsers with six connections each, and room for programs.
  perUser: 100,
  body: 20_000,
  looks: 2_000,
  ending: 5_000,
};

/**
 * Limits every connection: how many there are per address, and how long a body takes. Called before the access
 * checks. Once the process stops, each response says that its connection closes.
 */
export function watchConnections(
  app: FastifyInstance,
  { isAccepting, trustedProxies }: Pick<AppDeps, 'isAccepting' | 'trustedProxies'>,
  limits: ConnectionLimits,
): Connections {
  const connections = new Connections(app.server, limits, trustedAddresses(trustedProxies));
  // Connections that are being closed are still counted there for a moment.
  app.server.maxConnections = limits.connections * 2;
  app.addHook('onRequest', async ({ raw, ip }) => {
    if (connections.asks(raw.socket, ip) && hasBody(raw)) limitBody(app, raw, limits.body);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (connections.isEnding || !isAccepting()) reply.header('connection', 'close');
  });
  return connections;
}

/** Distinguishes connections with a session from those without. Called after the access checks. */
export function knowPeople(app: FastifyInstance, connections: Connections): void {
  app.addHook('onRequest', async ({ raw, session, routeOptions: { config } }) => {
    if (session === null) return;
    connections.usedBy(raw.socket, session.user.id);
    if (config.isUpload === true) clearTimeout(TIMERS.get(raw));
  });
}

/**
 * Lets the server end without cutting off a response. Called last, in a plugin of its own: the hooks of plugins run
 * after those of the app in their order, and what keeps responses open, such as streams, must be ended before.
 */
export async function endInOrder(
  app: FastifyInstance,
  connections: Connections,
  log: FastifyBaseLogger,
  { ending }: ConnectionLimits,
): Promise<void> {
  await app.register(async (last) => {
    last.addHook('preClose', async () => {
      if (!app.server.listening) return;
      const cutOff = await connections.end(ending);
      if (cutOff > 0) log.warn({ connections: cutOff }, 'cut off connections whose requests took too long');
    });
  });
}

const TIMERS = new WeakMap<IncomingMessage, NodeJS.Timeout>();

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Responds like the server does when a whole request takes too long, and ends the connection. */
function limitBody(app: FastifyInstance, request: IncomingMessage, limit: number): void {
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('The body took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, request.socket);
    request.socket.destroySoon();
  }, limit);
  TIMERS.set(request, timer);
  for (const event of ['end', 'close'] as const) request.once(event, () => clearTimeout(timer));
}
