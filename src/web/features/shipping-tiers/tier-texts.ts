import type { Tier, Tiers } from '#contract/tiers.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';

const ounces = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 4 });

/** "16.0": ounces with the decimals there are, at least one. */
export function weightText(weight: number): string {
  return ounces.format(weight);
}

/** "16.0 to 48.0 oz" */
export function rangeText({ minWeightOz, maxWeightOz }: Pick<Tier, 'minWeightOz' | 'maxWeightOz'>): string {
  return `${weightText(minWeightOz)} to ${weightText(maxWeightOz)} oz`;
}

/** "Walmart FBM, 16.0 to 48.0 oz" */
export function tierText(tier: Tiers['gaps'][number]): string {
  return `${MARKETPLACE_NAMES[tier.marketplace]} ${tier.fulfillmentType}, ${rangeText(tier)}`;
}

/** The file of some tiers; it imports again unchanged. */
export function tiersFile(tiers: readonly Tier[]): string {
  const rows = tiers.map(({ marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost }) =>
    [marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost].join(','),
  );
  return ['marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost', ...rows, ''].join('\r\n');
}
