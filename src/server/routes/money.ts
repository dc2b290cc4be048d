import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  MoneyEvents,
  MoneyEventsQuery,
  RefusedMoneyPage,
  RefusedMoneyQuery,
  Settlements,
  SettlementsQuery,
} from '#contract/money.ts';
import { readMoneyEvents, readRefusedMoney, readSettlements } from '#db/queries/marketplaces/money-lists.ts';
import type { AppDeps } from '#server/app-deps.ts';

const config = { access: 'admin' } as const;

/** What marketplaces booked, and their settlements. */
export const moneyRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
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
    '/api/refused-money',
    { config, schema: { querystring: RefusedMoneyQuery, response: { 200: RefusedMoneyPage } } },
    async ({ query }) => readRefusedMoney(deps.db, query),
  );
};
