import { type Bps, type Cents, MAX_CENTS } from './units.ts';

const DECIMAL = /^(-?)(\d{1,8})(?:\.(\d{1,2}))?$/;
const MAX_BPS = 99_999;
const MARGIN = /^(-?)(\d{1,13})\.(\d{2})$/;
/** 13 digits before the decimal point, within which numbers are exact. */
const MAX_MARGIN = 999_999_999_999_999;

/** The hundredths of a strict decimal such as "19.99" or "-0.5"; null for anything else. */
function hundredths(text: string): number | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, whole, fraction = ''] = match;
  // The digits are parsed as one whole number, so that no binary fraction is involved.
  const amount = Number(`${whole}${fraction.padEnd(2, '0')}`);
  return sign && amount !== 0 ? -amount : amount;
}

function decimal(hundredths: number): string {
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Parses money as it is written in the API and in the database: `^-?\d{1,8}(\.\d{1,2})?$`.
 * @returns null for anything else: a blank, "1e3", "12,99", a third decimal, NaN
 */
export function parseCents(text: string): Cents | null {
  return hundredths(text) as Cents | null;
}

/**
 * {@link parseCents} for text that must be money already.
 * @throws RangeError for anything else
 */
export function centsFromDecimal(text: string): Cents {
  const amount = parseCents(text);
  if (amount === null) throw new RangeError(`not an amount of money such as 19.99: ${JSON.stringify(text)}`);
  return amount;
}

/**
 * Writes money with exactly two decimals: 1999 is "19.99".
 * @throws RangeError for what is no whole number of cents within `numeric(10,2)`
 */
export function decimalFromCents(amount: Cents): string {
  if (!Number.isInteger(amount) || Math.abs(amount) > MAX_CENTS) {
    throw new RangeError(`not an amount in whole cents: ${amount}`);
  }
  return decimal(amount);
}

/**
 * Reads a percentage with at most two decimals, -999.99 to 999.99: "12.5" is 1250 basis points.
 * @returns null for anything else
 */
export function parseBps(text: string): Bps | null {
  const share = hundredths(text);
  return share === null || Math.abs(share) > MAX_BPS ? null : (share as Bps);
}

/**
 * {@link parseBps} for text that must be a percentage already.
 * @throws RangeError for anything else
 */
export function bpsFromDecimal(text: string): Bps {
  const share = parseBps(text);
  if (share === null) throw new RangeError(`not a percentage such as 12.5: ${JSON.stringify(text)}`);
  return share;
}

/**
 * Writes a share as a percentage with two decimals: 1250 basis points are "12.50".
 * @throws RangeError for what is no whole number of basis points within `numeric(5,2)`
 */
export function decimalFromBps(share: Bps): string {
  if (!Number.isInteger(share) || Math.abs(share) > MAX_BPS) {
    throw new RangeError(`not a share in whole basis points: ${share}`);
  }
  return decimal(share);
}

/**
 * Writes a margin, which may lie far outside what a share can be: -703108 basis points are "-7031.08".
 * @throws RangeError for what is no whole number of basis points within `numeric(15,2)`
 */
export function decimalFromMargin(margin: Bps): string {
  if (!Number.isInteger(margin) || Math.abs(margin) > MAX_MARGIN) {
    throw new RangeError(`not a margin in whole basis points: ${margin}`);
  }
  return decimal(margin);
}

/**
 * Reads what {@link decimalFromMargin} and `numeric(15,2)` write.
 * @throws RangeError for anything else
 */
export function marginFromDecimal(text: string): Bps {
  const match = MARGIN.exec(text);
  if (match === null) throw new RangeError(`not a margin such as -12.50: ${JSON.stringify(text)}`);
  const [, sign, whole, fraction] = match;
  const margin = Number(`${whole}${fraction}`);
  return (sign && margin !== 0 ? -margin : margin) as Bps;
}
