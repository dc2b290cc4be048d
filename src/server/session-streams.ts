import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { checkAccess } from '#usecases/identity/accounts/check-access.ts';
import { findSession } from '#usecases/identity/accounts/sessions.ts';
import { refindApiToken } from '#usecases/identity/tokens/token-access.ts';
import { demandsOf } from './access.ts';
import type { AppDeps } from './app-deps.ts';
import { bearerOf } from './request-guards.ts';
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
    const session = await findLogin(request);
    const { method, routeOptions } = request;
    // The password counted when it was started.
    const demands = { ...demandsOf(routeOptions.config, method), proof: false };
    checkAccess(session, demands, deps.requiresTwoFactor);
  }

  /** @throws AppError when it came with an API token that has ended */
  async function findLogin(
    request: FastifyRequest,
  ): Promise<Pick<LiveSession, 'user' | 'stepUpAgo' | 'hasSecondFactor'> | null> {
    const bearer = bearerOf(request);
    if (bearer !== null) {
      const { user } = await refindApiToken(deps, bearer);
      return { user, stepUpAgo: Number.POSITIVE_INFINITY, hasSecondFactor: false };
    }
    const token = cookie.read(request);
    return token === null ? null : findSession(deps.db, token, sessionNow(deps));
  }
}
