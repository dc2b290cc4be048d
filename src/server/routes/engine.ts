import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Arm, ArmPlan, Disarm, EngineStatus, Halt, PlanQuery, Resume } from '#contract/engine.ts';
import { readEngineFigures } from '#db/queries/engine-status.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { armPlanView, engineStatusView } from '#server/engine-views.ts';
import { sessionOf } from '#server/guards.ts';
import { armMarketplaces } from '#usecases/engine/arm.ts';
import { disarmMarketplaces } from '#usecases/engine/disarm.ts';
import type { Actor } from '#usecases/engine/engine-deps.ts';
import { haltEngine } from '#usecases/engine/halt.ts';
import { lookAtPlan } from '#usecases/engine/look-at-plan.ts';
import { resumeEngine } from '#usecases/engine/resume.ts';

/** Who asks, for the switches and the audit log. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, fullName } = sessionOf(request).user;
  return { id, name: fullName };
}

const STATUS = { response: { 200: EngineStatus } } as const;

export const engineRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const status = async (): Promise<EngineStatus> => {
    const { figures, run } = await readEngineFigures(deps.db);
    return engineStatusView(figures, run, deps.now());
  };

  app.get('/api/engine', { config: { access: 'signedIn' }, schema: STATUS }, status);

  app.get(
    '/api/engine/plan',
    { config: { access: 'admin' }, schema: { querystring: PlanQuery, response: { 200: ArmPlan } } },
    async ({ query }) => armPlanView(await lookAtPlan(deps.db, query.marketplaces, deps.now())),
  );

  app.post(
    '/api/engine/arm',
    { config: { access: 'admin' }, schema: { body: Arm, ...STATUS } },
    async (request) => {
      const { marketplaces, token } = request.body;
      await armMarketplaces(deps, marketplaces, token, actorOf(request));
      return status();
    },
  );

  // Anybody may make it do less.
  app.post(
    '/api/engine/disarm',
    { config: { access: 'signedIn' }, schema: { body: Disarm, ...STATUS } },
    async (request) => {
      await disarmMarketplaces(deps, request.body.marketplaces, actorOf(request));
      return status();
    },
  );

  app.post(
    '/api/engine/halt',
    { config: { access: 'signedIn' }, schema: { body: Halt.nullish(), ...STATUS } },
    async (request) => {
      await haltEngine(deps, request.body?.reason ?? null, actorOf(request));
      return status();
    },
  );

  app.post(
    '/api/engine/resume',
    { config: { access: 'admin' }, schema: { body: Resume, ...STATUS } },
    async (request) => {
      await resumeEngine(deps, request.body?.token ?? null, actorOf(request));
      return status();
    },
  );
};
