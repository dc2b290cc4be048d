import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { NumberColumn } from './columns.ts';
import type { KeyIndex } from './key-index.ts';
import { readSaleCount, type SaleColumn } from './sale-format.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

const MAX_COUNTED = 0xffff_ffff;

/** How many units of each listing were sold. */
export class SaleColumns {
  readonly #units = MARKETPLACES.map(() => new NumberColumn());

  unitsOf(marketplace: Marketplace, sku: number): number {
    return this.#unitsOn(marketplace).get(sku);
  }

  add(marketplace: Marketplace, sku: number, units: number): void {
    const column = this.#unitsOn(marketplace);
    column.set(sku, Math.min(column.get(sku) + units, MAX_COUNTED));
  }

  #unitsOn(marketplace: Marketplace): NumberColumn {
    return this.#units[MARKETPLACES.indexOf(marketplace)] as NumberColumn;
  }
}

/** Reads the sales file; a row that cannot be read is reported and skipped. */
export async function loadSales(
  table: Table<SaleColumn>,
  keys: KeyIndex,
  report: ReportProblem,
): Promise<SaleColumns> {
  const sales = new SaleColumns();
  await readRows(table, report, {
    onRow(cells) {
      const { marketplace, quantity } = readSaleCount(cells);
      const sku = cells.sku('sku', keys);
      if (cells.bad.length > 0 || marketplace === null || quantity === null) return;
      sales.add(marketplace, sku, quantity);
    },
  });
  return sales;
}
