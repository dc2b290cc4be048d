import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  EditListingCosts,
  ListingCostImpactRequest,
  ListingCosts,
  SalesImpact,
  SavedCosts,
} from '#contract/costs.ts';
import { Id } from '#contract/fields.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { editListingCosts } from '#usecases/catalog/costs/edit-listing-costs.ts';
import { listingCostImpact } from '#usecases/catalog/costs/listing-cost-impact.ts';
import { readListingCosts } from '#usecases/catalog/costs/listing-costs.ts';

const config = { access: 'loggedIn' } as const;
const OfListing = z.strictObject({ id: Id });

/** The cost of one listing, part by part. */
export const listingCostRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/listings/:id/costs',
    { config, schema: { params: OfListing, response: { 200: ListingCosts } } },
    async (request) => readListingCosts(deps.db, Number(request.params.id), deps.now()),
  );

  app.post(
    '/api/listings/:id/costs/impact',
    { config, schema: { params: OfListing, body: ListingCostImpactRequest, response: { 200: SalesImpact } } },
    async (request) => listingCostImpact(deps, Number(request.params.id), request.body),
  );

  app.put(
    '/api/listings/:id/costs',
    { config, schema: { params: OfListing, body: EditListingCosts, response: { 200: SavedCosts } } },
    async (request) => editListingCosts(deps, Number(request.params.id), request.body, editorOf(request)),
  );
};
