import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { AcceptCategory, CategorySuggestions } from '#contract/fee-categories.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { acceptCategory, readCategorySuggestions } from '#usecases/catalog/fees/category-suggestions.ts';

const config = { access: 'admin' } as const;

/** Fee categories found by what marketplaces call a product. */
export const feeCategoryRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/fee-categories', { config, schema: { response: { 200: CategorySuggestions } } }, async () =>
    readCategorySuggestions(deps.db, deps.now()),
  );

  app.post(
    '/api/fee-categories/accept',
    { config, schema: { body: AcceptCategory, response: { 200: CategorySuggestions } } },
    async (request) => acceptCategory(deps, request.body, editorOf(request)),
  );
};
