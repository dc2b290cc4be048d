import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ChangePasswordPayload,
  LoginPayload,
  Registered,
  RegisterPayload,
  SessionUser,
  StepUpPayload,
} from '#contract/session.ts';
import { Done } from '#contract/users.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { callerOf } from '#server/caller-of.ts';
import { requestFacts, sessionOf } from '#server/guards.ts';
import { isFromThisMachine } from '#server/request-origin.ts';
import type { SessionCookie } from '#server/session-cookie.ts';
import { sessionUserView } from '#server/views.ts';
import { changePassword } from '#usecases/accounts/change-password.ts';
import { registerUser } from '#usecases/accounts/register-user.ts';
import { closeSession } from '#usecases/accounts/sessions.ts';
import { type SignedIn, signIn } from '#usecases/accounts/sign-in.ts';
import { stepUp } from '#usecases/accounts/step-up.ts';

export const accountRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; cookie: SessionCookie }> = async (
  app,
  { deps, cookie },
) => {
  async function endCurrentSession(
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

  /** Whoever was signed in here before is not any more: a token never changes its owner. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { user, token }: SignedIn,
  ): Promise<SessionUser> {
    await endCurrentSession(request, 'session.replaced');
    cookie.write(reply, token);
    return sessionUserView(user);
  }

  app.post(
    '/api/register',
    { config: { access: 'public' }, schema: { body: RegisterPayload, response: { 201: Registered } } },
    async (request, reply) => {
      const onThisMachine = deps.boundToLoopback && isFromThisMachine(requestFacts(request));
      const { answer, token } = await registerUser(deps, request.body, callerOf(request), onThisMachine);
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
    async (request, reply) => {
      return begin(request, reply, await signIn(deps, request.body, callerOf(request)));
    },
  );

  // Public: whoever has to replace a password gets no session before.
  app.post(
    '/api/change-password',
    {
      config: { access: 'public' },
      schema: { body: ChangePasswordPayload, response: { 200: SessionUser } },
    },
    async (request, reply) => {
      const changed = await changePassword(deps, request.body, callerOf(request));
      // After the answer: a browser that hears of the end before its new session would ask for the password again.
      reply.raw.once('close', () => {
        for (const id of changed.endedSessions) deps.liveStreams.endSession(id);
      });
      return begin(request, reply, changed);
    },
  );

  app.post(
    '/api/step-up',
    { config: { access: 'signedIn' }, schema: { body: StepUpPayload, response: { 200: Done } } },
    async (request) => {
      await stepUp(deps, sessionOf(request), request.body, callerOf(request));
      return { message: `Your ${'password' in request.body ? 'password' : 'code'} counts for ten minutes.` };
    },
  );

  // Public, so that a session which has just ended still gets its cookie removed.
  app.post(
    '/api/logout',
    { config: { access: 'public' }, schema: { response: { 200: Done } } },
    async (request, reply) => {
      await endCurrentSession(request, 'logout');
      cookie.clear(reply);
      return { message: 'You are signed out.' };
    },
  );

  app.get(
    '/api/user',
    { config: { access: 'signedIn' }, schema: { response: { 200: SessionUser } } },
    async (request) => sessionUserView(sessionOf(request).user),
  );
};
