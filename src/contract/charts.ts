import { z } from 'zod';
import { MARGIN_FILTERS } from '#domain/margin-bands.ts';
import { Money, Zone } from './wire.ts';

/** GET /api/charts/margins: how many listings stand at which margin; those whose margin is not known come last. */
export const MarginDistribution = z.object({
  bands: z.array(z.object({ band: z.enum(MARGIN_FILTERS), count: z.int() })),
  /** Price changes of the last seven days that the floor held up, and how much it kept per sale, added up. */
  heldAtFloor: z.int(),
  savedByFloor: Money,
});
export type MarginDistribution = z.output<typeof MarginDistribution>;

export const CHART_DAYS = ['14', '30'] as const;
export type ChartDays = (typeof CHART_DAYS)[number];

/** `zone` says where the days begin. */
export const PriceDaysQuery = z.strictObject({
  days: z.enum(CHART_DAYS).prefault('14'),
  zone: Zone.prefault('UTC'),
});

/** GET /api/charts/price-changes: how many prices went up and down per day, imports and outside edits aside. */
export const PriceDays = z.object({
  days: z.array(z.object({ day: z.iso.date(), raised: z.int(), lowered: z.int() })),
});
export type PriceDays = z.output<typeof PriceDays>;
