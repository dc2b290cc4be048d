import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  MarginDistribution,
  PriceDays,
  PriceDaysQuery,
  RepricingDays,
  RepricingDaysQuery,
  Today,
  TodayQuery,
} from '#contract/charts.ts';
import { readMarginDistribution, readPriceDays, readRepriced } from '#db/queries/catalog/charts.ts';
import { dayStarts } from '#domain/time/day-span.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { repricingDays } from '#usecases/catalog/analytics/repricing-days.ts';

const config = { access: 'loggedIn' } as const;

export const chartRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/charts/margins', { config, schema: { response: { 200: MarginDistribution } } }, async () =>
    readMarginDistribution(deps.db, deps.now()),
  );

  app.get(
    '/api/charts/price-changes',
    { config, schema: { querystring: PriceDaysQuery, response: { 200: PriceDays } } },
    async ({ query: { days, zone } }) => {
      const now = deps.now();
      return { days: await readPriceDays(deps.db, dayStarts(now, zone, Number(days)), now) };
    },
  );

  app.get(
    '/api/charts/repricing',
    { config, schema: { querystring: RepricingDaysQuery, response: { 200: RepricingDays } } },
    async ({ query }) => ({ days: await repricingDays(deps.db, query, deps.now()) }),
  );

  app.get(
    '/api/charts/today',
    { config, schema: { querystring: TodayQuery, response: { 200: Today } } },
    async ({ query: { zone } }) => {
      const now = deps.now();
      const [today] = dayStarts(now, zone, 1);
      if (!today) throw new Error('A day has no start.');
      return { day: today.day, ...(await readRepriced(deps.db, today.start, now)) };
    },
  );
};
