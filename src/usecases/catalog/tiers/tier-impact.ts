import type { SalesImpact } from '#contract/costs.ts';
import type { TierImpactRequest } from '#contract/tiers.ts';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { tierEffect } from '#usecases/catalog/sales/cost-edit-on-sales.ts';
import { requirePast } from '#usecases/require-past.ts';
import { tiersOf } from './tiers-of.ts';

/**
 * Previews what a new or an edited shipping tier changes on sales so far. Writes nothing.
 * @throws AppError validation_failed for a cost that would apply from the future
 */
export async function tierImpact(
  { db, now }: { db: Db; now: () => Instant },
  { id, ...tier }: TierImpactRequest,
): Promise<SalesImpact> {
  const at = now();
  requirePast(tier.costSince, at);
  return tierEffect(db, id === null ? null : Number(id), tiersOf(tier), {
    since: tier.costSince ?? at,
    now: at,
  });
}
