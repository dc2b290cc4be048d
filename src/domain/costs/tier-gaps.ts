import type { Marketplace } from '#domain/marketplaces.ts';
import type { Ounces } from '#domain/units.ts';
import type { TierRange } from './cost.ts';

/**
 * Weights of parcels we ship ourselves (FBM) that no tier covers, below the heaviest tier of each marketplace:
 * `minWeight <= weight < maxWeight`. These parcels have no shipping cost. Weights above the heaviest tier are not a gap.
 * @param tiers in any order, not overlapping; those for warehouses need not cover every weight and are ignored
 */
export function tierGaps(tiers: readonly TierRange[]): TierRange[] {
  const gaps: TierRange[] = [];
  const ends = new Map<Marketplace, number>();
  for (const tier of [...tiers].sort((a, b) => a.minWeight - b.minWeight)) {
    const { marketplace, fulfillmentType } = tier;
    if (fulfillmentType !== 'FBM') continue;
    const end = ends.get(marketplace) ?? 0;
    if (tier.minWeight > end) {
      gaps.push({ marketplace, fulfillmentType, minWeight: end as Ounces, maxWeight: tier.minWeight });
    }
    ends.set(marketplace, Math.max(end, tier.maxWeight));
  }
  return gaps;
}
