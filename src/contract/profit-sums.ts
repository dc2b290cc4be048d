import { z } from 'zod';
import { Day, Margin, Money } from './fields.ts';

/** Amounts are summed over the sales of which they are known, and null when they are known of none. */
export const SumsOfSales = {
  units: z.int(),
  /** With shipping. */
  revenue: Money,
  fees: Money.nullable(),
  ads: Money.nullable(),
  cost: Money.nullable(),
  shipping: Money.nullable(),
  /** What returns and claims cost, on the day on which it was booked. */
  refunds: Money.nullable(),
  /** With what was booked without a sale; while `sales` is above 0 and `known` is 0, that alone. */
  profit: Money.nullable(),
  /** Of the revenue of the sales whose profit is known. */
  margin: Margin.nullable(),
  /** Order lines: all, those whose profit is known, and those of which nothing is estimated. */
  sales: z.int(),
  known: z.int(),
  told: z.int(),
};

export const ProfitSums = z.object(SumsOfSales);
export type ProfitSums = z.output<typeof ProfitSums>;

/** Everything that the prices of a rule or a run sold so far, with the first and the last day of it. */
export const SoldSoFar = ProfitSums.extend({ from: Day, to: Day });
export type SoldSoFar = z.output<typeof SoldSoFar>;
