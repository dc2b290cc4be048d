import type { BundleColumn } from './bundle-format.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

/** One component of a bundle as its file has it. */
export type BundleExport = Readonly<Record<BundleColumn, string>>;

/** Each column of the bundles file and how its cell is written. */
const CELLS: Readonly<Record<BundleColumn, (row: BundleExport) => string>> = {
  listing_sku: (row) => textCell(row.listing_sku),
  component_sku: (row) => textCell(row.component_sku),
  quantity: (row) => plainCell(row.quantity),
};
const WRITERS = Object.values(CELLS);

/** The start of a bundles file that can be imported. */
export function bundleExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One row of it. */
export function bundleExportLine(row: BundleExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
