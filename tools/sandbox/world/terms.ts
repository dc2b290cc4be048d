import type { Cents, Instant } from '#domain/units.ts';

/** A temporary price: while it runs, buyers pay it and the usual price is hidden or struck through. */
export interface SaleTerm {
  readonly price: Cents;
  readonly from: Instant;
  readonly to: Instant;
}

/** Price limits; null for none. */
export interface PriceBounds {
  readonly min: Cents | null;
  readonly max: Cents | null;
}

/** The price for businesses, and the prices of a unit from a quantity on. */
export interface BusinessTerm {
  readonly price: Cents | null;
  readonly levels: readonly { readonly from: number; readonly price: Cents }[];
}

/** eBay's Best Offer: offers from the first amount on are accepted at once, those below the second are declined. */
export interface BestOfferTerm {
  readonly autoAccept: Cents | null;
  readonly autoDecline: Cents | null;
}

/** What the seller arranged on the marketplace's own pages besides the price. */
export interface Terms {
  readonly sale: SaleTerm | null;
  /** The seller's own limits; a price outside is refused. */
  readonly bounds: PriceBounds;
  /** The least price that the brand lets be advertised. */
  readonly mapPrice: Cents | null;
  /** The marketplace's own repricer with its limits; null where it is not used. */
  readonly repricer: PriceBounds | null;
  readonly business: BusinessTerm | null;
  /** The price that a shop strikes through. */
  readonly compareAtPrice: Cents | null;
  readonly bestOffer: BestOfferTerm | null;
  /** Names of the price lists of the shop in which it has a fixed price. */
  readonly priceLists: readonly string[];
}

export const NO_TERMS: Terms = {
  sale: null,
  bounds: { min: null, max: null },
  mapPrice: null,
  repricer: null,
  business: null,
  compareAtPrice: null,
  bestOffer: null,
  priceLists: [],
};
