import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { VeeqoCheck, VeeqoSync } from '#contract/settings.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { outsideCalls } from '#server/outside-calls.ts';
import { checkVeeqo } from '#usecases/catalog/inventory/check-veeqo.ts';
import { syncVeeqo } from '#usecases/catalog/inventory/sync-veeqo.ts';

const config = { access: 'admin' } as const;
/** Milliseconds that a sync may take: a user waits for it, and a proxy ends most requests after a minute. */
const SYNC_LIMIT = 55_000;
const CHECK_LIMIT = 15_000;

export const veeqoRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const calls = outsideCalls(app);

  app.post('/api/veeqo/sync', { config, schema: { response: { 200: VeeqoSync } } }, async (request) => {
    const result = await calls.within('Veeqo', SYNC_LIMIT, (signal) =>
      syncVeeqo(deps, editorOf(request), signal),
    );
    if (!result.success) request.log.warn({ reason: result.error }, 'veeqo sync failed');
    return result;
  });

  app.post('/api/veeqo/check', { config, schema: { response: { 200: VeeqoCheck } } }, async () => {
    const error = await calls.within('Veeqo', CHECK_LIMIT, (signal) => checkVeeqo(deps, signal));
    return { success: error === null, error, checkedAt: new Date(deps.now()).toISOString() };
  });
};
