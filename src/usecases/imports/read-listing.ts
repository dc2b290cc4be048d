import type { TextRow } from '#db/queries/import-rows.ts';
import { cents } from '#domain/units.ts';
import type { Cells } from '#files/cells.ts';
import { type ListingColumn, readListingMarketplace } from '#files/listing-format.ts';
import type { ReportColumn } from '#files/report-sources.ts';
import { REPORT_FULFILLMENT_WORDS } from '#files/words.ts';
import { codeOf, moneyField, pictureAddress, textWithin } from './fields.ts';
import type { PassContext } from './kind-spec.ts';

type ListingCells = Cells<ListingColumn | ReportColumn>;

const FREE = cents(0);

/** Reads listings of our own files and of the marketplaces' reports; a second row of the same listing is refused. */
export function listingReader({ source }: PassContext): (cells: ListingCells) => TextRow | null | 'skip' {
  const lines = new Map<string, number>();
  const title = source === 'shopify' ? variantTitles() : plainTitle;
  return (cells) => {
    const name = title(cells);
    if (isNoListing(cells, source)) return 'skip';
    if (source === 'ebay' && /auction/i.test(cells.text('format') ?? '')) {
      cells.reject('format', 'is an auction', 'Leave it out: only fixed prices can be repriced.');
    }
    const row = readRow(cells, name);
    if (row === null) return null;
    const key = `${row.marketplace}\n${row.sku}`;
    const first = lines.get(key);
    if (first === undefined) {
      lines.set(key, cells.line);
      return row;
    }
    const fix = `Delete one of the two rows; the first is line ${first}.`;
    cells.reject('sku', 'is in this file already for this marketplace', fix);
    return null;
  };
}

/** Further pictures of a Shopify product, and the heads of eBay listings with variations, sell nothing themselves. */
function isNoListing(cells: ListingCells, source: PassContext['source']): boolean {
  if (source !== 'shopify' && source !== 'ebay') return false;
  const isBlank = cells.text('sku') === null && cells.text('currentPrice') === null;
  return isBlank && (source === 'shopify' || cells.text('variation') === null);
}

function plainTitle(cells: ListingCells): string | null {
  return textWithin(cells, 'title', 1000);
}

/** Shopify names a product in its first row only; a variant is told apart by its options. */
function variantTitles(): (cells: ListingCells) => string | null {
  let group: string | null = null;
  let product: string | null = null;
  return (cells) => {
    const title = plainTitle(cells);
    if (cells.text('group') !== group) product = null;
    group = cells.text('group');
    product = title ?? product;
    const options = (['option1', 'option2', 'option3'] as const)
      .map((name) => cells.text(name))
      .filter((value) => value !== null && value !== 'Default Title');
    const whole = [product, options.join(' / ')].filter((part) => part !== null && part !== '').join(' - ');
    return whole === '' ? null : [...whole].slice(0, 1000).join('');
  };
}

function readRow(cells: ListingCells, title: string | null): TextRow | null {
  // The one reader of both takes columns of ours only; the report's are a superset.
  const marketplace = readListingMarketplace(cells as unknown as Cells<ListingColumn>);
  const minPrice = cells.price('minPrice');
  const maxPrice = cells.price('maxPrice');
  const flag = cells.flag('autoRepricingEnabled');
  const row = {
    marketplace,
    sku: codeOf(cells, 'sku'),
    title,
    currentPrice: moneyField(
      cells.required(
        'currentPrice',
        cells.price('currentPrice'),
        'Write the price buyers see, such as 19.99.',
      ),
    ),
    fulfillmentType: cells.required(
      'fulfillmentType',
      cells.word('fulfillmentType', REPORT_FULFILLMENT_WORDS),
      'Write FBA/WFS or FBM.',
    ),
    marketplaceItemId: textWithin(cells, 'marketplaceItemId', 200),
    imageUrl: pictureAddress(cells, 'imageUrl'),
    minPrice: moneyField(minPrice),
    maxPrice: moneyField(maxPrice),
    shippingCost: moneyField(cells.amount('shippingCost')),
    shippingCharge: moneyField(cells.amount('shippingCharge') ?? FREE),
    fulfillmentCost: moneyField(cells.amount('fulfillmentCost')),
    feeCategory: textWithin(cells, 'feeCategory', 200),
    autoRepricingEnabled: flag === null ? null : String(flag),
    rule: textWithin(cells, 'rule', 200),
  };
  if (minPrice !== null && maxPrice !== null && minPrice > maxPrice) {
    cells.reject('minPrice', 'is above maxPrice', 'Lower it, or raise maxPrice.');
  }
  return cells.bad.length > 0 ? null : row;
}
