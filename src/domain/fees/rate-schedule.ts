import type { Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents } from '#domain/units.ts';
import type { ReportedRate } from './fee-basis.ts';
import { type FeeBand, type FeeSchedule, PLAIN_BAND } from './fee-schedule.ts';
import { MAX_REVENUE } from './fee-table.ts';

/** A rate in its range of revenue as a schedule, which takes nothing outside of it. */
export function rateSchedule(
  { from, to, percent, perUnit }: Omit<ReportedRate, 'isAssumed'>,
  marketplace: Marketplace,
): FeeSchedule {
  const none = 0 as Cents;
  const nothing = { ...PLAIN_BAND, percent: 0 as Bps, perUnit: none, fixed: none, minimum: none };
  const bands: FeeBand[] = [{ ...nothing, upTo: to < MAX_REVENUE ? to : null, percent, perUnit }];
  if (from > 1) bands.unshift({ ...nothing, upTo: (from - 1) as Cents });
  if (to < MAX_REVENUE) bands.push({ ...nothing, upTo: null });
  return { marketplace, category: null, effectiveFrom: null, bandKind: 'whole', edgeBase: 'revenue', bands };
}
