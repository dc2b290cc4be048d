import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AccountDeletionSettings, ChallengeAnswer, ChallengeQuery } from '#contract/marketplace-events.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { EventLimit } from '#server/event-limit.ts';
import { AppError } from '#usecases/app-error.ts';
import {
  ACCOUNT_DELETION_PATH,
  answerChallenge,
  readDeletionSettings,
  receiveAccountDeletion,
} from '#usecases/marketplaces/events/account-deletion.ts';

/** eBay's messages have less than 1 KB. */
const MAX_MESSAGE_BYTES = 65_536;

/** eBay's messages about deleted accounts: without a session, authenticated by the signature over the bytes. */
export const accountDeletionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const limit = new EventLimit();
  // The signature covers the bytes as received. The parser belongs to this plugin alone.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ ip }) => limit.count(ip, deps.now()));

  app.get(
    ACCOUNT_DELETION_PATH,
    {
      config: { access: 'public', isSigned: true },
      schema: { querystring: ChallengeQuery, response: { 200: ChallengeAnswer } },
    },
    async ({ query }) => ({ challengeResponse: await answerChallenge(deps, query.challenge_code) }),
  );

  app.post(
    ACCOUNT_DELETION_PATH,
    {
      config: { access: 'public', isSigned: true },
      bodyLimit: MAX_MESSAGE_BYTES,
      schema: { body: z.unknown(), response: { 204: z.null() } },
    },
    async ({ headers, body, log }, reply) => {
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw new AppError('bad_request', 'There is no message in this request.');
      if (await receiveAccountDeletion(deps, { headers, body })) return reply.code(204).send(null);
      log.warn('message about a deleted eBay account rejected: invalid signature');
      throw new AppError('invalid_signature', 'The signature of this message is invalid.');
    },
  );
};

/** What an administrator enters at eBay. */
export const accountDeletionSettingsRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (
  app,
  { deps },
) => {
  app.get(
    '/api/connections/ebay/account-deletion',
    { config: { access: 'admin' }, schema: { response: { 200: AccountDeletionSettings } } },
    async () => {
      const { noticedAt, ...settings } = await readDeletionSettings(deps);
      return { ...settings, noticedAt: noticedAt === null ? null : new Date(noticedAt).toISOString() };
    },
  );
};
