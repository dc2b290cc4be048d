import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { MAX_HITS_SHOWN, SearchAnswer, SearchQuery } from '#contract/search.ts';
import { createListTotals } from '#db/queries/catalog/list-totals.ts';
import { findListings, findSkus } from '#db/queries/catalog/search.ts';
import type { AppDeps } from '#server/app-deps.ts';

export const searchRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const totals = createListTotals(deps.db, (error) => deps.log.warn({ err: error }, 'hits not counted'));

  app.get(
    '/api/search',
    {
      config: { access: 'loggedIn' },
      schema: {
        description: 'Listings and SKUs with a text in their code or name.',
        querystring: SearchQuery,
        response: { 200: SearchAnswer },
      },
    },
    async ({ query: { q } }) => {
      const [listings, skus] = await Promise.all([
        findListings(deps.db, totals, q, MAX_HITS_SHOWN, deps.now()),
        findSkus(deps.db, q, MAX_HITS_SHOWN),
      ]);
      return { listings, skus };
    },
  );
};
