import type { Account, MarketplaceListing, SkippedListing } from '#connectors/connector.ts';
import { pricePart } from '#connectors/dollars.ts';
import type { CategoryPaths } from '#connectors/ebay/ebay-categories.ts';
import { termLimits } from '#connectors/ebay/ebay-price-limits.ts';
import { unlabeledSku } from '#domain/connections/listing-migration.ts';
import { limitsInForce, type TradingItem, type TradingOffer } from './trading-item.ts';

const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;

/** While it is in one of the seller's own sales, buyers pay another price than the one that could be set. */
export const SALE = 'It is in a sale on eBay, which sets the price that buyers pay.';
export const AUCTION = 'It is sold by auction, and its price is made by the bids.';
export const CURRENCY = 'Its price on eBay is not in US dollars.';

/** What is needed to know which listings of the list are new. */
export interface TradingContext {
  readonly account: Account;
  readonly paths: CategoryPaths;
  /** SKUs that were met. */
  readonly skus: Set<string>;
  /** SKUs in the inventory that could not be read, and are named for that. */
  readonly unread: ReadonlySet<string>;
}

/** A listing, or each of its variations. One without a custom label has its item number in place of the SKU. */
export function tradingRows(
  item: TradingItem,
  context: TradingContext,
): (MarketplaceListing | SkippedListing)[] {
  return item.offers
    .filter(({ sku }) => !context.unread.has(sku))
    .map((offer) => rowOf(item, offer, context));
}

function rowOf(
  item: TradingItem,
  offer: TradingOffer,
  context: TradingContext,
): MarketplaceListing | SkippedListing {
  const { itemId, hasVariations } = item;
  const sku = offer.sku === '' && !hasVariations ? unlabeledSku(itemId) : offer.sku;
  const what = (sku || `${itemId} ${item.title}`).slice(0, LONGEST_SKU).trim();
  // A call can name a variation by its label alone.
  if (sku === '') return { kind: 'passed_over', what, why: 'no_label' };
  if (sku.length > LONGEST_SKU) return { kind: 'passed_over', what, why: 'no_sku' };
  if (context.skus.has(sku)) return { kind: 'passed_over', what, why: 'repeated' };
  context.skus.add(sku);
  const readOnly = whyReadOnly(item, offer);
  return readOnly === null ? pricedRow(item, offer, sku, context) : readOnlyRow(item, sku, offer, readOnly);
}

function whyReadOnly(item: TradingItem, { currency }: TradingOffer): 'auction' | 'other_currency' | null {
  if (!item.isFixedPrice) return 'auction';
  return currency === null || currency === 'USD' ? null : 'other_currency';
}

function pricedRow(
  item: TradingItem,
  offer: TradingOffer,
  sku: string,
  { account, paths }: TradingContext,
): MarketplaceListing {
  const { gtin, epid, bestOffer, categoryId } = item;
  const categoryPath = paths.get(categoryId ?? '');
  const { autoAccept, autoDecline } = limitsInForce(item);
  return {
    ...commonPart(item, offer, sku),
    channel: 'trading',
    ...pricePart(offer.price),
    isActive: item.isActive,
    ...saleReason(offer),
    // What the list does not report stays as it was read from the listing itself.
    ...(bestOffer !== undefined && {
      priceLimits: termLimits({ map: offer.mapPrice, autoAccept, autoDecline }, account),
      autoAcceptPrice: autoAccept,
    }),
    keys: {
      listingId: item.itemId,
      ...(item.hasVariations && { variation: sku }),
      ...(epid !== null && { epid }),
      ...(gtin !== null && { gtin }),
    },
    ...(categoryPath !== undefined && { categoryPath }),
  };
}

/** A price that is set during the sale counts once it ends. */
function saleReason({
  saleEnds,
}: TradingOffer): Pick<
  MarketplaceListing,
  'notRepriceableReason' | 'notRepriceableUntil' | 'isReasonConfirmable'
> {
  if (saleEnds === null) return { notRepriceableReason: null };
  const notRepriceableUntil = saleEnds === 'unknown' ? null : saleEnds;
  return { notRepriceableReason: SALE, notRepriceableUntil, isReasonConfirmable: true };
}

function readOnlyRow(
  item: TradingItem,
  sku: string,
  offer: TradingOffer,
  readOnly: 'auction' | 'other_currency',
): MarketplaceListing {
  return {
    ...commonPart(item, offer, sku),
    channel: 'read_only',
    readOnly,
    price: null,
    isActive: false,
    notRepriceableReason: readOnly === 'auction' ? AUCTION : CURRENCY,
    keys: { listingId: item.itemId },
  };
}

function commonPart(item: TradingItem, { quantity }: TradingOffer, sku: string) {
  return {
    kind: 'listing',
    sku,
    itemId: item.itemId,
    title: (item.title || sku).slice(0, LONGEST_TITLE),
    imageUrl: item.imageUrl,
    fulfillmentType: 'FBM',
    quantity,
  } as const;
}
