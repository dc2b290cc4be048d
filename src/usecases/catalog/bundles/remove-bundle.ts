import type { RemovedBundle } from '#contract/bundles.ts';
import { notify } from '#db/listen.ts';
import {
  deleteBundle,
  listingsOfSkus,
  lockBundles,
  markUnconfirmed,
  readBundles,
} from '#db/queries/catalog/bundles.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { auditedStored } from './audited-bundles.ts';

/**
 * Removes the components of a bundle. Until they are saved again, or a user confirms that it is not a bundle, the cost
 * of its listings is unknown and they are not repriced: one unit would look like the whole set. A SKU that was not a
 * bundle does not change.
 */
export async function removeBundle(
  { db, now }: ListingDeps,
  listingSku: string,
  editor: Editor,
): Promise<RemovedBundle> {
  return transact(db, async (tx) => {
    const at = now();
    await lockBundles(tx);
    const before = await readBundles(tx, [listingSku]);
    if (before.length === 0) return { removed: 0, unconfirmed: 0 };
    const removed = await deleteBundle(tx, listingSku, at);
    await markUnconfirmed(tx, [listingSku], true);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'bundle.removed',
      targetKind: 'bundle',
      targetId: listingSku,
      before: auditedStored(before, [listingSku]),
    });
    const listings = await listingsOfSkus(tx, [listingSku]);
    await notify(
      tx,
      'pricewright_listings',
      listings.map(({ id }) => id),
    );
    return { removed: removed.length, unconfirmed: listings.length };
  });
}
