import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { OAuthConsent } from './oauth-consent.ts';
import type { TokenVault } from './token-vault.ts';

/** How to reach one shop on one marketplace: what a person entered, and the tokens that were fetched with it. */
export interface Account {
  /** Plain texts by their names in the settings, without those that are not set. Never logged. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly tokens: TokenVault;
}

/** What names one of our listings, here and there. */
export interface ListingRef {
  /** Ours. */
  readonly listingId: number;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  /** The marketplace's number of the item: ASIN, item id, listing id. */
  readonly itemId: string | null;
  /** Further names that calls need, as `readListings` gave them (product type, offer id, product id). */
  readonly keys: Readonly<Record<string, string>>;
}

/** What `check` found out. */
export interface ConnectionReport {
  /** How the marketplace calls the shop; null where it does not say. */
  readonly shopName: string | null;
  /** Things to know that are no failure: a right that is missing, a key that ends soon. One sentence each. */
  readonly notes: readonly string[];
  /** When the credentials themselves end, and a person has to enter new ones; null when they do not, or nobody says. */
  readonly endsAt: Instant | null;
}

/** A listing as the marketplace holds it. Null is unknown, never zero. */
export interface MarketplaceListing {
  readonly kind: 'listing';
  /** Trimmed, 1 to 200 characters. */
  readonly sku: string;
  readonly itemId: string | null;
  /** 1 to 1,000 characters. */
  readonly title: string;
  /** An https address; null when there is none. */
  readonly imageUrl: string | null;
  /** In US dollars; null when the marketplace names none. */
  readonly price: Cents | null;
  /** FBM, too, by a word of the marketplace's alone; null when it says nothing: then nobody knows what sending costs. */
  readonly fulfillmentType: FulfillmentType | null;
  /** Pieces that can be bought now. */
  readonly quantity: number | null;
  /** Whether buyers can see it. */
  readonly isActive: boolean;
  /**
   * Why its price must not be changed from here (a promotion runs, another repricer has it); null when it may be;
   * undefined when the marketplace does not say.
   */
  readonly notRepriceableReason: string | null | undefined;
  readonly keys: Readonly<Record<string, string>>;
}

/** What a marketplace lists and we cannot take. */
export interface SkippedListing {
  readonly kind: 'passed_over';
  /** Its SKU, else its title or number. */
  readonly what: string;
  readonly why: 'no_sku' | 'other_currency' | 'repeated' | 'not_ours_to_price';
}

/** A part of a catalogue. */
export interface CataloguePage {
  /**
   * By our own clock: the moment before these entries were asked for; in a document, before it was asked to be written.
   * A price that has moved since may stand here as it was before.
   */
  readonly asOf: Instant;
  readonly entries: readonly (MarketplaceListing | SkippedListing)[];
}

/** One offer for the item of a listing, ours among them where the marketplace tells. */
export interface MarketOffer {
  /** Name or id as the marketplace shows it; null when it does not. */
  readonly sellerName: string | null;
  /** The marketplace itself sells. */
  readonly isMarketplace: boolean;
  readonly isOurs: boolean;
  readonly price: Cents;
  /** What the buyer pays on top. */
  readonly shipping: Cents;
  readonly fulfillmentType: FulfillmentType | null;
  /** Holds the buy box. */
  readonly isFeatured: boolean;
  /** Share of good ratings, 0 to 100 percent. */
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  readonly handlingDays: number | null;
}

/** Every offer that the marketplace shows for one listing at a moment. An empty one says that nobody offers it. */
export interface OfferReading {
  readonly kind: 'offers';
  readonly listingId: number;
  readonly seenAt: Instant;
  readonly offers: readonly MarketOffer[];
}

/** A listing whose figures could not be read, among others that could. */
export interface UnavailableListing {
  readonly kind: 'unread';
  readonly listingId: number;
  /** One sentence for people. */
  readonly why: string;
}

/** A price on its way to the marketplace. */
export interface PriceOrder {
  readonly ref: ListingRef;
  readonly price: Cents;
  /** Rises with every order of a listing. */
  readonly sequence: number;
  /** Goes out where the marketplace takes one. */
  readonly idempotencyKey: string;
  /** A person wants it, or it ends a price below the lowest legal one: it goes the quickest way there is. */
  readonly isUrgent: boolean;
  /** Not sent after that, whatever the reason: whoever decided it is no longer sure of it. */
  readonly notAfter: Instant;
}

/** What became of one order when it was sent. */
export type SendOutcome = { readonly listingId: number } & (
  | {
      /** Taken, and live some time later. */
      readonly kind: 'accepted';
      /** What to ask the marketplace about it by; null when it gives nothing. */
      readonly receipt: string | null;
    }
  /** The answer itself shows the price that buyers now see. */
  | { readonly kind: 'live'; readonly price: Cents }
  /** Final: the same order would be refused again. */
  | { readonly kind: 'rejected'; readonly message: string; readonly code: string | null }
  /** It may have been done or not: read the price before anything else is sent. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** Certainly not done: too busy, too late, no connection, no valid key. */
  | {
      readonly kind: 'not_sent';
      readonly message: string;
      readonly retryAfter: number | null;
      /** It is about this order and the way it would have gone: no reason to leave the marketplace alone. */
      readonly othersMayGo?: true;
    }
);

/** An order that is out, to be read back. */
export interface SentPrice {
  readonly ref: ListingRef;
  readonly price: Cents;
  readonly receipt: string | null;
  readonly sentAt: Instant;
  /** It should long be live and is not looked for again: what stands against it counts. */
  readonly isLastLook: boolean;
}

/** What buyers see of a listing now. */
export type PriceReading = { readonly listingId: number } & (
  | {
      readonly kind: 'price';
      readonly price: Cents;
      /** The marketplace says that it refused this very price, and why; null when it does not. */
      readonly refusal: string | null;
      /** The order behind the receipt failed, and that says nothing about its price: one sentence. */
      readonly failure?: string;
    }
  /** There is no such listing any more. */
  | { readonly kind: 'gone' }
  /** Another time perhaps: one sentence. */
  | { readonly kind: 'unreadable'; readonly message: string }
);

/** One line of an order. The same line read again has the same id. */
export interface SaleLine {
  readonly externalId: string;
  readonly sku: string | null;
  readonly itemId: string | null;
  readonly soldAt: Instant;
  /** 1 or more. */
  readonly quantity: number;
  readonly unitPrice: Cents;
  /** What the buyer paid for the line, without tax and without shipping. */
  readonly revenue: Cents;
  /** What the marketplace kept; null when it does not say yet. */
  readonly fees: Cents | null;
  /** The line is off: what was recorded of it goes. */
  readonly isCancelled: boolean;
}

export interface FeeQuery {
  readonly ref: ListingRef;
  readonly price: Cents;
  readonly shippingCharge: Cents;
}

/** What the marketplace would keep of a sale at that price. */
export interface FeeEstimate {
  readonly kind: 'fees';
  readonly listingId: number;
  readonly price: Cents;
  /** The commission and what belongs to it. */
  readonly commission: Cents;
  /** Picking, packing and sending from the marketplace's warehouse; null for what the merchant ships. */
  readonly fulfillment: Cents | null;
}

/** What a marketplace says about how a listing does. Null is "it does not say". */
export interface ListingFigures {
  readonly kind: 'figures';
  readonly listingId: number;
  readonly reviewCount: number | null;
  /** Stars, in hundredths: 437 is 4.37. */
  readonly averageRating: number | null;
  readonly salesRank: number | null;
  readonly salesRankCategory: string | null;
  /** Share of page views with our offer in the buy box. */
  readonly buyBoxShare: Bps | null;
}

/**
 * One marketplace. Every answer is read as what a stranger sent; money is whole cents from here on. Methods that a
 * marketplace has nothing for are not there.
 *
 * All of them throw ConnectorError for what concerns the whole call, unless they say otherwise, and end with fault "time"
 * when their signal does. None waits longer for a budget than `HttpLimits.longestWait`.
 */
export interface MarketplaceConnector {
  readonly marketplace: Marketplace;
  /** Where a person gives their consent on a page of the marketplace's. */
  readonly consent?: OAuthConsent;
  /** Asks for next to nothing, to see that the shop answers and takes the credentials. */
  check(account: Account, signal: AbortSignal): Promise<ConnectionReport>;
  /** The whole catalogue, page by page. It returns "part" where the key may not see all of it. */
  readListings(account: Account, signal: AbortSignal): AsyncGenerator<CataloguePage, unknown>;
  /** The offers for these listings, in any order, page by page; each is answered once. */
  readOffers?(
    account: Account,
    refs: readonly ListingRef[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (OfferReading | UnavailableListing)[]>;
  /**
   * Sends prices: the only method here that changes anything. Never throws ConnectorError: one outcome per order, in
   * their order. At most one order per listing. Called from one place alone, see `usecases/marketplaces/sending`.
   */
  sendPrices(
    account: Account,
    orders: readonly PriceOrder[],
    signal: AbortSignal,
  ): Promise<readonly SendOutcome[]>;
  /**
   * How many of so many waiting prices one call of `sendPrices` should take, where it is not a few: a marketplace that
   * takes a file of prices takes many at once. Between 1 and `waiting`.
   * @param urgent how many of them are urgent: these come first
   */
  pricesAtOnce?(waiting: number, urgent: number): number;
  /** What buyers see now; one reading per listing, in their order. With a receipt also what became of that order. */
  readPrices(
    account: Account,
    sent: readonly SentPrice[],
    signal: AbortSignal,
  ): Promise<readonly PriceReading[]>;
  /** Lines of orders that were made or changed since then, page by page; on a page each line once. */
  readSales?(account: Account, since: Instant, signal: AbortSignal): AsyncGenerator<readonly SaleLine[]>;
  estimateFees?(
    account: Account,
    queries: readonly FeeQuery[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (FeeEstimate | UnavailableListing)[]>;
  readFigures?(
    account: Account,
    refs: readonly ListingRef[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (ListingFigures | UnavailableListing)[]>;
}
