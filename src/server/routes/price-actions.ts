import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import {
  ApplyOne,
  PriceCheck,
  PriceCheckQuery,
  PricedListing,
  RetryPrice,
  RevertPrice,
  SetPrice,
} from '#contract/price-actions.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { listingRow } from '#server/listing-row.ts';
import { applyPrice } from '#usecases/repricing/prices/apply-price.ts';
import { checkPrice } from '#usecases/repricing/prices/check-price.ts';
import { retryPrice } from '#usecases/repricing/prices/retry-price.ts';
import { revertPrice } from '#usecases/repricing/prices/revert-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const config = { access: 'loggedIn' } as const;
const OfListing = z.strictObject({ id: Id });
const OfPrice = z.strictObject({ listingId: Id, id: Id });

/** User actions on the price of one listing. */
export const priceActionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.put(
    '/api/listings/:id/price',
    { config, schema: { params: OfListing, body: SetPrice, response: { 200: PricedListing } } },
    async (request) => {
      await setPrice(deps, Number(request.params.id), request.body, editorOf(request));
      return listingRow(deps, request.params.id);
    },
  );

  app.get(
    '/api/listings/:id/price-check',
    { config, schema: { params: OfListing, querystring: PriceCheckQuery, response: { 200: PriceCheck } } },
    async (request) => checkPrice(deps, Number(request.params.id), request.query.price),
  );

  app.post(
    '/api/listings/:id/apply',
    { config, schema: { params: OfListing, body: ApplyOne, response: { 200: PricedListing } } },
    async (request) => {
      await applyPrice(deps, Number(request.params.id), request.body, editorOf(request));
      return listingRow(deps, request.params.id);
    },
  );

  app.post(
    '/api/listings/:id/retry',
    { config, schema: { params: OfListing, body: RetryPrice, response: { 200: PricedListing } } },
    async (request) => {
      await retryPrice(deps, Number(request.params.id), request.body, editorOf(request));
      return listingRow(deps, request.params.id);
    },
  );

  app.post(
    '/api/history/:listingId/:id/revert',
    { config, schema: { params: OfPrice, body: RevertPrice, response: { 200: PricedListing } } },
    async (request) => {
      const { listingId, id } = request.params;
      await revertPrice(deps, Number(listingId), Number(id), request.body, editorOf(request));
      return listingRow(deps, listingId);
    },
  );
};
