import { decimalFromCents, parseCents } from '#domain/decimal.ts';
import { type Cents, isPrice } from '#domain/units.ts';
import { formatMoney } from '#web/lib/format.ts';

/** A typed price: a decimal string for the API, or its error. */
export type TypedPrice =
  | { readonly price: string; readonly problem: null }
  | { readonly price: null; readonly problem: string };

/** Parses "$1,299.5" as "1299.50": allows a dollar sign, spaces and thousands separators, but no third decimal. */
export function readTypedPrice(text: string): TypedPrice {
  const amount = readAmountText(text);
  if (isPrice(amount)) return { price: decimalFromCents(amount), problem: null };
  if (/\.\d{3,}/.test(text)) return { price: null, problem: 'Enter up to two decimals, such as 19.99.' };
  return { price: null, problem: 'Enter a price above zero, such as 19.99.' };
}

/** Cents of a text such as "$1,299.50"; null if invalid. */
export function readAmountText(text: string): Cents | null {
  const plain = text.replace(/[$\s]/g, '');
  // A comma is valid only between groups of three: "12,50" is not 1250.
  if (plain.includes(',') && !/^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)) return null;
  return parseCents(plain.replaceAll(',', '').replace(/\.$/, ''));
}

/** The question before a change of more than 20%; null for a smaller one. */
export function bigMoveText(from: string, to: string): string | null {
  const before = parseCents(from);
  const after = parseCents(to);
  if (before === null || after === null || before === 0) return null;
  const share = Math.round((Math.abs(after - before) * 100) / before);
  if (Math.abs(after - before) * 5 <= before) return null;
  return `That is ${share}% ${after > before ? 'more' : 'less'} than ${formatMoney(from)}.`;
}
