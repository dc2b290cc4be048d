import type { AnalyticsRange } from '#contract/listing-analytics.ts';
import type { ChartWindow } from '#db/queries/catalog/price-chart.ts';
import { hours, type Instant } from '#domain/units.ts';

/** So many days, the last of them ending now. */
export function windowOf(now: Instant, range: AnalyticsRange): ChartWindow {
  return { from: (now - hours(24 * Number(range))) as Instant, to: now };
}
