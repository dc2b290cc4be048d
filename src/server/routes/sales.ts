import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Profit, ProfitQuery, SalesPage, SalesQuery } from '#contract/sales.ts';
import { readProfit } from '#db/queries/catalog/profit-days.ts';
import { readSales } from '#db/queries/catalog/sales-list.ts';
import type { AppDeps } from '#server/app-deps.ts';

const config = { access: 'signedIn' } as const;

/** Sales with what they earned, and their sums. */
export const salesRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/sales',
    { config, schema: { querystring: SalesQuery, response: { 200: SalesPage } } },
    async ({ query }) => readSales(deps.db, query),
  );

  app.get(
    '/api/profit',
    { config, schema: { querystring: ProfitQuery, response: { 200: Profit } } },
    async ({ query }) => readProfit(deps.db, query),
  );
};
