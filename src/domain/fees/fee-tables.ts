import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Instant, isAmount, isPrice, WHOLE } from '#domain/units.ts';
import { compileFees } from './compose-fees.ts';
import type { FeeCategorySource } from './fee-basis.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import type { FeeTable } from './fee-table.ts';

/** Sales tax as a share of revenue, by marketplace. */
export type SalesTax = Readonly<Partial<Record<Marketplace, Bps>>>;

/** Compiled fee schedules by marketplace and category, newest first. */
export interface FeeTables {
  readonly tables: ReadonlyMap<string, readonly DatedTable[]>;
  /** Tables of categories that were found rather than entered, composed once, by the table of their schedule. */
  readonly found: Map<FeeTable, readonly FoundTable[]>;
}

interface FoundTable {
  readonly source: FeeCategorySource;
  /** The default that counts where it is higher; null once a user accepted the category. */
  readonly usual: FeeTable | null;
  readonly table: FeeTable;
}

interface DatedTable {
  readonly schedule: FeeSchedule;
  readonly table: FeeTable;
}

/**
 * @param schedules of two with the same marketplace, category and date the later in the list wins;
 *   one that {@link checkFeeSchedule} rejects blocks its listings as if none were entered
 * @param salesTax the assumed one where none is given
 */
export function feeTables(schedules: readonly FeeSchedule[], salesTax: SalesTax = {}): FeeTables {
  const tables = new Map<string, DatedTable[]>();
  for (const schedule of schedules) {
    const key = keyOf(schedule.marketplace, schedule.category);
    const dated = tables.get(key) ?? [];
    dated.push({ schedule, table: tableOf(schedule, salesTax[schedule.marketplace]) });
    tables.set(key, dated);
  }
  // Newest first; a stable sort of the reversed list lets the later of two equals win.
  for (const [key, dated] of tables) {
    tables.set(
      key,
      dated.reverse().sort((a, b) => startOf(b) - startOf(a)),
    );
  }
  return { tables, found: new Map() };
}

/**
 * The fees of a listing at a time.
 * @returns null if nothing is entered for the marketplace and category. A category never falls
 *   back to the marketplace's default: its fee is unknown then, and unknown is not 15 %.
 */
export function feesInForce(
  book: FeeTables,
  marketplace: Marketplace,
  category: string | null,
  now: Instant,
): FeeTable | null {
  return inForce(book.tables.get(keyOf(marketplace, category)), now)?.table ?? null;
}

/** The schedule of a listing at a time, as {@link feesInForce}. */
export function scheduleInForce(
  book: FeeTables,
  marketplace: Marketplace,
  category: string | null,
  now: Instant,
): FeeSchedule | null {
  return inForce(book.tables.get(keyOf(marketplace, category)), now)?.schedule ?? null;
}

function inForce(dated: readonly DatedTable[] | undefined, now: Instant): DatedTable | null {
  return dated?.find((each) => startOf(each) <= now) ?? null;
}

/** @returns the first problem of a schedule as a sentence with its fix; null for a valid one */
export function checkFeeSchedule(schedule: FeeSchedule): string | null {
  const { bands } = schedule;
  if (bands.length === 0) return 'A fee schedule needs at least one band.';
  let last = 0;
  for (const [index, band] of bands.entries()) {
    const place = `Band ${index + 1}`;
    if (!Number.isInteger(band.percent) || band.percent < 0 || band.percent > WHOLE) {
      return `${place}: the percentage must be from 0 to 100.`;
    }
    if (!Number.isInteger(band.percentTaxed) || band.percentTaxed < 0 || band.percentTaxed > WHOLE) {
      return `${place}: the percentage of the total with tax must be from 0 to 100.`;
    }
    if (![band.fixed, band.perUnit, band.minimum].every(isAmount)) {
      return `${place}: fixed parts and minimum must be amounts of 0.00 or more.`;
    }
    const isLast = index === bands.length - 1;
    if (band.upTo === null) {
      if (!isLast)
        return `${place}: only the last band may have no upper end. Enter one, or move it to the end.`;
    } else {
      if (!isPrice(band.upTo) || band.upTo <= last) {
        return `${place}: the upper end must be above that of the band before it.`;
      }
      if (isLast)
        return `${place}: leave the upper end of the last band empty, so that every price has a fee.`;
      last = band.upTo;
    }
  }
  return null;
}

/** An invalid schedule keeps its place but has no pieces: its fee is unknown, not that of an older schedule. */
function tableOf(schedule: FeeSchedule, salesTax: Bps | undefined): FeeTable {
  const table = compileFees(schedule, salesTax);
  return checkFeeSchedule(schedule) === null ? table : { ...table, pieces: [] };
}

/** Spellings of a fee category share one key; the marketplace's default has the empty key. */
export function categoryKey(category: string | null): string {
  return category?.trim().toLowerCase() ?? '';
}

function keyOf(marketplace: Marketplace, category: string | null): string {
  return `${marketplace}/${categoryKey(category)}`;
}

function startOf({ schedule }: DatedTable): number {
  return schedule.effectiveFrom ?? Number.NEGATIVE_INFINITY;
}
