import type { TierRange } from './cost.ts';
import type { Ounces } from './units.ts';

/**
 * Weights below the heaviest tier of each marketplace and fulfillment type that no tier covers: `minWeight <= weight <
 * maxWeight`. Parcels of these weights have no shipping cost. Weights above the heaviest tier are not a gap.
 * @param tiers in any order, not overlapping
 */
export function tierGaps(tiers: readonly TierRange[]): TierRange[] {
  const gaps: TierRange[] = [];
  const ends = new Map<string, number>();
  for (const tier of [...tiers].sort((a, b) => a.minWeight - b.minWeight)) {
    const { marketplace, fulfillmentType } = tier;
    const series = `${marketplace}/${fulfillmentType}`;
    const end = ends.get(series) ?? 0;
    if (tier.minWeight > end) {
      gaps.push({ marketplace, fulfillmentType, minWeight: end as Ounces, maxWeight: tier.minWeight });
    }
    ends.set(series, Math.max(end, tier.maxWeight));
  }
  return gaps;
}
