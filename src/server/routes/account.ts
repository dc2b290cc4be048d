import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { LoginPayload, Registered, RegisterPayload, SessionUser } from '#contract/session.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { requestFacts, sessionOf } from '#server/guards.ts';
import { isFromThisMachine } from '#server/request-origin.ts';
import type { SessionCookie } from '#server/session-cookie.ts';
import { sessionUserView } from '#server/views.ts';
import type { Caller } from '#usecases/accounts/account-deps.ts';
import { registerUser } from '#usecases/accounts/register-user.ts';
import { closeSession } from '#usecases/accounts/sessions.ts';
import { signIn } from '#usecases/accounts/sign-in.ts';

const LONGEST_USER_AGENT = 300;

function callerOf(request: FastifyRequest): Caller {
  const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null;
  return { address: request.ip, userAgent, requestId: request.id };
}

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
      const { user, token } = await signIn(deps, request.body, callerOf(request));
      // Whoever was signed in here before is not any more: a token never changes its owner.
      await endCurrentSession(request, 'session.replaced');
      cookie.write(reply, token);
      return sessionUserView(user);
    },
  );

  // Public, so that a session which has just ended still gets its cookie removed.
  app.post(
    '/api/logout',
    { config: { access: 'public' }, schema: { response: { 200: z.object({ message: z.string() }) } } },
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
