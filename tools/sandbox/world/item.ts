import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';

/** How a rival behaves. */
export const HABITS = [
  /** A cent under the lowest, every half hour, down to its lowest price; then back to where it began. */
  'undercutter',
  /** The lowest price of the others, some hours later. */
  'follower',
  /** Never changes anything. */
  'stubborn',
  /** Sleeps for days, then moves a lot. */
  'sleeper',
  /** Runs out of stock, and comes back. */
  'comes_and_goes',
  /** The marketplace's own shop: once a day close to the lowest. */
  'marketplace',
] as const;
export type Habit = (typeof HABITS)[number];

/** Somebody else who sells the same thing. */
export interface Competitor {
  readonly sellerId: string;
  readonly name: string;
  readonly habit: Habit;
  readonly fulfillmentType: FulfillmentType;
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly isInStock: boolean;
  /** Share of good ratings. */
  readonly rating: Bps;
  readonly ratingCount: number;
  readonly handlingDays: number;
  /** It does not go below. */
  readonly lowest: Cents;
  /** What it began with. */
  readonly usual: Cents;
}

/** One of our listings as the marketplace holds it. Lives: what is read now may be different after `advance`. */
export interface MarketItem {
  readonly sku: string;
  /** ASIN, item id, listing id, variant id: what the marketplace calls it by. */
  readonly itemId: string;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly brand: string;
  readonly category: string;
  readonly fulfillmentType: FulfillmentType;
  /** What buyers see now. */
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly quantity: number;
  readonly isActive: boolean;
  readonly handlingDays: number;
  readonly weightOunces: number;
  /** Further names by which calls know it: productType, wpid, offerId, productId, gtin and so on. */
  readonly keys: Readonly<Record<string, string>>;
  readonly rivals: readonly Competitor[];
  readonly reviewCount: number;
  /** Stars in hundredths: 437 is 4.37. */
  readonly averageRating: number;
  readonly salesRank: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Page views so far, and those of them with our offer in the buy box. */
  readonly views: number;
  readonly featuredViews: number;
  readonly unitsSold: number;
}

/** The same where the world changes it. */
export type Living<T> = { -readonly [K in keyof T]: T[K] };
export type MutableCompetitor = Living<Competitor>;
export type MutableItem = Living<Omit<MarketItem, 'rivals'>> & { readonly rivals: MutableCompetitor[] };

/** One offer of a page: ours or a rival's. */
export interface ShownOffer {
  /** Null is ours. */
  readonly rival: Competitor | null;
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly landed: Cents;
  readonly fulfillmentType: FulfillmentType;
  readonly handlingDays: number;
}
