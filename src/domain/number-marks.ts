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

/**
 * The decimal mark of a file by all its numbers; `ask` if they contradict each other or if one is ambiguous and no other
 * decides. With comma separators an unquoted comma ends a cell: there 1.234 has a point, 12,5 alone is an error, and
 * 1,234 is ambiguous only for weights, since amounts never have three decimals.
 * @param weights the marks of the weight columns only
 * @param separator the cell separator of the file
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
