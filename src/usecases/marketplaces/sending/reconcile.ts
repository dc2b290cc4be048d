import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type CurrentPrice, lockCurrentPrices } from '#db/queries/marketplaces/send-queue.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import { adoptExternalPrice } from './external-edit.ts';
import { type AdoptedEdit, repairExternalEdits, stopAfterRepairs } from './repair-external-edits.ts';

/** The price of one of our listings on its marketplace. */
export interface ReadPrice {
  readonly listingId: number;
  readonly price: Cents;
}

export interface Reconciled {
  /** Listings that could be compared: no price is in progress, and none has changed after they were read. */
  readonly compared: number;
  /** Listings whose price was changed on the marketplace and adopted. */
  readonly drifted: readonly number[];
}

const BATCH_SIZE = 200;

/**
 * Compares a marketplace's prices with the current prices and adopts external edits. A catalog sync calls it with the
 * prices of each page.
 * @param readAt a time before the first of these prices was read, or before the document with them was requested
 */
export async function reconcile(
  db: Db,
  marketplace: Marketplace,
  prices: readonly ReadPrice[],
  readAt: Instant,
  now: Instant,
): Promise<Reconciled> {
  let compared = 0;
  const drifted: number[] = [];
  for (let from = 0; from < prices.length; from += BATCH_SIZE) {
    const batch = await reconcileBatch(db, marketplace, prices.slice(from, from + BATCH_SIZE), readAt, now);
    compared += batch.compared;
    drifted.push(...batch.drifted);
    if (batch.isTooMany) await stopAfterRepairs(db, marketplace, now);
  }
  return { compared, drifted };
}

/** Not when the price changed after it was read, nor while a price waits for upload: then it has to differ. */
function isComparable(
  { isOpen, movedAt, awaitsUpload, isConnected }: CurrentPrice,
  readAt: Instant,
): boolean {
  return !isOpen && movedAt < readAt && (isConnected || !awaitsUpload);
}

async function reconcileBatch(
  db: Db,
  marketplace: Marketplace,
  prices: readonly ReadPrice[],
  readAt: Instant,
  now: Instant,
): Promise<Reconciled & { readonly isTooMany: boolean }> {
  const byListing = new Map(prices.map(({ listingId, price }) => [listingId, price]));
  return transact(db, async (tx) => {
    const listings = await lockCurrentPrices(tx, marketplace, [...byListing.keys()]);
    // If the clock was set back after the read, it is unknown which prices changed since.
    const comparable = readAt > now ? [] : listings.filter((listing) => isComparable(listing, readAt));
    const drifted: number[] = [];
    const moved: number[] = [];
    const edits: AdoptedEdit[] = [];
    for (const listing of comparable) {
      const price = byListing.get(listing.id);
      if (!isPrice(price) || price === listing.currentPrice) continue;
      if (await adoptExternalPrice(tx, listing, price, marketplace, now)) {
        drifted.push(listing.id);
        edits.push({ listing, price });
      }
      moved.push(listing.id);
    }
    if (moved.length > 0) await notify(tx, 'pricewright_listings', moved);
    const isTooMany = await repairExternalEdits(tx, marketplace, edits, now);
    return { compared: comparable.length, drifted, isTooMany };
  });
}
