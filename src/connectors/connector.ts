import type { ReadCoverage } from '#domain/competition/competition.ts';
import type { FeaturedPrice } from '#domain/competition/featured-price.ts';
import type { ListingChannel } from '#domain/connections/listing-channel.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { MoneyPage } from '#domain/money/money-event.ts';
import type { ReadingSource } from '#domain/readings/assess-reading.ts';
import type { BusinessOffer, UnitPrice } from '#domain/sending/business-prices.ts';
import type { SendPauseReason } from '#domain/sending/send-pause.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { BestOfferLimits } from './auto-accept-raises.ts';
import type { ListingMigration } from './listing-migration.ts';
import type { OAuthConsent } from './oauth-consent.ts';
import type { UnreadableRow } from './passed-over.ts';
import type { TokenVault } from './token-vault.ts';

/** Access to one store on one marketplace: the credentials a user entered, and the tokens fetched with them. */
export interface Account {
  /** Plain texts by their names in the settings, without those that are not set. Never logged. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly tokens: TokenVault;
  /** What trying out found about the account; absent where nothing is kept, and then it is tried out again. */
  readonly findings?: AccountFindings;
}

/** What trying out found about an account, for every process that works with it. Never a secret. */
export interface AccountFindings {
  /** Null where there is none, or it is no longer valid: it expired, or the account changed. */
  read(name: string): Promise<unknown>;
  /**
   * @param value as JSON can hold it
   * @param until null: as long as the account stays the same
   */
  write(name: string, value: unknown, until: Instant | null): Promise<void>;
}

/** Identifies one of our listings, here and on the marketplace. */
export interface ListingRef {
  /** Our ID. */
  readonly listingId: number;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  /** The marketplace's ID of the item: ASIN, item ID, listing ID. */
  readonly itemId: string | null;
  /** Further IDs that calls need, as `readListings` returned them (product type, offer ID, product ID). */
  readonly keys: Readonly<Record<string, string>>;
}

/** Result of `check`. */
export interface ConnectionReport {
  /** The name of the store on the marketplace; null where it is not available. */
  readonly shopName: string | null;
  /** Notes that are not errors: a missing permission, a key that expires soon. One sentence each. */
  readonly notes: readonly string[];
  /** When the credentials expire and a user must enter new ones; null when they do not, or it is unknown. */
  readonly endsAt: Instant | null;
}

/** A listing as the marketplace has it. Null is unknown, never zero. */
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
  /** What the marketplace names in place of a price in whole cents, such as "19.995"; then the price is null. */
  readonly priceNotInCents?: string;
  /** FBM, too, only if the marketplace says so; null when it does not: then the shipping cost is unknown. */
  readonly fulfillmentType: FulfillmentType | null;
  /** Units available for sale; undefined when the call that reports them failed. */
  readonly quantity: number | null | undefined;
  /** Whether buyers can see it. */
  readonly isActive: boolean;
  /**
   * Why its price must not be changed from here (a promotion is active, another repricer sets it); null when it may
   * be; undefined when the marketplace does not say.
   */
  readonly notRepriceableReason: string | null | undefined;
  /** When that reason ends; null or absent where the marketplace does not report. */
  readonly notRepriceableUntil?: Instant | null;
  /** `sendPrices` sends the price of a user who was shown that reason and confirmed. */
  readonly isReasonConfirmable?: boolean;
  /** The seller's own limits of its price there; null for none, absent where the marketplace does not say. */
  readonly priceLimits?: MarketplaceLimits | null;
  /** Offers of buyers at or above it are accepted without the seller; null for none, absent where it is not reported. */
  readonly autoAcceptPrice?: Cents | null;
  /** The seller's prices for business buyers; null for none, absent where the marketplace does not say. */
  readonly businessOffer?: BusinessOffer | null;
  readonly keys: Readonly<Record<string, string>>;
  /** Absent where the marketplace has one way only. */
  readonly channel?: ListingChannel;
  /** Why nothing can price it there, so that users can do something about it; only with the channel `read_only`. */
  readonly readOnly?: 'auction' | 'other_currency';
  /**
   * Names the listings of the catalog that the marketplace gives one price, 1 to 200 characters, the same for all of them;
   * null where it has a price of its own, absent where no listings share one there.
   */
  readonly groupKey?: string | null;
  /** Its product type, 1 to 200 characters; absent when the marketplace reports none. */
  readonly productType?: string;
  /** Its category with the ancestors from the top, "11450/15709", 1 to 200 characters; absent when it reports none. */
  readonly categoryPath?: string;
}

/** An entry of the marketplace's catalog that we cannot import. */
export type SkippedListing = UnfitListing | UnreadableRow;

/** One that was read, and is not for us to price. */
interface UnfitListing {
  readonly kind: 'passed_over';
  /** Its SKU, else its title or ID. */
  readonly what: string;
  readonly why: 'no_sku' | 'no_label' | 'other_currency' | 'repeated' | 'not_ours_to_price';
}

/** A page of a catalog. */
export interface CatalogPage {
  /**
   * By our own clock: the time before these entries were requested; for a document, before its creation was
   * requested. A price changed after that may still be the old one here.
   */
  readonly asOf: Instant;
  /** Where these entries are from: a report may be behind a list, and both are behind the items. */
  readonly source: Extract<ReadingSource, 'list' | 'document'>;
  readonly entries: readonly (MarketplaceListing | SkippedListing)[];
}

/** How a reading of the catalog ended. */
export interface CatalogEnd {
  /** The credentials may see only part of the catalog, or it may have lost some: what is not in it may still exist. */
  readonly isPart?: true;
  /** Null where the marketplace names no total. */
  readonly total: CatalogTotal | null;
  /** What could not be read besides the listings themselves. */
  readonly unavailable: readonly UnavailablePart[];
  /** Other lists in which the seller set fixed prices: our prices do not reach them. */
  readonly fixedPriceLists?: readonly FixedPriceList[];
}

/** A list with prices of its own for some customers, such as a market or business customers. */
export interface FixedPriceList {
  readonly name: string;
  /** Prices in it that do not follow those of the listings, 1 or more. */
  readonly fixed: number;
  /** Prices that it could have: one per variant of the store. */
  readonly of: number;
}

/** The smallest total that the marketplace named, and how many entries came. */
export interface CatalogTotal {
  readonly told: number;
  readonly came: number;
}

/** A further call whose facts are missing from a catalog: those known before stay. */
export interface UnavailablePart {
  /** Goes on after "Could not read": "the pricing insights". */
  readonly what: string;
  /** One sentence for users. */
  readonly why: string;
}

/** One offer for the item of a listing, including ours where the marketplace returns it. */
export interface MarketOffer {
  /** Name or ID as the marketplace shows it; null when it does not. */
  readonly sellerName: string | null;
  /** The seller is the marketplace itself. */
  readonly isMarketplace: boolean;
  readonly isOurs: boolean;
  readonly price: Cents;
  /** What the buyer pays for shipping. */
  readonly shipping: Cents;
  readonly fulfillmentType: FulfillmentType | null;
  /** Has the buy box. */
  readonly isFeatured: boolean;
  /** Share of positive ratings, 0 to 100 percent. */
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  readonly handlingDays: number | null;
}

/**
 * The offers that the marketplace shows for one listing at one time. An empty list means that there is no offer: a response
 * that does not show all offers and none of a competitor is {@link UnavailableListing}.
 */
export interface OfferReading {
  readonly kind: 'offers';
  readonly listingId: number;
  readonly seenAt: Instant;
  readonly offers: readonly MarketOffer[];
  readonly coverage: ReadCoverage;
  /** The response reports that offers could hold the buy box and none does; absent where it does not report. */
  readonly isBoxSuppressed?: true;
  /** An offer of the response that could not be read, the first of them; the others are taken. */
  readonly row?: UnreadableRow;
  /** Our item price as the same response shows it, where it says whether the response is of the present; else absent. */
  readonly ourPrice?: Cents;
}

/** A listing whose figures could not be read, unlike others of the same call. */
export interface UnavailableListing {
  readonly kind: 'unread';
  readonly listingId: number;
  /** One sentence for users. */
  readonly why: string;
  /** The row of the response, where that was the cause. */
  readonly row?: UnreadableRow;
}

/** Prices for business buyers to send with a price, each only where the seller has one there. */
export interface BusinessOrder {
  /** Of one unit; null where businesses pay the regular price. */
  readonly price: Cents | null;
  /** All tiers, by rising quantity; empty: those that are there stay. */
  readonly tiers: readonly UnitPrice[];
  /** The quantities of all tiers that are known: one that is not was just entered by the seller, and stays. */
  readonly known: readonly number[];
}

/** A price to send to the marketplace. */
export interface PriceOrder {
  readonly ref: ListingRef;
  readonly price: Cents;
  /** The price in force here, which buyers should see. */
  readonly currentPrice: Cents;
  /** Other prices that buyers may still or already see by our doing: those of the last 24 hours, and those on their way. */
  readonly ownPrices: readonly Cents[];
  /** Prices that a list shows and the item, several times, did not: in a list they stop nothing. Absent: none. */
  readonly ignoredPrices?: readonly Cents[];
  /**
   * The reason not to change this price (`MarketplaceListing.notRepriceableReason`) that the user who set it was shown and
   * confirmed. Absent or null: none, as for all prices of the engine. Another reason stops the price.
   */
  readonly pastReason?: string | null;
  /** As the catalog named the listings that share the price (`MarketplaceListing.groupKey`); null for none. */
  readonly groupKey?: string | null;
  /** Prices for business buyers that follow this price; absent or null where they are left as they are. */
  readonly business?: BusinessOrder | null;
  /** Rises with every order of a listing. */
  readonly sequence: number;
  /** Goes out where the marketplace takes one. */
  readonly idempotencyKey: string;
  /** A manual price, or one that ends a price below the margin floor: it is sent the fastest way available. */
  readonly isUrgent: boolean;
  /** Never sent after that time, because the decision is too old by then. */
  readonly notAfter: Instant;
}

/** Where a listing turned out to be, unlike what its keys say. */
export interface ListingPlace {
  readonly channel: ListingChannel;
  readonly keys: ListingRef['keys'];
}

/** The result of sending one order. */
export type SendOutcome = {
  readonly listingId: number;
  /** Found while it was sent: from now on it is sent that way. */
  readonly moved?: ListingPlace;
} & (
  | {
      /** Accepted, and visible to buyers some time later. */
      readonly kind: 'accepted';
      /** The ID for asking the marketplace about it; null when there is none. */
      readonly receipt: string | null;
      /** Milliseconds within which the marketplace says nothing of it, nor shows it; absent: a minute. */
      readonly shownAfter?: number;
    }
  /** The response itself contains the price that buyers now see. */
  | { readonly kind: 'live'; readonly price: Cents }
  /**
   * Refused, with the marketplace's code or the HTTP status; null for a reason of ours. Final where the code is one of
   * {@link MarketplaceConnector.finalRefusals}, or null.
   */
  | { readonly kind: 'rejected'; readonly message: string; readonly code: string | null }
  /** It may have been applied or not: read the price before anything else is sent. */
  | { readonly kind: 'unknown'; readonly message: string }
  /**
   * Not sent, because of what the marketplace showed right before. The price itself was not refused. One sentence says
   * why.
   */
  | { readonly kind: 'stopped'; readonly message: string; readonly found: FoundBeforeSending }
  /** Certainly not applied: too busy, too late, no connection, no valid key. */
  | {
      readonly kind: 'not_sent';
      readonly message: string;
      readonly retryAfter: number | null;
      /** The cause is this order or its route only: no reason to pause the marketplace. */
      readonly othersMayGo?: true;
      /** Calls are kept for a price that ends a loss: one of this listing goes all the same. */
      readonly urgentMayGo?: true;
      /** A limit or state that passes, for longer than a price waits: it is decided again then. */
      readonly why?: SendPauseReason;
      /** When it passes, if the marketplace reports it. */
      readonly until?: Instant | null;
    }
);

/** A refusal that is found when a price is read back: what `sendPrices` would have returned for it. */
export type FoundRefusal =
  | Omit<Extract<SendOutcome, { readonly kind: 'rejected' }>, 'listingId' | 'moved'>
  /** It passes. */
  | ({ readonly kind: 'not_sent' } & Required<
      Pick<Extract<SendOutcome, { readonly kind: 'not_sent' }>, 'message' | 'why' | 'until'>
    >);

/** Why a price was not sent after all. */
export type FoundBeforeSending =
  /** The listing must not be repriced from here: the message is its `notRepriceableReason`. */
  | { readonly kind: 'not_repriceable'; readonly until?: Instant | null; readonly isConfirmable?: boolean }
  /** The price is outside of the seller's own limits there. */
  | { readonly kind: 'outside_limits'; readonly limits: MarketplaceLimits }
  /**
   * Buyers see a price that is not of our doing, or a list shows one, which proves nothing yet. `readAt` is by our clock,
   * before it was requested.
   */
  | {
      readonly kind: 'other_price';
      readonly price: Cents;
      readonly readAt: Instant;
      readonly source: Extract<ReadingSource, 'item' | 'list'>;
    }
  /** Other listings share its price than the catalog showed: decided again when it is read again. */
  | { readonly kind: 'regrouped' };

/** A sent order to be read back, or a price in force to compare with what the item shows. */
export interface SentPrice {
  readonly ref: ListingRef;
  readonly price: Cents;
  /** Null where the marketplace gave none, and for a price in force. */
  readonly receipt: string | null;
  /** For a price in force: when it is read. */
  readonly sentAt: Instant;
  /** It should have been confirmed long ago and is not read again: refusals found now count. */
  readonly isLastLook: boolean;
}

/** What buyers see of a listing now. */
export type PriceReading = { readonly listingId: number } & (
  | {
      readonly kind: 'price';
      readonly price: Cents;
      /** `item` unless the marketplace could only be asked for a list with the listing in it. */
      readonly source: Extract<ReadingSource, 'item' | 'list'>;
      /** That the sent price was refused; null when it was not, or is what the item shows. */
      readonly refusal: FoundRefusal | null;
      /** The order behind the receipt failed for a reason that does not concern its price: one sentence. */
      readonly failure?: string;
    }
  /** The listing no longer exists. */
  | { readonly kind: 'missing' }
  /** May succeed later: one sentence. */
  | { readonly kind: 'unreadable'; readonly message: string }
);

/** How often single listings may be read with {@link MarketplaceConnector.readPrices}. */
export interface ItemReads {
  /** On average, as our share of the marketplace's limit. */
  readonly callsPerSecond: number;
  /** Listings in one call. */
  readonly listingsPerCall: number;
}

/** One line of an order. Reading the same line again returns the same ID. */
export interface SaleLine {
  readonly externalId: string;
  /** The order at its marketplace. */
  readonly orderRef: string;
  /** The place of the line in its order, from 1. */
  readonly lineNumber: number;
  readonly sku: string | null;
  readonly itemId: string | null;
  readonly soldAt: Instant;
  /** 1 or more. */
  readonly quantity: number;
  readonly unitPrice: Cents;
  /** What the buyer paid for the line, without tax and shipping. */
  readonly revenue: Cents;
  /** What the buyer paid for shipping the line, less discounts, without tax; null where it is not reported. */
  readonly shippingRevenue: Cents | null;
  /** The marketplace's fee; null when it is not available yet. */
  readonly fees: Cents | null;
  /** The line is canceled: its record is deleted. */
  readonly isCancelled: boolean;
  /**
   * All of it was paid back, without a cancellation: it is a sale once its payment is booked as money, since the refund is
   * booked too.
   */
  readonly isRefunded?: true;
  /** Units that came back into stock, and when the last of them did; absent where the marketplace does not report, or none did. */
  readonly restocked?: { readonly units: number; readonly at: Instant };
}

export interface FeeQuery {
  readonly ref: ListingRef;
  readonly price: Cents;
  readonly shippingCharge: Cents;
}

/** One fee of an estimate. */
export interface FeePart {
  /** `closing` is a fixed fee of each unit; `other` is a fee that we know only by its name. */
  readonly kind: 'commission' | 'closing' | 'fulfillment' | 'other';
  /** The marketplace's name of it, 1 to 100 characters. */
  readonly name: string;
  /** The regular amount, before any promotion. */
  readonly amount: Cents;
  /** What a promotion takes off it at present. */
  readonly promotion: Cents;
}

/** What the marketplace says it takes to become the featured offer of a listing. */
export interface FeaturedPriceReading extends FeaturedPrice {
  readonly kind: 'featured_price';
  readonly listingId: number;
}

/** What the marketplace would charge for a sale of one unit, each kind and name once. */
export interface FeeEstimate extends Pick<FeeQuery, 'price' | 'shippingCharge'> {
  readonly kind: 'fees';
  readonly listingId: number;
  readonly parts: readonly FeePart[];
}

/**
 * An estimate whose amounts must not be used: in another currency, below zero, not an amount at all, for another SKU,
 * price or fulfillment than requested, or with parts that do not add up to the total.
 */
export interface UnusableFees extends Pick<FeeQuery, 'price' | 'shippingCharge'> {
  readonly kind: 'unusable_fees';
  readonly listingId: number;
  readonly because: 'currency' | 'negative' | 'unreadable' | 'other_question' | 'wrong_total';
}

/** The marketplace's figures of a listing. Null is "not available". */
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
 * One marketplace. Every response is treated as untrusted input; money is whole cents from here on. Methods that a
 * marketplace does not support are missing.
 *
 * All of them throw ConnectorError for errors of the whole call, unless documented otherwise, and end with fault
 * "time" when their signal is aborted. None waits longer for a budget than `HttpLimits.longestWait`.
 */
export interface MarketplaceConnector {
  readonly marketplace: Marketplace;
  /** Codes of refusals that a repeat would meet again; after any other one the price is tried again. */
  readonly finalRefusals: ReadonlySet<string>;
  /** Authorization on a page of the marketplace. */
  readonly consent?: OAuthConsent;
  /** Moving listings into another model of the marketplace, where a seller may ask for that. */
  readonly migration?: ListingMigration;
  /** Raising what a seller accepts of buyers' offers, where a seller may ask for that. */
  readonly bestOffers?: BestOfferLimits;
  /** A minimal request that checks whether the store responds and accepts the credentials. */
  check(account: Account, signal: AbortSignal): Promise<ConnectionReport>;
  /**
   * The catalog, page by page. An entry that cannot be read is passed over, and a further call that fails is named at
   * the end: neither stops the others.
   */
  readListings(account: Account, signal: AbortSignal): AsyncGenerator<CatalogPage, CatalogEnd>;
  /**
   * The most listings that one call of `readOffers` or `readFigures` should name, where that is more than some pages: of a
   * marketplace that lists all items the answer takes the same requests for a hundred and for all. Absent: 200.
   */
  readonly listingsAtOnce?: number;
  /** The offers for these listings, in any order, page by page; each listing is returned once. */
  readOffers?(
    account: Account,
    refs: readonly ListingRef[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (OfferReading | UnavailableListing)[]>;
  /** What it takes to become the featured offer; each listing is returned once. */
  readFeaturedPrices?(
    account: Account,
    refs: readonly ListingRef[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (FeaturedPriceReading | UnavailableListing)[]>;
  /**
   * Sends prices: with `migration`, `bestOffers` and `finishWrites` the only method here that changes anything. Never throws ConnectorError: one outcome per order,
   * in their order. At most one order per listing. Listings that share a price come in one call. Called from `usecases/marketplaces/sending` only.
   */
  sendPrices(
    account: Account,
    orders: readonly PriceOrder[],
    signal: AbortSignal,
  ): Promise<readonly SendOutcome[]>;
  /**
   * Reads, for some seconds at most, what the waiting prices are checked against right before they are sent. Called
   * before each call of `sendPrices`. Throws no ConnectorError.
   * @returns false until all of it is read: until then only urgent prices go
   */
  prepareToSend?(account: Account, waiting: number, signal: AbortSignal): Promise<boolean>;
  /**
   * Finishes what earlier calls of `sendPrices` kept as the finding `unfinished_writes`, as those of a process that was
   * killed: sets right what else a write changed. Throws no ConnectorError.
   */
  finishWrites?(account: Account, signal: AbortSignal): Promise<void>;
  /**
   * How many of the waiting prices one call of `sendPrices` should take, where that is not the default: a
   * marketplace that accepts a file of prices takes many in one call. Between 1 and `waiting`.
   * @param urgent how many of them are urgent: these come first
   */
  pricesAtOnce?(waiting: number, urgent: number): number;
  readonly itemReads: ItemReads;
  /** What buyers see now; one reading per listing, in their order. With a receipt also the result of that order. */
  readPrices(
    account: Account,
    sent: readonly SentPrice[],
    signal: AbortSignal,
  ): Promise<readonly PriceReading[]>;
  /** Order lines that were created or changed after that time, page by page; each line at most once per page. */
  readSales?(
    account: Account,
    since: Instant,
    signal: AbortSignal,
  ): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]>;
  /** One response per query, in their order; the same listing may be requested at several prices. */
  estimateFees?(
    account: Account,
    queries: readonly FeeQuery[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (FeeEstimate | UnusableFees | UnavailableListing)[]>;
  /**
   * What the marketplace booked in that time, page by page; the same amount has the same ID on overlapping pages. An
   * amount that cannot be taken is reported as refused and stops nothing. Throws fault "permission" where the key may not
   * read it, naming the right to grant.
   */
  readMoney?(
    account: Account,
    window: { readonly since: Instant; readonly until: Instant },
    signal: AbortSignal,
  ): AsyncGenerator<MoneyPage>;
  readFigures?(
    account: Account,
    refs: readonly ListingRef[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly (ListingFigures | UnavailableListing)[]>;
}
