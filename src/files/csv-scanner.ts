import { isUtf8 } from 'node:buffer';
import { MAX_CELL_BYTES, MAX_COLUMNS } from './csv-limits.ts';
import { CsvRow, type CsvRowError } from './csv-row.ts';
import { FileError } from './file-error.ts';

const LF = 10;
const CR = 13;
const QUOTE = 34;
const NO_BYTE = -1;
/** The bytes at hand end before the row does. */
const INCOMPLETE = -1;

/**
 * Finds rows and cells in bytes after RFC 4180: cells in quotes may hold separators, line ends and doubled
 * quotes. Works on bytes because a separator, a quote and a line end never occur inside a UTF-8 character.
 */
export class CsvScanner {
  readonly row = new CsvRow();
  readonly #special = new Uint8Array(256);
  readonly #separator: number;
  /** The byte that opens a quoted cell; none in a file whose quotes are plain text. */
  readonly #quote: number;
  readonly #doubled = new Uint8Array(MAX_COLUMNS);
  #limit = 0;
  #isLast = false;
  #line: number;
  #linesInRow = 0;
  #cells = 0;
  #checkEachRow = false;

  /**
   * @param separator byte between cells
   * @param line of the first byte that will be handed in
   * @param quotes `raw`: a quote is a character like any other, as in the tab-separated reports of Amazon
   */
  constructor(separator: number, line: number, quotes: 'paired' | 'raw' = 'paired') {
    this.#separator = separator;
    this.#line = line;
    this.#quote = quotes === 'raw' ? NO_BYTE : QUOTE;
    for (const byte of [separator, LF, CR, 0]) this.#special[byte] = 1;
    if (quotes === 'paired') this.#special[QUOTE] = 1;
  }

  /**
   * Hands every complete row in `bytes[0, limit)` to `onRow`. Doubled quotes are halved in place.
   * @param isLast nothing comes after these bytes, so a last row without a line end is complete too
   * @returns how many bytes were used up; the rest has to be handed in again with more behind it
   * @throws FileError where the quotes are broken, since no cell after that can be trusted
   */
  scan(bytes: Buffer, limit: number, isLast: boolean, onRow: (row: CsvRow) => void): number {
    const { row } = this;
    row.bytes = bytes;
    this.#limit = limit;
    this.#isLast = isLast;
    const checked = isLast ? limit : bytes.subarray(0, limit).lastIndexOf(LF) + 1;
    this.#checkEachRow = !isUtf8(bytes.subarray(0, checked));
    let at = 0;
    while (at < limit) {
      const next = this.#scanRow(at);
      if (next === INCOMPLETE) break;
      this.#finishRow(at, next);
      if (!this.#isBlank()) onRow(row);
      at = next;
    }
    return at;
  }

  /** Line on which the next row starts. */
  get line(): number {
    return this.#line;
  }

  #scanRow(from: number): number {
    const { row } = this;
    const limit = this.#limit;
    this.#cells = 0;
    this.#linesInRow = 0;
    row.fault = null;
    let at = from;
    for (;;) {
      const end =
        at < limit && row.bytes[at] === this.#quote ? this.#scanQuoted(at + 1) : this.#scanPlain(at, at);
      if (end === INCOMPLETE) return INCOMPLETE;
      this.#cells++;
      if (end >= limit) return limit;
      const byte = row.bytes[end];
      if (byte === LF) return end + 1;
      if (byte === CR) return Math.min(end + 2, limit);
      at = end + 1;
    }
  }

  /** A cell without quotes. @returns where its separator or line end is */
  #scanPlain(start: number, from: number): number {
    const { bytes } = this.row;
    const limit = this.#limit;
    const special = this.#special;
    let at = from;
    for (;;) {
      while (at < limit && special[bytes[at] as number] === 0) at++;
      if (at - start > MAX_CELL_BYTES) this.#tooLong();
      if (at >= limit) {
        if (!this.#isLast) return INCOMPLETE;
        break;
      }
      const byte = bytes[at];
      if (byte === this.#separator || byte === LF) break;
      if (byte === CR) {
        if (at + 1 === limit && !this.#isLast) return INCOMPLETE;
        if (at + 1 === limit || bytes[at + 1] === LF) break;
        this.#note('bare_return');
      } else {
        this.#note(byte === QUOTE ? 'stray_quote' : 'nul');
      }
      at++;
    }
    this.#keep(start, at, 0);
    return at;
  }

  /** A cell in quotes, from behind its first quote. @returns where the separator or line end after it is */
  #scanQuoted(start: number): number {
    const { bytes } = this.row;
    const limit = this.#limit;
    let doubled = 0;
    let lines = 0;
    let at = start;
    for (; at < limit; at++) {
      const byte = bytes[at] as number;
      if (byte > QUOTE) continue;
      if (byte === LF) lines++;
      else if (byte === 0) this.#note('nul');
      else if (byte === QUOTE) {
        if (at + 1 < limit && bytes[at + 1] === QUOTE) {
          doubled = 1;
          at++;
        } else break;
      }
    }
    if (at - start > MAX_CELL_BYTES) this.#tooLong();
    if (at >= limit) return this.#isLast ? this.#neverClosed() : INCOMPLETE;
    if (at + 1 >= limit && !this.#isLast) return INCOMPLETE;
    this.#linesInRow += lines;
    this.#keep(start, at, doubled);
    return this.#behindQuote(at + 1);
  }

  #behindQuote(at: number): number {
    const { bytes } = this.row;
    const limit = this.#limit;
    if (at >= limit || bytes[at] === this.#separator || bytes[at] === LF) return at;
    if (bytes[at] === CR) {
      if (at + 1 >= limit) return this.#isLast ? at : INCOMPLETE;
      if (bytes[at + 1] === LF) return at;
    }
    throw new FileError(
      `line ${this.#line + this.#linesInRow}: text follows a closing quote. Write a quote inside a cell as two ("").`,
    );
  }

  #keep(start: number, end: number, doubled: number): void {
    const cell = this.#cells;
    if (cell >= MAX_COLUMNS) return;
    this.row.starts[cell] = start;
    this.row.ends[cell] = end;
    this.#doubled[cell] = doubled;
  }

  #note(kind: CsvRowError['kind']): void {
    this.row.fault ??= { kind, cell: this.#cells };
  }

  #finishRow(from: number, next: number): void {
    const { row } = this;
    row.line = this.#line;
    row.count = this.#cells;
    this.#line += this.#linesInRow + 1;
    if (this.#checkEachRow && !isUtf8(row.bytes.subarray(from, next))) {
      row.fault ??= { kind: 'encoding', cell: this.#badCell() };
    }
    const kept = Math.min(this.#cells, MAX_COLUMNS);
    for (let cell = 0; cell < kept; cell++) {
      if (this.#doubled[cell] === 1) this.#halveQuotes(cell);
    }
  }

  #badCell(): number {
    const { bytes, starts, ends, count } = this.row;
    const kept = Math.min(count, MAX_COLUMNS);
    for (let cell = 0; cell < kept; cell++) {
      if (!isUtf8(bytes.subarray(starts[cell], ends[cell]))) return cell;
    }
    return kept;
  }

  #halveQuotes(cell: number): void {
    const { bytes, starts, ends } = this.row;
    const end = ends[cell] as number;
    let to = starts[cell] as number;
    for (let at = to; at < end; at++) {
      const byte = bytes[at] as number;
      bytes[to++] = byte;
      if (byte === QUOTE) at++;
    }
    ends[cell] = to;
  }

  #isBlank(): boolean {
    return this.row.count === 1 && this.row.fault === null && !this.row.select(0);
  }

  #tooLong(): never {
    throw new FileError(
      `line ${this.#line}: a cell is longer than ${MAX_CELL_BYTES} bytes. Most likely a quote is never closed.`,
    );
  }

  #neverClosed(): never {
    throw new FileError(
      `line ${this.#line}: a quote is opened and never closed. Close it, or double it ("").`,
    );
  }
}
