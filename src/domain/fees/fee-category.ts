import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { composeFees } from './compose-fees.ts';
import type { FeeCategorySource } from './fee-basis.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { type FeeTable, feeTimesWhole } from './fee-table.ts';
import { checkFeeSchedule, type FeeTables, feesInForce, scheduleInForce } from './fee-tables.ts';

/** By which name a marketplace reports what a listing is: its product type, or a category of its own tree. */
export const CATEGORY_KEY_KINDS = ['product_type', 'external_category'] as const;
export type CategoryKeyKind = (typeof CATEGORY_KEY_KINDS)[number];

/** The fee category that a marketplace's name probably means. */
export interface MappedCategory {
  readonly marketplace: Marketplace;
  readonly kind: CategoryKeyKind;
  /** Product type, or number of a category. */
  readonly key: string;
  readonly category: string;
}

/** Fee categories by what marketplaces report of listings. */
export interface CategoryMap {
  readonly categories: ReadonlyMap<string, string>;
}

/** Without entries: no category is found. */
export function categoryMap(entries: readonly MappedCategory[]): CategoryMap {
  return {
    categories: new Map(
      entries.map(({ marketplace, kind, key, category }) => [keyOf(marketplace, kind, key), category]),
    ),
  };
}

/** What the fee category of a listing is found from. */
export interface CategoryFacts {
  readonly marketplace: Marketplace;
  /** Entered by a user or a file; null for none. */
  readonly feeCategory: string | null;
  /** The marketplace's product type; null where it reports none. */
  readonly productType: string | null;
  /** The marketplace's category with its ancestors, from the top: "11450/15709"; null where it reports none. */
  readonly externalCategory: string | null;
  /** The category found, once a user accepted to price with it; null for none. */
  readonly acceptedCategory: string | null;
}

/** The fee category of a listing, and where it comes from. */
export interface FeeCategory {
  /** Null: the marketplace's default applies. */
  readonly category: string | null;
  readonly source: FeeCategorySource;
  /** Whether its fee may be lower than the default: a user entered or accepted it. */
  readonly isAccepted: boolean;
}

const NO_CATEGORY: FeeCategory = { category: null, source: 'none', isAccepted: true };

/**
 * The fee category of a listing: a user's, else the one that the marketplace's product type or category maps to. One
 * that is mapped and has no usable schedule in force counts for nothing.
 */
export function feeCategoryOf(
  book: FeeTables,
  map: CategoryMap,
  { marketplace, feeCategory, productType, externalCategory, acceptedCategory }: CategoryFacts,
  now: Instant,
): FeeCategory {
  if (feeCategory !== null) return { category: feeCategory, source: 'person', isAccepted: true };
  const category =
    foundBy(map, marketplace, 'product_type', productType) ??
    nearest(externalCategory, (key) => foundBy(map, marketplace, 'external_category', key));
  if (category === null) return NO_CATEGORY;
  const schedule = scheduleInForce(book, marketplace, category, now);
  if (schedule === null || checkFeeSchedule(schedule) !== null) return NO_CATEGORY;
  return { category, source: 'mapped', isAccepted: acceptedCategory === category };
}

function foundBy(
  { categories }: CategoryMap,
  marketplace: Marketplace,
  kind: CategoryKeyKind,
  key: string | null,
): string | null {
  return key === null ? null : (categories.get(keyOf(marketplace, kind, key)) ?? null);
}

/** What is found for the category, else for the nearest of its ancestors. */
function nearest(path: string | null, find: (key: string) => string | null): string | null {
  for (const key of path?.split('/').reverse() ?? []) {
    const found = find(key);
    if (found !== null) return found;
  }
  return null;
}

function keyOf(marketplace: Marketplace, kind: CategoryKeyKind, key: string): string {
  return `${marketplace}/${kind}/${key.trim().toLowerCase()}`;
}

/**
 * The fees of a listing by its category. Until a user accepts a category that is only mapped, the fee at each revenue is
 * the higher one of its schedule and the default: it rises at once and does not fall.
 * @returns the same object for all listings with the same schedules; null while the fee is unknown
 */
export function feesOfCategory(
  book: FeeTables,
  marketplace: Marketplace,
  { category, source, isAccepted }: FeeCategory,
  now: Instant,
): FeeTable | null {
  const table = feesInForce(book, marketplace, category, now);
  if (source === 'person' || source === 'none' || table === null) return table;
  const usual = isAccepted ? null : feesInForce(book, marketplace, null, now);
  // Without a usable default the fee is unknown, as for a listing without a category.
  if (!isAccepted && (usual === null || usual.pieces.length === 0)) return usual;
  const atLeast = usual === null ? null : scheduleOf(usual);
  const known = book.found.get(table)?.find((each) => each.source === source && each.usual === usual);
  if (known !== undefined) return known.table;
  const schedule = scheduleOf(table);
  const found = composeFees({
    ...table.basis,
    source: { kind: 'schedule', schedule, category: source, ...(atLeast === null ? {} : { atLeast }) },
  });
  book.found.set(table, [...(book.found.get(table) ?? []), { source, usual, table: found }]);
  return found;
}

function scheduleOf({ basis: { source } }: FeeTable): FeeSchedule {
  if (source.kind === 'schedule') return source.schedule;
  throw new Error('A table of the fee book is no schedule.');
}

/** Whether a fee is lower than another one at any revenue of a dollar or more. */
export function isLowerSomewhere(fees: FeeTable, than: FeeTable): boolean {
  const edges = [...fees.pieces, ...than.pieces].flatMap(({ from, to }) => [from, to]);
  return [100, ...edges].some(
    (revenue) =>
      revenue >= 100 && feeTimesWhole(fees, revenue as Cents) < feeTimesWhole(than, revenue as Cents),
  );
}
