import { z } from 'zod';
import { MARGIN_FILTERS } from '#domain/margin-bands.ts';
import { Money, Zone } from './wire.ts';

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
