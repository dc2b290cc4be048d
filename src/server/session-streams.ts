import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { checkAccess } from '#usecases/identity/accounts/check-access.ts';
import { findSession } from '#usecases/identity/accounts/sessions.ts';
import { demandsOf } from './access.ts';
import type { AppDeps } from './app-deps.ts';
import type { SessionCookie } from './session-cookie.ts';

/** How long a response continues after its session has ended, at most; in milliseconds. */
export const STREAM_LOOK_INTERVAL = 10_000;

/**
 * Long responses, such as exports, are aborted within seconds when their session ends or loses the role: the
 * browser reports a broken download. Event streams have a heartbeat of their own.
 */
export function endStreamsOfEndedSessions(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'db' | 'now' | 'sessionClock' | 'requiresTwoFactor'>,
  cookie: SessionCookie,
): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.session === null || !(payload instanceof Readable)) return payload;
    return whileAdmitted(payload, request);
  });

  /**
   * When either of the two ends early, the other ends too: a client that disconnects frees the source of the
   * response.
   */
  function whileAdmitted(payload: Readable, request: FastifyRequest): Readable {
    let looked = deps.now();
    const watched = new Transform({
      transform: (piece, _encoding, done) => {
        if (Math.abs(deps.now() - looked) < STREAM_LOOK_INTERVAL) return done(null, piece);
        look(request).then(() => {
          looked = deps.now();
          done(null, piece);
        }, done);
      },
    });
    pipeline(payload, watched, () => undefined);
    return watched;
  }

  async function look(request: FastifyRequest): Promise<void> {
    const token = cookie.read(request);
    const session = token === null ? null : await findSession(deps.db, token, sessionNow(deps));
    const { method, routeOptions } = request;
    // The password counted when it was started.
    const demands = { ...demandsOf(routeOptions.config, method), proof: false };
    checkAccess(session, demands, deps.requiresTwoFactor);
  }
}
