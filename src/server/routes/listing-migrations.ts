import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ListingMigrations,
  MigrationQuery,
  MigrationRequest,
  MigrationRequested,
} from '#contract/listing-migrations.ts';
import { listMigratableItems, listMigrations } from '#db/queries/marketplaces/sending/listing-migrations.ts';
import { migrationProblemOf } from '#domain/connections/listing-migration.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { requestMigration } from '#usecases/marketplaces/migration/request-migration.ts';

/** Rows of each list of one answer. */
const MAX_ROWS = 100;

/** Moving eBay listings into its Inventory model. */
export const listingMigrationRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/connections/ebay/migrations',
    {
      config: { access: 'admin' },
      schema: { querystring: MigrationQuery, response: { 200: ListingMigrations } },
    },
    async ({ query }) => {
      const { items, total } = await listMigratableItems(
        deps.db,
        'ebay',
        query.search.toLowerCase(),
        MAX_ROWS,
      );
      const requested = await listMigrations(deps.db, 'ebay', MAX_ROWS);
      return {
        total,
        items: items.map(({ itemId, title, skus }) => {
          return { itemId, title, skus: [...skus], problem: migrationProblemOf(itemId, skus) };
        }),
        asked: requested.map(({ itemId, state, message, askedBy, askedAt, endedAt }) => ({
          itemId,
          state,
          message,
          askedBy,
          askedAt: new Date(askedAt).toISOString(),
          endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
        })),
      };
    },
  );

  app.post(
    '/api/connections/ebay/migrations',
    {
      config: { access: 'admin', stepUp: true },
      schema: { body: MigrationRequest, response: { 202: MigrationRequested } },
    },
    async (request, reply) => {
      const { itemIds, count } = request.body;
      await requestMigration(deps, itemIds, count, editorOf(request));
      return reply.code(202).send({ asked: count });
    },
  );
};
