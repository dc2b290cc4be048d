import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Coverage, CoverageSkusQuery, SETUP_STEPS, Setup } from '#contract/setup.ts';
import { readCoverage } from '#db/queries/catalog/coverage.ts';
import { readSetup } from '#db/queries/catalog/setup.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { exportSkusToComplete } from '#usecases/catalog/exports/export-skus-to-complete.ts';
import { confirmFees } from '#usecases/catalog/setup/confirm-fees.ts';
import { dismissSetup } from '#usecases/catalog/setup/dismiss-setup.ts';

const SETUP = { response: { 200: Setup } } as const;

export const startRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  const setup = async (): Promise<Setup> => {
    const { isDismissed, isDemo, ...done } = await readSetup(deps.db);
    return { steps: SETUP_STEPS.map((step) => ({ step, isDone: done[step] })), isDismissed, isDemo };
  };

  app.get('/api/setup', { config: { access: 'loggedIn' }, schema: SETUP }, setup);

  app.post('/api/setup/dismiss', { config: { access: 'admin' }, schema: SETUP }, async (request) => {
    await dismissSetup(deps.db, editorOf(request), deps.now());
    return setup();
  });

  app.post('/api/setup/fees-checked', { config: { access: 'admin' }, schema: SETUP }, async (request) => {
    await confirmFees(deps.db, editorOf(request), deps.now());
    return setup();
  });

  app.get(
    '/api/coverage',
    { config: { access: 'loggedIn' }, schema: { response: { 200: Coverage } } },
    async () => readCoverage(deps.db),
  );

  app.get(
    '/api/coverage/skus.csv',
    { config: { access: 'loggedIn' }, schema: { querystring: CoverageSkusQuery } },
    async (request, reply) =>
      downloads.send(request, reply, { name: 'skus-to-complete.csv', filter: request.query }, (write) =>
        exportSkusToComplete(deps.db, request.query.problem, write),
      ),
  );
};
