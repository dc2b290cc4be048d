import type { MarkHazardous } from '#contract/skus.ts';
import { notify } from '#db/listen.ts';
import { listingsTouched, lockSkus, writeHazardous } from '#db/queries/catalog/sku-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { selectSkus } from './select-skus.ts';
import type { SkuDeps } from './sku-deps.ts';

/** Audit rows per statement: PostgreSQL allows 65,535 values. */
const AUDIT_BATCH = 1_000;

/**
 * Marks SKUs as hazardous, or no longer, from now on, as an edit of each of them.
 * @returns the ids of those that changed
 * @throws AppError as {@link selectSkus}
 */
export async function markHazardous(
  { db, now }: SkuDeps,
  { selection, isHazardous }: MarkHazardous,
  editor: Editor,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    const found = await lockSkus(tx, await selectSkus(tx, selection));
    const ids = found.flatMap((sku) => (sku.isHazardous === isHazardous ? [] : [sku.id]));
    if (ids.length === 0) return ids;
    await writeHazardous(tx, ids, isHazardous, at);
    for (let from = 0; from < ids.length; from += AUDIT_BATCH) {
      await insertAudits(
        tx,
        ids.slice(from, from + AUDIT_BATCH).map((id) => ({
          ...madeBy(editor, at),
          action: 'sku.edited' as const,
          targetKind: 'sku',
          targetId: String(id),
          before: { isHazardous: !isHazardous },
          after: { isHazardous },
        })),
      );
    }
    const touched = await listingsTouched(tx, ids);
    if (touched.length > 0) await notify(tx, 'pricewright_listings', touched);
    return ids;
  });
}
