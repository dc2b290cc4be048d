import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { cents } from '#domain/units.ts';
import type { Cells } from '#files/cells.ts';
import { REPORT_FULFILLMENT_KEYWORDS } from '#files/keywords.ts';
import {
  CROSSED_LIMITS_FIX,
  type ListingColumn,
  readListingMarketplace,
  readMap,
} from '#files/listing-format.ts';
import type { ReportColumn } from '#files/report-sources.ts';
import {
  countField,
  labelField,
  moneyField,
  pictureAddress,
  shareField,
  sinceField,
  textWithin,
  timeField,
} from './fields.ts';
import type { PassContext } from './importer.ts';
import { ofProduct, reportedCode, variantPictures, variantTitles } from './read-report.ts';
import { CodesSeen } from './similar-codes.ts';

type ListingCells = Cells<ListingColumn | ReportColumn>;

const FREE = cents(0);

/** Reads listings of our own files and of marketplace reports; a second row of the same listing is rejected. */
export function listingReader({
  source,
  present,
  at,
}: PassContext): (cells: ListingCells) => TextRow | null | 'skip' {
  const lines = new Map<string, number>();
  const codes = new CodesSeen();
  const isShopify = source === 'shopify';
  const titleOf = isShopify ? variantTitles<ListingColumn>(plainTitle) : plainTitle;
  const plainBrand = (cells: ListingCells): string | null => labelField(cells, 'brand', source === 'own');
  const brandOf = isShopify ? ofProduct<ListingColumn>(plainBrand) : plainBrand;
  const pictureOf = isShopify ? variantPictures<ListingColumn>(pictureAddress) : plainPicture;
  return (cells) => {
    // Rows without a listing still name the product of the rows below.
    const title = titleOf(cells);
    const picture = pictureOf(cells);
    const brand = brandOf(cells);
    if (isNoListing(cells, source)) return 'skip';
    rejectUnsellable(cells, source);
    const named = { title, imageUrl: picture, brand };
    const row = readRow(cells, reportedCode(cells, 'sku', source), named, { present, at });
    if (row === null) return null;
    const key = `${row.marketplace}\n${row.sku}`;
    const first = lines.get(key);
    if (first === undefined) {
      lines.set(key, cells.line);
      return { ...row, twin: codes.add(row.sku ?? '') };
    }
    const fix = `Delete one of the two rows; the first is line ${first}.`;
    cells.reject('sku', 'is already in this file for this marketplace', fix);
    return null;
  };
}

/** Rejects what a report has and cannot be priced here. */
function rejectUnsellable(cells: ListingCells, source: PassContext['source']): void {
  if (source === 'ebay' && /auction/i.test(cells.text('format') ?? '')) {
    cells.reject('format', 'is an auction', 'Remove the row: only fixed prices can be repriced.');
  }
  const currency = cells.text('currency');
  if (currency !== null && currency.toUpperCase() !== 'USD') {
    cells.reject(
      'currency',
      'is another currency',
      'Remove the row: only prices in US dollars are imported.',
    );
  }
  // Etsy writes the codes of all variations into one cell.
  if (source === 'etsy' && cells.text('sku')?.includes(',') === true) {
    cells.reject(
      'sku',
      'has the codes of several variations',
      'Write one row for each, with its code and price.',
    );
  }
}

/** Further pictures of a Shopify product, and the parent rows of eBay listings with variations, are not for sale. */
function isNoListing(cells: ListingCells, source: PassContext['source']): boolean {
  if (source !== 'shopify' && source !== 'ebay') return false;
  const isBlank = cells.text('sku') === null && cells.text('currentPrice') === null;
  return isBlank && (source === 'shopify' || cells.text('variation') === null);
}

function plainTitle(cells: ListingCells): string | null {
  return textWithin(cells, 'title', 1000);
}

function plainPicture(cells: ListingCells): string | null {
  return pictureAddress(cells, 'imageUrl');
}

function readRow(
  cells: ListingCells,
  sku: string | null,
  { title, imageUrl, brand }: Readonly<Record<'title' | 'imageUrl' | 'brand', string | null>>,
  { present, at: now }: Pick<PassContext, 'present' | 'at'>,
): TextRow | null {
  // A file without the column changes known listings alone.
  const needed = <Value>(name: ListingColumn, value: Value | null, fix: string): Value | null =>
    present.has(name) ? cells.required(name, value, fix) : value;
  // Both formats share one reader; it reads only our columns, and the report's are a superset.
  const marketplace = readListingMarketplace(cells as unknown as Cells<ListingColumn>);
  const minPrice = cells.price('minPrice');
  const maxPrice = cells.price('maxPrice');
  const flag = cells.flag('autoRepricingEnabled');
  const map = readMap(cells as unknown as Cells<ListingColumn>);
  const row = {
    marketplace,
    sku,
    // A combined title may be longer than one that was typed.
    title: title === null ? null : [...title].slice(0, 1000).join(''),
    currentPrice: moneyField(
      needed('currentPrice', cells.price('currentPrice'), 'Write the price buyers see, such as 19.99.'),
    ),
    fulfillmentType: needed(
      'fulfillmentType',
      cells.word('fulfillmentType', REPORT_FULFILLMENT_KEYWORDS),
      'Write FBA/WFS or FBM.',
    ),
    marketplaceItemId: textWithin(cells, 'marketplaceItemId', 200),
    imageUrl,
    minPrice: moneyField(minPrice),
    maxPrice: moneyField(maxPrice),
    shippingCost: moneyField(cells.amount('shippingCost')),
    shippingCharge: moneyField(cells.charge('shippingCharge') ?? FREE),
    fulfillmentCost: moneyField(cells.amount('fulfillmentCost')),
    feeCategory: textWithin(cells, 'feeCategory', 200),
    feeRate: shareField(cells.margin('feeRate')),
    adShare: shareField(cells.margin('adShare')),
    returnShare: shareField(cells.margin('returnShare')),
    mapPrice: moneyField(map.price),
    mapFrom: map.from,
    mapUntil: map.until,
    stock: countField(cells.count('stock')),
    stockAgeDays: countField(cells.count('stockAgeDays')),
    // When both were known; the importer distinguishes them.
    stockAt: timeField(cells.moment('stockAt')),
    externalPrice: moneyField(cells.price('externalPrice')),
    externalPriceAt: timeField(cells.moment('externalPriceAt')),
    autoRepricingEnabled: flag === null ? null : String(flag),
    rule: textWithin(cells, 'rule', 200),
    brand,
    supplier: labelField(cells, 'supplier', true),
    effectiveFrom: sinceField(cells, now),
  };
  if (minPrice !== null && maxPrice !== null && minPrice > maxPrice) {
    cells.reject('minPrice', 'is above maxPrice', CROSSED_LIMITS_FIX);
  }
  return cells.bad.length > 0 ? null : row;
}
