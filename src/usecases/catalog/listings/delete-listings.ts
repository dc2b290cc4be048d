import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockDeleted, writeDeleted } from '#db/queries/catalog/listing-writes.ts';
import { shareCosts } from '#db/queries/catalog/sku-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import { clearPricesVerified } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyToLocked, missingOf } from './apply-to-locked.ts';
import type { BulkActionResult, ListingDeps, Refusal } from './listing-deps.ts';

/**
 * Deletes some listings, in the caller's transaction. Their price history is kept, and {@link undeleteListings}
 * restores them.
 */
export async function deleteListings(
  tx: Db,
  ids: readonly number[],
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  return applyToLocked(tx, ids, editor, now, {
    action: 'listing.deleted',
    write: (taken) => writeDeleted(tx, taken, now, now),
    before: ({ marketplace, sku, title }) => ({ marketplace, sku, title }),
    after: { deleted: true },
  });
}

/** {@link undeleteListings} in a transaction of its own. */
export async function bringListingsBack(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  ids: readonly number[],
  editor: Editor,
): Promise<BulkActionResult> {
  return transact(db, (tx) => undeleteListings(tx, ids, editor, now()));
}

/**
 * Restores deleted listings, in the caller's transaction. One whose SKU was listed again after the deletion is skipped
 * and reported.
 */
export async function undeleteListings(
  tx: Db,
  ids: readonly number[],
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  const deleted = await lockDeleted(tx, ids);
  const keys = new Set<string>();
  const free: typeof deleted = [];
  const taken: typeof deleted = [];
  for (const listing of deleted) {
    // The same SKU may have been deleted twice; only one of them can be restored.
    const key = `${listing.marketplace} ${listing.sku}`;
    if (listing.isTaken || keys.has(key)) taken.push(listing);
    else free.push(listing);
    keys.add(key);
  }
  const refused: Refusal[] = [
    ...taken.map(({ id, sku }) => ({
      listingId: id,
      sku,
      message: `${sku} was added again, so it was not restored.`,
    })),
    ...missingOf(
      ids,
      deleted.map(({ id }) => id),
    ).map((missing) => ({ ...missing, message: 'There is no deleted listing with this number.' })),
  ];
  if (free.length === 0) return { done: 0, refused };
  const freeIds = free.map(({ id }) => id);
  // A cost change in another transaction does not mark deleted listings, so neither the engine nor the floor check
  // would see it.
  await shareCosts(
    tx,
    free.map(({ sku }) => sku),
  );
  await writeDeleted(tx, freeIds, null, now);
  await clearPricesVerified(tx, freeIds);
  await insertAudits(
    tx,
    free.map(({ id, sku }) => ({
      ...madeBy(editor, now),
      action: 'listing.undeleted',
      targetKind: 'listing',
      targetId: String(id),
      after: { sku, deleted: false },
    })),
  );
  await notify(tx, 'pricewright_listings', freeIds);
  return { done: free.length, refused };
}
