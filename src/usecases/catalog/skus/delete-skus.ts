import type { SkuSelection, SkuUses } from '#contract/skus.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import {
  countSkuUses,
  listingsTouched,
  lockDeletedSkus,
  lockSkus,
  namesOfSkus,
  type SkuRecord,
  writeDeletedSkus,
} from '#db/queries/catalog/sku-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { selectSkus } from './select-skus.ts';
import type { SkuDeps } from './sku-deps.ts';

/** Audit rows per statement: PostgreSQL allows 65,535 values. */
const AUDIT_BATCH = 1_000;
const MAX_NAMED = 3;

/** Where SKUs are part of a cost, to be shown before they are deleted. @throws AppError as {@link selectSkus} */
export async function skuUses(db: Db, selection: SkuSelection): Promise<SkuUses> {
  const ids = await selectSkus(db, selection);
  const { count, named } = await namesOfSkus(db, ids, MAX_NAMED);
  return { skus: count, named, ...(await countSkuUses(db, ids)) };
}

/**
 * Deletes SKUs. Bundles and listings that use them are blocked by an unknown cost; {@link undeleteSkus} restores them.
 * @returns the ids of those that existed
 * @throws AppError as {@link selectSkus}
 */
export async function deleteSkus(
  { db, now }: SkuDeps,
  selection: SkuSelection,
  editor: Editor,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    const found = await lockSkus(tx, await selectSkus(tx, selection));
    return move(tx, found, { deletedAt: at, action: 'sku.deleted' }, editor, at);
  });
}

/** Restores deleted SKUs. @returns the ids of those that were deleted */
export async function undeleteSkus(
  { db, now }: SkuDeps,
  ids: readonly number[],
  editor: Editor,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    const found = await lockDeletedSkus(tx, ids);
    return move(tx, found, { deletedAt: null, action: 'sku.undeleted' }, editor, at);
  });
}

async function move(
  tx: Db,
  found: readonly SkuRecord[],
  {
    deletedAt,
    action,
  }: { readonly deletedAt: Instant | null; readonly action: 'sku.deleted' | 'sku.undeleted' },
  editor: Editor,
  at: Instant,
): Promise<number[]> {
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await writeDeletedSkus(tx, ids, deletedAt, at);
  for (let from = 0; from < found.length; from += AUDIT_BATCH) {
    await insertAudits(
      tx,
      found.slice(from, from + AUDIT_BATCH).map(({ id, sku, name }) => ({
        ...madeBy(editor, at),
        action,
        targetKind: 'sku',
        targetId: String(id),
        ...(deletedAt === null ? { after: { sku, name } } : { before: { sku, name } }),
      })),
    );
  }
  const touched = await listingsTouched(tx, ids);
  if (touched.length > 0) await notify(tx, 'pricewright_listings', touched);
  return ids;
}
