import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { AppDeps } from './app-deps.ts';
import { Connections } from './connections.ts';

/** How long connections may do what. Milliseconds, others only in tests. */
export const CONNECTION_LIMITS = {
  /** What was asked before the server began to stop; less than the program as a whole has for that. */
  ending: 5_000,
};

/** Keeps an eye on every connection. Once the program stops, each answer says that its connection closes. */
export function watchConnections(
  app: FastifyInstance,
  { isAccepting }: Pick<AppDeps, 'isAccepting'>,
): Connections {
  const connections = new Connections(app.server);
  app.addHook('onSend', async (_request, reply) => {
    if (connections.isEnding || !isAccepting()) reply.header('connection', 'close');
  });
  return connections;
}

/**
 * Lets the server end without cutting off an answer. Called last, in a plugin of its own: the hooks of plugins run after
 * those of the app in their order, and what keeps answers open, such as streams, has to be ended before.
 */
export async function endInOrder(
  app: FastifyInstance,
  connections: Connections,
  log: FastifyBaseLogger,
  { ending }: typeof CONNECTION_LIMITS,
): Promise<void> {
  await app.register(async (last) => {
    last.addHook('preClose', async () => {
      if (!app.server.listening) return;
      const cutOff = await connections.end(ending);
      if (cutOff > 0) log.warn({ connections: cutOff }, 'cut off connections whose requests took too long');
    });
  });
}
