import type { NewTier } from '#contract/tiers.ts';
import type { TierInput } from '#db/queries/catalog/tiers.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { ounces } from '#domain/units.ts';

/** The tiers of a request: for "all" one for each marketplace. */
export function tiersOf({
  marketplace,
  fulfillmentType,
  minWeightOz,
  maxWeightOz,
  cost,
}: NewTier): TierInput[] {
  return (marketplace === 'all' ? MARKETPLACES : [marketplace]).map((each) => ({
    marketplace: each,
    fulfillmentType,
    minWeightOz: ounces(minWeightOz),
    maxWeightOz: ounces(maxWeightOz),
    cost,
  }));
}
