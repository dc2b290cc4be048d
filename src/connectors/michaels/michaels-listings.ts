import type { Account, CatalogEnd, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { pricePart } from '#connectors/dollars.ts';
import { isUnreadable, readableOf, type UnreadableRow } from '#connectors/passed-over.ts';
import type { Instant } from '#domain/units.ts';
import { type MichaelsCalls, NAME } from './michaels-calls.ts';
import { type Listing, ListingsPage } from './michaels-responses.ts';

const ROWS_A_PAGE = 100;
/** Page limit (100,000 listings), in case a response never ends pagination. */
const MAX_PAGES = 1_000;
const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;

type Found = CatalogPage['entries'][number];

/**
 * The complete catalog. It is kept in memory until the last page: only then is it known which SKUs are parents of
 * others, whose prices cannot be set.
 */
export async function* readListings(
  calls: MichaelsCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const pages: ListingPage[] = [];
  for await (const page of listingPages(calls, account, signal)) pages.push(page);
  const parents = new Set(
    pages
      .flatMap(({ listings }) => readableOf(listings))
      .flatMap(({ skuNumber, primarySkuNumber }) =>
        primarySkuNumber != null && primarySkuNumber !== skuNumber ? [primarySkuNumber] : [],
      ),
  );
  const seen = new Map<string, string>();
  for (const { asOf, listings } of pages) {
    const found = listings.flatMap((listing) =>
      isUnreadable(listing) ? [listing] : once(seen, listingOf(listing, parents)),
    );
    if (found.length > 0) yield { asOf, source: 'list', entries: found };
  }
  // There is no total to hold it against: a page without listings before the last one may have lost them.
  const hasGap = pages.slice(0, -1).some(({ listings }) => listings.length === 0);
  return { total: null, unavailable: [], ...(hasGap && { isPart: true }) };
}

/** An identical entry is a duplicate; a different one with the same SKU is skipped. */
function once(seen: Map<string, string>, found: Found): readonly Found[] {
  if (found.kind === 'passed_over') return [found];
  const print = `${found.itemId} ${found.price} ${found.isActive}`;
  const before = seen.get(found.sku);
  seen.set(found.sku, before ?? print);
  if (before === undefined) return [found];
  return before === print ? [] : [{ kind: 'passed_over', what: found.sku, why: 'repeated' }];
}

interface ListingPage {
  /** The time before the request. */
  readonly asOf: Instant;
  readonly listings: readonly (Listing | UnreadableRow)[];
}

async function* listingPages(
  calls: MichaelsCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<ListingPage> {
  const seen = new Set<string>();
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ limit: String(ROWS_A_PAGE), ...(cursor === '' ? {} : { cursor }) });
    const call = { method: 'GET', path: `/listing/all-listings?${query}`, operation: 'listings' } as const;
    const asOf = calls.now();
    const { data } = await calls.read(account, call, ListingsPage, 'list of listings', signal);
    yield { asOf, listings: data.listings };
    // Only a page without a cursor is the last one.
    if (!data.nextCursor) return;
    cursor = data.nextCursor;
    if (seen.has(cursor))
      throw new ConnectorError('unreadable', `${NAME} answered with pages that do not go on.`);
    seen.add(cursor);
  }
  throw new ConnectorError('too_large', `${NAME} has more items than can be synced at once.`);
}

function listingOf(listing: Listing, parents: ReadonlySet<string>): Found {
  const sku = plain(listing.sellerSkuNumber);
  const title = plain(listing.itemName).slice(0, LONGEST_TITLE).trim();
  const itemId = listing.skuNumber || null;
  if (sku === '' || sku.length > LONGEST_SKU) {
    return { kind: 'passed_over', what: title || itemId || 'A listing', why: 'no_sku' };
  }
  if (itemId !== null && parents.has(itemId)) {
    return { kind: 'passed_over', what: sku, why: 'not_ours_to_price' };
  }
  return {
    kind: 'listing',
    sku,
    itemId,
    title: title || sku,
    imageUrl: null,
    ...pricePart(listing.price),
    fulfillmentType: 'FBM',
    quantity: null,
    isActive: listing.status?.toUpperCase() === 'ACTIVE',
    notRepriceableReason: null,
    keys: listing.primarySkuNumber ? { primarySkuNumber: listing.primarySkuNumber } : {},
  };
}

function plain(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\0', '').trim();
}
