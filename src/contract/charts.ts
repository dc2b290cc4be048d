import { z } from 'zod';
import { MARGIN_FILTERS } from '#domain/costs/margin-bands.ts';
import { Day, Money, Zone } from './fields.ts';

/** GET /api/charts/margins: number of listings per margin range; those whose margin is unknown come last. */
export const MarginDistribution = z.object({
  bands: z.array(z.object({ band: z.enum(MARGIN_FILTERS), count: z.int() })),
  /**
   * Price changes of the last seven days that the margin floor limited, and the amount it saved per sale, in
   * total.
   */
  heldAtFloor: z.int(),
  savedByFloor: Money,
});
export type MarginDistribution = z.output<typeof MarginDistribution>;

export const CHART_DAYS = ['14', '30'] as const;
export type ChartDays = (typeof CHART_DAYS)[number];

/** `zone` is the time zone in which days start. */
export const PriceDaysQuery = z.strictObject({
  days: z.enum(CHART_DAYS).prefault('14'),
  zone: Zone.prefault('UTC'),
});

/** GET /api/charts/price-changes: price increases and decreases per day, without imports and external edits. */
export const PriceDays = z.object({
  days: z.array(z.object({ day: z.iso.date(), raised: z.int(), lowered: z.int() })),
});
export type PriceDays = z.output<typeof PriceDays>;

/** Most days asked for at once: 90, and the 90 before them. */
const MAX_REPRICING_DAYS = 200;
const DAY_MS = 86_400_000;

/** Both inclusive. `zone` is the time zone in which the days of price changes start; those of buy boxes are of UTC. */
export const RepricingDaysQuery = z
  .strictObject({ from: Day, to: Day, zone: Zone.prefault('UTC') })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'Expected a day not before the first one' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_REPRICING_DAYS * DAY_MS, {
    path: ['to'],
    error: `Expected at most ${MAX_REPRICING_DAYS} days`,
  });

/**
 * GET /api/charts/repricing: of each day, our price changes, and how often the buy box of a listing was checked and how
 * often it was ours. Where it was never checked, the share is unknown, not zero.
 */
export const RepricingDays = z.object({
  days: z.array(z.object({ day: Day, raised: z.int(), lowered: z.int(), checks: z.int(), wins: z.int() })),
});
export type RepricingDays = z.output<typeof RepricingDays>;

/** `zone` is the time zone in which the day starts. */
export const TodayQuery = z.strictObject({ zone: Zone.prefault('UTC') });

/** GET /api/charts/today: what repricing changed since midnight, by rules and applied recommendations, and what that is worth. */
export const Today = z.object({
  day: z.iso.date(),
  /** Price changes: all, and those up and down. */
  changes: z.int(),
  raised: z.int(),
  lowered: z.int(),
  /** Price changes among these that were undone or reverted; `weeklyEffect` is without them. */
  undone: z.int(),
  /** Number of listings with a changed price. */
  listings: z.int(),
  /** Number of these with a known margin before and after, for which `weeklyEffect` is calculated. */
  known: z.int(),
  /**
   * At the same volume: how much more a week earns at the new prices, if as many units sell as in an average week of the last 30
   * days. Below zero where prices fell; null when it is known for none of the listings.
   */
  weeklyEffect: Money.nullable(),
  /** Prices that the margin floor kept from falling further. */
  heldAtFloor: z.int(),
});
export type Today = z.output<typeof Today>;
