import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant, Ounces } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { FULFILLMENT_KEYWORDS, MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { TableFormat } from './table.ts';

export type TierColumn =
  | 'marketplace'
  | 'fulfillmentType'
  | 'minWeightOz'
  | 'maxWeightOz'
  | 'cost'
  | 'effectiveFrom';

/** The shipping tiers file. */
export const TIER_FORMAT: TableFormat<TierColumn> = {
  columns: {
    marketplace: 'required',
    fulfillmentType: 'required',
    minWeightOz: 'required',
    maxWeightOz: 'required',
    cost: 'required',
    effectiveFrom: 'optional',
  },
};

/** What a shipping tier row says. */
export interface TierRow {
  /** Null: a tier for each of the six. */
  readonly marketplace: Marketplace | null;
  readonly fulfillmentType: FulfillmentType;
  readonly minWeight: Ounces;
  readonly maxWeight: Ounces;
  readonly cost: Cents;
  /** From when it applies to sales so far; null is from now. Prices use it at once. */
  readonly effectiveFrom: Instant | null;
}

/** Reads the current row of `cells`; null when a cell cannot be used, which is reported then. */
export function readTier(cells: Cells<TierColumn>): TierRow | null {
  const marketplace = cells.word('marketplace', MARKETPLACE_KEYWORDS);
  const fulfillmentType = cells.required(
    'fulfillmentType',
    cells.word('fulfillmentType', FULFILLMENT_KEYWORDS),
    FULFILLMENT_KEYWORDS.fix,
  );
  const minWeight = cells.required('minWeightOz', cells.weight('minWeightOz'), 'Write ounces, such as 0.');
  const maxWeight = cells.required('maxWeightOz', cells.weight('maxWeightOz'), 'Write ounces, such as 16.');
  const cost = cells.required('cost', cells.amount('cost'), 'Write the cost of the parcel, such as 4.99.');
  const effectiveFrom = cells.moment('effectiveFrom');
  if (cells.bad.length > 0) return null;
  if (fulfillmentType === null || minWeight === null || maxWeight === null || cost === null) return null;
  if (minWeight >= maxWeight) {
    cells.reject('maxWeightOz', 'is not above minWeightOz', 'Write a larger weight.');
    return null;
  }
  return { marketplace, fulfillmentType, minWeight, maxWeight, cost, effectiveFrom };
}
