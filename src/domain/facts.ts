import type { ListingCost } from './cost.ts';
import type { OwnPrice } from './cross-channel.ts';
import type { FeeTable } from './fee-table.ts';
import type { FulfillmentType, Marketplace } from './marketplaces.ts';
import type { Offer, SellerKey } from './offer.ts';
import type { Cents, Instant } from './units.ts';

/** A person's word that the engine leaves a listing alone. */
export interface Hold {
  /** Null: until somebody resumes it. */
  readonly until: Instant | null;
  readonly by: string;
  readonly reason: string;
}

/** How often the engine went down against one competitor in the last 24 hours. */
export interface PriceWarStreak {
  readonly against: SellerKey | null;
  readonly times: number;
  readonly lastAt: Instant;
}

/** All that is known about one listing when its price is decided. Null is unknown, never zero. */
export interface ListingFacts {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  /** The price a buyer sees. */
  readonly currentPrice: Cents | null;
  /** The last price that a person, a file or the marketplace set; the engine never moves it. */
  readonly anchorPrice: Cents | null;
  readonly minPrice: Cents | null;
  readonly maxPrice: Cents | null;
  /** What the buyer pays us for shipping; 0 when we deliver free. */
  readonly shippingCharge: Cents | null;
  readonly cost: ListingCost;
  /** The fee schedule in force, compiled; null when there is none for this marketplace and category. */
  readonly fees: FeeTable | null;
  readonly offers: readonly Offer[];
  /** What we ask for the same SKU on other marketplaces. */
  readonly elsewhere: readonly OwnPrice[];
  /** The listing's own switch. */
  readonly autoRepricing: boolean;
  readonly hold: Hold | null;
  /** A price that is on its way to the marketplace and not confirmed yet. */
  readonly pendingPrice: Cents | null;
  /** The catalogue of its marketplace does not hold it any more. */
  readonly isMissing: boolean;
  /** Prices are sent there, and no reading has shown yet that it asks the current price. */
  readonly isPriceUnverified: boolean;
  /** The marketplace refused these at the price in force, and nothing has changed since. */
  readonly refusedPrices: readonly Cents[];
  /** By-file marketplaces: the last price was not uploaded yet. Until then it is left alone, if it is still allowed. */
  readonly awaitingUpload: boolean;
  /** The price in force 24 hours ago; null without a history, and then no daily limit holds. */
  readonly priceDayAgo: Cents | null;
  /** When the engine last changed the price. */
  readonly lastChangedAt: Instant | null;
  readonly priceWarStreak: PriceWarStreak | null;
  /** Sales recorded for this listing, for Dynamic Pricing's cold start. */
  readonly salesCount: number | null;
}
