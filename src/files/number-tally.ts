import { NO_MARKS, type NumberMarks, type NumberSample, writtenMark } from '#domain/number-marks.ts';
import type { CsvRow } from './csv-row.ts';

/** Bytes. No number that is read has more. */
const LONGEST = 24;
const MARKS = new Set([...'.,'].map((sign) => sign.charCodeAt(0)));
const SIGNS = new Set([...'-$%'].map((sign) => sign.charCodeAt(0)));

/** Collects, row by row, how each column of a file writes its numbers. */
export class NumberTally {
  readonly #width: number;
  readonly #columns = new Map<number, NumberMarks>();

  /** @param width columns of the header; other rows are rejected later and say nothing */
  constructor(width: number) {
    this.#width = width;
  }

  add(row: CsvRow): void {
    if (row.fault !== null || row.count > this.#width) return;
    for (let cell = 0; cell < row.count; cell++) {
      if (!row.select(cell) || !isMarkedNumber(row)) continue;
      this.note(cell, { line: row.line, text: row.bytes.toString('latin1', row.from, row.to) });
    }
  }

  /** Takes one cell, by the position of its column from 0. */
  note(cell: number, sample: NumberSample): void {
    const mark = writtenMark(sample.text);
    const known = this.#columns.get(cell) ?? NO_MARKS;
    if (mark !== null && known[mark] === null) this.#columns.set(cell, { ...known, [mark]: sample });
  }

  /**
   * By the position of the column, from 0; columns without such numbers are absent.
   * @param without the last lines, if they are no rows of the table: a first sample there is the only one
   */
  found(without: readonly number[] = []): Readonly<Record<string, NumberMarks>> {
    const kept = (sample: NumberSample | null): NumberSample | null =>
      sample !== null && without.includes(sample.line) ? null : sample;
    return Object.fromEntries(
      [...this.#columns].map(([cell, { comma, point, either }]) => [
        cell,
        { comma: kept(comma), point: kept(point), either: kept(either) },
      ]),
    );
  }
}

/** Whether the selected cell has the signs of a number alone, a mark among them: most cells of a file have not. */
function isMarkedNumber({ bytes, from, to }: CsvRow): boolean {
  if (to - from > LONGEST) return false;
  let hasMark = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (MARKS.has(byte)) hasMark = true;
    else if ((byte < 48 || byte > 57) && !SIGNS.has(byte)) return false;
  }
  return hasMark;
}
