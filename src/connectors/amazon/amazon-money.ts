import { z } from 'zod';
import { type Cents, cents, MAX_CENTS } from '#domain/units.ts';

/** What a double cannot hold of a hundredth, and no more than that. */
const NOISE = 1e-6;
const MOST = MAX_CENTS / 100;

/** Numbers, or numbers as text; "N/A", "1e3" and "12,99" are neither. */
const Decimal = z.union([z.number(), z.string().regex(/^\d{1,10}(\.\d{1,6})?$/)]).transform(Number);

/** Dollars as whole cents. A negative amount or a third decimal fails the answer. */
const Amount = Decimal.pipe(z.number().min(0).max(MOST)).transform((dollars, context): Cents => {
  const hundredths = Math.round(dollars * 100);
  if (Math.abs(dollars * 100 - hundredths) <= NOISE * Math.max(1, hundredths)) return cents(hundredths);
  context.addIssue({ code: 'custom', message: 'not whole cents' });
  return z.NEVER;
});

/** Fees: a fraction of a cent counts as a cent, so that none is told too low. */
const FeeAmount = Decimal.pipe(z.number().min(0).max(MOST)).transform(
  (dollars): Cents => cents(Math.ceil(Number((dollars * 100).toFixed(4)))),
);

/** An amount of any currency, as the newer calls spell it. */
export const AnyMoney = z.object({ currencyCode: z.string().max(3), amount: Amount });

/** US dollars, as the newer calls spell them; any other currency fails the answer. */
export const Dollars = z
  .object({ currencyCode: z.literal('USD'), amount: Amount })
  .transform(({ amount }) => amount);

/** US dollars, as the older calls spell them. */
export const OldDollars = z
  .object({ CurrencyCode: z.literal('USD'), Amount })
  .transform(({ Amount: amount }) => amount);

export const OldFee = z
  .object({ CurrencyCode: z.literal('USD'), Amount: FeeAmount })
  .transform(({ Amount: amount }) => amount);
