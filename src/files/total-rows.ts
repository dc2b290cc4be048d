import type { CsvRow } from './csv-row.ts';

/** Rows at the end of a file that may be totals: "Subtotal", "Shipping", "Total" at most. */
const MOST_ROWS = 3;

const TOTAL =
  /^(?:grand[ -]?|sub[ -]?)?(?:totals?|sum)\b[^\p{L}]*(?:(?:items?|rows?|skus?|units?|products?)[^\p{L}]*)?$/iu;
const LIKE_A_NUMBER = /^[-+(]?(?:US)?[$€£]?\d[\d.,]*\)?(?:%|USD)?$/i;

/** Finds the rows of totals below the last row of a table. */
export class TotalRows {
  readonly #last: { readonly line: number; readonly isTotal: boolean }[] = [];

  add(row: CsvRow): void {
    if (row.isEmpty()) return;
    this.#last.push({ line: row.line, isTotal: mayBeTotal(row) && isTotalRow(row.texts()) });
    if (this.#last.length > MOST_ROWS) this.#last.shift();
  }

  /** Their lines, from 1, in order. */
  get lines(): number[] {
    const lines: number[] = [];
    for (const { line, isTotal } of [...this.#last].reverse()) {
      if (!isTotal) break;
      lines.unshift(line);
    }
    return lines;
  }
}

const FIRST_LETTERS = new Set([...'tTgGsS'].map((letter) => letter.charCodeAt(0)));

/** Whether a cell begins with a letter that the words for totals begin with: most rows need no closer check. */
function mayBeTotal(row: CsvRow): boolean {
  for (let cell = 0; cell < row.count; cell++) {
    if (row.select(cell) && FIRST_LETTERS.has(row.bytes[row.from] as number)) return true;
  }
  return false;
}

/**
 * Whether a row says that it is a total, and has nothing else but numbers: a product called "Total" has a name or a code
 * in another cell too.
 */
export function isTotalRow(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const words = filled.filter((cell) => !LIKE_A_NUMBER.test(cell.replace(/\s/g, '')));
  return words.length === 1 && filled.length > 1 && TOTAL.test(words[0] ?? '');
}
