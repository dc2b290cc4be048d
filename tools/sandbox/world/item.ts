import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { EbayForm } from './ebay-form.ts';
import type { Terms } from './terms.ts';
import type { Variation } from './variation.ts';

/** How a competitor behaves. */
export const HABITS = [
  /** One cent below the lowest offer, every half hour, down to its lowest price; then back to its usual one. */
  'undercutter',
  /** Matches the lowest offer of the others, hours later. */
  'follower',
  /** Never changes its price. */
  'stubborn',
  /** Changes its price every few days, by a lot. */
  'sleeper',
  /** Runs out of stock and returns. */
  'comes_and_goes',
  /** The marketplace as a seller: once a day close to the lowest offer. */
  'marketplace',
] as const;
export type Habit = (typeof HABITS)[number];

/** Another seller of the same item. */
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
  /** The competitor's price floor. */
  readonly lowest: Cents;
  /** The price at the start. */
  readonly usual: Cents;
}

/** One of our listings as the marketplace stores it. Changes in place with `advance`. */
export interface MarketItem {
  readonly sku: string;
  /** The marketplace's ID of it: ASIN, item ID, listing ID or variant ID. */
  readonly itemId: string;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly brand: string;
  readonly category: string;
  readonly fulfillmentType: FulfillmentType;
  /** The usual price, which buyers see unless a sale runs. */
  readonly price: Cents;
  /** The price of the running sale; null while none runs. */
  readonly salePrice: Cents | null;
  readonly terms: Terms;
  /** How it was made, at eBay. */
  readonly ebay: EbayForm;
  /** Null for an item that says nothing about it. */
  readonly variation: Variation | null;
  readonly shippingCharge: Cents;
  readonly quantity: number;
  readonly isActive: boolean;
  readonly handlingDays: number;
  readonly weightOunces: number;
  /** Further identifiers that calls use: wpid, offerId, productId, gtin and so on. */
  readonly keys: Readonly<Record<string, string>>;
  readonly competitors: readonly Competitor[];
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

/** A type without `readonly`, for the code that changes the world. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type MutableCompetitor = Mutable<Competitor>;
export type MutableItem = Mutable<Omit<MarketItem, 'competitors'>> & {
  readonly competitors: MutableCompetitor[];
};

/** One offer of an item: ours or a competitor's. */
export interface ShownOffer {
  /** Null for our offer. */
  readonly competitor: Competitor | null;
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly landed: Cents;
  readonly fulfillmentType: FulfillmentType;
  readonly handlingDays: number;
}

/** What buyers pay for a piece of ours now. */
export function buyersPrice({ price, salePrice }: Pick<MarketItem, 'price' | 'salePrice'>): Cents {
  return salePrice ?? price;
}
