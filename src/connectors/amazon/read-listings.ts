import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { CatalogEnd, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isUnreadable, readableOf, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { SideCalls } from '#connectors/side-calls.ts';
import type { Instant } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { linesOf } from './amazon-documents.ts';
import { readReport } from './amazon-reports.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { bufferToFile } from './buffer-to-file.ts';
import { ITEMS_AT_ONCE, type ItemsPage, isSearchable, searchItems } from './listing-item.ts';
import { listingOf, listingOfRow, type ReportRow } from './listing-of.ts';

const DATA = ['summaries', 'attributes', 'offers', 'fulfillmentAvailability'] as const;
/** A search returns at most the first thousand. */
const MAX_SEARCH_RESULTS = 1_000;
/** Rows of the report whose image and product type are looked up; for the others this happens when a price is sent. */
const MAX_ROWS_LOOKED_UP = 20_000;
const MAX_ROWS = 2_000_000;
const COLUMNS = ['seller-sku', 'asin1', 'item-name', 'price', 'fulfillment-channel', 'status'];

/** The report has prices for everyone alone. */
const BUSINESS_PRICES = 'the business and quantity prices of listings that the report alone names';
const NOT_IN_REPORT = 'It does not contain them. They stay as they are, also where business prices follow.';

type Entry = CatalogPage['entries'][number];

/** The complete catalog: by search up to its limit, else by a report. */
export async function* readListings(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const asOf = calls.now();
  const first = await searchItems(calls, shop, { pageToken: null }, DATA, signal);
  const pages =
    first.numberOfResults >= MAX_SEARCH_RESULTS
      ? fromReport(calls, shop, signal)
      : fromSearch(calls, shop, { asOf, first }, signal);
  const once = keepOnce();
  for (;;) {
    const step = await pages.next();
    if (step.done === true) return step.value;
    const entries = step.value.entries.flatMap(once);
    if (entries.length > 0) yield { ...step.value, entries };
  }
}

async function* fromSearch(
  calls: AmazonCalls,
  shop: AmazonShop,
  { asOf, first }: { readonly asOf: Instant; readonly first: ItemsPage },
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const seen = new Set<string>();
  const whole = new CompletenessCheck();
  let page = first;
  let askedAt = asOf;
  for (;;) {
    whole.takes(
      page.numberOfResults,
      page.items.map((item) => (isUnreadable(item) ? `${item.what} ${item.member} ${item.value}` : item.sku)),
    );
    const now = calls.now();
    const entries = page.items.map((item) => (isUnreadable(item) ? item : listingOf(item, shop, now)));
    yield { asOf: askedAt, source: 'list', entries };
    const pageToken = page.pagination?.nextToken ?? null;
    if (pageToken === null || page.items.length === 0) {
      return { total: whole.total(), unavailable: [] };
    }
    if (seen.has(pageToken) || seen.size * ITEMS_AT_ONCE > MAX_SEARCH_RESULTS) {
      throw new ConnectorError(
        'unreadable',
        'Unexpected response from Amazon: the list of listings did not end.',
      );
    }
    seen.add(pageToken);
    askedAt = calls.now();
    page = await searchItems(calls, shop, { pageToken }, DATA, signal);
  }
}

async function* fromReport(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const asOf = calls.now();
  const side = new SideCalls(signal);
  const report = readReport(calls, shop, { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' }, signal);
  let rows: ReportRow[] = [];
  let count = 0;
  let isLookedUp = true;
  const page = async (): Promise<CatalogPage> => {
    const reported = { asOf, rows };
    const found =
      count > MAX_ROWS_LOOKED_UP || side.unavailable.length > 0
        ? null
        : await side.answer('images and product types', () => lookedUp(calls, shop, reported, signal));
    isLookedUp &&= found !== null;
    return found ?? { asOf, source: 'document', entries: rows.map((row) => listingOfRow(row, shop)) };
  };
  for await (const row of rowsOf(linesOf(bufferToFile(report)))) {
    if (isUnreadable(row)) {
      yield { asOf, source: 'document', entries: [row] };
      continue;
    }
    rows.push(row);
    count += 1;
    if (rows.length < ITEMS_AT_ONCE) continue;
    yield await page();
    rows = [];
  }
  if (rows.length > 0) yield await page();
  if (!isLookedUp) side.incomplete(BUSINESS_PRICES, NOT_IN_REPORT);
  return { total: null, unavailable: side.unavailable };
}

/** Tabs separate the cells; Amazon removes tabs and line ends from sellers' texts. */
async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<ReportRow | UnreadableRow> {
  let header: string[] | null = null;
  let odd: UnreadableRow | null = null;
  let count = 0;
  for await (const line of lines) {
    if (line === '') continue;
    const cells = line.split('\t');
    if (header === null) {
      header = cells.map((cell) => cell.replace('\uFEFF', '').trim().toLowerCase());
      if (COLUMNS.some((name) => header?.includes(name) !== true)) throw unreadableReport();
      continue;
    }
    count += 1;
    if (count > MAX_ROWS) throw unreadableReport();
    if (odd !== null) yield odd;
    odd = null;
    if (cells.length === header.length) yield new Map(header.map((name, at) => [name, cells[at] ?? '']));
    else odd = unreadableRow(cells[header.indexOf('seller-sku')] ?? '', 'number of cells', cells.length);
  }
  // A last row with too few cells is that of a report that broke off.
  if (header === null || odd !== null) throw unreadableReport();
}

function unreadableReport(): ConnectorError {
  return new ConnectorError('unreadable', 'The report of Amazon over all listings cannot be read.');
}

/** The report has neither images nor product types: a search by SKU returns both, and the current price. */
async function lookedUp(
  calls: AmazonCalls,
  shop: AmazonShop,
  { asOf, rows }: { readonly asOf: Instant; readonly rows: readonly ReportRow[] },
  signal: AbortSignal,
): Promise<CatalogPage> {
  const searchedAt = calls.now();
  const skuOf = (row: ReportRow): string => (row.get('seller-sku') ?? '').trim();
  const skus = [...new Set(rows.map(skuOf).filter((sku) => sku !== '' && isSearchable(sku)))];
  const { items } =
    skus.length === 0 ? { items: [] } : await searchItems(calls, shop, { skus }, DATA, signal);
  // One that cannot be read there keeps what the report says.
  const found = new Map(readableOf(items).map((item) => [item.sku, item]));
  const entries = rows.map((row) => {
    const item = found.get(skuOf(row));
    const reported = listingOfRow(row, shop);
    if (item === undefined) return reported;
    const listing = listingOf(item, shop, calls.now());
    if (listing.kind !== 'listing' || reported.kind !== 'listing') return listing;
    return { ...listing, fulfillmentType: listing.fulfillmentType ?? reported.fulfillmentType };
  });
  // With one row of the report among them they are no newer than the report.
  const isSearched = rows.every((row) => found.has(skuOf(row)));
  return isSearched ? { asOf: searchedAt, source: 'list', entries } : { asOf, source: 'document', entries };
}

/** An identical duplicate is skipped; a different listing with the same SKU is named. */
function keepOnce(): (entry: Entry) => Entry[] {
  const seen = new Map<string, string>();
  return (entry) => {
    if (entry.kind === 'passed_over') return [entry];
    const known = seen.get(entry.sku);
    const mark = `${entry.itemId} ${entry.price}`;
    if (known === undefined) seen.set(entry.sku, mark);
    if (known === undefined) return [entry];
    return known === mark ? [] : [{ kind: 'passed_over', what: entry.sku, why: 'repeated' }];
  };
}
