import type { Account, FoundBeforeSending, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isFiner } from '#connectors/dollars.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { termLimits } from '#connectors/ebay/ebay-price-limits.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import type { Shared } from '#connectors/read-each.ts';
import { notFound, notTold } from '#connectors/send-error.ts';
import { outsideLimits } from '#domain/limits/marketplace-limits.ts';
import type { Instant } from '#domain/units.ts';
import { isKeptForUrgent } from './kept-for-urgent.ts';
import type { SellerListings } from './seller-listings.ts';
import { readItem } from './trading-changes.ts';
import { limitsInForce, type TradingItem, type TradingOffer } from './trading-item.ts';
import { offerOf } from './trading-ref.ts';
import { AUCTION, CURRENCY, SALE } from './trading-rows.ts';

/** Milliseconds until a price that waits is tried again. */
const TRY_AGAIN = 60_000;
const NOT_REPORTED = `${NAME} did not say whether the listing is in one of your sales. Pricewright checks again.`;

/**
 * Checks a price against what eBay said about its listing within the last hour, or says now.
 * @returns null where the price may go
 */
export async function stoppedByItem(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  order: PriceOrder,
  itemId: string,
  signal: AbortSignal,
): Promise<SendOutcome | null> {
  const known = book.fresh(account, itemId);
  const reported = known === null ? null : offerOf(order.ref, known);
  // A list may be behind: only the item itself shows that a price was changed, or that a listing ended.
  const isAsExpected = known?.isActive === true && reported !== null && isExpected(order, reported);
  const byList = () => (isAsExpected ? stoppedBy(book, account, order, known, reported) : null);
  if (isAsExpected && book.isInSale(account, itemId) !== 'unknown') return byList();
  const readAt = calls.now();
  let item: TradingItem | null;
  try {
    item = await readItem(calls, book, account, itemId, signal);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'key') throw error;
    // The answer itself may have shown that what was read before no longer holds.
    if (book.fresh(account, itemId) === null && error.fault === 'unreadable') {
      return notTold(order.ref.listingId, error.publicMessage);
    }
    if (!isAsExpected) throw error;
    return (await waitsForSale(book, account, order, itemId)) ?? byList();
  }
  book.endWait(account, itemId);
  if (item === null) return notFound(order.ref.listingId, 'eBay does not find the listing.');
  if (!item.isActive) return rejectedForGood(order, 'The listing has ended on eBay.');
  const offer = offerOf(order.ref, item);
  if (offer === null) return rejectedForGood(order, 'The listing on eBay no longer has this variation.');
  return stoppedBy(book, account, order, item, offer) ?? stoppedByAmount(order, offer, readAt);
}

function isExpected({ price, currentPrice, ownPrices }: PriceOrder, { price: shown }: TradingOffer): boolean {
  return shown === null || (!isFiner(shown) && [price, currentPrice, ...ownPrices].includes(shown));
}

/** What does not depend on the price that is shown. */
function stoppedBy(
  book: SellerListings,
  account: Account,
  order: PriceOrder,
  item: TradingItem,
  offer: TradingOffer,
): SendOutcome | null {
  if (!item.isFixedPrice) return stopped(order, AUCTION, { kind: 'not_repriceable' });
  if (offer.currency !== null && offer.currency !== 'USD') {
    return stopped(order, CURRENCY, { kind: 'not_repriceable' });
  }
  const isInSale = offer.saleEnds !== null || book.isInSale(account, item.itemId) === true;
  if (isInSale && order.pastReason !== SALE) {
    const until = offer.saleEnds === 'unknown' ? null : offer.saleEnds;
    return stopped(order, SALE, { kind: 'not_repriceable', isConfirmable: true, until });
  }
  const { autoAccept, autoDecline } = limitsInForce(item);
  const limits = termLimits({ map: offer.mapPrice, autoAccept, autoDecline }, account);
  const message = limits === null ? null : outsideLimits(order.price, limits, 'ebay');
  return limits === null || message === null
    ? null
    : stopped(order, message, { kind: 'outside_limits', limits });
}

function stoppedByAmount(
  order: PriceOrder,
  { price: shown }: TradingOffer,
  readAt: Instant,
): SendOutcome | null {
  if (shown === null) return null;
  if (!isFiner(shown)) return stoppedByPrice(NAME, order, shown, readAt);
  const message = `${NAME} shows a price that is not in whole cents: ${shown.finer.slice(0, 20)}.`;
  return { listingId: order.ref.listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

function stopped(
  { ref: { listingId } }: PriceOrder,
  message: string,
  found: FoundBeforeSending,
): SendOutcome {
  return { listingId, kind: 'stopped', message, found };
}

/** Final: the next sync shows what became of it. */
export function rejectedForGood({ ref: { listingId } }: PriceOrder, message: string): SendOutcome {
  return { listingId, kind: 'rejected', message, code: null };
}

/** Listings that were read for their sales, by item: once for all variations, also while that is under way. */
export type SaleReads = Shared<string, TradingItem | null>;

interface SaleSource {
  readonly calls: EbayCalls;
  readonly book: SellerListings;
  readonly account: Account;
  readonly sales: SaleReads;
}

/**
 * Checks that a listing of the Inventory model is in no sale: by what was read lately, else by a call of its own. Where eBay
 * does not answer that, what it last said decides.
 * @returns null where the price may go
 */
export async function stoppedBySale(
  { calls, book, account, sales }: SaleSource,
  order: PriceOrder,
  itemId: string,
  signal: AbortSignal,
): Promise<SendOutcome | null> {
  if (order.pastReason === SALE) return null;
  try {
    const isUnknown = book.isInSale(account, itemId) === 'unknown';
    if (isUnknown && !order.isUrgent && isKeptForUrgent(calls, 'trading_items')) {
      return waitsForSale(book, account, order, itemId);
    }
    if (isUnknown) await sales.of(itemId, () => readItem(calls, book, account, itemId, signal));
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'key') throw error;
    return waitsForSale(book, account, order, itemId);
  }
  book.endWait(account, itemId);
  return book.isInSale(account, itemId) === true
    ? stopped(order, SALE, { kind: 'not_repriceable', isConfirmable: true })
    : null;
}

/**
 * Where eBay does not say whether a listing is in a sale: decided again later if it was in one when eBay last said so, or eBay
 * never did, unless the price is a raise that ends a loss.
 * @returns null where its price may go: the listing was in no sale, and it has waited long enough or is urgent
 */
async function waitsForSale(
  book: SellerListings,
  account: Account,
  order: PriceOrder,
  itemId: string,
): Promise<SendOutcome | null> {
  const { isUrgent, price, currentPrice, pastReason } = order;
  if (pastReason === SALE) return null;
  const known = await book.lastKnownSale(account, itemId);
  const endsLoss = isUrgent && price > currentPrice;
  if (known === 'running' || (known === 'never' && !endsLoss)) {
    return notTold(order.ref.listingId, NOT_REPORTED);
  }
  if (isUrgent || !book.waitsForSale(account, itemId)) return null;
  const { listingId } = order.ref;
  return { listingId, kind: 'not_sent', message: NOT_REPORTED, retryAfter: TRY_AGAIN, othersMayGo: true };
}
