import type { SkuCosts } from '#domain/costs/cost.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import type { Cents, Ounces } from '#domain/units.ts';
import { DoubleColumn, NullableColumn, NumberColumn } from './columns.ts';
import type { KeyIndex } from './key-index.ts';
import { readSku, type SkuColumn, type SkuRow } from './sku-format.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

/** What groups SKUs; tags are separated by |. */
export type SkuLabels = Pick<SkuRow, 'brand' | 'supplier' | 'tags'>;

/** The costs of all SKUs in columns, found by the number that a {@link KeyIndex} gave the SKU's code. */
export class SkuColumns {
  readonly #lines = new NumberColumn();
  readonly #badLines = new NumberColumn();
  readonly #productCost = new NullableColumn<Cents>();
  readonly #packagingCost = new NullableColumn<Cents>();
  readonly #miscCost = new NullableColumn<Cents>();
  readonly #weight = new DoubleColumn();
  readonly #length = new DoubleColumn();
  readonly #width = new DoubleColumn();
  readonly #height = new DoubleColumn();
  readonly #hazardous = new Set<number>();
  readonly #labels = new Map<number, SkuLabels>();
  readonly #keys: KeyIndex;

  /** @param keys numbers the codes */
  constructor(keys: KeyIndex) {
    this.#keys = keys;
  }

  /** @returns null for a code that no good row has */
  costsOf(sku: number): SkuCosts | null {
    if (this.#lines.get(sku) === 0 || this.#badLines.get(sku) !== 0) return null;
    return {
      sku: this.#keys.text(sku),
      productCost: this.#productCost.get(sku),
      weight: this.#weight.get(sku) as Ounces | null,
      size: packageSize(this.#length.get(sku), this.#width.get(sku), this.#height.get(sku)),
      isHazardous: this.#hazardous.has(sku),
      packagingCost: this.#packagingCost.get(sku) as Cents,
      miscCost: this.#miscCost.get(sku) as Cents,
    };
  }

  /** The labels of a code; null for one without any. */
  labelsOf(sku: number): SkuLabels | null {
    return this.#labels.get(sku) ?? null;
  }

  codeOf(sku: number): string {
    return this.#keys.text(sku);
  }

  /** Line of the row of this code that could not be read; 0 when there is none. */
  badLineOf(sku: number): number {
    return this.#badLines.get(sku);
  }

  /** Line of the row of this code; 0 when there is none. */
  lineOf(sku: number): number {
    return this.#lines.get(sku);
  }

  add(sku: number, line: number, row: SkuRow): void {
    this.#lines.set(sku, line);
    this.#productCost.set(sku, row.productCost);
    this.#weight.set(sku, row.weight);
    // Most files have no sizes, and then these take no memory.
    if (row.length !== null) this.#length.set(sku, row.length);
    if (row.width !== null) this.#width.set(sku, row.width);
    if (row.height !== null) this.#height.set(sku, row.height);
    if (row.isHazardous) this.#hazardous.add(sku);
    this.#packagingCost.set(sku, row.packagingCost);
    this.#miscCost.set(sku, row.miscCost);
    const { brand, supplier, tags } = row;
    // Most files have none, and then they take no memory.
    if (brand !== null || supplier !== null || tags !== null)
      this.#labels.set(sku, { brand, supplier, tags });
  }

  markBad(sku: number, line: number): void {
    if (this.#lines.get(sku) === 0) this.#lines.set(sku, line);
    this.#badLines.set(sku, line);
  }
}

/** Reads the SKUs file. The first row of a code counts, every other one is reported. */
export async function loadSkus(
  table: Table<SkuColumn>,
  keys: KeyIndex,
  report: ReportProblem,
): Promise<SkuColumns> {
  const skus = new SkuColumns(keys);
  await readRows(table, report, {
    onRow(cells) {
      const sku = cells.sku('sku', keys);
      if (sku < 0) return;
      const first = skus.lineOf(sku);
      if (first !== 0) {
        cells.reject('sku', `is already the SKU of line ${first}`, 'Delete one of the two rows.');
        return;
      }
      const row = readSku(cells);
      if (cells.bad.length > 0) skus.markBad(sku, cells.line);
      else skus.add(sku, cells.line, row);
    },
    onBroken(cells) {
      const sku = cells.key('sku', keys);
      if (sku >= 0 && skus.lineOf(sku) === 0) skus.markBad(sku, cells.line);
    },
  });
  return skus;
}
