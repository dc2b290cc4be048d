import type { Coverage } from './competition.ts';
import type { ListingCost } from './cost.ts';
import type { OwnPrice } from './cross-channel.ts';
import type { FeaturedPrice } from './featured-price.ts';
import type { FeeTable } from './fees/fee-table.ts';
import type { MarketplaceLimits } from './marketplace-limits.ts';
import type { FulfillmentType, Marketplace } from './marketplaces.ts';
import type { Offer, SellerKey } from './offer.ts';
import type { SendPause } from './send-pause.ts';
import type { Cents, Instant } from './units.ts';

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
   * Every price that was in force or sent within the last 24 hours, no matter who set it; in any order. Only the current one
   * where every offer has a seller.
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
}
