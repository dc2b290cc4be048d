import { quotedCell, safeCell } from './safe-cell.ts';

/*
 * Cells of the files that people download and open in a spreadsheet. What a spreadsheet would run as a formula gets a
 * `'` in front, which our imports take off again.
 */

/** Goes before the header: without it Excel takes UTF-8 for something else and spoils every accent on saving. */
export const EXPORT_START = '\ufeff';

/** Free text: safe against formulas, quoted after RFC 4180 where needed; blank for null. */
export function textCell(text: string | null): string {
  return text === null ? '' : quotedCell(safeCell(text));
}

/** A number, a moment or a word of ours: written as it is, a minus included; blank for null. */
export function plainCell(value: string | number | boolean | null): string {
  return value === null ? '' : String(value);
}

/** One line of a file, ended by LF. */
export function exportLine(cells: readonly string[]): string {
  return `${cells.join(',')}\n`;
}
