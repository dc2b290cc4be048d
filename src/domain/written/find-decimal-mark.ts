/** The decimal mark that one number of a file indicates; `either` for 1,234 and 1.234. */
export type WrittenMark = 'comma' | 'point' | 'either';

/** A number as it is written in the file. */
export interface NumberSample {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The first number of each sort; null where there is none. */
export type NumberMarks = Readonly<Record<WrittenMark, NumberSample | null>>;

export const NO_MARKS: NumberMarks = { comma: null, point: null, either: null };

const NUMBER = /^-?\$?(\d*(?:[.,]\d+)+)%?$/;
const TWO_WAYS = /^[1-9]\d{0,2}[.,]\d{3}$/;
const GROUPED = {
  comma: /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+|\.\d{3})$/,
  point: /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+|,\d{3})$/,
} as const;

/**
 * The decimal mark that a number indicates: 12,5 and 0,250 and 1.234,50 a comma, 12.5 and 1,234.50 a point.
 * @returns null for a whole number without marks, and for text that is not a number
 */
export function writtenMark(text: string): WrittenMark | null {
  const number = NUMBER.exec(text)?.[1];
  if (number === undefined) return null;
  // A dollar sign means money, which never has three decimals.
  if (TWO_WAYS.test(number)) return text.includes('$') && number.includes(',') ? 'point' : 'either';
  if (GROUPED.comma.test(number)) return 'comma';
  if (GROUPED.point.test(number)) return 'point';
  const marks = number.replace(/\d/g, '');
  if (marks.length > 1) return null;
  return marks === ',' ? 'comma' : 'point';
}

/** The first sample of each sort over several columns. */
export function mergeMarks(columns: readonly NumberMarks[]): NumberMarks {
  const first = (mark: WrittenMark): NumberSample | null =>
    columns.reduce<NumberSample | null>((found, { [mark]: next }) => {
      if (found === null || next === null) return found ?? next;
      return next.line < found.line ? next : found;
    }, null);
  return { comma: first('comma'), point: first('point'), either: first('either') };
}

/** What is known of one column before its decimal mark is decided. */
interface MarkedColumn {
  /** Over all rows of the column. */
  readonly own: NumberMarks;
  /** Of the other columns of numbers. */
  readonly others: readonly NumberMarks[];
  /** Between the cells of the file. */
  readonly separator: string;
}

/**
 * The decimal mark of a column: that of its own numbers; where these can all be read in two ways, that of the other
 * columns. `ask` if they contradict each other or if nothing decides: 1,234 read wrongly is a thousand times too much.
 * Where cells are separated by commas, 1.234 has a point, and an amount with a comma among others with a point is an error.
 */
export function columnMark({ own, others, separator }: MarkedColumn): 'comma' | 'point' | 'ask' {
  const hasCommas = separator === ',';
  if (own.comma !== null && own.point !== null) return hasCommas && own.either === null ? 'point' : 'ask';
  if (own.comma !== null) return hasCommas && own.either !== null ? 'ask' : 'comma';
  if (own.point !== null || own.either === null) return 'point';
  const isComma = others.some(({ comma, point }) => comma !== null && point === null);
  const isPoint = others.some(({ comma, point }) => point !== null && comma === null);
  if (isPoint) return isComma ? 'ask' : 'point';
  if (isComma) return hasCommas ? 'ask' : 'comma';
  return hasCommas && !own.either.text.includes(',') ? 'point' : 'ask';
}
