import { MAX_COLUMNS } from './csv-limits.ts';
import { withoutInnerEscapes } from './safe-cell.ts';

/** Why the cells of a row cannot be trusted, and in which cell (counted from 0) that shows. */
export interface CsvRowError {
  readonly kind: 'nul' | 'encoding' | 'stray_quote' | 'bare_return';
  readonly cell: number;
}

const SPACE = 32;
/** The last bytes of \uff1d, \uff0b, \uff0d and \uff20 in UTF-8. */
const WIDE_SIGNS: ReadonlySet<number> = new Set([0x9d, 0x8b, 0x8d, 0xa0]);
const APOSTROPHE = 39;

/**
 * One row of a file as a view on the bytes that were read: nothing is copied until a cell is requested.
 * The reader fills the same object again for the next row, so keep what you need before you return.
 */
export class CsvRow {
  /** Line of the file on which the row starts, from 1. */
  line = 0;
  /** Cells in the row; those beyond {@link MAX_COLUMNS} are counted and not kept. */
  count = 0;
  fault: CsvRowError | null = null;
  bytes: Buffer = Buffer.alloc(0);
  readonly starts: Int32Array = new Int32Array(MAX_COLUMNS);
  readonly ends: Int32Array = new Int32Array(MAX_COLUMNS);
  /** Bounds in `bytes` of the cell that was selected last, without the spaces around it. */
  from = 0;
  to = 0;

  /**
   * Finds the bounds of a cell, without spaces around it.
   * @param cell from 0; a cell the row does not have (-1 for a column the file does not have) is blank
   * @returns whether there is anything in it
   */
  select(cell: number): boolean {
    if (cell < 0 || cell >= this.count || cell >= MAX_COLUMNS) {
      this.from = 0;
      this.to = 0;
      return false;
    }
    const { bytes } = this;
    let from = this.starts[cell] as number;
    let to = this.ends[cell] as number;
    while (from < to && bytes[from] === SPACE) from++;
    while (to > from && bytes[to - 1] === SPACE) to--;
    this.from = from;
    this.to = to;
    return from < to;
  }

  /** Selects a cell of text: the `'` that an export puts before what a spreadsheet would run is taken off. */
  selectText(cell: number): boolean {
    if (!this.select(cell)) return false;
    if (this.bytes[this.from] === APOSTROPHE && this.isEscaped()) this.from++;
    return this.from < this.to;
  }

  /** Whether the cell that was selected last has an apostrophe, and so may have more of an export's. */
  hasApostrophe(): boolean {
    for (let at = this.from; at < this.to; at++) if (this.bytes[at] === APOSTROPHE) return true;
    return false;
  }

  /** The text of a cell without spaces around it; empty for a cell the row does not have. */
  text(cell: number): string {
    return this.selectText(cell) ? withoutInnerEscapes(this.bytes.toString('utf8', this.from, this.to)) : '';
  }

  /** The cell as the file has it, for messages and for text whose spaces matter. */
  raw(cell: number): string {
    if (cell < 0 || cell >= this.count || cell >= MAX_COLUMNS) return '';
    return this.bytes.toString('utf8', this.starts[cell], this.ends[cell]);
  }

  /** Every cell as {@link text}, up to {@link MAX_COLUMNS}. */
  texts(): string[] {
    return Array.from({ length: Math.min(this.count, MAX_COLUMNS) }, (_none, cell) => this.text(cell));
  }

  /** Whether no cell has anything in it, as in the rows that spreadsheets save below a table. */
  isEmpty(): boolean {
    if (this.count > MAX_COLUMNS) return false;
    for (let cell = 0; cell < this.count; cell++) if (this.select(cell)) return false;
    return true;
  }

  private isEscaped(): boolean {
    let at = this.from;
    while (at < this.to && this.bytes[at] === APOSTROPHE) at++;
    if (at >= this.to) return false;
    // What a spreadsheet takes for a formula: = + - @, tab and carriage return at the front, wide ones included.
    const isWide = this.bytes[at] === 0xef && this.bytes[at + 1] === 0xbc && at + 2 < this.to;
    if (isWide) return WIDE_SIGNS.has(this.bytes[at + 2] as number);
    return '=+-@\t\r'.includes(String.fromCharCode(this.bytes[at] as number));
  }
}
