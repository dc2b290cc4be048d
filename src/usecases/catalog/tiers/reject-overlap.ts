import type { TierInput, TierRow } from '#db/queries/catalog/tiers.ts';
import type { TierRange } from '#domain/costs/cost.ts';
import { tiersOverlap } from '#domain/costs/listing-cost.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { ounces } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * A weight has one tier.
 * @param stored the other tiers
 * @throws AppError conflict, naming both tiers, when a new one overlaps a stored one
 */
export function rejectOverlap(tiers: readonly TierInput[], stored: readonly TierRow[]): void {
  for (const tier of tiers) {
    const other = stored.find((row) => tiersOverlap(asRange(tier), asRange(row)));
    if (other === undefined) continue;
    const place = `${MARKETPLACE_NAMES[tier.marketplace]} ${tier.fulfillmentType}`;
    const message =
      `${rangeText(tier)} overlaps the tier ${rangeText(other)} of ${place}. ` +
      'Let one tier end where the next one starts.';
    throw new AppError('conflict', message, { fields: { minWeightOz: message } });
  }
}

function rangeText({ minWeightOz, maxWeightOz }: TierInput): string {
  return `${minWeightOz} to ${maxWeightOz} oz`;
}

// In single precision, as the database compares.
function asRange({ marketplace, fulfillmentType, minWeightOz, maxWeightOz }: TierInput): TierRange {
  const minWeight = ounces(Math.fround(minWeightOz));
  return { marketplace, fulfillmentType, minWeight, maxWeight: ounces(Math.fround(maxWeightOz)) };
}
