import type { NewTier } from '#contract/tiers.ts';
import type { Db } from '#db/client.ts';
import { insertTiers, listTiers, lockTiers, type TierRow } from '#db/queries/catalog/tiers.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { type Instant, ounces } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { rejectOverlap } from './reject-overlap.ts';

/**
 * Adds a shipping tier, or one for each marketplace: all of them or none.
 * @throws AppError conflict when one overlaps a stored tier
 */
export async function createTiers(
  { db, now }: { db: Db; now: () => Instant },
  { marketplace, minWeightOz, maxWeightOz, ...rest }: NewTier,
  editor: Editor,
): Promise<TierRow[]> {
  const weights = { minWeightOz: ounces(minWeightOz), maxWeightOz: ounces(maxWeightOz) };
  const tiers = (marketplace === 'all' ? MARKETPLACES : [marketplace]).map((each) => ({
    ...rest,
    ...weights,
    marketplace: each,
  }));
  return transact(db, async (tx) => {
    await lockTiers(tx);
    rejectOverlap(tiers, await listTiers(tx));
    const created = await insertTiers(tx, tiers);
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'tiers.created',
      targetKind: 'shipping tiers',
      after: { tiers: created },
    });
    return created;
  });
}
