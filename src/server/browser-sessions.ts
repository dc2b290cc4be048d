import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionUser } from '#contract/session.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import type { LoggedIn } from '#usecases/identity/accounts/log-in.ts';
import { closeSession, findSession } from '#usecases/identity/accounts/sessions.ts';
import type { AppDeps } from './app-deps.ts';
import { callerOf } from './caller-of.ts';
import type { SessionCookie } from './session-cookie.ts';
import { sessionUserView } from './user-views.ts';

/** The session of the browser that calls a public route; null without one. */
export async function callersSession(
  deps: AppDeps,
  cookie: SessionCookie,
  request: FastifyRequest,
): Promise<LiveSession | null> {
  const token = cookie.read(request);
  return token === null ? null : findSession(deps.db, token, sessionNow(deps));
}

/** Ends the session of the calling browser, with its streams; does nothing where there is none. */
export async function endSessionOf(
  deps: AppDeps,
  cookie: SessionCookie,
  request: FastifyRequest,
  action: 'logout' | 'session.replaced',
): Promise<void> {
  const token = cookie.read(request);
  if (token === null) return;
  const ended = await closeSession(deps, token, callerOf(request), action);
  if (ended === null) return;
  request.log.info({ sessionId: ended }, 'session ended');
  deps.liveStreams.endSession(ended);
}

/** Hands a new session to the calling browser, and ends an existing one: a token never changes its owner. */
export async function startSession(
  deps: AppDeps,
  { cookie, browserCookie }: { readonly cookie: SessionCookie; readonly browserCookie: SessionCookie },
  request: FastifyRequest,
  reply: FastifyReply,
  { user, token, browser }: LoggedIn,
): Promise<SessionUser> {
  await endSessionOf(deps, cookie, request, 'session.replaced');
  cookie.write(reply, token);
  browserCookie.write(reply, browser);
  return sessionUserView(user);
}
