import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ChangePasswordPayload,
  ForgotPasswordPayload,
  LoginPayload,
  PasswordLinkRequested,
  Registered,
  RegisterPayload,
  ResetPasswordPayload,
  SessionUser,
  StepUpPayload,
} from '#contract/session.ts';
import { Done } from '#contract/users.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { callersSession, endSessionOf, startSession } from '#server/browser-sessions.ts';
import { callerOf } from '#server/caller-of.ts';
import type { LiveStreams } from '#server/live-streams.ts';
import { isOnThisMachine, sessionOf } from '#server/request-guards.ts';
import type { SessionCookie } from '#server/session-cookie.ts';
import { sessionUserView } from '#server/user-views.ts';
import { changePassword } from '#usecases/identity/accounts/change-password.ts';
import { type LoggedIn, logIn } from '#usecases/identity/accounts/log-in.ts';
import { createGate } from '#usecases/identity/accounts/password-hasher.ts';
import { requestPasswordLink, resetByLink } from '#usecases/identity/accounts/password-link.ts';
import { registerUser } from '#usecases/identity/accounts/register-user.ts';
import { stepUp } from '#usecases/identity/accounts/step-up.ts';

// Fewer than the connections to the database, so that a flood of logins leaves the others to the pages.
const MAX_CONCURRENT_HASHES = 4;
// More than a second of hashing; later attempts are refused with a retry time before anything is looked up.
const MAX_QUEUED_HASHES = 60;

export const accountRoutes: FastifyPluginAsyncZod<{
  deps: AppDeps;
  cookie: SessionCookie;
  browserCookie: SessionCookie;
}> = async (app, { deps, cookie, browserCookie }) => {
  const inLine = createGate(MAX_CONCURRENT_HASHES, MAX_QUEUED_HASHES);

  const endCurrentSession = (request: FastifyRequest, action: 'logout' | 'session.replaced') =>
    endSessionOf(deps, cookie, request, action);

  const begin = (request: FastifyRequest, reply: FastifyReply, loggedIn: LoggedIn): Promise<SessionUser> =>
    startSession(deps, { cookie, browserCookie }, request, reply, loggedIn);

  app.post(
    '/api/register',
    { config: { access: 'public' }, schema: { body: RegisterPayload, response: { 201: Registered } } },
    async (request, reply) => {
      const { answer, token } = await inLine(() =>
        registerUser(deps, request.body, callerOf(request), isOnThisMachine(deps, request)),
      );
      if (token !== null) {
        await endCurrentSession(request, 'session.replaced');
        cookie.write(reply, token);
      }
      return reply.code(201).send(answer);
    },
  );

  app.post(
    '/api/login',
    { config: { access: 'public' }, schema: { body: LoginPayload, response: { 200: SessionUser } } },
    async (request, reply) =>
      begin(request, reply, await inLine(() => logIn(deps, request.body, callerOf(request)))),
  );

  // Public: a user who must replace a password has no session yet.
  app.post(
    '/api/change-password',
    {
      config: { access: 'public' },
      schema: { body: ChangePasswordPayload, response: { 200: SessionUser } },
    },
    async (request, reply) => {
      const own = await callersSession(deps, cookie, request);
      const changed = await inLine(() => changePassword(deps, request.body, callerOf(request)));
      endStreams(deps.liveStreams, changed.endedSessions, own?.id);
      return begin(request, reply, changed);
    },
  );

  app.post(
    '/api/forgot-password',
    {
      config: { access: 'public' },
      schema: { body: ForgotPasswordPayload, response: { 200: PasswordLinkRequested } },
    },
    (request) => requestPasswordLink(deps, request.body, callerOf(request)),
  );

  app.post(
    '/api/reset-password',
    { config: { access: 'public' }, schema: { body: ResetPasswordPayload, response: { 200: Done } } },
    async (request) => {
      const ended = await inLine(() => resetByLink(deps, request.body, callerOf(request)));
      endStreams(deps.liveStreams, ended, undefined);
      return { message: 'Your password was changed. Log in with it.' };
    },
  );

  app.post(
    '/api/step-up',
    { config: { access: 'loggedIn' }, schema: { body: StepUpPayload, response: { 200: Done } } },
    async (request) => {
      await stepUp(deps, sessionOf(request), request.body, callerOf(request));
      return { message: `Your ${'password' in request.body ? 'password' : 'code'} counts for ten minutes.` };
    },
  );

  // Public, so that a session that has just ended still gets its cookie removed.
  app.post(
    '/api/logout',
    { config: { access: 'public' }, schema: { response: { 200: Done } } },
    async (request, reply) => {
      await endCurrentSession(request, 'logout');
      cookie.clear(reply);
      return { message: 'You are logged out.' };
    },
  );

  app.get(
    '/api/user',
    { config: { access: 'loggedIn' }, schema: { response: { 200: SessionUser } } },
    async (request) => sessionUserView(sessionOf(request).user),
  );
};

/** @param own the session of the browser that made the change, which continues with another token */
function endStreams(streams: LiveStreams, ended: readonly string[], own: string | undefined): void {
  for (const id of ended) {
    if (id === own) streams.reopenSession(id);
    else streams.endSession(id);
  }
}
