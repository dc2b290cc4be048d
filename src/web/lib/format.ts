const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const counts = new Intl.NumberFormat('en-US');
const onePlace = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const wholes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const ounces = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 4 });
const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/**
 * "$1,234.50" from the API's "1234.50". Exact for any length: the text is never converted to a float.
 * @throws RangeError for text that is not a decimal number
 */
export function formatMoney(amount: string): string {
  return withMinus(dollars.format(decimal(amount)));
}

/** "$1,235" from "1234.50": whole dollars, halves away from zero. */
export function formatWholeDollars(amount: string): string {
  return withMinus(wholeDollars.format(decimal(amount)));
}

/** "12,408" */
export function formatCount(count: number): string {
  return withMinus(counts.format(count));
}

const MIN_SHOWN_PERCENT = -999;
const MAX_SHOWN_PERCENT = 99_999;

/**
 * "15.0%" from "15.00"; "+2.4%" with `signed`. One decimal, halves away from zero; whole from 1,000 % on: "7,062%". "below
 * −999%" and "above 99,999%" for what says no more than its sign.
 */
export function formatPercent(percent: string, signed = false): string {
  const value = Number(percent);
  if (value < MIN_SHOWN_PERCENT) return `below ${formatCount(MIN_SHOWN_PERCENT)}%`;
  if (value > MAX_SHOWN_PERCENT) return `above ${formatCount(MAX_SHOWN_PERCENT)}%`;
  const text = withMinus((value < 1_000 ? onePlace : wholes).format(decimal(percent)));
  return `${signed && !percent.startsWith('-') ? '+' : ''}${text}%`;
}

/** "15" from the API's "15.00", "12.5" from "12.50": a percentage as a field shows it. */
export function shortPercent(percent: string): string {
  return percent.replace(/\.00$|(?<=\.\d)0$/, '');
}

/** "16.0": a weight with its decimals, at least one. */
export function formatOunces(weight: number): string {
  return ounces.format(weight);
}

/** "1 price", "37 prices": the count with its noun. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "14:05", in the reader's own time zone. */
export function formatClock(epochMillis: number): string {
  return clock.format(epochMillis);
}

function decimal(amount: string): Intl.StringNumericLiteral {
  if (!/^-?\d+(\.\d+)?$/.test(amount)) throw new RangeError(`not a decimal number: ${amount}`);
  return amount as Intl.StringNumericLiteral;
}

function withMinus(text: string): string {
  return text.replace('-', '\u2212');
}
