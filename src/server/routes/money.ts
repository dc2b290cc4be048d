import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  MoneyEvents,
  MoneyEventsQuery,
  MoneyExportQuery,
  MoneyKinds,
  MoneyKindsQuery,
  RefusedMoneyPage,
  RefusedMoneyQuery,
  Settlements,
  SettlementsQuery,
} from '#contract/money.ts';
import {
  readMoneyEvents,
  readMoneyKinds,
  readRefusedMoney,
  readSettlements,
} from '#db/queries/marketplaces/money/money-lists.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { exportMoney } from '#usecases/catalog/exports/export-money.ts';

const config = { access: 'admin' } as const;

/** What marketplaces booked, and their settlements. */
export const moneyRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  app.get(
    '/api/settlements',
    { config, schema: { querystring: SettlementsQuery, response: { 200: Settlements } } },
    async ({ query }) => readSettlements(deps.db, query),
  );

  app.get(
    '/api/money-events',
    { config, schema: { querystring: MoneyEventsQuery, response: { 200: MoneyEvents } } },
    async ({ query }) => readMoneyEvents(deps.db, query),
  );

  app.get(
    '/api/money-events/kinds',
    { config, schema: { querystring: MoneyKindsQuery, response: { 200: MoneyKinds } } },
    async ({ query }) => ({ rows: await readMoneyKinds(deps.db, query) }),
  );

  app.get(
    '/api/money-events/export.csv',
    { config, schema: { querystring: MoneyExportQuery } },
    async (request, reply) =>
      downloads.send(request, reply, { name: 'booked-amounts.csv', filter: request.query }, (write) =>
        exportMoney(deps.db, request.query, write),
      ),
  );

  app.get(
    '/api/refused-money',
    { config, schema: { querystring: RefusedMoneyQuery, response: { 200: RefusedMoneyPage } } },
    async ({ query }) => readRefusedMoney(deps.db, query),
  );
};
