import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Sku, SkusPage, SkusQuery } from '#contract/skus.ts';
import { Id } from '#contract/wire.ts';
import { readSku, readSkus } from '#db/queries/skus.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { AppError } from '#usecases/app-error.ts';

const config = { access: 'signedIn' } as const;
const OneSku = z.strictObject({ id: Id });

export const skuRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/skus',
    { config, schema: { querystring: SkusQuery, response: { 200: SkusPage } } },
    async (request) => readSkus(deps.db, request.query),
  );

  app.get(
    '/api/skus/:id',
    { config, schema: { params: OneSku, response: { 200: Sku } } },
    async (request) => {
      const sku = await readSku(deps.db, request.params.id);
      if (sku === null) throw new AppError('not_found', 'This SKU does not exist or was deleted.');
      return sku;
    },
  );
};
