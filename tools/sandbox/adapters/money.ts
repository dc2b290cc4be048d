import { type Cents, cents, isPrice } from '#domain/units.ts';

/** As a JSON number: 19.99. The nearest double of two decimals, which prints as those two. */
export function dollars(amount: Cents): number {
  return Number(dollarText(amount));
}

/** "19.99". */
export function dollarText(amount: Cents): string {
  const whole = Math.abs(amount);
  const sign = amount < 0 ? '-' : '';
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

/** Parses a price sent as a number or a string; null unless it is above zero with at most two decimals. */
export function priceOf(sent: unknown): Cents | null {
  if (typeof sent !== 'number' && typeof sent !== 'string') return null;
  const [, whole, decimals = ''] = /^(\d{1,8})(?:\.(\d{1,2})0*)?$/.exec(String(sent)) ?? [];
  if (whole === undefined) return null;
  const amount = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return isPrice(amount) ? cents(amount) : null;
}
