import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type CurrentPrice, lockCurrentPrices } from '#db/queries/marketplaces/send-queue.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import { adoptExternalPrice } from './external-edit.ts';

/** What a marketplace asks for one of our listings. */
export interface ReadPrice {
  readonly listingId: number;
  readonly price: Cents;
}

export interface Reconciled {
  /** Listings that could be compared: nothing is on its way for them, and nothing moved since they were read. */
  readonly compared: number;
  /** Listings whose price was set by somebody else; it is in force now. */
  readonly drifted: readonly number[];
}

const BATCH = 200;

/**
 * Compares what a marketplace asks with what we think it asks, and takes over what was changed there. Whoever reads
 * listings calls it with their prices.
 * @param readAt before the first of these prices was read, or the document with them was asked for
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
  for (let from = 0; from < prices.length; from += BATCH) {
    const batch = await reconcileBatch(db, marketplace, prices.slice(from, from + BATCH), readAt, now);
    compared += batch.compared;
    drifted.push(...batch.drifted);
  }
  return { compared, drifted };
}

/** Not what moved since it was read, nor what a person has yet to upload where nothing is sent: it has to differ. */
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
): Promise<Reconciled> {
  const byListing = new Map(prices.map(({ listingId, price }) => [listingId, price]));
  return transact(db, async (tx) => {
    const standing = await lockCurrentPrices(tx, marketplace, [...byListing.keys()]);
    // Where the clock was put back meanwhile, nothing says what moved since.
    const comparable = readAt > now ? [] : standing.filter((listing) => isComparable(listing, readAt));
    const drifted: number[] = [];
    const moved: number[] = [];
    for (const listing of comparable) {
      const price = byListing.get(listing.id);
      if (!isPrice(price) || price === listing.currentPrice) continue;
      if (await adoptExternalPrice(tx, listing, price, marketplace, now)) drifted.push(listing.id);
      moved.push(listing.id);
    }
    if (moved.length > 0) await notify(tx, 'pricewright_listings', moved);
    return { compared: comparable.length, drifted };
  });
}
