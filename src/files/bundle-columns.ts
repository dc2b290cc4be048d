import { type BundleColumn, readQuantity } from './bundle-format.ts';
import { NumberColumn } from './columns.ts';
import type { KeyIndex } from './key-index.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

/** One SKU of a bundle by its number. */
export interface Component {
  readonly sku: number;
  readonly quantity: number;
}

const NONE: readonly Component[] = [];

/** The components of all bundles in columns, found by the number of the listing's own code. */
export class BundleColumns {
  readonly #newest = new NumberColumn();
  readonly #before = new NumberColumn();
  readonly #component = new NumberColumn();
  readonly #quantity = new NumberColumn();
  readonly #line = new NumberColumn();
  readonly #badLines = new NumberColumn();
  #count = 0;

  /** In the order of the file; empty for what is not a bundle. */
  componentsOf(listingSku: number): readonly Component[] {
    let next = this.#newest.get(listingSku);
    if (next === 0) return NONE;
    const components: Component[] = [];
    for (; next !== 0; next = this.#before.get(next - 1)) {
      components.push({ sku: this.#component.get(next - 1), quantity: this.#quantity.get(next - 1) });
    }
    return components.reverse();
  }

  /** Whether listings of this code are packed from other SKUs: its own costs are then those of the box. */
  isBundle(sku: number): boolean {
    // One that cannot be read is a bundle all the same.
    if (this.badLineOf(sku) > 0) return true;
    const components = this.componentsOf(sku);
    return components.length > 0 && components.every((component) => component.sku !== sku);
  }

  /** Line of a row of this bundle that could not be read; 0 when there is none. */
  badLineOf(listingSku: number): number {
    return this.#badLines.get(listingSku);
  }

  /** Line of the row that names this component of this bundle; 0 when there is none. */
  lineOf(listingSku: number, component: number): number {
    for (let next = this.#newest.get(listingSku); next !== 0; next = this.#before.get(next - 1)) {
      if (this.#component.get(next - 1) === component) return this.#line.get(next - 1);
    }
    return 0;
  }

  add(listingSku: number, { sku, quantity }: Component, line: number): void {
    const row = this.#count++;
    this.#before.set(row, this.#newest.get(listingSku));
    this.#newest.set(listingSku, row + 1);
    this.#component.set(row, sku);
    this.#quantity.set(row, quantity);
    this.#line.set(row, line);
  }

  /** A bundle with a row that cannot be read has an unknown cost: without that part it would look cheaper. */
  markBad(listingSku: number, line: number): void {
    if (this.#badLines.get(listingSku) === 0) this.#badLines.set(listingSku, line);
  }
}

/** Reads the bundles file. */
export async function loadBundles(
  table: Table<BundleColumn>,
  keys: KeyIndex,
  report: ReportProblem,
): Promise<BundleColumns> {
  const bundles = new BundleColumns();
  await readRows(table, report, {
    onRow(cells) {
      const listing = cells.sku('listing_sku', keys);
      const sku = cells.sku('component_sku', keys);
      const quantity = readQuantity(cells);
      const first = listing < 0 || sku < 0 ? 0 : bundles.lineOf(listing, sku);
      if (first !== 0) {
        cells.reject('component_sku', `is already in this bundle on line ${first}`, 'Put both into one row.');
      }
      if (cells.bad.length > 0 || quantity === null) {
        if (listing >= 0) bundles.markBad(listing, cells.line);
      } else bundles.add(listing, { sku, quantity }, cells.line);
    },
    onBroken(cells) {
      const listing = cells.key('listing_sku', keys);
      if (listing >= 0) bundles.markBad(listing, cells.line);
    },
  });
  return bundles;
}
