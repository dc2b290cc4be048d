import type { PriceReading, SentPrice } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import { markPricesVerified } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import {
  dropSuspects,
  dropTimedOutSuspects,
  type ItemToRead,
  takeItemsToRead,
} from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { type Instant, instant, minutes } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/lease.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { compareShownPrices } from './compare-shown-prices.ts';
import type { MarketplaceSender } from './sending-deps.ts';

/** Most items of one pass, so that prices to send do not wait for long. */
const MAX_ITEMS = 50;
/** An item that could not be read, or showed nothing conclusive, is read again after this. */
const RETRY_DELAY = minutes(5);

/**
 * Reads the items of listings for which another source showed a price that is not in force: only they prove that it was
 * changed on the marketplace.
 * @returns how many were read
 */
export async function readSuspects(sender: MarketplaceSender, connection: Connection): Promise<number> {
  const { deps, marketplace, heldLease, itemAllowance } = sender;
  const { itemReads } = connection.connector;
  const now = deps.now();
  const max = Math.min(MAX_ITEMS, itemAllowance.left(itemReads));
  const mayCall = max > 0 && (await heldLease.acquireForCall()) !== null;
  const taken = await transact(deps.db, async (tx) => {
    const dropped = await dropTimedOutSuspects(tx, marketplace, now);
    if (dropped.length > 0) await notify(tx, 'pricewright_listings', dropped);
    return mayCall ? takeItemsToRead(tx, marketplace, max, instant(now + RETRY_DELAY), now) : [];
  });
  if (taken.length === 0) return 0;
  itemAllowance.take(taken.length, itemReads);
  const readAt = deps.now();
  const readings = await read(sender, connection, taken, readAt);
  await settle(sender, connection, taken, readings, readAt);
  return taken.length;
}

async function read(
  { deps: { onUnexpectedError } }: MarketplaceSender,
  { connector, account }: Connection,
  items: readonly ItemToRead[],
  readAt: Instant,
): Promise<readonly PriceReading[]> {
  const requested = items.map(({ currentPrice, ...ref }): SentPrice => {
    return { ref, price: currentPrice, receipt: null, sentAt: readAt, isLastLook: false };
  });
  try {
    return await connector.readPrices(account, requested, AbortSignal.timeout(LONGEST_CALL));
  } catch (error) {
    // They are read again later; what a failed call means for the connection is said by others.
    if (!(error instanceof ConnectorError)) onUnexpectedError(error);
    return [];
  }
}

async function settle(
  { deps: { db, now }, marketplace }: MarketplaceSender,
  { generation }: Connection,
  items: readonly ItemToRead[],
  readings: readonly PriceReading[],
  readAt: Instant,
): Promise<void> {
  const shown = readings.flatMap((one) => (one.kind === 'price' ? [one] : []));
  // Where the marketplace shows its list instead of the item, that proves no more than any list.
  for (const source of ['item', 'list'] as const) {
    const prices = shown.filter((one) => one.source === source);
    await compareShownPrices(db, marketplace, prices, { source, readAt }, now());
  }
  // The next syncs of the catalog mark a missing listing.
  const missing = readings.flatMap(({ kind, listingId }) => (kind === 'missing' ? [listingId] : []));
  const skus = new Map(items.map(({ listingId, sku }) => [listingId, sku]));
  const verified = shown.flatMap(({ listingId, price, source }) => {
    const sku = skus.get(listingId);
    return source === 'item' && sku !== undefined ? [{ sku, price: decimalFromCents(price) }] : [];
  });
  await transact(db, async (tx) => {
    await dropSuspects(tx, missing);
    if (missing.length > 0) await notify(tx, 'pricewright_listings', missing);
    await markPricesVerified(tx, marketplace, generation, verified);
  });
}
