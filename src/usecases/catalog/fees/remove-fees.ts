import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import {
  countFeeCategories,
  deleteFees,
  listFees,
  lockFees,
  type StoredFees,
} from '#db/queries/catalog/fees.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { categoryMap } from '#domain/fees/fee-category.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { deletionBlocks } from './fee-coverage.ts';
import { findFees } from './save-fees.ts';

/**
 * Deletes a fee schedule. Where that leaves listings, or a whole marketplace, without a fee, the caller must confirm
 * the number of listings that will be blocked.
 * @param blocking that number as the user saw it; null when none was shown
 * @throws AppError not_found; conflict, with the number, when it was not confirmed or has changed
 */
export async function removeFees(
  { db, now }: { db: Db; now: () => Instant },
  id: number,
  blocking: number | null,
  editor: Editor,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockFees(tx);
    const stored = await listFees(tx);
    const schedule = findFees(stored, id);
    const map = categoryMap(await listMappedCategories(tx));
    const blocked = deletionBlocks(schedule, stored, await countFeeCategories(tx), map, now());
    if (blocked !== null && blocking !== blocked) throw new AppError('conflict', warning(schedule, blocked));
    await deleteFees(tx, id);
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'fees.deleted',
      targetKind: 'fee schedule',
      targetId: String(id),
      before: { ...schedule },
      after: { blocked: blocked ?? 0 },
    });
  });
}

function warning({ marketplace, category }: StoredFees, blocked: number): string {
  const which = `${MARKETPLACE_NAMES[marketplace]}${category === null ? '' : ` ${category}`}`;
  const listings = blocked === 1 ? '1 listing' : `${blocked} listings`;
  return (
    `No other fee schedule covers ${which}: ${listings} would be blocked and keep their price. ` +
    `To delete it anyway, confirm that ${listings} will be blocked.`
  );
}
