import { type FeeTable, feeTimesWhole } from '#domain/fees/fee-table.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';

/**
 * Margin: profit over revenue, where revenue is price plus shipping charge.
 * @returns whole basis points, rounded down so that a margin never looks better than it is;
 *   null without a revenue, and when cost or fee cannot be read
 */
export function marginOf(price: Cents, shippingCharge: Cents, totalCost: Cents, fees: FeeTable): Bps | null {
  const revenue = (price + shippingCharge) as Cents;
  if (!(revenue > 0)) return null;
  const profit = (revenue - totalCost) * WHOLE - feeTimesWhole(fees, revenue);
  const margin = Math.floor(profit / revenue);
  return Number.isFinite(margin) ? (margin as Bps) : null;
}
