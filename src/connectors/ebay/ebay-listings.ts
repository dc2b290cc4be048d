import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type {
  Account,
  CatalogEnd,
  CatalogPage,
  CatalogTotal,
  MarketplaceListing,
  SkippedListing,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { pricePart } from '#connectors/dollars.ts';
import { mapAhead } from '#connectors/map-limited.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, readableOf, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { SideCalls } from '#connectors/side-calls.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import type { CategoryPaths, EbayCategories } from './ebay-categories.ts';
import { autoAcceptOf, offerLimits } from './ebay-price-limits.ts';
import { type InventoryItem, InventoryPage, type Offer, OfferPage } from './ebay-responses.ts';
import { NEVER_OFFERED } from './not-found.ts';
import { outsidePages } from './outside-pages.ts';
import type { SellerListings } from './trading/seller-listings.ts';
import { AUCTION } from './trading/trading-rows.ts';

type Row = MarketplaceListing | SkippedListing;

const PAGE_SIZE = 100;
/** Page limit (500,000 items), in case a response never ends pagination. */
const MAX_PAGES = 5_000;
const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;
/** A UPC, EAN or ISBN; sellers may enter "Does not apply". */
const NUMBER = /^\d{8,14}$/;
/** Listings that buyers can find, even when out of stock. */
const SHOWN = new Set(['ACTIVE', 'OUT_OF_STOCK']);

/** Offers requested at once, within the budget of four calls a second: each takes about a second. */
const CONCURRENT_READS = 4;
/** After this many items in a row whose offers cannot be requested it is eBay that fails, and not an item. */
const MAX_FAILURES = 3;

/** What was read so far, to recognize duplicates. */
interface Met {
  /** Items in a row whose offers could not be requested. */
  failures: number;
  /** Offers by SKU. */
  readonly offers: Map<string, string>;
  /** Item numbers of all offers. */
  readonly listings: Set<string>;
  /** SKUs in the inventory whose offers could not be read: they are not outside of it. */
  readonly unread: Set<string>;
}

/** What a reading of the catalog needs. */
export interface CatalogSource {
  readonly calls: EbayCalls;
  readonly categories: EbayCategories;
  readonly book: SellerListings;
  readonly account: Account;
}

/** The complete catalog: the listings of eBay's Inventory model, then those listed outside of it. */
export async function* readListings(
  { calls, categories, book, account }: CatalogSource,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const met: Met = { failures: 0, offers: new Map(), listings: new Set(), unread: new Set() };
  const side = new SideCalls(signal);
  let paths: CategoryPaths | null = null;
  const pages = inventory(calls, account, signal);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    // Prices come with the offers, which are requested from here on.
    const asOf = calls.now();
    const rows: Row[] = [];
    paths ??= await categories.paths(account, signal);
    const readOffers = async (item: InventoryItem | UnreadableRow) => ({
      item,
      offers: isUnreadable(item) ? [] : await offersOrError(calls, account, item.sku, signal),
    });
    // Rows are made in order: what is a duplicate, and which failures follow each other, depends on it.
    for await (const { item, offers } of mapAhead(step.value, CONCURRENT_READS, readOffers)) {
      const row = isUnreadable(item) ? item : rowWithOffers(item, offers, { account, met, paths }, signal);
      if (row !== null) rows.push(row);
    }
    if (rows.length > 0) yield { asOf, source: 'list', entries: rows };
  }
  paths ??= await categories.paths(account, signal);
  const context = { account, paths, skus: new Set(met.offers.keys()), unread: met.unread };
  const source = { calls, book, known: met.listings, context, side };
  const outside = yield* outsidePages(source, signal);
  const total = sumOf(step.value, outside.total);
  // Listings outside of the Inventory model that were not read may still exist.
  return { total, unavailable: side.unavailable, ...(!outside.isWhole && { isPart: true }) };
}

function sumOf(one: CatalogTotal | null, other: CatalogTotal | null): CatalogTotal | null {
  if (one === null || other === null) return one ?? other;
  return { told: one.told + other.told, came: one.came + other.came };
}

async function* inventory(
  calls: EbayCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<(InventoryItem | UnreadableRow)[], CatalogTotal | null> {
  const whole = new CompletenessCheck();
  let offset = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = `/sell/inventory/v1/inventory_item?limit=${PAGE_SIZE}&offset=${offset}`;
    const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'inventory' }, signal);
    const { total, items, next } = parseResponse(NAME, InventoryPage, answer, 'page of the inventory');
    whole.takes(
      total,
      items.map((item) => (isUnreadable(item) ? `${item.what} ${item.member} ${item.value}` : item.sku)),
    );
    yield items;
    if (next == null || items.length === 0) return whole.total();
    offset = offsetAfter(next, offset);
  }
  throw new ConnectorError('too_large', `${NAME} has more items than can be synced at once.`);
}

/** Only eBay knows whether it counts items or pages: only that number is taken from the address of the next page. */
function offsetAfter(next: string, before: number): number {
  const said = URL.canParse(next, 'https://api.ebay.com')
    ? new URL(next, 'https://api.ebay.com').searchParams.get('offset')
    : null;
  const offset = said !== null && /^\d{1,9}$/.test(said) ? Number(said) : before;
  if (offset > before) return offset;
  throw new ConnectorError(
    'unreadable',
    `${NAME} answered with a page of the inventory that does not go on.`,
  );
}

type Offers = readonly (Offer | UnreadableRow)[];

async function offersOrError(
  calls: EbayCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<Offers | ConnectorError> {
  return offersOf(calls, account, sku, signal).catch((error: unknown) => {
    if (error instanceof ConnectorError) return error;
    throw error;
  });
}

/** What rows are made with. */
interface RowContext {
  readonly account: Account;
  readonly met: Met;
  readonly paths: CategoryPaths;
}

/**
 * An item whose offers cannot be read is passed over; null as in {@link rowOf}.
 * @throws ConnectorError where it is eBay that fails, and not the item
 */
function rowWithOffers(
  item: InventoryItem,
  offers: Offers | ConnectorError,
  { account, met, paths }: RowContext,
  signal: AbortSignal,
): Row | null {
  if (offers instanceof ConnectorError) {
    met.failures += 1;
    if (!OF_ONE_ITEM.has(offers.fault) || signal.aborted || met.failures >= MAX_FAILURES) throw offers;
    met.unread.add(item.sku.trim());
    return unreadableRow(item.sku, 'offers', offers.publicMessage);
  }
  met.failures = 0;
  const odd = offers.find(isUnreadable);
  if (odd !== undefined) {
    met.unread.add(item.sku.trim());
    return unreadableRow(item.sku, `offers.${odd.member}`, odd.value);
  }
  return rowOf(item, readableOf(offers), account, met, paths);
}

const OF_ONE_ITEM: ReadonlySet<ConnectorError['fault']> = new Set([
  'refused',
  'unreadable',
  'service',
  'too_large',
]);

/** The offers of an inventory item on all of eBay's sites; none for what was never offered. */
export async function offersOf(
  calls: EbayCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<(Offer | UnreadableRow)[]> {
  const path = `/sell/inventory/v1/offer?sku=${encodeURIComponent(sku)}`;
  const call = { method: 'GET', path, operation: 'inventory' } as const;
  const answer = await calls.asSeller(account, call, signal).catch((error: unknown) => {
    if (error instanceof ConnectorError && NEVER_OFFERED.has(error.code ?? '')) return null;
    throw error;
  });
  return answer === null ? [] : parseResponse(NAME, OfferPage, answer, 'list of offers').offers;
}

/** Null for what is not listed anywhere, and for identical duplicates. */
function rowOf(
  item: InventoryItem,
  offers: readonly Offer[],
  account: Account,
  met: Met,
  paths: CategoryPaths,
): Row | null {
  const sku = item.sku.replaceAll('\0', '').trim();
  const what = (sku || item.product?.title?.trim() || 'An item without a name').slice(0, LONGEST_SKU);
  const { marketplaceId } = credentialsOf(account);
  for (const { listing } of offers) {
    if (listing?.listingId != null) met.listings.add(listing.listingId);
  }
  const offer = bestOf(offers.filter((one) => one.marketplaceId === marketplaceId));
  if (offer === null) {
    return offers.length === 0 ? null : { kind: 'passed_over', what, why: 'not_ours_to_price' };
  }
  if (sku === '' || sku.length > LONGEST_SKU) return { kind: 'passed_over', what, why: 'no_sku' };
  const before = met.offers.get(sku);
  if (before !== undefined) {
    return before === offer.offerId ? null : { kind: 'passed_over', what, why: 'repeated' };
  }
  met.offers.set(sku, offer.offerId);
  const price = offer.pricingSummary?.price ?? null;
  if (price !== null && price.currency !== 'USD') return { kind: 'passed_over', what, why: 'other_currency' };
  return {
    ...listingOf(sku, item, offer, paths),
    priceLimits: offerLimits(offer, account),
    autoAcceptPrice: autoAcceptOf(offer),
  };
}

function listingOf(
  sku: string,
  { product, availability }: InventoryItem,
  offer: Offer,
  paths: CategoryPaths,
): MarketplaceListing {
  const quantity = offer.availableQuantity ?? availability?.shipToLocationAvailability?.quantity ?? null;
  const image = product?.imageUrls?.[0] ?? '';
  const listingId = offer.listing?.listingId ?? null;
  const categoryPath = paths.get(offer.categoryId ?? '');
  const epid = product?.epid ?? '';
  const gtin = [...(product?.upc ?? []), ...(product?.ean ?? [])].find((number) => NUMBER.test(number));
  return {
    kind: 'listing',
    sku,
    itemId: listingId,
    title: (product?.title?.replaceAll('\0', '').trim() || sku).slice(0, LONGEST_TITLE),
    imageUrl: /^https:\/\/\S+$/.test(image) ? image : null,
    ...pricePart(offer.pricingSummary?.price?.amount ?? null),
    fulfillmentType: 'FBM',
    quantity: quantity === null ? null : Math.max(0, quantity),
    isActive: isFixed(offer) && isShown(offer),
    notRepriceableReason: whyNot(offer),
    ...(isFixed(offer) ? { channel: 'inventory' } : { channel: 'read_only', readOnly: 'auction' }),
    keys: {
      offerId: offer.offerId,
      ...(listingId === null ? {} : { listingId }),
      ...(/^\d{1,20}$/.test(epid) ? { epid } : {}),
      ...(gtin === undefined ? {} : { gtin }),
    },
    ...(categoryPath === undefined ? {} : { categoryPath }),
  };
}

/** One SKU can be in an auction and at a fixed price at the same time. */
export function bestOf(offers: readonly Offer[]): Offer | null {
  const worth = (offer: Offer) => (isFixed(offer) ? 2 : 0) + (isShown(offer) ? 1 : 0);
  return offers.toSorted((a, b) => worth(b) - worth(a))[0] ?? null;
}

const isFixed = ({ format }: Offer): boolean => format === 'FIXED_PRICE';

/** Whether buyers see the offer. */
export function isShown({ status, listing }: Offer): boolean {
  return (
    status === 'PUBLISHED' && listing?.listingOnHold !== true && SHOWN.has(listing?.listingStatus ?? 'ACTIVE')
  );
}

function whyNot(offer: Offer): string | null {
  if (!isFixed(offer)) return AUCTION;
  if (offer.status !== 'PUBLISHED') return 'Its offer is not published on eBay.';
  return null;
}
