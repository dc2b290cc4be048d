import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import { LabelCounts, ListingLabelsQuery } from '#contract/labels.ts';
import { ListingViewTotals } from '#contract/listing-views.ts';
import {
  EditListing,
  ListingFilter,
  ListingRow,
  ListingsExportQuery,
  ListingsPage,
  ListingsQuery,
  RulesOfListings,
} from '#contract/listings.ts';
import { PricedListing } from '#contract/price-actions.ts';
import { readListingLabels } from '#db/queries/catalog/label-counts.ts';
import { createListTotals } from '#db/queries/catalog/list-totals.ts';
import { readListing } from '#db/queries/catalog/listing-rows.ts';
import { readListings } from '#db/queries/catalog/listings.ts';
import { countRulesOfListings } from '#db/queries/catalog/rules-of-listings.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { listingRow } from '#server/listing-row.ts';
import { sessionOf } from '#server/request-guards.ts';
import { AppError } from '#usecases/app-error.ts';
import { exportListings } from '#usecases/catalog/exports/export-listings.ts';
import { editListing } from '#usecases/catalog/listings/edit-listing.ts';
import { listingViewTotals } from '#usecases/catalog/views/listing-view-totals.ts';

export const listingRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  const totals = createListTotals(deps.db, (error) => deps.log.warn({ err: error }, 'listings not counted'));

  app.get(
    '/api/listings',
    {
      config: { access: 'loggedIn' },
      schema: { querystring: ListingsQuery, response: { 200: ListingsPage } },
    },
    async (request) => readListings(deps.db, totals, request.query, deps.now()),
  );

  app.get(
    '/api/listings/view-totals',
    { config: { access: 'loggedIn' }, schema: { response: { 200: ListingViewTotals } } },
    async (request) => ({
      totals: await listingViewTotals(deps.db, totals, sessionOf(request).user.id, deps.now()),
    }),
  );

  app.get(
    '/api/listings/rules',
    {
      config: { access: 'loggedIn' },
      schema: { querystring: ListingFilter, response: { 200: RulesOfListings } },
    },
    async (request) => ({ rules: await countRulesOfListings(deps.db, request.query, deps.now()) }),
  );

  app.get(
    '/api/listings/:id',
    {
      config: { access: 'loggedIn' },
      schema: { params: z.strictObject({ id: Id }), response: { 200: ListingRow } },
    },
    async (request) => {
      const row = await readListing(deps.db, request.params.id, deps.now());
      if (row === null) throw new AppError('not_found', 'This listing does not exist or was deleted.');
      return row;
    },
  );

  app.put(
    '/api/listings/:id',
    {
      config: { access: 'loggedIn' },
      schema: { params: z.strictObject({ id: Id }), body: EditListing, response: { 200: PricedListing } },
    },
    async (request) => {
      await editListing(deps, Number(request.params.id), request.body, editorOf(request));
      return listingRow(deps, request.params.id);
    },
  );

  app.get(
    '/api/listings/labels',
    {
      config: { access: 'loggedIn' },
      schema: { querystring: ListingLabelsQuery, response: { 200: LabelCounts } },
    },
    async (request) => readListingLabels(deps.db, request.query.of, request.query.q),
  );

  app.get(
    '/api/listings/export.csv',
    { config: { access: 'loggedIn' }, schema: { querystring: ListingsExportQuery } },
    async (request, reply) =>
      downloads.send(request, reply, { name: 'listings.csv', filter: request.query }, (write) =>
        exportListings(deps.db, request.query, deps.now(), write),
      ),
  );
};
