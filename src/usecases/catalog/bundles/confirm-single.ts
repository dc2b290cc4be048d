import { notify } from '#db/listen.ts';
import { listingsOfSkus, markUnconfirmed } from '#db/queries/catalog/bundles.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/**
 * Confirms that these SKUs are not bundles: their listings cost what the SKU of the same code costs.
 * @returns how many listings were waiting for this confirmation
 */
export async function confirmSingle(
  { db, now }: ListingDeps,
  listingSkus: readonly string[],
  editor: Editor,
): Promise<number> {
  return transact(db, async (tx) => {
    const open = (await listingsOfSkus(tx, listingSkus)).filter(({ bundleUnconfirmed }) => bundleUnconfirmed);
    await markUnconfirmed(tx, listingSkus, false);
    if (open.length === 0) return 0;
    const confirmed = [...new Set(open.map(({ sku }) => sku))];
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'bundles.confirmed_single',
      targetKind: 'bundle',
      targetId: confirmed.length === 1 ? confirmed[0] : null,
      after: { listingSkus: confirmed },
    });
    await notify(
      tx,
      'pricewright_listings',
      open.map(({ id }) => id),
    );
    return open.length;
  });
}
