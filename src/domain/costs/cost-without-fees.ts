import type { ListingFacts } from '#domain/decision/facts.ts';
import { composeFees } from '#domain/fees/compose-fees.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { Cents } from '#domain/units.ts';
import type { ListingCost } from './cost.ts';

/**
 * What is subtracted from revenue besides the fees: the total cost, which has the fulfillment fee of the current price,
 * less that fee where the fee table has it for every price. Null while the total is unknown.
 */
export function costWithoutFees({ cost, fees }: Pick<ListingFacts, 'cost' | 'fees'>): Cents | null {
  const isInFees = fees !== null && fees.basis.fulfillment.length > 0;
  if (cost.total === null || !isInFees) return cost.total;
  return (cost.total - (cost.fulfillment ?? 0)) as Cents;
}

/**
 * The fee table of a listing: with the fulfillment fee of each price band, where that was reported or estimated.
 * @param fees of its marketplace and category; null or without pieces: unknown, and unknown it stays
 */
export function feesAtAnyPrice(
  fees: FeeTable | null,
  { toldSteps, estimate }: ListingCost,
  shippingCharge: Cents | null,
): FeeTable | null {
  const fulfillment = toldSteps ?? estimate?.steps;
  if (fees === null || fees.pieces.length === 0 || fulfillment === undefined || shippingCharge === null)
    return fees;
  return composeFees({ ...fees.basis, fulfillment, shippingCharge });
}
