/** A link from a point to a screen. */
export interface ChartLink {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** A value as displayed and as in a file: "$1,234.50" and "1234.50". */
export interface ChartCell {
  readonly text: string;
  /** Undefined if it is the same as the text. */
  readonly value?: string;
}

/** One point of a chart: its readout and its row of the table. */
export interface ChartPoint {
  readonly key: string;
  /** One for each column. */
  readonly cells: readonly ChartCell[];
  readonly link?: ChartLink;
}

/** The data of a chart. Readout, table and file are all made from it, so that they agree. */
export interface ChartData {
  /** The first one names the point; the others are figures. */
  readonly columns: readonly string[];
  /** From left to right. */
  readonly points: readonly ChartPoint[];
}

/** "Nov 3, 14:05: Your price $19.99, Buy box $18.00". Empty values are omitted. */
export function readoutOf({ columns, points }: ChartData, index: number): string {
  const [name, ...figures] = points[index]?.cells ?? [];
  if (name === undefined) return '';
  const said = figures.flatMap(({ text }, at) => (text === '' ? [] : [`${columns[at + 1] ?? ''} ${text}`]));
  return said.length === 0 ? name.text : `${name.text}: ${said.join(', ')}`;
}

/** The table as a CSV file with a header line. */
export function csvOf({ columns, points }: ChartData): string {
  const lines = points.map(({ cells }) => cells.map(({ text, value }) => value ?? text));
  return [columns, ...lines].map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  // A spreadsheet would run a text that starts like a formula; a negative number is not one.
  const safe = /^'*(?:[=+@\t\r\uff1d\uff0b\uff0d\uff20]|-(?!\d))/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
