import type { CategoryUse, StoredFees } from '#db/queries/catalog/fees.ts';
import { type CategoryMap, feeCategoryOf, feesOfCategory } from '#domain/fees/fee-category.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { categoryKey, feeTables, scheduleInForce } from '#domain/fees/fee-tables.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** Which schedule sets the fee of which listings at a moment. */
export interface FeeCoverage {
  /** Schedules in force, with the number of listings of each. */
  readonly inForce: ReadonlyMap<FeeSchedule, number>;
  /** Listings without a usable fee, one entry for each marketplace and category. */
  readonly uncovered: readonly UncoveredListings[];
}

interface UncoveredListings {
  readonly marketplace: Marketplace;
  /** Null: the marketplace has no default. */
  readonly category: string | null;
  readonly listings: number;
}

/** @param uses what the categories of listings are found from, in any spelling */
export function feeCoverage(
  schedules: readonly FeeSchedule[],
  uses: readonly CategoryUse[],
  map: CategoryMap,
  now: Instant,
): FeeCoverage {
  const book = feeTables(schedules);
  const inForce = new Map<FeeSchedule, number>();
  for (const { marketplace, category } of schedules) {
    const schedule = scheduleInForce(book, marketplace, category, now);
    if (schedule !== null) inForce.set(schedule, 0);
  }
  const uncovered = new Map<string, UncoveredListings>();
  for (const use of uses) {
    const { marketplace } = use;
    const found = feeCategoryOf(book, map, use, now);
    const schedule = scheduleInForce(book, marketplace, found.category, now);
    if (schedule !== null) inForce.set(schedule, (inForce.get(schedule) ?? 0) + use.listings);
    // An unusable schedule leaves its listings blocked, as without one.
    const fees = feesOfCategory(book, marketplace, found, now);
    if (fees !== null && fees.pieces.length > 0) continue;
    const category = found.isAccepted ? found.category : null;
    const key = `${marketplace}/${categoryKey(category)}`;
    const listings = use.listings + (uncovered.get(key)?.listings ?? 0);
    uncovered.set(key, { marketplace, category, listings });
  }
  return { inForce, uncovered: [...uncovered.values()] };
}

/**
 * What the user must confirm before a schedule is deleted.
 * @returns how many listings would lose their fee and be blocked, which may be 0 for the last default of a marketplace;
 *   null when nothing needs confirmation
 */
export function deletionBlocks(
  schedule: StoredFees,
  schedules: readonly StoredFees[],
  uses: readonly CategoryUse[],
  map: CategoryMap,
  now: Instant,
): number | null {
  const count = (kept: readonly StoredFees[]): number =>
    feeCoverage(kept, uses, map, now).uncovered.reduce((sum, { listings }) => sum + listings, 0);
  const others = schedules.filter((other) => other !== schedule);
  const blocked = count(others) - count(schedules);
  const isLastDefault =
    schedule.category === null &&
    !others.some((other) => other.category === null && other.marketplace === schedule.marketplace);
  return blocked > 0 || isLastDefault ? blocked : null;
}
