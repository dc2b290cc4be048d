import { type Bps, type Cents, MAX_CENTS, type Ounces, WHOLE } from '#domain/units.ts';

const ZERO = 48;
const NINE = 57;
const POINT = 46;
const COMMA = 44;
const DOLLAR = 36;
const MINUS = 45;
const PERCENT = 37;

/** The digits that `Cents` has before the point: `numeric(10,2)`. */
const MAX_DOLLAR_DIGITS = 8;

/**
 * An amount of money in bytes: `19.99`, `$19.99`, `1,299.00`.
 * Written by hand since it runs for millions of cells; the tests hold it to the grammar
 * `^\$?(\d{1,8}|[1-9]\d{0,2}(,\d{3})+)(\.\d{1,2})?$`.
 * @returns null for anything else, `12,99`, `0,250`, `1e3`, a third decimal, a sign and nothing at all included
 */
export function readAmount(bytes: Uint8Array, from: number, to: number): Cents | null {
  let at = from;
  if (at < to && bytes[at] === DOLLAR) at++;
  let dollars = 0;
  let digits = 0;
  let sinceComma = -1;
  for (; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte >= ZERO && byte <= NINE) {
      dollars = dollars * 10 + (byte - ZERO);
      digits++;
      if (sinceComma >= 0) sinceComma++;
    } else if (byte === COMMA) {
      // The first group has one to three digits and no zero in front, every other one exactly three.
      if (digits === 0 || (sinceComma < 0 ? digits > 3 || bytes[at - digits] === ZERO : sinceComma !== 3)) {
        return null;
      }
      sinceComma = 0;
    } else break;
  }
  if (digits === 0 || digits > MAX_DOLLAR_DIGITS || (sinceComma >= 0 && sinceComma !== 3)) return null;
  if (at === to) return (dollars * 100) as Cents;
  const decimals = to - at - 1;
  if (bytes[at] !== POINT || decimals < 1 || decimals > 2) return null;
  const tens = (bytes[at + 1] as number) - ZERO;
  const ones = decimals === 2 ? (bytes[at + 2] as number) - ZERO : 0;
  if (tens < 0 || tens > 9 || ones < 0 || ones > 9) return null;
  const amount = dollars * 100 + tens * 10 + ones;
  return amount <= MAX_CENTS ? (amount as Cents) : null;
}

/** An amount that may have a minus in front: an offset. */
export function readOffset(bytes: Uint8Array, from: number, to: number): Cents | null {
  if (from >= to || bytes[from] !== MINUS) return readAmount(bytes, from, to);
  const amount = readAmount(bytes, from + 1, to);
  return amount === null ? null : ((0 - amount) as Cents);
}

/**
 * A share in percent with at most two decimals, a percent sign allowed: `12.5`, `12.5%`.
 * @returns basis points from 0 to 10 000, or null
 */
export function readPercent(bytes: Uint8Array, from: number, to: number): Bps | null {
  const end = to > from && bytes[to - 1] === PERCENT ? to - 1 : to;
  if (from < end && bytes[from] === DOLLAR) return null;
  const share = readAmount(bytes, from, end);
  return share !== null && share <= WHOLE ? (share as number as Bps) : null;
}

/** The maximum weight of a parcel, in ounces. Keeps a mistyped weight out of the arithmetic. */
const MAX_WEIGHT_DIGITS = 7;
const MAX_WEIGHT_DECIMALS = 4;

/**
 * A weight in ounces, or a length in inches: digits, and up to four decimals.
 * @returns null for anything else
 */
export function readWeight(bytes: Uint8Array, from: number, to: number): Ounces | null {
  let whole = 0;
  let at = from;
  for (; at < to && isDigit(bytes[at]); at++) whole = whole * 10 + ((bytes[at] as number) - ZERO);
  if (at === from || at - from > MAX_WEIGHT_DIGITS) return null;
  if (at === to) return whole as Ounces;
  if (bytes[at] !== POINT) return null;
  const decimals = to - at - 1;
  if (decimals < 1 || decimals > MAX_WEIGHT_DECIMALS) return null;
  for (at++; at < to; at++) {
    if (!isDigit(bytes[at])) return null;
    whole = whole * 10 + ((bytes[at] as number) - ZERO);
  }
  // One division of whole numbers gives the double nearest to the decimal, like reading it would.
  return (whole / 10 ** decimals) as Ounces;
}

const MAX_COUNT_DIGITS = 9;

/** A whole number of up to nine digits, zero included; null for anything else. */
export function readCount(bytes: Uint8Array, from: number, to: number): number | null {
  if (from >= to || to - from > MAX_COUNT_DIGITS) return null;
  let count = 0;
  for (let at = from; at < to; at++) {
    if (!isDigit(bytes[at])) return null;
    count = count * 10 + ((bytes[at] as number) - ZERO);
  }
  return count;
}

/** Whether a byte is one of 0 to 9. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
