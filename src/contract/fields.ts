import { z } from 'zod';
import { parseBps, parseCents } from '#domain/decimal.ts';
import { isTimeZone } from '#domain/time/time-zone.ts';
import { type Cents, instant, isAmount, isPrice } from '#domain/units.ts';

/**
 * The ID of a row, as digits. Not more of them than JavaScript represents exactly: a rounded number would be
 * the ID of another row.
 */
export const Id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'Expected a number such as 42')
  .describe('The ID of a row, as digits.');
export type Id = z.output<typeof Id>;

/** A timestamp, ISO 8601 in UTC, with at most nine decimals of a second. PostgreSQL has no year 0. */
export const Moment = z.iso
  .datetime()
  .max(30)
  .refine((text) => !text.startsWith('0000'), 'Expected a timestamp such as 2026-11-21T12:00:00Z')
  .describe('A timestamp, ISO 8601 in UTC.');

/** A calendar day of this century, such as "2026-11-21". */
export const Day = z.iso
  .date()
  .max(10)
  .regex(/^20/, 'Expected a day such as 2026-11-21')
  .describe('A calendar day of this century, such as "2026-11-21".');

/** A time zone by name: "America/New_York". */
export const Zone = z.string().max(100).refine(isTimeZone, 'Expected a time zone such as America/New_York');

/** Money in a response: a decimal string with two decimals, such as "1234.50". */
export const Money = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .describe('Money: a decimal string with two decimals, such as "1234.50".');

/** A percentage in a response: a decimal string with two decimals, such as "12.50". */
export const Percent = z
  .string()
  .regex(/^-?\d{1,3}\.\d{2}$/)
  .describe('A percentage: a decimal string with two decimals, such as "12.50".');

/** A margin: {@link Percent} without its bound, since a loss may be many times the price: "-7031.08". */
export const Margin = z
  .string()
  .regex(/^-?\d{1,13}\.\d{2}$/)
  .describe(
    'A margin in percent of the revenue, with two decimals; a loss may be many times the price: "-7031.08".',
  );

/** A number as typed; longer input is refused. */
const NumberText = z.string().max(40, 'Expected at most 40 characters');

const MONEY_HINT = 'Enter an amount such as 19.99';

/**
 * Confirms that a price changes although repricing is halted; without it the response is 409 `halted`. The time
 * of the halt, from `fields.whileHalted` of that response, confirms this halt only; true the current one.
 * Becomes an Instant.
 */
const WhileHalted = z.union([z.boolean(), Moment.transform((text) => instant(Date.parse(text)))]).optional();

/**
 * Confirms that prices change in spite of these reasons not to; without them the response is 409 `not_repriceable`, whose
 * `reasons` name them.
 */
export const DespiteReasons = z.array(z.string().min(1).max(500)).max(1_000).optional();

/** What a user may have to confirm before prices change. */
export const Confirmed = { whileHalted: WhileHalted, despiteReasons: DespiteReasons };

/** A price in a request: more than zero. Becomes whole cents. */
export const PriceInput = NumberText.transform((text, context): Cents => {
  const amount = parseCents(text);
  if (isPrice(amount)) return amount;
  context.addIssue({ code: 'custom', message: `${MONEY_HINT}, more than zero` });
  return z.NEVER;
}).describe('A price, more than zero: a decimal string such as "19.99".');

/** An amount that may be zero, such as a cost. Becomes whole cents. */
export const AmountInput = NumberText.transform((text, context): Cents => {
  // "-0" is not an amount in a file either.
  const amount = text.startsWith('-') ? null : parseCents(text);
  if (isAmount(amount)) return amount;
  context.addIssue({ code: 'custom', message: `${MONEY_HINT}, not negative` });
  return z.NEVER;
}).describe('An amount that may be zero: a decimal string such as "19.99".');

/** An amount of either sign, such as an offset. Becomes whole cents. */
export const SignedAmountInput = NumberText.transform((text, context): Cents => {
  const amount = parseCents(text);
  if (amount !== null) return amount;
  context.addIssue({ code: 'custom', message: MONEY_HINT });
  return z.NEVER;
}).describe('An amount of either sign: a decimal string such as "-0.05".');

/**
 * A percentage in a request. Becomes basis points.
 * @param least and most in basis points, both inclusive
 */
export function percentInput(least: number, most: number) {
  return NumberText.transform((text, context) => {
    const share = least >= 0 && text.startsWith('-') ? null : parseBps(text);
    if (share !== null && share >= least && share <= most) return share;
    context.addIssue({
      code: 'custom',
      message: `Enter a percentage from ${least / 100} to ${most / 100}`,
    });
    return z.NEVER;
  });
}

/** A page of a list in the query string: from 1. */
export const PageParam = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'Expected a page number from 1')
  .transform(Number)
  .default(1)
  .meta({ type: 'integer', minimum: 1, description: 'A page of the list, from 1.' });

/** Rows per page in the query string. */
export function sizeParam(sizes: readonly number[], standard: number) {
  return z
    .string()
    .max(10)
    .transform(Number)
    .refine((size) => sizes.includes(size), `Expected one of ${sizes.join(', ')}`)
    .default(standard)
    .meta({ type: 'integer', enum: [...sizes], description: 'Rows per page.' });
}
