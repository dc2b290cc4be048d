import type { ShippingTier } from '#domain/costs/cost.ts';
import { tiersOverlap } from '#domain/costs/listing-cost.ts';
import {
  FULFILLMENT_TYPES,
  type FulfillmentType,
  MARKETPLACES,
  type Marketplace,
} from '#domain/marketplaces.ts';
import { type Cents, ounces } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { FULFILLMENT_KEYWORDS, MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';
import { readTier, type TierColumn } from './tier-format.ts';

/** Shipping tiers by marketplace and fulfillment type. */
export type TierTables = Readonly<
  Record<Marketplace, Readonly<Record<FulfillmentType, readonly ShippingTier[]>>>
>;

/** No tiers at all. */
export function emptyTiers(): TierTables {
  return tierTables([]);
}

/**
 * Reads the shipping tiers file. A tier that overlaps one above it is reported with both lines and skipped.
 * FBA/WFS costs nothing to ship without a tier, so a row for it that cannot be used becomes a tier of unknown cost.
 */
export async function loadTiers(table: Table<TierColumn>, report: ReportProblem): Promise<TierTables> {
  const kept: { readonly line: number; readonly tier: ShippingTier }[] = [];
  const unusable: ShippingTier[] = [];
  await readRows(table, report, {
    onRow(cells) {
      const row = readTier(cells);
      if (row === null) {
        unusable.push(...unknownTiers(cells));
        return;
      }
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
        unusable.push(...unknownTiers(cells));
      }
    },
    onBroken(cells) {
      unusable.push(...unknownTiers(cells));
    },
  });
  return tierTables([...kept.map(({ tier }) => tier), ...unusable]);
}

/** What a row that cannot be used leaves unknown: shipping of the FBA/WFS listings that it may be for. */
function unknownTiers(cells: Cells<TierColumn>): ShippingTier[] {
  if (FULFILLMENT_KEYWORDS.findText(cells.text('fulfillmentType')) === 'FBM') return [];
  const marketplace = MARKETPLACE_KEYWORDS.findText(cells.text('marketplace'));
  return (marketplace === null ? MARKETPLACES : [marketplace]).map((each) => ({
    marketplace: each,
    fulfillmentType: 'FBA/WFS',
    minWeight: ounces(0),
    maxWeight: ounces(0),
    cost: Number.NaN as Cents,
  }));
}

function tierTables(tiers: readonly ShippingTier[]): TierTables {
  const of = (marketplace: Marketplace, type: FulfillmentType): readonly ShippingTier[] =>
    tiers.filter((tier) => tier.marketplace === marketplace && tier.fulfillmentType === type);
  return Object.fromEntries(
    MARKETPLACES.map((marketplace) => [
      marketplace,
      Object.fromEntries(FULFILLMENT_TYPES.map((type) => [type, of(marketplace, type)])),
    ]),
  ) as unknown as TierTables;
}
