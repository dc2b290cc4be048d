import { plainName } from './header.ts';
import type { ListingColumn } from './listing-format.ts';
import type { SkuColumn } from './sku-format.ts';

/** Columns of a report that help to read its rows and are not columns of ours. */
export type ReportColumn =
  | 'group'
  | 'option1'
  | 'option2'
  | 'option3'
  | 'variation'
  | 'format'
  | 'variantImage'
  | 'currency';

type Names<Column extends string> = Readonly<Partial<Record<Column, readonly string[]>>>;

/** Kinds of files that a report can be taken for. */
export type ReportKind = 'listings' | 'skus';

/** A marketplace's own report of what a seller lists there. */
export interface ReportSource {
  readonly source: 'amazon' | 'walmart' | 'shopify' | 'ebay' | 'etsy';
  /** It is this report when a file has all of these columns. */
  readonly marks: readonly (readonly string[])[];
  /** The report's names for our columns of a kind; the first that a file has is taken. */
  readonly listings: Names<ListingColumn | ReportColumn>;
  /** What holds for every listing of the report although no column says it. */
  readonly given?: Readonly<Partial<Record<ListingColumn, string>>>;
  /** Null for a report that says nothing about costs and weights. */
  readonly skus: Names<SkuColumn | ReportColumn> | null;
}

/** Where Shopify says which variant of which product a row is. */
const SHOPIFY_VARIANT = {
  group: ['Handle', 'URL handle'],
  option1: ['Option1 Value'],
  option2: ['Option2 Value'],
  option3: ['Option3 Value'],
} as const satisfies Names<ReportColumn>;

export const REPORT_SOURCES: readonly ReportSource[] = [
  {
    source: 'amazon',
    marks: [['seller-sku', 'item-name', 'price']],
    listings: {
      sku: ['seller-sku'],
      title: ['item-name'],
      currentPrice: ['price'],
      fulfillmentType: ['fulfillment-channel'],
      marketplaceItemId: ['asin1', 'product-id'],
      imageUrl: ['image-url'],
    },
    skus: null,
  },
  {
    // "Manage FBA inventory": every row is stock in Amazon's warehouses.
    source: 'amazon',
    marks: [['sku', 'fnsku', 'asin', 'your-price']],
    given: { fulfillmentType: 'FBA/WFS' },
    listings: {
      sku: ['sku'],
      title: ['product-name'],
      currentPrice: ['your-price'],
      marketplaceItemId: ['asin'],
    },
    skus: null,
  },
  {
    source: 'walmart',
    marks: [
      ['SKU', 'Item ID', 'Product Name', 'Price', 'Publish Status'],
      ['SKU', 'Item ID', 'Product Name', 'Price', 'Lifecycle Status'],
    ],
    listings: {
      sku: ['SKU'],
      title: ['Product Name'],
      currentPrice: ['Price'],
      currency: ['Currency'],
      fulfillmentType: ['Fulfillment Type'],
      marketplaceItemId: ['Item ID'],
      imageUrl: ['Primary Image URL'],
      brand: ['Brand'],
    },
    skus: null,
  },
  {
    source: 'shopify',
    marks: [
      ['Handle', 'Title', 'Variant SKU', 'Variant Price'],
      ['URL handle', 'Title', 'SKU', 'Price', 'Option1 name'],
    ],
    listings: {
      sku: ['Variant SKU', 'SKU'],
      title: ['Title'],
      currentPrice: ['Variant Price', 'Price'],
      imageUrl: ['Image Src', 'Product image URL'],
      variantImage: ['Variant Image', 'Variant image URL'],
      // Shops write the maker there, and their feeds send it as the brand.
      brand: ['Vendor'],
      ...SHOPIFY_VARIANT,
    },
    skus: {
      sku: ['Variant SKU', 'SKU'],
      name: ['Title'],
      productCost: ['Cost per item'],
      // Grams whatever the unit that the shop shows: "Variant Weight Unit" is that one.
      weight: ['Variant Grams', 'Weight value (grams)'],
      brand: ['Vendor'],
      tags: ['Tags'],
      ...SHOPIFY_VARIANT,
    },
  },
  {
    source: 'ebay',
    marks: [['Item number', 'Custom label (SKU)', 'Current price']],
    listings: {
      sku: ['Custom label (SKU)'],
      title: ['Title'],
      currentPrice: ['Current price'],
      marketplaceItemId: ['Item number'],
      variation: ['Variation details'],
      format: ['Format'],
      currency: ['Currency'],
    },
    skus: null,
  },
  {
    source: 'etsy',
    marks: [['TITLE', 'PRICE', 'CURRENCY_CODE', 'QUANTITY', 'SKU']],
    // Etsy has no warehouses.
    given: { fulfillmentType: 'FBM' },
    listings: {
      sku: ['SKU'],
      title: ['TITLE'],
      currentPrice: ['PRICE'],
      imageUrl: ['IMAGE1'],
      currency: ['CURRENCY_CODE'],
    },
    skus: null,
  },
];

/** @returns the report that a header belongs to; null for a file of our own format, of an unknown one, or without such rows */
export function reportOf(header: readonly string[], kind: ReportKind): ReportSource | null {
  const names = new Set(header.map(plainName));
  const has = (mark: readonly string[]): boolean => mark.every((name) => names.has(plainName(name)));
  return REPORT_SOURCES.find((report) => report[kind] !== null && report.marks.some(has)) ?? null;
}

/** The positions of a report's columns in a header, from 0; columns that the file lacks are absent. */
export function reportColumns(
  report: ReportSource,
  kind: ReportKind,
  header: readonly string[],
): Readonly<Partial<Record<string, number>>> {
  const names = header.map(plainName);
  const found: Partial<Record<string, number>> = {};
  for (const [name, written] of Object.entries(report[kind] ?? {})) {
    const first = written.map((wanted) => names.indexOf(plainName(wanted))).find((cell) => cell >= 0);
    if (first !== undefined) found[name] = first;
  }
  return found;
}
