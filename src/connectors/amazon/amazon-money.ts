import { z } from 'zod';
import { RoundedDollars as Amount, OwnPrice } from '#connectors/dollars.ts';
import { type Cents, cents, MAX_CENTS } from '#domain/units.ts';

const MOST = MAX_CENTS / 100;

const SignedDecimal = z.union([z.number(), z.string().regex(/^-?\d{1,10}(\.\d{1,6})?$/)]).transform(Number);

/** A price of ours in any currency, in the format of the newer calls. */
export const OwnMoney = z.object({ currencyCode: z.string().max(3), amount: OwnPrice });

/** US dollars that Amazon computed, in the format of the newer calls; any other currency fails the row. */
export const Dollars = z
  .object({ currencyCode: z.literal('USD'), amount: Amount })
  .transform(({ amount }) => amount);

/** US dollars that Amazon computed, in the format of the older calls. */
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
  Amount: reported,
}: AnyFee): Cents | 'currency' | 'negative' | 'unreadable' {
  if (CurrencyCode !== 'USD') return 'currency';
  const dollars = SignedDecimal.safeParse(reported).data;
  if (dollars === undefined || dollars > MOST) return 'unreadable';
  if (dollars < 0) return 'negative';
  return cents(Math.ceil(Number((dollars * 100).toFixed(4))));
}
