import { quotedCell, safeCell } from './safe-cell.ts';

/** A number is harmless and has to stay one. */
const NUMBER = /^[+-]?\$?\d[\d,]*(\.\d+)?%?$/;

/**
 * One line of a file for people, with its line end. A cell that a spreadsheet would run gets a `'` in front, which
 * our imports take off again.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quotedCell(safeUnlessNumber(cell ?? ''))).join(',')}\r\n`;
}

/** A cell that no spreadsheet runs; a number stays one. */
export function safeUnlessNumber(cell: string): string {
  return NUMBER.test(cell) ? cell : safeCell(cell);
}
