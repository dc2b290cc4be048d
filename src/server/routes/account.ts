import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  Account,
  ConfirmTwoFactor,
  PasswordAndCode,
  RecoveryCodes,
  StartTwoFactor,
  TwoFactorBegun,
} from '#contract/account.ts';
import { Done } from '#contract/users.ts';
import { countRecoveryCodes } from '#db/queries/identity/two-factor.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { callerOf } from '#server/caller-of.ts';
import { qrSvg } from '#server/qr-svg.ts';
import { sessionOf } from '#server/request-guards.ts';
import type { SessionCookie } from '#server/session-cookie.ts';
import { accountView } from '#server/user-views.ts';
import { confirmTwoFactor, type FactorChanged } from '#usecases/identity/two-factor/confirm-two-factor.ts';
import { renewRecoveryCodes } from '#usecases/identity/two-factor/renew-recovery-codes.ts';
import { startTwoFactor } from '#usecases/identity/two-factor/start-two-factor.ts';
import { turnOffTwoFactor } from '#usecases/identity/two-factor/turn-off-two-factor.ts';

// Not `stepUp`: calls that need the password require it in their body, with a code where there is one.
const config = { access: 'loggedIn' } as const;

/** The caller's own account and its second factor. */
export const ownAccountRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; cookie: SessionCookie }> = async (
  app,
  { deps, cookie },
) => {
  /** The other browsers are logged out; this one continues with a new cookie. */
  function goOn(request: FastifyRequest, reply: FastifyReply, { token, endedSessions }: FactorChanged): void {
    for (const id of endedSessions) deps.liveStreams.endSession(id);
    deps.liveStreams.reopenSession(sessionOf(request).id);
    cookie.write(reply, token);
  }

  app.get('/api/account', { config, schema: { response: { 200: Account } } }, async (request) => {
    const { user } = sessionOf(request);
    return accountView(user, await countRecoveryCodes(deps.db, user.id), deps.requiresTwoFactor);
  });

  app.post(
    '/api/account/two-factor/begin',
    { config, schema: { body: StartTwoFactor, response: { 200: TwoFactorBegun } } },
    async (request) => {
      const { password } = request.body;
      const begun = await startTwoFactor(deps, sessionOf(request), password, callerOf(request));
      return {
        secret: begun.secret,
        otpauthUrl: begun.link,
        qrSvg: await qrSvg(begun.link),
        expiresAt: new Date(begun.expiresAt).toISOString(),
      };
    },
  );

  app.post(
    '/api/account/two-factor/confirm',
    { config, schema: { body: ConfirmTwoFactor, response: { 200: RecoveryCodes } } },
    async (request, reply) => {
      const { code } = request.body;
      const confirmed = await confirmTwoFactor(deps, sessionOf(request), code, callerOf(request));
      goOn(request, reply, confirmed);
      return { recoveryCodes: confirmed.recoveryCodes };
    },
  );

  app.post(
    '/api/account/two-factor/disable',
    { config, schema: { body: PasswordAndCode, response: { 200: Done } } },
    async (request, reply) => {
      goOn(request, reply, await turnOffTwoFactor(deps, sessionOf(request), request.body, callerOf(request)));
      return { message: 'Two-factor authentication is off.' };
    },
  );

  app.post(
    '/api/account/two-factor/recovery-codes',
    { config, schema: { body: PasswordAndCode, response: { 200: RecoveryCodes } } },
    async (request) => ({
      recoveryCodes: await renewRecoveryCodes(deps, sessionOf(request), request.body, callerOf(request)),
    }),
  );
};
