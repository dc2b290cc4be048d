import { plainName } from './header.ts';
import type { ListingColumn } from './listing-format.ts';

/** Columns of a report that help to read its rows and are nothing of ours by themselves. */
export type ReportColumn = 'group' | 'option1' | 'option2' | 'option3' | 'variation' | 'format';

/** A marketplace's own report of what a seller lists there. */
export interface ReportSource {
  readonly source: 'amazon' | 'walmart' | 'shopify' | 'ebay';
  /** It is this report when a file has all of these columns. */
  readonly marks: readonly (readonly string[])[];
  /** The report's names for our columns; the first that a file has is taken. */
  readonly columns: Readonly<Partial<Record<ListingColumn | ReportColumn, readonly string[]>>>;
}

export const REPORT_SOURCES: readonly ReportSource[] = [
  {
    source: 'amazon',
    marks: [['seller-sku', 'item-name', 'price']],
    columns: {
      sku: ['seller-sku'],
      title: ['item-name'],
      currentPrice: ['price'],
      fulfillmentType: ['fulfillment-channel'],
      marketplaceItemId: ['asin1', 'product-id'],
      imageUrl: ['image-url'],
    },
  },
  {
    source: 'walmart',
    marks: [
      ['SKU', 'Item ID', 'Product Name', 'Price', 'Publish Status'],
      ['SKU', 'Item ID', 'Product Name', 'Price', 'Lifecycle Status'],
    ],
    columns: {
      sku: ['SKU'],
      title: ['Product Name'],
      currentPrice: ['Price'],
      fulfillmentType: ['Fulfillment Type'],
      marketplaceItemId: ['Item ID'],
      imageUrl: ['Primary Image URL'],
    },
  },
  {
    source: 'shopify',
    marks: [
      ['Handle', 'Title', 'Variant SKU', 'Variant Price'],
      ['URL handle', 'Title', 'SKU', 'Price', 'Option1 name'],
    ],
    columns: {
      sku: ['Variant SKU', 'SKU'],
      title: ['Title'],
      currentPrice: ['Variant Price', 'Price'],
      imageUrl: ['Variant Image', 'Image Src', 'Product image URL'],
      group: ['Handle', 'URL handle'],
      option1: ['Option1 Value'],
      option2: ['Option2 Value'],
      option3: ['Option3 Value'],
    },
  },
  {
    source: 'ebay',
    marks: [['Item number', 'Custom label (SKU)', 'Current price']],
    columns: {
      sku: ['Custom label (SKU)'],
      title: ['Title'],
      currentPrice: ['Current price'],
      marketplaceItemId: ['Item number'],
      variation: ['Variation details'],
      format: ['Format'],
    },
  },
];

/** @returns the report that a header belongs to; null for a file of our own format, or of nobody's */
export function reportOf(header: readonly string[]): ReportSource | null {
  const names = new Set(header.map(plainName));
  const has = (mark: readonly string[]): boolean => mark.every((name) => names.has(plainName(name)));
  return REPORT_SOURCES.find(({ marks }) => marks.some(has)) ?? null;
}

/** Where a report's columns stand in a header, from 0; a column that the file lacks is left out. */
export function reportColumns(
  { columns }: ReportSource,
  header: readonly string[],
): Partial<Record<ListingColumn | ReportColumn, number>> {
  const names = header.map(plainName);
  const found: Partial<Record<ListingColumn | ReportColumn, number>> = {};
  for (const name of Object.keys(columns) as (ListingColumn | ReportColumn)[]) {
    const at = (columns[name] ?? []).map((wanted) => names.indexOf(plainName(wanted)));
    const first = at.find((cell) => cell >= 0);
    if (first !== undefined) found[name] = first;
  }
  return found;
}
