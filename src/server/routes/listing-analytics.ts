import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import {
  CompetitorPrices,
  CompetitorQuery,
  ListingAnalytics,
  ListingCompetition,
  OnMarketplace,
  PriceChart,
  RangeQuery,
  SalesMetrics,
} from '#contract/listing-analytics.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { competitorPrices } from '#usecases/catalog/analytics/competitor-prices.ts';
import { listingAnalytics } from '#usecases/catalog/analytics/listing-analytics.ts';
import { onMarketplace } from '#usecases/catalog/analytics/on-marketplace.ts';
import { priceChart } from '#usecases/catalog/analytics/price-chart.ts';
import { salesMetrics } from '#usecases/catalog/analytics/sales-metrics.ts';
import { explainCompetition } from '#usecases/repricing/explanations/explain-competition.ts';

const config = { access: 'loggedIn' } as const;
const OfListing = z.strictObject({ listingId: Id });

/** The figures of one listing: sales, analytics, competitor prices. */
export const listingAnalyticsRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/sales-history/metrics/:listingId',
    { config, schema: { params: OfListing, querystring: RangeQuery, response: { 200: SalesMetrics } } },
    async ({ params, query }) => salesMetrics(deps, Number(params.listingId), query.dateRange),
  );

  app.get(
    '/api/listing-analytics/:listingId',
    { config, schema: { params: OfListing, response: { 200: ListingAnalytics } } },
    // As text: a response of null would be sent without a body.
    async ({ params }, reply) => reply.send(await listingAnalytics(deps, Number(params.listingId))),
  );

  app.get(
    '/api/competitor-prices/listing/:listingId',
    {
      config,
      schema: { params: OfListing, querystring: CompetitorQuery, response: { 200: CompetitorPrices } },
    },
    async ({ params, query }) => competitorPrices(deps, Number(params.listingId), query),
  );

  app.get(
    '/api/listings/:id/competition',
    { config, schema: { params: z.strictObject({ id: Id }), response: { 200: ListingCompetition } } },
    async ({ params }) => explainCompetition(deps, Number(params.id)),
  );

  app.get(
    '/api/listings/:id/price-chart',
    {
      config,
      schema: { params: z.strictObject({ id: Id }), querystring: RangeQuery, response: { 200: PriceChart } },
    },
    async ({ params, query }) => priceChart(deps, Number(params.id), query.dateRange),
  );

  app.get(
    '/api/listings/:id/on-marketplace',
    { config, schema: { params: z.strictObject({ id: Id }), response: { 200: OnMarketplace } } },
    async ({ params }, reply) => reply.send(await onMarketplace(deps, Number(params.id))),
  );
};
