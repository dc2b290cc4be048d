/**
 * What a spreadsheet would take for a formula, in the wide letters of East Asia too, and also behind apostrophes of its own:
 * an import takes exactly one off.
 */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** A semicolon or a tab ends a cell where spreadsheets are set to it, and a formula could follow. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * Text for a cell of a file that people open in a spreadsheet: an apostrophe goes before what it would run.
 * Our own import takes it off again.
 */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A cell as it is, quoted after RFC 4180 where it has to be. */
export function quotedCell(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** One line of a CSV file, quoted after RFC 4180 and ended by CRLF. Formulas stay: `safeCell` has to have guarded its texts. */
export function unguardedCsvLine(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\r\n`;
}
