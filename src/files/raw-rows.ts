import type { CsvRow } from './csv-row.ts';

const FIRST_BYTES = 65_536;

/** Rows as the file has them, kept as bytes until one is shown. */
export class RawRows {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #used = 0;
  /** For each row, one after another: how many cells are kept, where the first starts, and the end of each in the bytes. */
  readonly #ends: number[] = [];
  readonly #rows: number[] = [];
  /** How many cells each row has in the file, and the line on which it starts. */
  readonly #counts: number[] = [];
  readonly #lines: number[] = [];
  readonly #faults = new Map<number, CsvRow['fault']>();

  /** @returns the number of the row */
  add(row: CsvRow): number {
    const count = Math.min(row.count, row.starts.length);
    this.#rows.push(this.#ends.length);
    this.#counts.push(row.count);
    this.#lines.push(row.line);
    if (row.fault !== null) this.#faults.set(this.#rows.length - 1, row.fault);
    this.#ends.push(count, this.#used);
    for (let cell = 0; cell < count; cell++) {
      this.#append(row.bytes, row.starts[cell] as number, row.ends[cell] as number);
      this.#ends.push(this.#used);
    }
    return this.#rows.length - 1;
  }

  /** The cells of a row as written. */
  cells(number: number): string[] {
    const at = this.#rows[number];
    if (at === undefined) return [];
    const cells: string[] = [];
    for (let cell = 0; cell < (this.#ends[at] as number); cell++) {
      cells.push(this.#bytes.toString('utf8', this.#ends[at + 1 + cell], this.#ends[at + 2 + cell]));
    }
    return cells;
  }

  /** Shows a row again as it was read, with its fault if it has one. */
  show(number: number, row: CsvRow): void {
    const at = this.#rows[number];
    if (at === undefined) throw new RangeError(`no row ${number} is kept`);
    row.bytes = this.#bytes;
    row.line = this.#lines[number] as number;
    row.count = this.#counts[number] as number;
    row.fault = this.#faults.get(number) ?? null;
    for (let cell = 0; cell < (this.#ends[at] as number); cell++) {
      row.starts[cell] = this.#ends[at + 1 + cell] as number;
      row.ends[cell] = this.#ends[at + 2 + cell] as number;
    }
  }

  #append(bytes: Buffer, from: number, to: number): void {
    const needed = this.#used + to - from;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#used, from, to);
    this.#used = needed;
  }
}
