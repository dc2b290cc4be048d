import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ConsentAnswer, ConsentPage, ConsentParams, ConsentTaken } from '#contract/connections.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { outsideCalls } from '#server/outside-calls.ts';
import { requestFacts, sessionOf } from '#server/request-guards.ts';
import { ownOrigins } from '#server/request-origin.ts';
import { finishConsent } from '#usecases/marketplaces/connections/finish-consent.ts';
import { startConsent } from '#usecases/marketplaces/connections/start-consent.ts';

/** Milliseconds that an exchange may take: a user waits for it. */
const EXCHANGE_LIMIT = 25_000;

/** Like every change of credentials. */
const config = { access: 'admin', stepUp: true } as const;

/**
 * The marketplace redirects the browser to a page of ours, which posts the parameters from there. The GET changes
 * nothing and needs no cookie, and the POST is protected like every other.
 */
export const consentRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const calls = outsideCalls(app);

  app.post(
    '/api/connections/:marketplace/consent',
    { config, schema: { params: ConsentParams, response: { 200: ConsentPage } } },
    async (request) => {
      const { marketplace } = request.params;
      const [origin = ''] = ownOrigins(deps.publicUrl, requestFacts(request).headers);
      const input = {
        marketplace,
        sessionId: sessionOf(request).id,
        returnTo: `${origin}/connect/${marketplace}`,
      };
      return { address: await startConsent(deps, input, editorOf(request)) };
    },
  );

  app.post(
    '/api/connections/:marketplace/consent/answer',
    { config, schema: { params: ConsentParams, body: ConsentAnswer, response: { 200: ConsentTaken } } },
    async (request) => {
      const { marketplace } = request.params;
      const { address } = request.body;
      const brought = { marketplace, address, sessionId: sessionOf(request).id };
      const endsAt = await calls.within(MARKETPLACE_NAMES[marketplace], EXCHANGE_LIMIT, (signal) =>
        finishConsent(deps, brought, editorOf(request), signal),
      );
      return { endsAt: endsAt === null ? null : new Date(endsAt).toISOString() };
    },
  );
};
