import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import { LabelCounts, LabelsQuery } from '#contract/labels.ts';
import {
  CreatedSku,
  EditSku,
  MarkHazardous,
  NewSku,
  OnSkus,
  SavedSku,
  SimilarSkus,
  SimilarSkusQuery,
  Sku,
  SkuImpact,
  SkuImpactRequest,
  SkusDone,
  SkusExportQuery,
  SkusPage,
  SkusQuery,
  SkuUses,
  UndeleteSkus,
} from '#contract/skus.ts';
import { readSkuLabels } from '#db/queries/catalog/label-counts.ts';
import { readSku, readSkus } from '#db/queries/catalog/skus.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { exportSkus } from '#usecases/catalog/exports/export-skus.ts';
import { createSku, similarSkus } from '#usecases/catalog/skus/create-sku.ts';
import { deleteSkus, skuUses, undeleteSkus } from '#usecases/catalog/skus/delete-skus.ts';
import { editSku } from '#usecases/catalog/skus/edit-sku.ts';
import { markHazardous } from '#usecases/catalog/skus/mark-hazardous.ts';
import { skuNotFound } from '#usecases/catalog/skus/sku-deps.ts';
import { skuImpact } from '#usecases/catalog/skus/sku-impact.ts';

const config = { access: 'loggedIn' } as const;
const OneSku = z.strictObject({ id: Id });
const done = (ids: readonly number[]): z.output<typeof SkusDone> => ({ ids: ids.map(String) });

export const skuRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
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
      if (sku === null) throw skuNotFound();
      return sku;
    },
  );

  app.get(
    '/api/skus/similar',
    { config, schema: { querystring: SimilarSkusQuery, response: { 200: SimilarSkus } } },
    async (request) => ({ similar: await similarSkus(deps.db, request.query.sku) }),
  );

  app.get(
    '/api/skus/labels',
    { config, schema: { querystring: LabelsQuery, response: { 200: LabelCounts } } },
    async (request) => readSkuLabels(deps.db, request.query.of, request.query.q),
  );

  app.get(
    '/api/skus/export.csv',
    { config, schema: { querystring: SkusExportQuery } },
    async (request, reply) =>
      downloads.send(request, reply, { name: 'skus.csv', filter: request.query }, (write) =>
        exportSkus(deps.db, request.query, write),
      ),
  );

  app.post(
    '/api/skus',
    { config, schema: { body: NewSku, response: { 201: CreatedSku } } },
    async (request, reply) => reply.code(201).send(await createSku(deps, request.body, editorOf(request))),
  );

  app.put(
    '/api/skus/:id',
    { config, schema: { params: OneSku, body: EditSku, response: { 200: SavedSku } } },
    async (request) => editSku(deps, Number(request.params.id), request.body, editorOf(request)),
  );

  app.post(
    '/api/skus/:id/impact',
    { config, schema: { params: OneSku, body: SkuImpactRequest, response: { 200: SkuImpact } } },
    async (request) => skuImpact(deps, Number(request.params.id), request.body),
  );

  app.post('/api/skus/uses', { config, schema: { body: OnSkus, response: { 200: SkuUses } } }, (request) =>
    skuUses(deps.db, request.body.selection),
  );

  app.post(
    '/api/skus/delete',
    { config, schema: { body: OnSkus, response: { 200: SkusDone } } },
    async (request) => done(await deleteSkus(deps, request.body.selection, editorOf(request))),
  );

  app.post(
    '/api/skus/hazardous',
    { config, schema: { body: MarkHazardous, response: { 200: SkusDone } } },
    async (request) => done(await markHazardous(deps, request.body, editorOf(request))),
  );

  app.post(
    '/api/skus/undelete',
    { config, schema: { body: UndeleteSkus, response: { 200: SkusDone } } },
    async (request) => done(await undeleteSkus(deps, request.body.ids.map(Number), editorOf(request))),
  );
};
