import type { CellKind } from './cell-kinds.ts';

const NUMBER = /^-?\$?(?:\d{1,8}|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d{1,4})?%?$/;

const MONEY: ReadonlySet<CellKind> = new Set(['amount', 'price', 'offset'] as const);

/** A weight that is thousands only where other weights of the file have a decimal comma too. */
const OPEN_WEIGHT = /^([1-9]\d{0,2})\.(\d{3})$/;

/**
 * What is wrong with a weight such as 1.500 in a file whose other numbers have a decimal comma: scales and shops write
 * weights with a point where the prices next to them have a comma, and a thousand times too heavy is no small mistake.
 * @returns null for any other text
 */
export function openWeightComplaint(text: string): { problem: string; fix: string } | null {
  const [, whole, rest] = OPEN_WEIGHT.exec(text) ?? [];
  if (whole === undefined || rest === undefined) return null;
  return {
    problem: 'is a weight that can be read in two ways',
    fix: `Write ${whole}${rest} or ${whole},${rest}.`,
  };
}

/** What is wrong with a number in a file whose other numbers have a decimal comma. */
export function commaComplaint(kind: CellKind, text: string): { problem: string; fix: string } {
  if (MONEY.has(kind) && /^-?\$?[\d.]*,\d{3,}$/.test(text)) {
    return { problem: 'has more than two decimals', fix: 'Round it to whole cents, such as 19,99.' };
  }
  return {
    problem: 'is not a number with a decimal comma',
    fix: 'Write it as in the rest of the file, such as 19,99 or 1.299,00.',
  };
}

/**
 * Hands a number with a decimal comma, 1.299,00, to a reader of numbers with a point. Words pass as they are.
 * @returns null for one with a decimal point: in such a file it is unknown whether 1.299 is thousands
 */
export function readWithPoint<Value>(
  text: string,
  read: (bytes: Buffer, from: number, to: number) => Value | null,
): Value | null {
  const isNumber = NUMBER.test(text);
  if (!isNumber && /\d/.test(text)) return null;
  const bytes = Buffer.from(isNumber ? text.replaceAll('.', '').replace(',', '.') : text);
  return read(bytes, 0, bytes.length);
}
