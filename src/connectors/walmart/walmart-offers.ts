import type {
  Account,
  ListingRef,
  MarketOffer,
  OfferReading,
  UnavailableListing,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isUnreadable, type UnreadableRow, unreadableRow, unreadableText } from '#connectors/passed-over.ts';
import { groupBy } from '#domain/group-by.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type Cents, type Instant, isAmount } from '#domain/units.ts';
import { buyBoxReport } from './buy-box-report.ts';
import { shipperOf } from './listing-of.ts';
import type { PricesSetElsewhere } from './price-set-elsewhere.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { type InsightPage, insightPages, insightsOf } from './walmart-pages.ts';
import type { Insight } from './walmart-responses.ts';

/** Up to this many are requested one by one, without a look at how many pages all items have. */
const FEW = 20;
/** From this many on paging would take longer than the report, which takes up to 45 minutes. */
const MAX_ITEMS_BY_PAGES = 60_000;

type Reading = OfferReading | UnavailableListing;

/** The buy box of each listing, as one offer without a name; as ours where Walmart marks it. */
export async function* readOffers(
  calls: WalmartCalls,
  checks: PricesSetElsewhere,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly Reading[]> {
  const wanted = new Wanted(refs);
  for await (const { boxes, seenAt } of boxPages(calls, checks, account, refs, signal)) {
    const readings = wanted.take(boxes, (ref, box): Reading => readingOf(ref, box, seenAt));
    if (readings.length > 0) yield readings;
  }
  const left = wanted
    .left()
    .map(({ listingId }) => unread(listingId, 'Walmart returned no price data for this SKU.'));
  if (left.length > 0) yield left;
}

/** The buy box of one SKU. */
export interface Box {
  readonly sku: string;
  readonly ourPrice: Cents | null;
  readonly ourShipping: Cents | null;
  readonly fulfillmentType: FulfillmentType | null;
  readonly price: Cents | null;
  /** With shipping. */
  readonly total: Cents | null;
  /** Whether the box is ours; null when it is unknown. */
  readonly isOurs: boolean | null;
}

interface BoxPage {
  readonly boxes: readonly (Box | UnreadableRow)[];
  /** Not later than they were read, so that they are never older than they seem. */
  readonly seenAt: Instant;
}

async function* boxPages(
  calls: WalmartCalls,
  checks: PricesSetElsewhere,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<BoxPage> {
  const startedAt = calls.now();
  if (refs.length > MAX_ITEMS_BY_PAGES) {
    for await (const boxes of buyBoxReport(calls, account, signal)) yield { boxes, seenAt: startedAt };
    return;
  }
  const onScanned = (): void => checks.noteScan(account, startedAt);
  for await (const { rows, readAt } of insightsFor(calls, account, refs, signal, onScanned)) {
    checks.note(account, rows, readAt);
    yield { boxes: rows.map((row) => (isUnreadable(row) ? row : boxOf(row))), seenAt: readAt };
  }
}

/**
 * Insights of at least these SKUs: those of all items, until the SKUs that are left are fewer than the pages that are; these
 * are requested one by one.
 * @param onScanned called when all items were read
 * @throws ConnectorError also where Walmart broke its list off: what it did not name is not known to have no insights
 */
export async function* insightsFor(
  calls: WalmartCalls,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
  onScanned: () => void = () => undefined,
): AsyncGenerator<Pick<InsightPage, 'rows' | 'readAt'>> {
  const skus = new Set(refs.map((ref) => ref.sku));
  const pages = skus.size > FEW ? insightPages(calls, account, signal) : null;
  for (let page = await pages?.next(); page !== undefined; page = await pages?.next()) {
    if (page.done === true) {
      if (!page.value) throw new ConnectorError('unreadable', `${NAME} broke its list of price data off.`);
      return onScanned();
    }
    const { rows, left } = page.value;
    yield page.value;
    for (const row of rows) skus.delete((isUnreadable(row) ? row.what : row.sku).trim());
    if (left !== null && skus.size <= left) break;
  }
  for (const sku of skus) {
    const readAt = calls.now();
    yield { rows: await insightsOf(calls, account, sku, signal), readAt };
  }
}

function boxOf(insight: Insight): Box {
  return {
    sku: insight.sku,
    ourPrice: insight.currentPrice,
    ourShipping: null,
    fulfillmentType: shipperOf(insight.fulfillment),
    price: insight.buyBoxBasePrice,
    total: insight.buyBoxTotalPrice,
    isOurs: null,
  };
}

/** The listings without a result yet. Each gets one; the first page that names its SKU counts. */
export class Wanted {
  readonly #waiting = new Map<string, ListingRef[]>();

  constructor(refs: readonly ListingRef[]) {
    for (const ref of refs) this.#waiting.set(ref.sku, [...(this.#waiting.get(ref.sku) ?? []), ref]);
  }

  /** The results of a page. Of two different rows with one SKU it is unknown which is right. */
  take<Row extends { readonly sku: string }, Result>(
    rows: readonly (Row | UnreadableRow)[],
    resultOf: (ref: ListingRef, row: Row) => Result,
  ): (Result | UnavailableListing)[] {
    const bySku = groupBy(rows, (row) => (isUnreadable(row) ? row.what : row.sku).trim());
    return [...bySku].flatMap(([sku, [first, ...others]]) => {
      const refs = this.#waiting.get(sku) ?? [];
      this.#waiting.delete(sku);
      if (first === undefined) return [];
      const isTwice = others.some((other) => JSON.stringify(other) !== JSON.stringify(first));
      const row = isTwice ? unreadableRow(sku, 'sku', 'two different rows') : first;
      return refs.map((ref) => (isUnreadable(row) ? unreadListing(ref, row) : resultOf(ref, row)));
    });
  }

  left(): readonly ListingRef[] {
    return [...this.#waiting.values()].flat();
  }
}

function unreadListing({ listingId }: ListingRef, row: UnreadableRow): UnavailableListing {
  return { kind: 'unread', listingId, why: unreadableText(NAME, 'SKU', row), row };
}

function unread(listingId: number, why: string): UnavailableListing {
  return { kind: 'unread', listingId, why };
}

function readingOf({ listingId }: ListingRef, box: Box, seenAt: Instant): Reading {
  const { price, total } = box;
  if (price === null) return unread(listingId, 'Walmart names no buy box for this listing at the moment.');
  const shipping = total === null ? 0 : total - price;
  if (!isAmount(shipping))
    return unread(listingId, 'The two buy box prices of Walmart contradict each other.');
  if (box.isOurs === null && box.ourPrice === null) {
    return unread(listingId, 'Walmart does not say whether the buy box of this listing is yours.');
  }
  // Walmart does not name the winner. A box at our own price counts as ours: we must never undercut ourselves.
  const isOurs = box.isOurs ?? price === box.ourPrice;
  // An unknown charge is not zero: buyers may pay more for it than for ours.
  if (total === null && !isOurs)
    return unread(listingId, 'Walmart does not say what the buy box costs with shipping.');
  const featured: MarketOffer = { ...UNKNOWN_SELLER, isOurs, price, shipping, isFeatured: true };
  const { fulfillmentType } = box;
  const reading = {
    kind: 'offers',
    listingId,
    seenAt,
    coverage: 'box',
    ...(box.ourPrice === null ? {} : { ourPrice: box.ourPrice }),
  } as const;
  if (isOurs) return { ...reading, offers: [{ ...featured, fulfillmentType }] };
  const ours: MarketOffer[] =
    box.ourPrice === null
      ? []
      : [
          {
            ...UNKNOWN_SELLER,
            isOurs: true,
            price: box.ourPrice,
            shipping: box.ourShipping ?? (0 as Cents),
            fulfillmentType,
            isFeatured: false,
          },
        ];
  return { ...reading, offers: [featured, ...ours] };
}

const UNKNOWN_SELLER = {
  sellerName: null,
  isMarketplace: false,
  fulfillmentType: null,
  rating: null,
  ratingCount: null,
  handlingDays: null,
} as const;
