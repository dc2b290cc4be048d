import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, WHOLE } from '#domain/units.ts';
import { revenueOf } from './fee-answer.ts';
import type { FeeFact } from './fee-fact.ts';
import { type FeeSchedule, takesCommissionWithTax } from './fee-schedule.ts';
import { type FeePiece, type FeeTable, feeTimesWhole } from './fee-table.ts';
import { schedulePieces } from './schedule-pieces.ts';

/** A commission that the marketplace reported, and that of the seller's fee schedule, as shares of the same revenue. */
export interface FeeDrift {
  readonly told: Bps;
  readonly scheduled: Bps;
}

/** Rounding of the marketplace, and of a schedule in whole basis points, is no drift. */
const SMALLEST_DRIFT = 20;
const ROUNDING = cents(1);

/**
 * How far the commission reported for a listing is from its fee schedule: the newest one reported for its revenue now, else the
 * newest of all, since further prices are requested to find the margin floor.
 * @param facts of one listing, in any order
 * @param now price and shipping charge
 * @returns null where they agree within 0.2 points or a cent, nothing was reported, or the schedule's fee is unknown
 */
export function feeDrift(
  facts: readonly FeeFact[],
  fulfillmentType: FulfillmentType,
  schedule: FeeTable | null,
  now: Cents,
): FeeDrift | null {
  const commissions = facts.filter(
    (each) => each.kind === 'commission' && each.fulfillmentType === fulfillmentType,
  );
  const fact = newestOf(commissions.filter((each) => revenueOf(each) === now)) ?? newestOf(commissions);
  if (fact === null || schedule === null) return null;
  const { source } = schedule.basis;
  const isOnTotal =
    fact.feeBase != null && source.kind === 'schedule' && takesCommissionWithTax(source.schedule);
  // Of a total with the tax of its sale the same share, whatever the tax.
  const revenue = isOnTotal ? (fact.feeBase ?? revenueOf(fact)) : revenueOf(fact);
  const scheduled = isOnTotal
    ? commissionOfTotal(source.schedule, revenue)
    : commissionAt(schedule.pieces, revenue);
  if (scheduled === null) return null;
  const difference = Math.abs(fact.amount - scheduled);
  if (difference <= ROUNDING || difference * WHOLE <= SMALLEST_DRIFT * revenue) return null;
  return { told: simplestRate(fact.amount, revenue), scheduled: simplestRate(scheduled, revenue) };
}

function newestOf(facts: readonly FeeFact[]): FeeFact | null {
  return facts.reduce<FeeFact | null>(
    (newest, fact) => (newest === null || fact.toldAt > newest.toldAt ? fact : newest),
    null,
  );
}

/** Of a total with sales tax, to the nearest cent. */
function commissionOfTotal(schedule: FeeSchedule, total: Cents): Cents | null {
  const bands = schedule.bands.map((band) => ({ ...band, fixed: cents(0), perUnit: cents(0) }));
  const fee = feeTimesWhole({ pieces: schedulePieces({ ...schedule, bands }, 0 as Bps) }, total);
  return Number.isNaN(fee) ? null : cents(Math.round(fee / WHOLE));
}

/** Without fixed amounts, to the nearest cent. @returns null where it is unknown */
function commissionAt(pieces: readonly FeePiece[], revenue: Cents): Cents | null {
  const piece = pieces.find(({ from, to }) => from <= revenue && revenue <= to);
  if (piece === undefined) return null;
  const { percent, carried, minimum } = piece;
  return cents(Math.round(Math.max(percent * revenue + carried, minimum * WHOLE) / WHOLE));
}

/** Whole percents, halves, tenths, basis points. */
const RATE_STEPS = [100, 50, 10, 1];

/**
 * The simplest share of a revenue that is this amount when rounded to the cent: 17% for 4.25 of 24.99, not 17.01%. So that
 * the same rate reported at many prices is the same number.
 */
export function simplestRate(amount: Cents, revenue: Cents): Bps {
  const exact = (amount * WHOLE) / revenue;
  for (const step of RATE_STEPS) {
    const rate = Math.round(exact / step) * step;
    if (Math.abs((rate * revenue) / WHOLE - amount) <= 0.5) return rate as Bps;
  }
  return Math.round(exact) as Bps;
}
