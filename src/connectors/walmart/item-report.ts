import type { Account, CatalogPage } from '#connectors/connector.ts';
import { isUnreadable, unreadableRow } from '#connectors/passed-over.ts';
import { instant } from '#domain/units.ts';
import type { CsvRecord } from './csv-rows.ts';
import { priceCell, readReport } from './download-report.ts';
import { type Found, nativeRepricer, Once, PROMOTION, shipperOf, toListing } from './listing-of.ts';
import type { RunningPromotion } from './read-promotion.ts';
import type { WalmartCalls } from './walmart-calls.ts';

const REPORT = {
  type: 'ITEM',
  version: 'v4',
  columns: ['sku', 'item id', 'product name', 'price', 'publish status', 'fulfillment type'],
};

/** The catalog from the item report. @returns how many came, identical duplicates once */
export async function* listingsOfReport(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, number> {
  const asOf = calls.now();
  const once = new Once();
  let came = 0;
  for await (const rows of readReport(calls, account, REPORT, signal)) {
    const found = rows.flatMap((row) => once.take(isUnreadable(row) ? row : listingOf(row, calls.now())));
    came += found.length;
    if (found.length > 0) yield { asOf, source: 'document', entries: found };
  }
  return came;
}

function listingOf(row: CsvRecord, now: number): Found {
  const cell = (name: string): string => row.get(name) ?? '';
  const currency = cell('currency');
  // An amount in another currency may have another format; it is not used.
  const price = currency !== '' && currency !== 'USD' ? null : priceCell(cell('price'));
  if (price === 'unreadable') {
    return unreadableRow(cell('sku') || cell('product name'), 'price', cell('price'));
  }
  const repricer = nativeRepricer(cell('repricer status'), cell('repricer strategy'));
  const promotion = promotionOf(cell, now);
  return toListing({
    sku: cell('sku'),
    wpid: cell('wpid'),
    wpidAsItemId: true,
    // The report names a category of its own instead.
    productType: null,
    title: cell('product name'),
    currency,
    price,
    publishedStatus: cell('publish status'),
    lifecycleStatus: cell('lifecycle status') || null,
    itemId: cell('item id'),
    imageUrl: cell('primary image url'),
    fulfillmentType: shipperOf(cell('fulfillment type')),
    quantity: null,
    notRepriceableReason:
      repricer ?? (promotion !== null ? PROMOTION : row.has('repricer status') ? null : undefined),
    notRepriceableUntil: repricer === null ? (promotion?.until ?? null) : null,
  });
}

/** Later versions of the report name the promotion; earlier ones do not show it. Null where none is active. */
function promotionOf(cell: (name: string) => string, now: number): RunningPromotion | null {
  const from = Date.parse(cell('promo start date'));
  const to = Date.parse(cell('promo end date'));
  if (!(from <= now) || to <= now) return null;
  return { until: Number.isNaN(to) ? null : instant(to) };
}
