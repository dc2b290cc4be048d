import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Millis } from '#domain/units.ts';

/** What a marketplace allows for reading competitors, and how much of it is used for that. */
export interface OfferBudget {
  /** Calls a day that the marketplace allows. */
  readonly limit: number;
  /** Calls a day of those that are used: the others are left to other programs and other questions. */
  readonly used: number;
  /** The most listings that one call answers for. */
  readonly listingsPerCall: number;
  /** Whether the marketplace documents its limit; else it was seen, or is assumed. */
  readonly isDocumented: boolean;
  /** Where the limit is from. */
  readonly source: string;
}

/** The budgets; null where competitors cannot be read. */
export const OFFER_BUDGETS = {
  // 100 calls a minute; four fifths of them.
  walmart: {
    limit: 144_000,
    used: 115_200,
    listingsPerCall: 25,
    isDocumented: false,
    source: 'https://developer.walmart.com/us-marketplace/docs/rate-limiting',
  },
  // 0.5 calls a second; four fifths of them.
  amazon: {
    limit: 43_200,
    used: 34_560,
    listingsPerCall: 20,
    isDocumented: true,
    source: 'https://developer-docs.amazon.com/sp-api/docs/usage-plans-and-rate-limits',
  },
  michaels: null,
  // Four fifths of the limit; of these a tenth for reviews.
  ebay: {
    limit: 5_000,
    used: 3_600,
    listingsPerCall: 1,
    isDocumented: true,
    source: 'https://developer.ebay.com/develop/get-started/api-call-limits',
  },
  etsy: null,
  shopify: null,
} as const satisfies Readonly<Record<Marketplace, OfferBudget | null>>;

const DAY = hours(24);

/**
 * How long it takes to read the competitors of each listing once by the budget alone.
 * @param listings 0 or more
 * @returns null where competitors cannot be read
 */
export function offerRound(marketplace: Marketplace, listings: number): Millis | null {
  const budget = OFFER_BUDGETS[marketplace];
  if (budget === null) return null;
  return Math.ceil((Math.ceil(listings / budget.listingsPerCall) / budget.used) * DAY) as Millis;
}

/** Readings older than this never decide a price, however large the catalog. */
const LONGEST_AGE = hours(72);
/** From this share of the maximum age on, listings are read out of turn: a round has to fit below it. */
const ROUND_SHARE = 0.8;
/** Few steps: every change of the age has the listings of the marketplace decided again. */
const AGE_STEP = hours(6);

/**
 * The shortest maximum offer age in which the budget reads every listing, in steps of six hours and 72 hours at most.
 * @param listings 0 or more
 * @returns null where competitors cannot be read
 */
export function reachableOfferAge(marketplace: Marketplace, listings: number): Millis | null {
  const round = offerRound(marketplace, listings);
  if (round === null) return null;
  return Math.min(LONGEST_AGE, Math.ceil(round / ROUND_SHARE / AGE_STEP) * AGE_STEP) as Millis;
}
