import { type AllowedPrices, highestAllowedTo, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type BusinessOffer, isBelowAllowed, type UnitPrice, unitPrices } from './business-prices.ts';

/**
 * What happens to prices for business buyers when the regular price changes: `leave` never writes them, `follow` keeps
 * their distance to the regular price.
 */
export const BUSINESS_PRICE_POLICIES = ['leave', 'follow'] as const;
export type BusinessPricePolicy = (typeof BUSINESS_PRICE_POLICIES)[number];

/** How far business prices are below the regular price, as shares of it; 0 where they are not. */
export interface BusinessGaps {
  /** Null where businesses pay the regular price for one unit. */
  readonly price: Bps | null;
  /** By rising quantity, each quantity once. */
  readonly tiers: readonly { readonly from: number; readonly discount: Bps }[];
}

/** The business prices that go with a regular price. */
export interface BusinessPlan {
  /** Of one unit; null where businesses pay the regular price. */
  readonly price: Cents | null;
  /** By rising quantity and falling price. */
  readonly tiers: readonly UnitPrice[];
  /** Quantities that would cost as much as the ones before: they are not sent. */
  readonly skipped: readonly number[];
}

/** A price is never free. */
const MOST = (WHOLE - 1) as Bps;

/** The distance that a seller keeps, to the nearest hundredth of a percent. @param regular the price for all customers */
export function gapsOf(offer: BusinessOffer, regular: Cents): BusinessGaps {
  const gapOf = (price: Cents): Bps => {
    const share = Math.round(((regular - price) * WHOLE) / regular);
    return Math.min(Math.max(share, 0), MOST) as Bps;
  };
  const units = unitPrices(offer, regular);
  return {
    price: offer.price === null ? null : gapOf(offer.price),
    tiers: units.flatMap(({ from, price }) => (from === 1 ? [] : [{ from, discount: gapOf(price) }])),
  };
}

/**
 * The business prices that keep their distance to a regular price. Each is the highest allowed price at or below the one
 * that the distance asks for, else the lowest allowed one; none is above the regular price, nor above that of fewer
 * units.
 * @param allowed without MAP and the seller's limits on the marketplace, which bind the regular price alone
 * @returns null where none is allowed
 */
export function businessPlan(
  gaps: BusinessGaps,
  regular: Cents,
  allowed: AllowedPrices,
): BusinessPlan | null {
  const priceAt = (discount: Bps): Cents | null => {
    const wanted = Math.floor((regular * (WHOLE - discount)) / WHOLE);
    const price = highestAllowedTo(allowed, wanted) ?? lowestAllowedFrom(allowed, wanted);
    return price !== null && price <= regular ? price : null;
  };
  const price = gaps.price === null ? null : priceAt(gaps.price);
  if (gaps.price !== null && price === null) return null;
  const tiers: UnitPrice[] = [];
  const skipped: number[] = [];
  let before = price ?? regular;
  for (const { from, discount } of gaps.tiers) {
    const unit = priceAt(discount);
    if (unit === null) return null;
    if (unit >= before) {
      skipped.push(from);
      continue;
    }
    tiers.push({ from, price: unit });
    before = unit;
  }
  return { price, tiers, skipped };
}

/**
 * The lowest price that businesses go on paying after a lower regular price is sent, where that is too low: one that cannot
 * follow stays on the marketplace as it is.
 * @param shown what is on the marketplace
 * @param plan what is sent; null where none is allowed
 * @param allowed as for {@link businessPlan}
 * @returns null where none is too low
 */
export function tooLowAfter(
  shown: BusinessOffer,
  plan: Pick<BusinessPlan, 'price' | 'tiers'> | null,
  regular: Cents,
  allowed: AllowedPrices,
): UnitPrice | null {
  // Tiers are sent as a whole: with one of them the others go.
  if (plan !== null && plan.tiers.length > 0) return null;
  const price = plan?.price ?? shown.price;
  const stays = unitPrices({ price, tiers: shown.tiers }, regular);
  const low = stays.filter((unit) => isBelowAllowed(unit.price, allowed));
  return low.toSorted((a, b) => a.price - b.price)[0] ?? null;
}

/** What is sent: 1 is the business price, the others are quantities. */
export function quantitiesOf({
  price,
  tiers,
}: Pick<BusinessPlan, 'price' | 'tiers'> | BusinessOffer): number[] {
  return [...(price === null ? [] : [1]), ...tiers.map(({ from }) => from)];
}
