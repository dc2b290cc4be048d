/**
 * What a spreadsheet would take for a formula, in the wide letters of East Asia too, and also behind apostrophes of its own:
 * an import takes exactly one off.
 */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/**
 * The same behind what ends a cell where a spreadsheet is set to semicolons or tabs: there a quote within a line protects nothing,
 * not even a line break.
 */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const INNER_ESCAPE = /(?<=[;\t\r\n])'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * Text for a cell of a file that people open in a spreadsheet: an apostrophe goes before what it would run.
 * Our own import takes it off again.
 */
export function safeCell(text: string): string {
  const safe = text.replaceAll(INNER_FORMULA, "'");
  return FORMULA.test(safe) ? `'${safe}` : safe;
}

/** The text of a cell without the apostrophes that {@link safeCell} put within it; a reader takes the first one off. */
export function withoutInnerEscapes(cell: string): string {
  return cell.includes("'") ? cell.replaceAll(INNER_ESCAPE, '') : cell;
}

/** A cell as it is, quoted after RFC 4180 where it has to be. */
export function quotedCell(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** One line of a CSV file, quoted after RFC 4180 and ended by CRLF. Formulas stay: `safeCell` has to have guarded its texts. */
export function unguardedCsvLine(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\r\n`;
}
