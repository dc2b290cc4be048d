/** What one number says about how its file writes numbers; `either` for 1,234 and 1.234. */
export type WrittenMark = 'comma' | 'point' | 'either';

/** A number as the file has it. */
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
 * Which decimal mark a number proves: 12,5 and 0,250 and 1.234,50 a comma, 12.5 and 1,234.50 a point.
 * @returns null for a whole number without marks, and for what is no number in either way
 */
export function writtenMark(text: string): WrittenMark | null {
  const number = NUMBER.exec(text)?.[1];
  if (number === undefined) return null;
  // With a dollar sign it is money, and no amount has three decimals.
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

/**
 * The decimal mark of a file by all its numbers; `ask` where they contradict each other, or where one can be read in two
 * ways and no other tells. Between commas an unquoted comma ends a cell: there 1.234 is ours, 12,5 alone a mistake, and
 * 1,234 open for weights alone: as an amount it has too many decimals to be read in the other way.
 * @param weights of those the weights
 * @param separator between the cells of the file
 */
export function decimalMarkIn(
  { comma, point, either }: NumberMarks,
  weights: NumberMarks,
  separator: string,
): 'comma' | 'point' | 'ask' {
  if (separator === ',') {
    const isOpenWeight = point === null && weights.either?.text.includes(',') === true;
    return (either !== null && comma !== null) || isOpenWeight ? 'ask' : 'point';
  }
  if (comma !== null) return point === null ? 'comma' : 'ask';
  return point === null && either !== null ? 'ask' : 'point';
}
