import { type FeeTable, feeTimesWhole } from '#domain/fees/fee-table.ts';
import { type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';

/**
 * The profit of one sale after fees and cost.
 * @returns whole cents, rounded down so that a profit never looks better than it is; null for invalid inputs
 */
export function profitOf(
  price: Cents,
  shippingCharge: Cents,
  totalCost: Cents,
  fees: FeeTable,
): Cents | null {
  const revenue = (price + shippingCharge) as Cents;
  const profit = Math.floor(((revenue - totalCost) * WHOLE - feeTimesWhole(fees, revenue)) / WHOLE);
  return Number.isFinite(profit) && Math.abs(profit) <= MAX_CENTS ? (profit as Cents) : null;
}
