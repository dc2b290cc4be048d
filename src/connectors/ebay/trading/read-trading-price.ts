import type { Account, ListingRef, PriceReading } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isFiner } from '#connectors/dollars.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import type { Shared } from '#connectors/read-each.ts';
import { isKeptForUrgent, KEPT_FOR_URGENT } from './kept-for-urgent.ts';
import type { SellerListings } from './seller-listings.ts';
import { readItem } from './trading-changes.ts';
import type { TradingItem } from './trading-item.ts';
import { offerOf } from './trading-ref.ts';

interface Asked {
  readonly ref: ListingRef;
  readonly itemId: string;
  /** The items that were read: variations share one. */
  readonly items: Shared<string, TradingItem | null>;
}

/** What buyers see of a listing outside of the Inventory model: its price without a sale. */
export async function readTradingPrice(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  { ref, itemId, items }: Asked,
  signal: AbortSignal,
): Promise<PriceReading> {
  const { listingId } = ref;
  if (isKeptForUrgent(calls, 'trading_items')) {
    return { listingId, kind: 'unreadable', message: KEPT_FOR_URGENT };
  }
  try {
    const item = await items.of(itemId, () => readItem(calls, book, account, itemId, signal));
    const offer = item?.isActive === true ? offerOf(ref, item) : null;
    if (offer === null) return { listingId, kind: 'missing' };
    const { price, currency } = offer;
    if (price !== null && !isFiner(price) && currency === 'USD') {
      return { listingId, kind: 'price', price, source: 'item', refusal: null };
    }
    return {
      listingId,
      kind: 'unreadable',
      message: `${NAME} shows no price of it in dollars and whole cents.`,
    };
  } catch (error) {
    // One that cannot be read, or for which there is no call left now, says nothing about the others.
    if (!(error instanceof ConnectorError) || error.fault === 'key') throw error;
    return { listingId, kind: 'unreadable', message: error.publicMessage };
  }
}
