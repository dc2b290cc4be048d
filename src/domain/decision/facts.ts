import type { Coverage } from '#domain/competition/competition.ts';
import type { FeaturedPrice } from '#domain/competition/featured-price.ts';
import type { Offer, SellerKey } from '#domain/competition/offer.ts';
import type { ListingCost } from '#domain/costs/cost.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import type { Situation } from '#domain/lines/line.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { SendPause } from '#domain/sending/send-pause.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { OwnPrice } from './cross-channel.ts';
import type { ExternalPrice } from './entered-facts.ts';
import type { PriceGroup } from './price-group.ts';

/** A hold: repricing leaves one listing alone until a time or until it is resumed. */
export interface Hold {
  /** Null means until a user resumes it. */
  readonly until: Instant | null;
  readonly by: string;
  readonly reason: string;
}

/** Price cuts by the engine against one competitor within the last 24 hours. */
export interface PriceWarStreak {
  readonly against: SellerKey | null;
  readonly times: number;
  readonly lastAt: Instant;
}

/** What the lines of a rule can ask about a listing besides prices and offers. Null is unknown. */
export interface ListingSignals {
  /** The share of the readings of the last 6 hours in which the buy box was ours; null below three readings. */
  readonly boxShare: Bps | null;
  /** How often competitors came after us when we raised our price, as `followShare` counts it; null below three occasions. */
  readonly followShare: Bps | null;
  /** When the marketplace last said that no one holds the buy box; null if it did not. */
  readonly boxSuppressedAt: Instant | null;
  /** What the last decision saw, and since when. */
  readonly situation: { readonly kind: Situation; readonly since: Instant } | null;
  /** When the last turn of a line began, by the number of the line. */
  readonly turns: Readonly<Record<number, Instant>>;
  readonly stock: number | null;
  readonly daysOfSupply: number | null;
  readonly stockAgeDays: number | null;
  readonly lastSaleAt: Instant | null;
  /** Since when it can sell, as far as is known: nothing was sold before. */
  readonly listedAt: Instant | null;
  /** Units sold in the last 1, 7 and 30 days. */
  readonly sold: { readonly d1: number; readonly d7: number; readonly d30: number } | null;
  /** As entered; it may be too old to count. */
  readonly externalPrice: ExternalPrice | null;
  /** Our other listings whose prices the lines name. */
  readonly sisters: readonly SisterPrice[];
}

/** Of a listing of which nothing is known that only lines ask. */
export const NO_SIGNALS: ListingSignals = {
  boxShare: null,
  followShare: null,
  boxSuppressedAt: null,
  situation: null,
  turns: {},
  stock: null,
  daysOfSupply: null,
  stockAgeDays: null,
  lastSaleAt: null,
  listedAt: null,
  sold: null,
  externalPrice: null,
  sisters: [],
};

/** The price in force of another listing of ours. */
export interface SisterPrice extends OwnPrice {
  readonly sku: string;
}

/** The facts about one listing at the time of a decision. Null is unknown, never zero. */
export interface ListingFacts {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  /** The price buyers see. */
  readonly currentPrice: Cents | null;
  /** The last price set by hand, by import or on the marketplace; the engine never changes it. */
  readonly anchorPrice: Cents | null;
  readonly minPrice: Cents | null;
  readonly maxPrice: Cents | null;
  /** As last read from the marketplace; null for none, and where they are not to count. */
  readonly marketplaceLimits: MarketplaceLimits | null;
  /** The greatest discount that the seller gives on the marketplace without reporting it; 0 for none. */
  readonly greatestDiscount: Bps;
  /** What the buyer pays us for shipping; 0 for free shipping. */
  readonly shippingCharge: Cents | null;
  readonly cost: ListingCost;
  /** The fee schedule in force, compiled; null when there is none for this marketplace and category. */
  readonly fees: FeeTable | null;
  readonly offers: readonly Offer[];
  /** When the competitors on the listing's own marketplace were last read, also when there were none; null if never. */
  readonly readAt: Instant | null;
  /** What that reading shows; `unrecorded` in decisions from before readings were stored. */
  readonly coverage: Coverage | 'unrecorded';
  /**
   * Every price that was in force or sent within the last 24 hours, no matter who set it, also of our other listings of the
   * item on its marketplace; in any order. Only the current one where every offer has a seller.
   */
  readonly ownPrices: readonly Cents[];
  /** What the marketplace says it takes to become the featured offer; null where it does not, or never did. */
  readonly featuredPrice: FeaturedPrice | null;
  /** Our prices for the same SKU on other marketplaces. */
  readonly elsewhere: readonly OwnPrice[];
  /** The listing's own switch. */
  readonly autoRepricing: boolean;
  readonly hold: Hold | null;
  /** A price that is queued or sent and not confirmed yet. */
  readonly pendingPrice: Cents | null;
  /** No longer in the marketplace's catalog. */
  readonly isMissing: boolean;
  /** The marketplace is connected, and no sync has confirmed the current price yet. */
  readonly isPriceUnverified: boolean;
  /** Prices that the marketplace rejected at the current price, with nothing changed since. */
  readonly refusedPrices: readonly Cents[];
  /** The marketplace accepts no price of the listing for a while; null for none. Past ones may be stored. */
  readonly sendPause: SendPause | null;
  /** Price file only: the last price is not uploaded yet. Until then it does not change, if it is still allowed. */
  readonly awaitingUpload: boolean;
  /** The price 24 hours ago; null without a history, and then there is no daily limit. */
  readonly priceDayAgo: Cents | null;
  /** When the engine last changed the price. */
  readonly lastChangedAt: Instant | null;
  readonly priceWarStreak: PriceWarStreak | null;
  /** Sales recorded for this listing, for Dynamic Pricing's cold start. */
  readonly salesCount: number | null;
  /** Null: none of them is known. */
  readonly signals: ListingSignals | null;
  /** The listing's place among those that the marketplace gives one price; null where it has a price of its own. */
  readonly group: PriceGroup | null;
}
