import type { PriceCheck } from '#contract/price-actions.ts';
import { findBusinessOffer } from '#db/queries/marketplaces/sync/business-offers.ts';
import { readReasons } from '#db/queries/marketplaces/sync/not-repriceable.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { profitOf } from '#domain/costs/profit.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { highestAllowedTo, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { allowedForAll } from '#domain/readings/repair-or-hold.ts';
import type { BusinessOffer } from '#domain/sending/business-prices.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, MAX_CENTS } from '#domain/units.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { checkLimits } from './manual-price.ts';
import { loadCase } from './priced-listing.ts';

/**
 * Checks an entered price: its margin, its profit, and the limit that rejects it, also of a listing that shares the price.
 * Nothing changes.
 * @throws AppError not_found
 */
export async function checkPrice(
  { db, now }: ListingDeps,
  listingId: number,
  price: Cents,
): Promise<PriceCheck> {
  const at = now();
  const pricingInput = await loadCase(db, listingId, at);
  const { facts } = pricingInput;
  const { message } = checkLimits(pricingInput, price);
  const set = allowedForAll([pricingInput, ...pricingInput.mates], price);
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
    isAllowed: message === null,
    message,
    lowestAllowedPrice: moneyOrNull(set === null ? null : lowestAllowedFrom(set, 1)),
    highestAllowedPrice: moneyOrNull(set === null ? null : highestAllowedTo(set, MAX_CENTS)),
    notes: [
      ...(await readReasons(db, [listingId], at)).values(),
      ...hiddenPrice(price, await findBusinessOffer(db, listingId), facts.marketplace),
    ],
  };
}

/** A marketplace does not show a business price above the regular one. */
function hiddenPrice(price: Cents, offer: BusinessOffer | null, marketplace: Marketplace): string[] {
  const business = offer?.price ?? null;
  if (business === null || price >= business) return [];
  return [
    `${moneyText(price)} is below the business price of ${moneyText(business)}, so ${MARKETPLACE_NAMES[marketplace]} does not show the business price to buyers.`,
  ];
}

function moneyOrNull(amount: Cents | null): string | null {
  return amount === null ? null : decimalFromCents(amount);
}
