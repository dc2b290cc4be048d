import { z } from 'zod';
import { Day, Money } from './fields.ts';

/** GET /api/books: the last closed day, null while nothing is closed, and the time zone of the days of profit, sales and books. */
export const Books = z.object({
  closedUntil: Day.nullable(),
  /** That of the settings, some minutes after it is changed: the sums of days are made again first. */
  timeZone: z.string(),
});
export type Books = z.output<typeof Books>;

/** GET /api/books/open: what closing until the day would leave open. */
export const OpenBooksQuery = z.strictObject({ day: Day });
export const OpenBooks = z.object({
  /** Sales of the days that would be closed: all, those without a known profit, and those of which not all is reported. */
  sales: z.int(),
  unknown: z.int(),
  notTold: z.int(),
  /** Amounts without a sale that were booked on these days. */
  unmatched: z.int(),
  unmatchedAmount: Money,
  /** Sums of these days are being calculated: they can be closed once that is done. */
  isCalculating: z.boolean(),
});
export type OpenBooks = z.output<typeof OpenBooks>;

/** POST /api/books/close */
export const CloseBooks = z.strictObject({ day: Day });
/** POST /api/books/reopen: the last day that stays closed; null opens all. */
export const ReopenBooks = z.strictObject({ day: Day.nullable() });
