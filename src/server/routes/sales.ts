import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import {
  Profit,
  ProfitQuery,
  RestockedSale,
  RestockSale,
  SaleDetail,
  SalesExportQuery,
  SalesPage,
  SalesQuery,
} from '#contract/sales.ts';
import { readProfit } from '#db/queries/catalog/profit-sums.ts';
import { readSales } from '#db/queries/catalog/sales-list.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { exportSales } from '#usecases/catalog/exports/export-sales.ts';
import { restockSale } from '#usecases/catalog/sales/restock-sale.ts';
import { saleDetail } from '#usecases/catalog/sales/sale-detail.ts';
import { salesFilter } from '#usecases/catalog/sales/sales-filter.ts';

const config = { access: 'loggedIn' } as const;
const OneSale = z.strictObject({ id: Id });

/** Sales with what they earned, and their sums. */
export const salesRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  app.get(
    '/api/sales',
    { config, schema: { querystring: SalesQuery, response: { 200: SalesPage } } },
    async ({ query }) => {
      const { page, size, ...filter } = query;
      return readSales(deps.db, { ...salesFilter(filter, deps.now()), page, size });
    },
  );

  app.get(
    '/api/sales/:id',
    { config, schema: { params: OneSale, response: { 200: SaleDetail } } },
    async ({ params }) => saleDetail(deps.db, Number(params.id)),
  );

  app.put(
    '/api/sales/:id/restocked',
    { config, schema: { params: OneSale, body: RestockSale, response: { 200: RestockedSale } } },
    async (request) => {
      const { id } = request.params;
      const { units } = request.body;
      await restockSale(deps.db, { id: Number(id), units }, editorOf(request), deps.now());
      return { id, restocked: units };
    },
  );

  app.get(
    '/api/sales/export.csv',
    { config, schema: { querystring: SalesExportQuery } },
    async (request, reply) =>
      downloads.send(request, reply, { name: 'sales.csv', filter: request.query }, (write) =>
        exportSales(deps.db, salesFilter(request.query, deps.now()), write),
      ),
  );

  app.get(
    '/api/profit',
    { config, schema: { querystring: ProfitQuery, response: { 200: Profit } } },
    async ({ query }) => readProfit(deps.db, query),
  );
};
