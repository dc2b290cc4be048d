import type {
  Account,
  CatalogEnd,
  CatalogPage,
  CatalogTotal,
  MarketplaceListing,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isFiner, type ReportedPrice } from '#connectors/dollars.ts';
import { isUnreadable, readableOf } from '#connectors/passed-over.ts';
import { SideCalls } from '#connectors/side-calls.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import { listingsOfReport } from './item-report.ts';
import {
  type Found,
  nativeRepricer,
  Once,
  PROMOTION,
  shipperIfEnabled,
  shipperOf,
  toListing,
} from './listing-of.ts';
import type { PromotionRounds, PromotionTurn } from './promotion-rounds.ts';
import { runningPromotion } from './read-promotion.ts';
import type { WalmartCalls } from './walmart-calls.ts';
import { catalogPages, insightPages, itemPages, qualityPages } from './walmart-pages.ts';
import type { Insight, Item } from './walmart-responses.ts';

/** From this many on a report is less work for both sides than pages, and needs no memory. */
const MIN_REPORT_ITEMS = 10_000;

/** Data of a SKU in addition to its item. */
interface Extra {
  itemId?: string;
  imageUrl?: string;
  fulfillmentType?: FulfillmentType;
  /** The catalog search reported it. */
  isInCatalog?: true;
  insight?: Insight;
}

/** The complete catalog, page by page: from pages of items, or from a report when it is large. */
export async function* readListings(
  calls: WalmartCalls,
  rounds: PromotionRounds,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  let asOf = calls.now();
  const { total, pages } = await itemPages(calls, account, signal);
  if (total > MIN_REPORT_ITEMS) {
    const came = yield* listingsOfReport(calls, account, signal);
    return { total: await totalOf(calls, account, total, came, signal), unavailable: [] };
  }
  const side = new SideCalls(signal);
  const extras = await readExtras(calls, account, side, signal);
  const once = new Once();
  const turn = rounds.open(account);
  const promotions = promotionsOf(calls, account, turn, side, signal);
  for (;;) {
    const step = await pages.next();
    if (step.done === true) {
      turn.end();
      return { total: step.value, unavailable: side.unavailable };
    }
    const found: Found[] = [];
    for (const item of step.value) {
      const listing = isUnreadable(item) ? item : listingOf(item, extras);
      const insight = isUnreadable(item) ? undefined : extras.of(item.sku).insight;
      if (listing.kind === 'listing' && sellsBelow(listing.price, insight)) {
        found.push(...once.take({ ...listing, ...(await promotions(listing)) }));
      } else found.push(...once.take(listing));
    }
    if (found.length > 0) yield { asOf, source: 'list', entries: found };
    // The next page is requested from here on.
    asOf = calls.now();
  }
}

/**
 * A report names no total: that of the list counts. While the report was made items may have been removed, so where it
 * lacks some the list is requested once more, and the smaller total counts.
 */
async function totalOf(
  calls: WalmartCalls,
  account: Account,
  before: number,
  came: number,
  signal: AbortSignal,
): Promise<CatalogTotal> {
  const after = came >= before ? before : await listTotal(calls, account, before, signal);
  return { told: Math.min(before, after), came };
}

/** What the list counts now; `before` where it does not answer. */
async function listTotal(
  calls: WalmartCalls,
  account: Account,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  try {
    return (await itemPages(calls, account, signal)).total;
  } catch (error) {
    if (!(error instanceof ConnectorError) || signal.aborted) throw error;
    return before;
  }
}

/** What the other calls report about all SKUs. */
class Extras {
  readonly #bySku = new Map<string, Extra>();
  /** The catalog search reported everything: who ships, and item IDs. */
  hasCatalog = false;
  hasInsights = false;

  of(sku: string | null | undefined): Extra {
    const key = sku?.trim() ?? '';
    const extra = this.#bySku.get(key) ?? {};
    this.#bySku.set(key, extra);
    return extra;
  }
}

async function readExtras(
  calls: WalmartCalls,
  account: Account,
  side: SideCalls,
  signal: AbortSignal,
): Promise<Extras> {
  const extras = new Extras();
  const catalog = await side.answer(CATALOG, () => mergeCatalog(calls, account, extras, signal));
  extras.hasCatalog = catalog === 'whole';
  if (catalog === 'part') side.incomplete(CATALOG, 'Walmart returned fewer items there than it counts.');
  for await (const rows of side.pages('the images', qualityPages(calls, account, signal))) {
    for (const { sku, itemId, imageUrL, wfsEnabled } of readableOf(rows)) {
      const extra = extras.of(sku);
      if (itemId) extra.itemId ??= itemId;
      if (imageUrL) extra.imageUrl = imageUrL;
      mergeShipper(extra, shipperIfEnabled(wfsEnabled));
    }
  }
  const insights = await side.answer(INSIGHTS, () => mergeInsights(calls, account, extras, signal));
  extras.hasInsights = insights !== null;
  return extras;
}

const CATALOG = 'the catalog search, which has item IDs and fulfillment types';
const INSIGHTS = 'the pricing insights';

/** A missing row means nothing, so the result counts by the total. */
async function mergeCatalog(
  calls: WalmartCalls,
  account: Account,
  extras: Extras,
  signal: AbortSignal,
): Promise<'whole' | 'part'> {
  const pages = catalogPages(calls, account, signal);
  for (;;) {
    const step = await pages.next();
    if (step.done === true) {
      const total = step.value;
      return total !== null && total.came < total.told ? 'part' : 'whole';
    }
    for (const { sku, itemId, fulfillmentType } of readableOf(step.value)) {
      const extra = extras.of(sku);
      extra.isInCatalog = true;
      if (itemId) extra.itemId = itemId;
      mergeShipper(extra, shipperOf(fulfillmentType));
    }
  }
}

async function mergeInsights(
  calls: WalmartCalls,
  account: Account,
  extras: Extras,
  signal: AbortSignal,
): Promise<true> {
  for await (const { rows } of insightPages(calls, account, signal)) {
    for (const insight of readableOf(rows)) {
      const extra = extras.of(insight.sku);
      extra.insight = insight;
      mergeShipper(extra, shipperOf(insight.fulfillment));
    }
  }
  return true;
}

/** If one response says that Walmart ships, that counts, whatever the others say. */
function mergeShipper(extra: Extra, said: FulfillmentType | null): void {
  if (said !== null && extra.fulfillmentType !== 'FBA/WFS') extra.fulfillmentType = said;
}

function listingOf(item: Item, extras: Extras): Found {
  const { itemId, imageUrl, fulfillmentType, isInCatalog = false, insight } = extras.of(item.sku);
  // Only the catalog search reports all items that Walmart ships: without it, "by the seller" is not known.
  const isShipperKnown = extras.hasCatalog || isInCatalog || fulfillmentType === 'FBA/WFS';
  return toListing({
    sku: item.sku,
    // In place of an item ID that was not reported, unless a call that failed may have reported it before.
    wpidAsItemId: extras.hasCatalog,
    wpid: item.wpid,
    productType: item.productType,
    title: item.productName,
    currency: item.price?.currency,
    price: item.price?.amount ?? null,
    publishedStatus: item.publishedStatus,
    lifecycleStatus: item.lifecycleStatus,
    itemId,
    imageUrl,
    fulfillmentType: (isShipperKnown ? fulfillmentType : null) ?? null,
    quantity: insight?.inventoryCount ?? (extras.hasInsights ? null : undefined),
    notRepriceableReason:
      insight === undefined
        ? undefined
        : nativeRepricer(insight.repricerStatus, insight.repricerStrategyName),
  });
}

/** Why a listing must not be repriced, as part of it. */
type PromotionReason = Pick<MarketplaceListing, 'notRepriceableReason' | 'notRepriceableUntil'>;

/**
 * Looks up one listing after the other. What is not looked up is not known: neither that a promotion runs nor that none
 * does.
 */
function promotionsOf(
  calls: WalmartCalls,
  account: Account,
  turn: PromotionTurn,
  side: SideCalls,
  signal: AbortSignal,
): (listing: MarketplaceListing) => Promise<Partial<PromotionReason>> {
  return async ({ sku, notRepriceableReason: repricer }) => {
    const unknown = { notRepriceableReason: repricer ?? undefined };
    if (!turn.takes(sku)) return unknown;
    const answer = await side.answer('the promotions', async () => ({
      promotion: await runningPromotion(calls, account, sku, signal),
    }));
    if (answer === null) {
      // After a failure the others are not looked up: each would take its retries.
      turn.stop();
      return unknown;
    }
    const { promotion } = answer;
    return promotion === null
      ? {}
      : { notRepriceableReason: PROMOTION, notRepriceableUntil: promotion.until };
  };
}

/** Buyers seem to pay less than the regular price: the only sign of a promotion in pages of items. */
function sellsBelow(price: ReportedPrice, insight: Insight | undefined): boolean {
  const current = insight?.currentPrice ?? null;
  return price !== null && !isFiner(price) && current !== null && current < price;
}
