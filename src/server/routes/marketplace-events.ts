import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EventAccepted, EventParams, EventQuery } from '#contract/marketplace-events.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { EventLimit } from '#server/event-limit.ts';
import { AppError } from '#usecases/app-error.ts';
import { receiveEvent } from '#usecases/marketplaces/events/receive-event.ts';

/** Events are small; those that we request from Shopify have two members. */
const MAX_EVENT_BYTES = 262_144;

/** Subscriptions made by an earlier release name the second, until they are renewed at the next start. */
const PATHS = ['/api/webhooks/:marketplace', '/api/incoming/:marketplace'] as const;

/** Where marketplaces send their events: without a session, authenticated by the signature over the bytes. */
export const marketplaceEventRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const limit = new EventLimit();
  // The signature covers the bytes as received. The parser belongs to this plugin alone.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ ip }) => limit.count(ip, deps.now()));

  for (const path of PATHS) {
    app.post(
      path,
      {
        config: { access: 'public', isSigned: true },
        bodyLimit: MAX_EVENT_BYTES,
        schema: {
          params: EventParams,
          querystring: EventQuery,
          body: z.unknown(),
          response: { 200: EventAccepted },
        },
      },
      async ({ params: { marketplace }, headers, body, log }) => {
        if (!Buffer.isBuffer(body) || body.length === 0)
          throw new AppError('bad_request', 'There is no event in this request.');
        if (await receiveEvent(deps, marketplace, { headers, body })) return { accepted: true } as const;
        // The response reveals nothing: not whether there is a store, a secret or a public address.
        log.warn({ marketplace }, 'webhook event rejected: invalid signature');
        throw new AppError('not_signed_in', 'The signature of this event is invalid.');
      },
    );
  }
};
