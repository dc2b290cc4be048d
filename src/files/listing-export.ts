import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';
import type { ListingColumn } from './listing-format.ts';

/** A listing as its file has it. Amounts are decimal strings such as "19.99". */
export interface ListingExport {
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: string;
  readonly fulfillmentType: FulfillmentType;
  readonly marketplace: Marketplace;
  readonly marketplaceItemId: string | null;
  readonly imageUrl: string | null;
  readonly minPrice: string | null;
  readonly maxPrice: string | null;
  readonly shippingCost: string | null;
  readonly shippingCharge: string;
  readonly fulfillmentCost: string | null;
  readonly feeCategory: string | null;
  readonly feeRate: string | null;
  readonly adShare: string | null;
  readonly returnShare: string | null;
  readonly mapPrice: string | null;
  /** YYYY-MM-DD */
  readonly mapFrom: string | null;
  readonly mapUntil: string | null;
  readonly stock: number | null;
  readonly stockAgeDays: number | null;
  /** Of both the older time; ISO 8601. */
  readonly stockAt: string | null;
  readonly externalPrice: string | null;
  readonly externalPriceAt: string | null;
  readonly autoRepricingEnabled: boolean;
  /** The name of the listing's own rule. */
  readonly rule: string | null;
  /** What the listing says itself; blank takes the SKU's. */
  readonly brand: string | null;
  readonly supplier: string | null;
}

/** Each column of the listings file and how its cell is written; an export is of now. */
const CELLS: Readonly<Record<Exclude<ListingColumn, 'effectiveFrom'>, (row: ListingExport) => string>> = {
  sku: (row) => textCell(row.sku),
  title: (row) => textCell(row.title),
  currentPrice: (row) => plainCell(row.currentPrice),
  fulfillmentType: (row) => plainCell(row.fulfillmentType),
  marketplace: (row) => plainCell(row.marketplace),
  marketplaceItemId: (row) => textCell(row.marketplaceItemId),
  imageUrl: (row) => textCell(row.imageUrl),
  minPrice: (row) => plainCell(row.minPrice),
  maxPrice: (row) => plainCell(row.maxPrice),
  shippingCost: (row) => plainCell(row.shippingCost),
  shippingCharge: (row) => plainCell(row.shippingCharge),
  fulfillmentCost: (row) => plainCell(row.fulfillmentCost),
  feeCategory: (row) => textCell(row.feeCategory),
  feeRate: (row) => plainCell(row.feeRate),
  adShare: (row) => plainCell(row.adShare),
  returnShare: (row) => plainCell(row.returnShare),
  mapPrice: (row) => plainCell(row.mapPrice),
  mapFrom: (row) => plainCell(row.mapFrom),
  mapUntil: (row) => plainCell(row.mapUntil),
  stock: (row) => plainCell(row.stock),
  stockAgeDays: (row) => plainCell(row.stockAgeDays),
  stockAt: (row) => plainCell(row.stockAt),
  externalPrice: (row) => plainCell(row.externalPrice),
  externalPriceAt: (row) => plainCell(row.externalPriceAt),
  autoRepricingEnabled: (row) => plainCell(row.autoRepricingEnabled),
  rule: (row) => textCell(row.rule),
  brand: (row) => textCell(row.brand),
  supplier: (row) => textCell(row.supplier),
};
const WRITERS = Object.values(CELLS);

/** The start of a listings file that imports again unchanged. */
export function listingExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One listing of it. */
export function listingExportLine(row: ListingExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
