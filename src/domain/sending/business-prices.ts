import { type AllowedPrices, isAllowed } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';

/** From a quantity on, at least 2, each unit costs a price, or less than the business price by a share of it. */
export type QuantityTier = { readonly from: number } & (
  | { readonly price: Cents; readonly discount?: never }
  | { readonly discount: Bps; readonly price?: never }
);

/** The prices for business buyers that a seller set on the marketplace. */
export interface BusinessOffer {
  /** Of one unit; null where businesses pay the regular price. */
  readonly price: Cents | null;
  /** By rising quantity, each quantity once. */
  readonly tiers: readonly QuantityTier[];
}

/** What each unit costs from a quantity on. */
export interface UnitPrice {
  /** 1 is the business price. */
  readonly from: number;
  readonly price: Cents;
}

/**
 * The prices of a unit that businesses pay, by rising quantity. A share is rounded down to the cent: what a unit earns
 * must never look better than it is.
 * @param regular the price for all customers, for tiers by share without a business price
 */
export function unitPrices({ price, tiers }: BusinessOffer, regular: Cents): UnitPrice[] {
  const single = price === null ? [] : [{ from: 1, price }];
  const base = price ?? regular;
  return [
    ...single,
    ...tiers.map((tier) => ({
      from: tier.from,
      price: tier.price ?? (Math.floor((base * (WHOLE - (tier.discount ?? 0))) / WHOLE) as Cents),
    })),
  ];
}

/** Whether a price is below the lowest allowed one, or in a gap between allowed prices. */
export function isBelowAllowed(price: Cents, allowed: AllowedPrices): boolean {
  const highest = allowed.ranges.at(-1);
  return highest === undefined || (price < highest && !isAllowed(allowed, price));
}
