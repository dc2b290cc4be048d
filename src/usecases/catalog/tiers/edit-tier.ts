import type { EditTier } from '#contract/tiers.ts';
import type { Db } from '#db/client.ts';
import { listTiers, lockTiers, replaceTier, type TierRow } from '#db/queries/catalog/tiers.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { isoTime } from '#db/sql-values.ts';
import { transact } from '#db/transact.ts';
import { type Instant, ounces } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { requirePast } from '#usecases/require-past.ts';
import { rejectOverlap } from './reject-overlap.ts';

/**
 * Changes a shipping tier.
 * @throws AppError not_found when it was deleted; conflict when it would overlap another one; validation_failed for a cost
 *   that would apply from the future
 */
export async function editTier(
  { db, now }: { db: Db; now: () => Instant },
  id: number,
  { minWeightOz, maxWeightOz, costSince, ...rest }: EditTier,
  editor: Editor,
): Promise<TierRow> {
  const at = now();
  requirePast(costSince, at);
  const tier = { ...rest, minWeightOz: ounces(minWeightOz), maxWeightOz: ounces(maxWeightOz) };
  return transact(db, async (tx) => {
    await lockTiers(tx);
    const stored = await listTiers(tx);
    const before = stored.find((row) => row.id === id);
    if (before === undefined) {
      throw new AppError('not_found', 'This shipping tier was deleted. Reload the page.');
    }
    rejectOverlap(
      [tier],
      stored.filter((row) => row.id !== id),
    );
    await replaceTier(tx, id, tier, costSince ?? at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'tier.edited',
      targetKind: 'shipping tier',
      targetId: String(id),
      before,
      after: costSince === undefined ? tier : { ...tier, costSince: isoTime(costSince) },
    });
    return { id, ...tier };
  });
}
