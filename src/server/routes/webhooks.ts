import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EventTaken, IncomingParams, IncomingQuery } from '#contract/webhooks.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { IncomingLimit } from '#server/webhook-limit.ts';
import { AppError } from '#usecases/app-error.ts';
import { receiveEvent } from '#usecases/marketplaces/webhooks/receive-event.ts';

/** Bytes. Events are small; ours of Shopify hold two members. */
const MOST_BYTES = 262_144;

/** Where marketplaces send their events. No session and no page of ours: the signature over the bytes is what counts. */
export const incomingRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const limit = new IncomingLimit();
  // The bytes as they came are what is signed. The parser belongs to this plugin alone.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ ip }) => limit.count(ip, deps.now()));

  app.post(
    '/api/incoming/:marketplace',
    {
      config: { access: 'public', isSigned: true },
      bodyLimit: MOST_BYTES,
      schema: {
        params: IncomingParams,
        querystring: IncomingQuery,
        body: z.unknown(),
        response: { 200: EventTaken },
      },
    },
    async ({ params: { marketplace }, headers, body, log }) => {
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw new AppError('bad_request', 'There is no event in this request.');
      if (await receiveEvent(deps, marketplace, { headers, body })) return { taken: true } as const;
      // Whoever guesses learns nothing: not whether there is a shop, a secret or a public address.
      log.warn({ marketplace }, 'webhook event rejected: invalid signature');
      throw new AppError('not_signed_in', 'The signature of this event is invalid.');
    },
  );
};
