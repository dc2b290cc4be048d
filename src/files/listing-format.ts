import type { DatedMap } from '#domain/decision/entered-facts.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, type Instant } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { FULFILLMENT_KEYWORDS, MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { TableFormat } from './table.ts';
import { utcDay } from './timestamps.ts';

export type ListingColumn =
  | 'sku'
  | 'title'
  | 'currentPrice'
  | 'fulfillmentType'
  | 'marketplace'
  | 'marketplaceItemId'
  | 'imageUrl'
  | 'minPrice'
  | 'maxPrice'
  | 'shippingCost'
  | 'shippingCharge'
  | 'fulfillmentCost'
  | 'feeCategory'
  | 'feeRate'
  | 'adShare'
  | 'returnShare'
  | 'mapPrice'
  | 'mapFrom'
  | 'mapUntil'
  | 'stock'
  | 'stockAgeDays'
  | 'stockAt'
  | 'externalPrice'
  | 'externalPriceAt'
  | 'autoRepricingEnabled'
  | 'rule'
  | 'brand'
  | 'supplier'
  | 'effectiveFrom';

/** The listings file. */
export const LISTING_FORMAT: TableFormat<ListingColumn> = {
  columns: {
    sku: 'required',
    title: 'optional',
    currentPrice: 'required',
    fulfillmentType: 'required',
    marketplace: 'optional',
    marketplaceItemId: 'optional',
    imageUrl: 'optional',
    minPrice: 'optional',
    maxPrice: 'optional',
    shippingCost: 'optional',
    shippingCharge: 'optional',
    fulfillmentCost: 'optional',
    feeCategory: 'optional',
    feeRate: 'optional',
    adShare: 'optional',
    returnShare: 'optional',
    mapPrice: 'optional',
    mapFrom: 'optional',
    mapUntil: 'optional',
    stock: 'optional',
    stockAgeDays: 'optional',
    stockAt: 'optional',
    externalPrice: 'optional',
    externalPriceAt: 'optional',
    autoRepricingEnabled: 'optional',
    rule: 'optional',
    brand: 'optional',
    supplier: 'optional',
    effectiveFrom: 'optional',
  },
  aliases: { walmartItemId: 'marketplaceItemId' },
};

/** What a listing row says about its price, the SKU aside. Null is blank or unreadable. */
export interface ListingRow {
  readonly fulfillmentType: FulfillmentType | null;
  readonly currentPrice: Cents | null;
  readonly minPrice: Cents | null;
  readonly maxPrice: Cents | null;
  readonly shippingCost: Cents | null;
  /** A blank cell is 0.00: delivered free. */
  readonly shippingCharge: Cents;
  readonly fulfillmentCost: Cents | null;
  readonly feeCategory: string | null;
  /** The listing's own commission. */
  readonly feeRate: Bps | null;
  /** Shares of the revenue for advertising and returns. */
  readonly adShare: Bps | null;
  readonly returnShare: Bps | null;
  /** The seller's own MAP price, with its first and last day. */
  readonly map: DatedMap;
  readonly stock: number | null;
  readonly stockAgeDays: number | null;
  /** When both were known; null: not reported. */
  readonly stockAt: Instant | null;
  readonly externalPrice: Cents | null;
  /** When it was known; null: not reported. */
  readonly externalPriceAt: Instant | null;
  /** A blank cell is true. */
  readonly autoRepricing: boolean;
  /** The name of the listing's own rule. */
  readonly rule: string | null;
  /** Its own labels, instead of its SKU's. */
  readonly brand: string | null;
  readonly supplier: string | null;
}

const FREE = cents(0);

/** How to fix a minimum price above the maximum price. */
export const CROSSED_LIMITS_FIX = 'Lower the minimum price or raise the maximum price.';

/** Reads the marketplace of the current row of `cells`: Walmart when blank; null, and reported, when unknown. */
export function readListingMarketplace(cells: Cells<ListingColumn>): Marketplace | null {
  const marketplace = cells.word('marketplace', MARKETPLACE_KEYWORDS);
  return marketplace === null && cells.bad.length === 0 ? 'walmart' : marketplace;
}

/** Reads the current row of `cells`; its errors are in `cells.bad`. */
export function readListing(cells: Cells<ListingColumn>): ListingRow {
  return {
    currentPrice: cells.price('currentPrice'),
    fulfillmentType: cells.required(
      'fulfillmentType',
      cells.word('fulfillmentType', FULFILLMENT_KEYWORDS),
      FULFILLMENT_KEYWORDS.fix,
    ),
    minPrice: cells.price('minPrice'),
    maxPrice: cells.price('maxPrice'),
    shippingCost: cells.amount('shippingCost'),
    shippingCharge: cells.charge('shippingCharge') ?? FREE,
    fulfillmentCost: cells.amount('fulfillmentCost'),
    feeCategory: cells.text('feeCategory'),
    feeRate: cells.margin('feeRate'),
    adShare: cells.margin('adShare'),
    returnShare: cells.margin('returnShare'),
    map: readMap(cells),
    stock: cells.count('stock'),
    stockAgeDays: cells.count('stockAgeDays'),
    stockAt: cells.moment('stockAt'),
    externalPrice: cells.price('externalPrice'),
    externalPriceAt: cells.moment('externalPriceAt'),
    autoRepricing: cells.flag('autoRepricingEnabled') ?? true,
    rule: cells.text('rule'),
    brand: cells.text('brand'),
    supplier: cells.text('supplier'),
  };
}

/** The MAP price of the current row of `cells`; days that are not in order are reported. */
export function readMap(cells: Cells<ListingColumn>): DatedMap {
  const [from, until] = (['mapFrom', 'mapUntil'] as const).map((name) => {
    const at = cells.moment(name);
    return at === null ? null : utcDay(at);
  }) as [string | null, string | null];
  if (from !== null && until !== null && from > until) {
    cells.reject('mapFrom', 'is after mapUntil', 'Write the first day before the last one.');
  }
  return { price: cells.price('mapPrice'), from, until };
}
