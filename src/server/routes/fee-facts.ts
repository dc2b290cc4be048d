import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { DecideFees, FeeDrifts, FeeFacts, FeeFactsQuery, FeesDecided } from '#contract/fee-facts.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { decideFees } from '#usecases/catalog/fees/decide-fees.ts';
import { readFeeDrifts } from '#usecases/catalog/fees/fee-drifts.ts';
import { readFeeFacts } from '#usecases/catalog/fees/fee-facts.ts';

const config = { access: 'loggedIn' } as const;

/** What marketplaces reported of fees. */
export const feeFactRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/fee-facts',
    { config, schema: { querystring: FeeFactsQuery, response: { 200: FeeFacts } } },
    async ({ query }) => readFeeFacts(deps.db, Number(query.listing), deps.now()),
  );

  app.post(
    '/api/fee-facts/decide',
    { config: { access: 'admin' }, schema: { body: DecideFees, response: { 200: FeesDecided } } },
    async (request) => decideFees(deps.db, request.body, editorOf(request), deps.now()),
  );

  app.get('/api/fee-drift', { config, schema: { response: { 200: FeeDrifts } } }, async () =>
    readFeeDrifts(deps.db, deps.now()),
  );
};
