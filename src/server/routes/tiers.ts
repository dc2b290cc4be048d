import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { SalesImpact } from '#contract/costs.ts';
import { Id } from '#contract/fields.ts';
import {
  CreatedTiers,
  DeletedTiers,
  DeleteTiers,
  EditTier,
  NewTier,
  Tier,
  TierImpactRequest,
  Tiers,
} from '#contract/tiers.ts';
import { countUntiered, listTiers, type TierRow } from '#db/queries/catalog/tiers.ts';
import { tierGaps } from '#domain/costs/tier-gaps.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { AppError } from '#usecases/app-error.ts';
import { createTiers } from '#usecases/catalog/tiers/create-tiers.ts';
import { editTier } from '#usecases/catalog/tiers/edit-tier.ts';
import { removeTiers } from '#usecases/catalog/tiers/remove-tiers.ts';
import { tierImpact } from '#usecases/catalog/tiers/tier-impact.ts';

const config = { access: 'loggedIn' } as const;
const OneTier = z.strictObject({ id: Id });

function tierView({ id, cost, ...rest }: TierRow): Tier {
  return { ...rest, id: String(id), cost: decimalFromCents(cost) };
}

function gapsOf(rows: readonly TierRow[]): Tiers['gaps'] {
  const ranges = rows.map(({ minWeightOz, maxWeightOz, ...rest }) => ({
    ...rest,
    minWeight: minWeightOz,
    maxWeight: maxWeightOz,
  }));
  return tierGaps(ranges).map(({ minWeight, maxWeight, ...rest }) => ({
    ...rest,
    minWeightOz: minWeight,
    maxWeightOz: maxWeight,
  }));
}

export const tierRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/shipping-tiers', { config, schema: { response: { 200: Tiers } } }, async () => {
    const rows = await listTiers(deps.db);
    return { tiers: rows.map(tierView), gaps: gapsOf(rows), untiered: await countUntiered(deps.db) };
  });

  app.post(
    '/api/shipping-tiers',
    { config, schema: { body: NewTier, response: { 201: CreatedTiers } } },
    async (request, reply) => {
      const created = await createTiers(deps, request.body, editorOf(request));
      return reply.code(201).send({ tiers: created.map(tierView) });
    },
  );

  app.post(
    '/api/shipping-tiers/impact',
    { config, schema: { body: TierImpactRequest, response: { 200: SalesImpact } } },
    async (request) => tierImpact(deps, request.body),
  );

  app.put(
    '/api/shipping-tiers/:id',
    { config, schema: { params: OneTier, body: EditTier, response: { 200: Tier } } },
    async (request) =>
      tierView(await editTier(deps, Number(request.params.id), request.body, editorOf(request))),
  );

  app.delete(
    '/api/shipping-tiers/:id',
    { config, schema: { params: OneTier, response: { 200: DeletedTiers } } },
    async (request) => {
      const deleted = await removeTiers(deps, [Number(request.params.id)], editorOf(request));
      if (deleted === 0) throw new AppError('not_found', 'This shipping tier was deleted. Reload the page.');
      return { deleted };
    },
  );

  app.post(
    '/api/shipping-tiers/delete',
    { config, schema: { body: DeleteTiers, response: { 200: DeletedTiers } } },
    async (request) => ({
      deleted: await removeTiers(deps, request.body.ids.map(Number), editorOf(request)),
    }),
  );
};
