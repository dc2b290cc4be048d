import { ConnectorError } from '#connectors/connector-error.ts';
import { type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';

/** A row by the column headers of its file. */
export type CsvRecord = ReadonlyMap<string, string>;

/** A row, or one of another width than its head: it is unknown which cell is which. */
export type CsvRow = CsvRecord | UnreadableRow;

/** A longer cell means an unclosed quote. Characters. */
const LONGEST_CELL = 1_000_000;

/**
 * A streaming CSV parser: quotes may contain separators, line ends and doubled quotes. Chunks may end anywhere.
 */
export class CsvRows {
  readonly #name: string;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #head: readonly string[] | null = null;
  #cells: string[] = [];
  #cell = '';
  #isQuoted = false;
  /** A quote inside quotes was just read: it ends them, unless another quote follows. */
  #mayEnd = false;

  /** @param name the service in error messages */
  constructor(name: string) {
    this.#name = name;
  }

  /** @returns the rows completed by these bytes */
  take(bytes: Uint8Array): CsvRow[] {
    return this.#scan(this.#decoded(bytes, true));
  }

  /** @returns a last row without a line end, if there is one */
  end(): CsvRow[] {
    const rows = this.#scan(this.#decoded(new Uint8Array(0), false));
    if (this.#isQuoted && !this.#mayEnd) throw this.#broken('ends inside a cell');
    if (this.#cell !== '' || this.#cells.length > 0) rows.push(...this.#row());
    return rows;
  }

  #decoded(bytes: Uint8Array, isMore: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream: isMore });
    } catch {
      throw this.#broken('is no text');
    }
  }

  #scan(text: string): CsvRow[] {
    const rows: CsvRow[] = [];
    for (const character of text) {
      if (this.#isQuoted && !this.#mayEnd) {
        if (character === '"') this.#mayEnd = true;
        else this.#keep(character);
      } else if (character === '"') {
        if (this.#mayEnd) this.#keep('"');
        this.#isQuoted = true;
        this.#mayEnd = false;
      } else if (character === ',') this.#endCell();
      else if (character === '\n') rows.push(...this.#row());
      else if (character !== '\r') this.#keep(character);
    }
    return rows;
  }

  #keep(character: string): void {
    this.#cell += character;
    if (this.#cell.length > LONGEST_CELL) throw this.#broken('has a cell without an end');
  }

  #endCell(): void {
    this.#cells.push(this.#cell.trim());
    this.#cell = '';
    this.#isQuoted = false;
    this.#mayEnd = false;
  }

  #row(): CsvRow[] {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    if (this.#head === null) {
      this.#head = cells.map((cell) => cell.replace(/^\ufeff/, '').toLowerCase());
      return [];
    }
    if (cells.every((cell) => cell === '')) return [];
    if (cells.length !== this.#head.length) {
      const sku = cells[this.#head.indexOf('sku')] ?? '';
      return [unreadableRow(sku, 'row', cells.join(','))];
    }
    return [new Map(this.#head.map((name, at) => [name, cells[at] ?? '']))];
  }

  #broken(what: string): ConnectorError {
    return new ConnectorError('unreadable', `${this.#name} answered with a report that ${what}.`);
  }
}
