import type { Cells } from './cells.ts';
import type { TableFormat } from './table.ts';

export type BundleColumn = 'listing_sku' | 'component_sku' | 'quantity';

/** The bundles file: one row for each component of a bundle. */
export const BUNDLE_FORMAT: TableFormat<BundleColumn> = {
  columns: { listing_sku: 'required', component_sku: 'required', quantity: 'required' },
};

/** Reads how many of the component the bundle holds; use it only when `cells.bad` stays empty. */
export function readQuantity(cells: Cells<BundleColumn>): number | null {
  return cells.required('quantity', cells.quantity('quantity'), 'Write a whole number of at least 1.');
}
