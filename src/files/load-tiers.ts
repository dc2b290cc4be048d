import type { ShippingTier } from '#domain/cost.ts';
import { tiersOverlap } from '#domain/listing-cost.ts';
import {
  FULFILLMENT_TYPES,
  type FulfillmentType,
  MARKETPLACES,
  type Marketplace,
} from '#domain/marketplaces.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';
import { readTier, type TierColumn } from './tier-format.ts';

/** Shipping tiers by marketplace and fulfillment type. */
export type TierBook = Readonly<
  Record<Marketplace, Readonly<Record<FulfillmentType, readonly ShippingTier[]>>>
>;

/** No tiers at all. */
export function emptyTiers(): TierBook {
  return tierBook([]);
}

/** Reads the shipping tiers file. A tier that overlaps one above it is reported with both lines and skipped. */
export async function loadTiers(table: Table<TierColumn>, report: ReportProblem): Promise<TierBook> {
  const kept: { readonly line: number; readonly tier: ShippingTier }[] = [];
  await readRows(table, report, {
    onRow(cells) {
      const row = readTier(cells);
      if (row === null) return;
      const tiers = (row.marketplace === null ? MARKETPLACES : [row.marketplace]).map(
        (marketplace): ShippingTier => ({ ...row, marketplace }),
      );
      const other = kept.find(({ tier }) => tiers.some((mine) => tiersOverlap(mine, tier)));
      if (other === undefined) kept.push(...tiers.map((tier) => ({ line: cells.line, tier })));
      else {
        cells.reject(
          'minWeightOz',
          `overlaps the tier of line ${other.line} (lines ${other.line} and ${cells.line})`,
          'Let one tier end where the next one starts.',
        );
      }
    },
  });
  return tierBook(kept.map(({ tier }) => tier));
}

function tierBook(tiers: readonly ShippingTier[]): TierBook {
  const of = (marketplace: Marketplace, type: FulfillmentType): readonly ShippingTier[] =>
    tiers.filter((tier) => tier.marketplace === marketplace && tier.fulfillmentType === type);
  return Object.fromEntries(
    MARKETPLACES.map((marketplace) => [
      marketplace,
      Object.fromEntries(FULFILLMENT_TYPES.map((type) => [type, of(marketplace, type)])),
    ]),
  ) as unknown as TierBook;
}
