import type { Tier, Tiers } from '#contract/tiers.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatOunces } from '#web/lib/format.ts';

/** "16.0 to 48.0 oz" */
export function rangeText({ minWeightOz, maxWeightOz }: Pick<Tier, 'minWeightOz' | 'maxWeightOz'>): string {
  return `${formatOunces(minWeightOz)} to ${formatOunces(maxWeightOz)} oz`;
}

/** "Walmart FBM, 16.0 to 48.0 oz" */
export function tierText(tier: Tiers['gaps'][number]): string {
  return `${MARKETPLACE_NAMES[tier.marketplace]} ${tier.fulfillmentType}, ${rangeText(tier)}`;
}

/** A file of tiers in the import format. */
export function tiersFile(tiers: readonly Tier[]): string {
  const rows = tiers.map(({ marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost }) =>
    [marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost].join(','),
  );
  return ['marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost', ...rows, ''].join('\r\n');
}
