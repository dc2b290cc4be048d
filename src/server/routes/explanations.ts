import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PriceExplanation } from '#contract/explanation.ts';
import { Id } from '#contract/fields.ts';
import type { AppDeps } from '#server/app-deps.ts';
import {
  explainHistory,
  explainNow,
  explainRecommendation,
  explainRunItem,
} from '#usecases/repricing/explanations/explain-price.ts';

const config = { access: 'loggedIn' } as const;
const OfListing = z.strictObject({ id: Id });
const OfRun = z.strictObject({ id: Id, listingId: Id });
const OfPrice = z.strictObject({ listingId: Id, id: Id });
const response = { 200: PriceExplanation };

/** Why a price is what it is. */
export const explanationRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/listings/:id/explanation',
    { config, schema: { params: OfListing, response } },
    async (request) => explainNow(deps, Number(request.params.id)),
  );

  app.get(
    '/api/listings/:id/recommendation',
    { config, schema: { params: OfListing, response } },
    async (request) => explainRecommendation(deps, Number(request.params.id)),
  );

  app.get(
    '/api/runs/:id/items/:listingId/explanation',
    { config, schema: { params: OfRun, response } },
    async ({ params }) => explainRunItem(deps, Number(params.id), Number(params.listingId)),
  );

  app.get(
    '/api/history/:listingId/:id/explanation',
    { config, schema: { params: OfPrice, response } },
    async (request) => explainHistory(deps, Number(request.params.listingId), Number(request.params.id)),
  );
};
