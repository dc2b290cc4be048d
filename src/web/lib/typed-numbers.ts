import { decimalFromBps, decimalFromCents, parseBps, parseCents } from '#domain/decimal.ts';

/**
 * Money as typed, "$1,299" or "1 299.00", in the API's form: "1299.00".
 * @returns null for anything else: a blank, a third decimal, "12,99", "-0"
 */
export function typedMoney(text: string): string | null {
  const digits = plain(text.replace('$', ''));
  const amount = isSignedZero(digits) ? null : parseCents(digits);
  return amount === null ? null : decimalFromCents(amount);
}

/** A percentage as typed, "13.6" or "13.6 %", in the API's form: "13.60"; null for anything else. */
export function typedPercent(text: string): string | null {
  const digits = plain(text.replace('%', ''));
  const share = isSignedZero(digits) ? null : parseBps(digits);
  return share === null ? null : decimalFromBps(share);
}

/** A zero with a sign is a typing error: the intended number is unknown. */
function isSignedZero(digits: string): boolean {
  return /^-0+(\.0*)?$/.test(digits);
}

/** A non-negative number as typed, "1,440" or "16.5"; null for anything else. */
export function typedNumber(text: string): number | null {
  const digits = plain(text);
  return /^\d{1,9}(\.\d{1,6})?$/.test(digits) ? Number(digits) : null;
}

/** Without spaces and thousands separators; a comma elsewhere stays and makes it invalid. */
function plain(text: string): string {
  const tight = text.replaceAll(/\s/g, '');
  return /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(tight) ? tight.replaceAll(',', '') : tight;
}
