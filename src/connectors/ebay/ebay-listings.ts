import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account, CatalogPage, MarketplaceListing, SkippedListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import type { CategoryPaths, EbayCategories } from './ebay-categories.ts';
import { readReport } from './ebay-report.ts';
import { type InventoryItem, InventoryPage, type Offer, OfferPage } from './ebay-responses.ts';
import { offerLimits } from './offer-limits.ts';

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

/** What was read so far, to recognize duplicates. */
interface Met {
  /** Offers by SKU. */
  readonly offers: Map<string, string>;
  readonly listings: Set<string>;
}

/** The complete catalog: the listings of eBay's Inventory model, then those listed outside of it. */
export async function* readListings(
  calls: EbayCalls,
  categories: EbayCategories,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, 'part' | undefined> {
  const met: Met = { offers: new Map(), listings: new Set() };
  let paths: CategoryPaths | null = null;
  for await (const items of inventory(calls, account, signal)) {
    // Prices come with the offers, which are requested from here on.
    const asOf = calls.now();
    const rows: Row[] = [];
    paths ??= await categories.paths(account, signal);
    for (const item of items) {
      const offers = await offersOf(calls, account, item.sku, signal);
      const row = rowOf(item, offers, account, met, paths);
      if (row !== null) rows.push(row);
    }
    if (rows.length > 0) yield { asOf, entries: rows };
  }
  return yield* readReport(calls, account, met, signal);
}

async function* inventory(
  calls: EbayCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<InventoryItem[]> {
  const whole = new CompletenessCheck(NAME, 'items');
  let offset = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = `/sell/inventory/v1/inventory_item?limit=${PAGE_SIZE}&offset=${offset}`;
    const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'inventory' }, signal);
    const { total, items, next } = parseResponse(NAME, InventoryPage, answer, 'page of the inventory');
    whole.takes(
      total,
      items.map(({ sku }) => sku),
    );
    yield items;
    if (next == null || items.length === 0) return whole.end();
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

async function offersOf(
  calls: EbayCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<Offer[]> {
  const path = `/sell/inventory/v1/offer?sku=${encodeURIComponent(sku)}`;
  const answer = await calls.asSeller(
    account,
    // An item that was never offered gets a 404.
    { method: 'GET', path, operation: 'inventory', alsoAnswers: [404] },
    signal,
  );
  return answer.status === 404 ? [] : parseResponse(NAME, OfferPage, answer, 'list of offers').offers;
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
  const offer = bestOf(offers.filter((one) => one.marketplaceId === marketplaceId));
  if (offer === null) {
    return offers.length === 0 ? null : { kind: 'passed_over', what, why: 'not_ours_to_price' };
  }
  if (offer.listing?.listingId != null) met.listings.add(offer.listing.listingId);
  if (sku === '' || sku.length > LONGEST_SKU) return { kind: 'passed_over', what, why: 'no_sku' };
  const before = met.offers.get(sku);
  if (before !== undefined) {
    return before === offer.offerId ? null : { kind: 'passed_over', what, why: 'repeated' };
  }
  met.offers.set(sku, offer.offerId);
  const price = offer.pricingSummary?.price ?? null;
  if (price !== null && price.currency !== 'USD') return { kind: 'passed_over', what, why: 'other_currency' };
  return { ...listingOf(sku, item, offer, paths), priceLimits: offerLimits(offer, account) };
}

function listingOf(
  sku: string,
  { product, availability }: InventoryItem,
  offer: Offer,
  paths: CategoryPaths,
): MarketplaceListing {
  const amount = offer.pricingSummary?.price?.amount ?? 0;
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
    price: amount > 0 ? (amount as MarketplaceListing['price']) : null,
    fulfillmentType: 'FBM',
    quantity: quantity === null ? null : Math.max(0, quantity),
    isActive: isFixed(offer) && isShown(offer),
    notRepriceableReason: whyNot(offer),
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
function bestOf(offers: readonly Offer[]): Offer | null {
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
  if (!isFixed(offer)) return 'It is sold by auction, and its price is made by the bids.';
  if (offer.status !== 'PUBLISHED') return 'Its offer is not published on eBay.';
  return null;
}
