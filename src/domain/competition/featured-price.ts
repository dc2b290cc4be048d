import { type Cents, hours, type Instant, type Millis } from '#domain/units.ts';

/**
 * Amazon's featured offer expected price of a listing: at or below it the listing can expect to become the featured offer.
 * Source: Product Pricing API 2022-05-01, getFeaturedOfferExpectedPriceBatch.
 */
export interface FeaturedPrice {
  /** Our item price; null unless the status is {@link VALID_FEATURED_PRICE}. */
  readonly price: Cents | null;
  /** As Amazon names it, which may name more, or {@link OWN_COMPETING_OFFER}. */
  readonly status: string;
  readonly readAt: Instant;
}

export const VALID_FEATURED_PRICE = 'VALID_FOEP';
/** Our own name of a valid price that only another listing of ours is in the way of. */
export const OWN_COMPETING_OFFER = 'OWN_COMPETING_OFFER';

/** An older one is not used: it depends on offers that change all day. */
export const FEATURED_PRICE_MAX_AGE: Millis = hours(6);
