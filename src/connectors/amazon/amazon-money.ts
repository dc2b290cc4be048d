import { z } from 'zod';
import { type Cents, cents, MAX_CENTS } from '#domain/units.ts';

/** The rounding error of a double for hundredths, and no more. */
const NOISE = 1e-6;
const MOST = MAX_CENTS / 100;

/** Numbers, or numbers as text; not "N/A", "1e3" or "12,99". */
const Decimal = z.union([z.number(), z.string().regex(/^\d{1,10}(\.\d{1,6})?$/)]).transform(Number);

const SignedDecimal = z.union([z.number(), z.string().regex(/^-?\d{1,10}(\.\d{1,6})?$/)]).transform(Number);

/** Dollars as whole cents. A negative amount or a third decimal fails the response. */
export const Amount = Decimal.pipe(z.number().min(0).max(MOST)).transform((dollars, context): Cents => {
  const hundredths = Math.round(dollars * 100);
  if (Math.abs(dollars * 100 - hundredths) <= NOISE * Math.max(1, hundredths)) return cents(hundredths);
  context.addIssue({ code: 'custom', message: 'not whole cents' });
  return z.NEVER;
});

/** An amount of any currency, in the format of the newer calls. */
export const AnyMoney = z.object({ currencyCode: z.string().max(3), amount: Amount });

/** US dollars, in the format of the newer calls; any other currency fails the response. */
export const Dollars = z
  .object({ currencyCode: z.literal('USD'), amount: Amount })
  .transform(({ amount }) => amount);

/** US dollars, in the format of the older calls. */
export const OldDollars = z
  .object({ CurrencyCode: z.literal('USD'), Amount })
  .transform(({ Amount: amount }) => amount);

/** Money of the older calls before it is checked. */
export interface AnyFee {
  readonly CurrencyCode?: unknown;
  readonly Amount?: unknown;
}

/**
 * A fee in US cents, or why it is none. A fraction of a cent is rounded up, so that no fee is understated.
 */
export function feeIn({
  CurrencyCode,
  Amount: told,
}: AnyFee): Cents | 'currency' | 'negative' | 'unreadable' {
  if (CurrencyCode !== 'USD') return 'currency';
  const dollars = SignedDecimal.safeParse(told).data;
  if (dollars === undefined || dollars > MOST) return 'unreadable';
  if (dollars < 0) return 'negative';
  return cents(Math.ceil(Number((dollars * 100).toFixed(4))));
}
