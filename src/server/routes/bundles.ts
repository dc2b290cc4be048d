import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  type BundleComponent,
  BundleComponents,
  BundlePreview,
  BundleQuestion,
  BundlesExportQuery,
  BundlesPage,
  BundlesQuery,
  ConfirmedSingle,
  ConfirmSingle,
  OneBundle,
  RemovedBundle,
  SaveBundles,
  SaveBundlesQuery,
} from '#contract/bundles.ts';
import { listBundles } from '#db/queries/catalog/bundle-list.ts';
import { readBundles, type StoredComponent } from '#db/queries/catalog/bundles.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { confirmSingle } from '#usecases/catalog/bundles/confirm-single.ts';
import { previewBundle, skuFigures } from '#usecases/catalog/bundles/preview-bundle.ts';
import { removeBundle } from '#usecases/catalog/bundles/remove-bundle.ts';
import { saveBundles } from '#usecases/catalog/bundles/save-bundles.ts';
import { exportBundles } from '#usecases/catalog/exports/export-bundles.ts';

const config = { access: 'loggedIn' } as const;
/** Of a list of the most components with the longest codes. */
const MAX_LIST_BYTES = 4_000_000;

function componentView({ component, sku }: StoredComponent): BundleComponent {
  return {
    id: String(component.id),
    listingSku: component.listingSku,
    componentSkuId: String(component.componentSkuId),
    quantity: component.quantity,
    sku: sku.sku,
    name: sku.name,
    isDeleted: sku.deletedAt !== null,
    ...skuFigures(sku),
  };
}

/** The components of bundles. */
export const bundleRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  app.get(
    '/api/bundles',
    { config, schema: { querystring: BundlesQuery, response: { 200: BundlesPage } } },
    async ({ query: { q = '', state, page, size } }) =>
      listBundles(deps.db, { q, state }, size, (page - 1) * size),
  );

  // Registered before the route of a listing SKU; no listing has this SKU.
  app.get(
    '/api/bundles/export.csv',
    { config, schema: { querystring: BundlesExportQuery } },
    async (request, reply) => {
      const { q = '', state } = request.query;
      return downloads.send(request, reply, { name: 'bundles.csv', filter: request.query }, (write) =>
        exportBundles(deps.db, { q, state }, write),
      );
    },
  );

  app.get(
    '/api/bundles/:listingSku',
    { config, schema: { params: OneBundle, response: { 200: BundleComponents } } },
    async ({ params }) => (await readBundles(deps.db, [params.listingSku])).map(componentView),
  );

  app.delete(
    '/api/bundles/:listingSku',
    { config, schema: { params: OneBundle, response: { 200: RemovedBundle } } },
    async (request) => removeBundle(deps, request.params.listingSku, editorOf(request)),
  );

  app.post(
    '/api/bundles/bulk',
    {
      config,
      bodyLimit: MAX_LIST_BYTES,
      schema: { querystring: SaveBundlesQuery, body: SaveBundles, response: { 200: BundleComponents } },
    },
    async (request) => {
      const { seen, restores } = request.query;
      const options = { seen, restores: restores === 'true' };
      return (await saveBundles(deps, request.body, options, editorOf(request))).map(componentView);
    },
  );

  app.post(
    '/api/bundles/preview',
    { config, schema: { body: BundleQuestion, response: { 200: BundlePreview } } },
    async (request) => previewBundle(deps, request.body),
  );

  app.post(
    '/api/bundles/confirm-single',
    { config, schema: { body: ConfirmSingle, response: { 200: ConfirmedSingle } } },
    async (request) => ({
      confirmed: await confirmSingle(deps, request.body.listingSkus, editorOf(request)),
    }),
  );
};
