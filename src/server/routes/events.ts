import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AppDeps } from '#server/app-deps.ts';
import { HEARTBEAT_INTERVAL } from '#server/live-streams.ts';
import { sessionOf } from '#server/request-guards.ts';
import type { SessionCookie } from '#server/session-cookie.ts';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { findSession } from '#usecases/identity/accounts/sessions.ts';

/** GET /api/events: Server-Sent Events, each a `LiveEvent` as JSON. */
export const eventRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; cookie: SessionCookie }> = async (
  app,
  { deps, cookie },
) => {
  const { liveStreams } = deps;
  let heartbeat: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    heartbeat = setInterval(() => void liveStreams.beat(), HEARTBEAT_INTERVAL);
  });
  // Open streams would keep the server from closing.
  app.addHook('preClose', async () => {
    clearInterval(heartbeat);
    liveStreams.endAll();
  });

  app.get('/api/events', { config: { access: 'loggedIn' } }, async (request, reply) => {
    const token = cookie.read(request);
    const isAlive = async () =>
      token !== null && (await findSession(deps.db, token, sessionNow(deps))) !== null;
    liveStreams.open({ reply, sessionId: sessionOf(request).id, isAlive });
  });
};
