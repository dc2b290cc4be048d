import type { Account, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
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
import type { WalmartCalls } from './walmart-calls.ts';
import { catalogPages, insightPages, itemPages, qualityPages } from './walmart-pages.ts';
import { runsPromotion } from './walmart-promotions.ts';
import type { Insight, Item } from './walmart-responses.ts';

/** From this many on a report is less work for both sides than pages, and needs no memory. */
const MIN_REPORT_ITEMS = 10_000;
/** Promotions that are looked up, one by one, per sync. */
const MAX_PROMOTION_LOOKUPS = 200;
/** For those beyond that number. */
const LIKE_A_PROMOTION =
  'Walmart sells it below its regular price, as in a promotion. It is repriced again after that.';

/** Data of a SKU in addition to its item. */
interface Extra {
  itemId?: string;
  imageUrl?: string;
  fulfillmentType?: FulfillmentType;
  insight?: Insight;
}

/** The complete catalog, page by page: from pages of items, or from a report when it is large. */
export async function* readListings(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage> {
  let asOf = calls.now();
  const { total, pages } = await itemPages(calls, account, signal);
  if (total > MIN_REPORT_ITEMS) return yield* listingsOfReport(calls, account, signal);
  const extras = await readExtras(calls, account, signal);
  const once = new Once();
  const promotions = promotionsOf(calls, account, signal);
  for await (const items of pages) {
    const found: Found[] = [];
    for (const item of items) {
      const extra = extras.get(item.sku?.trim() ?? '') ?? {};
      const listing = listingOf(item, extra);
      if (listing.kind === 'listing' && sellsBelow(listing.price, extra.insight)) {
        const why = await promotions(listing.sku);
        found.push(...once.take(why === null ? listing : { ...listing, notRepriceableReason: why }));
      } else found.push(...once.take(listing));
    }
    if (found.length > 0) yield { asOf, entries: found };
    // The next page is requested from here on.
    asOf = calls.now();
  }
}

async function readExtras(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): Promise<Map<string, Extra>> {
  const extras = new Map<string, Extra>();
  const of = (sku: string | null | undefined): Extra => {
    const key = sku?.trim() ?? '';
    const extra = extras.get(key) ?? {};
    extras.set(key, extra);
    return extra;
  };
  for await (const rows of catalogPages(calls, account, signal)) {
    for (const { sku, itemId, fulfillmentType } of rows) {
      const extra = of(sku);
      if (itemId) extra.itemId = itemId;
      hearShipper(extra, shipperOf(fulfillmentType));
    }
  }
  for await (const rows of unlessForbidden(qualityPages(calls, account, signal))) {
    for (const { sku, itemId, imageUrL, wfsEnabled } of rows) {
      const extra = of(sku);
      if (itemId) extra.itemId ??= itemId;
      if (imageUrL) extra.imageUrl = imageUrL;
      hearShipper(extra, shipperIfEnabled(wfsEnabled));
    }
  }
  for await (const rows of unlessForbidden(insightPages(calls, account, signal))) {
    for (const insight of rows) {
      const extra = of(insight.sku);
      extra.insight = insight;
      hearShipper(extra, shipperOf(insight.fulfillment));
    }
  }
  return extras;
}

/** If one response says that Walmart ships, that counts, whatever the others say. */
function hearShipper(extra: Extra, said: FulfillmentType | null): void {
  if (said !== null && extra.fulfillmentType !== 'FBA/WFS') extra.fulfillmentType = said;
}

/** Images and insights are optional; a key without the permission for them can still import. */
async function* unlessForbidden<Rows>(pages: AsyncGenerator<Rows>): AsyncGenerator<Rows> {
  try {
    yield* pages;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'permission') throw error;
  }
}

function listingOf(item: Item, { itemId, imageUrl, fulfillmentType, insight }: Extra): Found {
  return toListing({
    sku: item.sku,
    wpid: item.wpid,
    productType: item.productType,
    title: item.productName,
    currency: item.price?.currency,
    price: item.price?.amount ?? null,
    publishedStatus: item.publishedStatus,
    lifecycleStatus: item.lifecycleStatus,
    itemId,
    imageUrl,
    fulfillmentType: fulfillmentType ?? null,
    quantity: insight?.inventoryCount ?? null,
    notRepriceableReason:
      insight === undefined
        ? undefined
        : nativeRepricer(insight.repricerStatus, insight.repricerStrategyName),
  });
}

/** Looks up one SKU after the other. @returns why it must not be repriced; null when no promotion is active */
function promotionsOf(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): (sku: string) => Promise<string | null> {
  let left = MAX_PROMOTION_LOOKUPS;
  return async (sku) => {
    if (left === 0) return LIKE_A_PROMOTION;
    left -= 1;
    return (await runsPromotion(calls, account, sku, signal)) ? PROMOTION : null;
  };
}

/** Buyers seem to pay less than the regular price: the only sign of a promotion in pages of items. */
function sellsBelow(price: Cents | null, insight: Insight | undefined): boolean {
  const current = insight?.currentPrice ?? null;
  return price !== null && current !== null && current < price;
}
