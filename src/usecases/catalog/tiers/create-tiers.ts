import type { NewTier } from '#contract/tiers.ts';
import type { Db } from '#db/client.ts';
import { insertTiers, listTiers, lockTiers, type TierRow } from '#db/queries/catalog/tiers.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { isoTime } from '#db/sql-values.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { requirePast } from '#usecases/require-past.ts';
import { rejectOverlap } from './reject-overlap.ts';
import { tiersOf } from './tiers-of.ts';

/**
 * Adds a shipping tier, or one for each marketplace: all of them or none.
 * @throws AppError conflict when one overlaps a stored tier; validation_failed for a cost that would apply from the future
 */
export async function createTiers(
  { db, now }: { db: Db; now: () => Instant },
  tier: NewTier,
  editor: Editor,
): Promise<TierRow[]> {
  const at = now();
  const { costSince } = tier;
  requirePast(costSince, at);
  const tiers = tiersOf(tier);
  return transact(db, async (tx) => {
    await lockTiers(tx);
    rejectOverlap(tiers, await listTiers(tx));
    const created = await insertTiers(tx, tiers, costSince ?? at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'tiers.created',
      targetKind: 'shipping tiers',
      after: { tiers: created, ...(costSince === undefined ? {} : { costSince: isoTime(costSince) }) },
    });
    return created;
  });
}
