import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { EngineStatus, GoLive, Halt, Resume, SetRecommendOnly } from '#contract/engine.ts';
import { PlanQuery, type RunPreviewLine } from '#contract/run-preview.ts';
import { readEngineFigures } from '#db/queries/repricing/engine-status.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { actorOf } from '#server/editor-of.ts';
import { engineStatusView, runPreviewView } from '#server/engine-views.ts';
import { goLive } from '#usecases/repricing/engine/go-live.ts';
import { haltEngine } from '#usecases/repricing/engine/halt.ts';
import { PreviewCache } from '#usecases/repricing/engine/preview-cache.ts';
import {
  type PlanProgress,
  type PreviewedRun,
  watchPreview,
} from '#usecases/repricing/engine/preview-run.ts';
import { resumeEngine } from '#usecases/repricing/engine/resume.ts';
import { setRecommendOnly } from '#usecases/repricing/engine/set-recommend-only.ts';

/** @param isAccepting false ends it without a plan: a stopping server does not wait for a preview */
async function* planLines(
  first: IteratorResult<PlanProgress, PreviewedRun>,
  steps: AsyncGenerator<PlanProgress, PreviewedRun>,
  isAccepting: () => boolean,
): AsyncGenerator<string> {
  for (let next = first; ; next = await steps.next()) {
    if (next.done === true) return yield lineOf({ kind: 'plan', plan: runPreviewView(next.value) });
    yield lineOf({ kind: 'progress', ...next.value });
    if (!isAccepting()) throw new Error('The server stops.');
  }
}

function lineOf(line: RunPreviewLine): string {
  return `${JSON.stringify(line)}\n`;
}

const STATUS = { response: { 200: EngineStatus } } as const;

export const engineRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const previews = new PreviewCache();
  const status = async (): Promise<EngineStatus> => {
    const { figures, run } = await readEngineFigures(deps.db, deps.now());
    return engineStatusView(figures, run, deps.now(), deps.usesTestAddresses);
  };

  app.get('/api/engine', { config: { access: 'loggedIn' }, schema: STATUS }, status);

  app.get(
    '/api/engine/plan',
    { config: { access: 'admin' }, schema: { querystring: PlanQuery } },
    async ({ query }, reply) => {
      const steps = watchPreview(deps.db, query.marketplaces, deps.now(), previews);
      // Errors at the start are returned as usual; after that the response can only be cut off.
      const first = await steps.next();
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(planLines(first, steps, deps.isAccepting)));
    },
  );

  app.post(
    '/api/engine/go-live',
    { config: { access: 'admin', stepUp: true }, schema: { body: GoLive, ...STATUS } },
    async (request) => {
      await goLive({ ...deps, previews }, request.body, actorOf(request));
      return status();
    },
  );

  // Every user may make repricing do less.
  app.post(
    '/api/engine/recommend-only',
    { config: { access: 'loggedIn' }, schema: { body: SetRecommendOnly, ...STATUS } },
    async (request) => {
      await setRecommendOnly(deps, request.body.marketplaces, actorOf(request));
      return status();
    },
  );

  app.post(
    '/api/engine/halt',
    { config: { access: 'loggedIn' }, schema: { body: Halt.nullish(), ...STATUS } },
    async (request) => {
      await haltEngine(deps, request.body?.reason ?? null, actorOf(request));
      return status();
    },
  );

  app.post(
    '/api/engine/resume',
    { config: { access: 'admin', stepUp: true }, schema: { body: Resume, ...STATUS } },
    async (request) => {
      await resumeEngine({ ...deps, previews }, request.body?.token ?? null, actorOf(request));
      return status();
    },
  );
};
