import type { PriceCheck } from '#contract/price-actions.ts';
import { readReasons } from '#db/queries/marketplaces/not-repriceable.ts';
import { highestAllowed, lowestAllowed } from '#domain/allowed-prices.ts';
import { costWithoutFees } from '#domain/cost-without-fees.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/manual-price.ts';
import { refusalText } from '#domain/manual-price-text.ts';
import { profitOf } from '#domain/profit.ts';
import { type Cents, MAX_CENTS } from '#domain/units.ts';
import type { BulkActionDeps } from '#usecases/catalog/listings/bulk-action-deps.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { loadCase } from './priced-listing.ts';

/**
 * Checks an entered price: its margin, its profit, and the limit that rejects it. Nothing changes.
 * @throws AppError not_found
 */
export async function checkPrice(
  { db, now }: BulkActionDeps,
  listingId: number,
  price: Cents,
): Promise<PriceCheck> {
  const at = now();
  const { facts, choice } = await loadCase(db, listingId, at);
  const minimumMargin = manualPriceMargin(choice, facts);
  const result = checkManualPrice(facts, minimumMargin, price);
  const { set } = result;
  const margin = marginAt(price, facts);
  const { shippingCharge, cost, fees } = facts;
  const totalCost = costWithoutFees({ cost, fees });
  const profit =
    shippingCharge === null || totalCost === null || fees === null
      ? null
      : profitOf(price, shippingCharge, totalCost, fees);
  return {
    margin: margin === null ? null : decimalFromMargin(margin),
    profit: moneyOrNull(profit),
    isAllowed: result.isAllowed,
    message: refusalText(result, price, facts, minimumMargin),
    lowestAllowedPrice: moneyOrNull(set === null ? null : lowestAllowed(set, 1)),
    highestAllowedPrice: moneyOrNull(set === null ? null : highestAllowed(set, MAX_CENTS)),
    notes: [
      ...(await readReasons(db, [listingId], at)).values(),
    ],
  };
}

function moneyOrNull(amount: Cents | null): string | null {
  return amount === null ? null : decimalFromCents(amount);
}
