/** What a spreadsheet would run, and what an import would take for a mark against that. */
const RUNS = /^'*[=+\-@\t\r]/;
/** A number is harmless and has to stay one. */
const NUMBER = /^[+-]?\$?\d[\d,]*(\.\d+)?%?$/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * One line of a file for people, with its line end. A cell that a spreadsheet would run gets a `'` in front, which
 * our imports take off again.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quotedCell(safeCell(cell ?? ''))).join(',')}\r\n`;
}

/** A cell that no spreadsheet runs. */
export function safeCell(cell: string): string {
  return RUNS.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

/** A cell as the file had it, with quotes where they are needed. For rows that go back where they came from. */
export function quotedCell(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
