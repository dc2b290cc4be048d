/** What a spreadsheet would take for a formula, also behind apostrophes of its own. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * Text for a cell of a file that people open in a spreadsheet: an apostrophe goes before what it would run.
 * Our own import takes it off again.
 */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One line of a CSV file, quoted after RFC 4180 and ended by CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
