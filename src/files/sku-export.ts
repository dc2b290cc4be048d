import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';
import type { SkuColumn } from './sku-format.ts';

/** An export is of now. */
type ExportedColumn = Exclude<SkuColumn, 'effectiveFrom'>;

/** A SKU as its file has it. Amounts are decimal strings such as "4.20", the weight is in ounces, the sides are in inches, `isHazardous` is true or false. */
export type SkuExport = Readonly<Record<ExportedColumn, string | null>>;

/** Each column of the SKUs file and how its cell is written. */
const CELLS: Readonly<Record<ExportedColumn, (row: SkuExport) => string>> = {
  sku: (row) => textCell(row.sku),
  name: (row) => textCell(row.name),
  productCost: (row) => plainCell(row.productCost),
  weight: (row) => plainCell(row.weight),
  packagingCost: (row) => plainCell(row.packagingCost),
  miscCost: (row) => plainCell(row.miscCost),
  veeqoId: (row) => textCell(row.veeqoId),
  tags: (row) => textCell(row.tags),
  brand: (row) => textCell(row.brand),
  supplier: (row) => textCell(row.supplier),
  length: (row) => plainCell(row.length),
  width: (row) => plainCell(row.width),
  height: (row) => plainCell(row.height),
  isHazardous: (row) => plainCell(row.isHazardous),
};
const WRITERS = Object.values(CELLS);

/** The start of a SKUs file that can be imported. */
export function skuExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One SKU of it. */
export function skuExportLine(row: SkuExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
