import { type ColumnSamples, NO_SAMPLES } from '#domain/written/column-samples.ts';
import { momentShape } from '#domain/written/day-order.ts';
import { type NumberSample, writtenMark } from '#domain/written/find-decimal-mark.ts';
import { writtenMoney } from '#domain/written/written-number.ts';
import type { CsvRow } from './csv-row.ts';

/** Bytes. No number or date that is read has more. */
const LONGEST = 40;
const POINT = '.'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const SIGNS = new Set([...'-$%'].map((sign) => sign.charCodeAt(0)));
/** Of US$ and USD. */
const LETTERS = new Set([...'Uu'].map((sign) => sign.charCodeAt(0)));
const UNIT_BEHIND = / ?(?:%|[a-z]{1,12}\.?|["″'′])$/i;

/** What a column shows so far; filled while rows are read. */
type Tally = { -readonly [Name in keyof Omit<ColumnSamples, 'days'>]: ColumnSamples[Name] } & {
  days: string[];
};

/** Collects, row by row, how each column of a file writes its numbers and days. */
export class ColumnTally {
  readonly #width: number;
  readonly #columns = new Map<number, Tally>();

  /** @param width columns of the header; other rows are rejected later and say nothing */
  constructor(width: number) {
    this.#width = width;
  }

  add(row: CsvRow): void {
    if (row.fault !== null || row.count > this.#width) return;
    for (let cell = 0; cell < row.count; cell++) {
      if (!row.select(cell)) continue;
      const tally = this.#of(cell);
      tally.filled += 1;
      const sort = sortOf(row);
      if (sort === 'text' || (sort === 'whole' && tally.bare !== null && tally.large !== null)) continue;
      this.note(cell, { line: row.line, text: row.bytes.toString('utf8', row.from, row.to) });
    }
  }

  /** Takes one cell, by the position of its column from 0. */
  note(cell: number, { line, text }: NumberSample): void {
    const tally = this.#of(cell);
    noteDay(tally, text);
    const number = numberIn(text);
    if (number === null) return;
    const sample = { line, text };
    const mark = writtenMark(number.text);
    if (mark !== null && tally[mark] === null) tally[mark] = { line, text: number.text };
    if (!number.hasUnit) tally.bare ??= sample;
    const value = Math.abs(Number(number.text.replace(',', '.')));
    if (value > 0 && value < 1) tally.small ??= sample;
    else if (value !== 0) tally.large ??= sample;
  }

  /**
   * By the position of the column, from 0.
   * @param without the last lines, if they are no rows of the table: a first sample there is the only one
   */
  found(without: readonly number[] = []): Readonly<Record<string, ColumnSamples>> {
    const kept = (sample: NumberSample | null): NumberSample | null =>
      sample !== null && without.includes(sample.line) ? null : sample;
    return Object.fromEntries(
      [...this.#columns].map(([cell, { comma, point, either, bare, small, large, ...rest }]) => {
        const samples = [comma, point, either, bare, small, large].map(kept);
        const [c = null, p = null, e = null, b = null, s = null, l = null] = samples;
        return [cell, { ...rest, comma: c, point: p, either: e, bare: b, small: s, large: l }];
      }),
    );
  }

  #of(cell: number): Tally {
    const known = this.#columns.get(cell);
    if (known !== undefined) return known;
    const tally = { ...NO_SAMPLES, days: [] };
    this.#columns.set(cell, tally);
    return tally;
  }
}

/** What the selected cell may be: most cells of a file are no numbers, and their bytes show it. */
function sortOf({ bytes, from, to }: CsvRow): 'text' | 'whole' | 'number' {
  if (to - from > LONGEST) return 'text';
  const first = bytes[from] as number;
  const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;
  if (!isDigit(first) && !SIGNS.has(first) && first !== POINT && first !== COMMA && !LETTERS.has(first)) {
    return 'text';
  }
  for (let at = from; at < to; at++) if (!isDigit(bytes[at] as number)) return 'number';
  return 'whole';
}

/** A number without its currency and unit; its dollar and percent signs stay, for what they say about the mark. */
function numberIn(text: string): { readonly text: string; readonly hasUnit: boolean } | null {
  const money = writtenMoney(text);
  if (money === null || 'otherCurrency' in money) return null;
  const bare = money.number.replace(UNIT_BEHIND, '');
  if (!/^-?[.,]{0,2}\d[\d.,]*$/.test(bare)) return null;
  const isPercent = money.number.endsWith('%');
  const sign = text.trim().startsWith('$') ? '$' : '';
  return { text: `${sign}${bare}${isPercent ? '%' : ''}`, hasUnit: bare !== money.number };
}

/** Keeps the days that decide something new. */
function noteDay(tally: Tally, text: string): void {
  if (!/^\d{1,4}[-/.]\d{1,2}[-/.]\d/.test(text)) return;
  const before = momentShape(tally.days);
  const after = momentShape([...tally.days, text]);
  if (before.order !== after.order || before.lacksZone !== after.lacksZone) tally.days.push(text);
}
