import type { Account, FoundBeforeSending, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { isFiner } from '#connectors/dollars.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { termLimits } from '#connectors/ebay/offer-limits.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { outsideLimits } from '#domain/marketplace-limits.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { SellerBook } from './seller-book.ts';
import { readItem } from './trading-changes.ts';
import type { TradingItem, TradingOffer } from './trading-item.ts';
import { offerOf } from './trading-ref.ts';
import { AUCTION, CURRENCY, SALE } from './trading-rows.ts';

/**
 * Checks a price against what eBay said about its listing within the last hour, or says now.
 * @returns null where the price may go
 */
export async function stoppedByItem(
  calls: EbayCalls,
  book: SellerBook,
  account: Account,
  order: PriceOrder,
  itemId: string,
  signal: AbortSignal,
): Promise<SendOutcome | null> {
  const known = book.isInSale(account, itemId) === 'unknown' ? null : book.fresh(account, itemId);
  if (known !== null) {
    const offer = offerOf(order.ref, known);
    // A list may be behind: only the item itself shows that a price was changed, or that a listing ended.
    const isAsExpected = known.isActive && offer !== null && isExpected(order, offer);
    if (isAsExpected) return stoppedBy(book, account, order, known, offer);
  }
  const readAt = calls.now();
  const item = await readItem(calls, book, account, itemId, signal);
  if (item === null || !item.isActive) return rejectedForGood(order, 'The listing has ended on eBay.');
  const offer = offerOf(order.ref, item);
  if (offer === null) return rejectedForGood(order, 'The listing on eBay no longer has this variation.');
  return stoppedBy(book, account, order, item, offer) ?? stoppedByAmount(order, offer, readAt);
}

function isExpected({ price, currentPrice, ownPrices }: PriceOrder, { price: shown }: TradingOffer): boolean {
  return shown === null || (!isFiner(shown) && [price, currentPrice, ...ownPrices].includes(shown));
}

/** What does not depend on the price that is shown. */
function stoppedBy(
  book: SellerBook,
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
  const autoAccept: Cents | null = item.bestOffer?.isOn === true ? item.bestOffer.autoAccept : null;
  const limits = termLimits({ map: offer.mapPrice, autoAccept }, account);
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
  const message = `${NAME} names a price that is not in whole cents: ${shown.finer.slice(0, 20)}.`;
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

/** Whether a listing of the Inventory model is in a sale: by what was read lately, or by the listing itself. */
export async function isInSale(
  calls: EbayCalls,
  book: SellerBook,
  account: Account,
  itemId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const told = book.isInSale(account, itemId);
  if (told !== 'unknown') return told;
  const item = await readItem(calls, book, account, itemId, signal);
  return item?.offers.some(({ saleEnds }) => saleEnds !== null) === true;
}
