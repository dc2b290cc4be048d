import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Stats } from '#contract/stats.ts';
import { readStats } from '#db/queries/catalog/stats.ts';
import type { AppDeps } from '#server/app-deps.ts';

export const statsRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/stats', { config: { access: 'loggedIn' }, schema: { response: { 200: Stats } } }, async () =>
    readStats(deps.db, deps.now()),
  );
};
