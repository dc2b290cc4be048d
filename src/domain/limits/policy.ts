import type { SellerKey } from '#domain/competition/offer.ts';
import type { Weekday } from '#domain/lines/line.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Instant, type Millis } from '#domain/units.ts';

/**
 * What the engine may do on a marketplace: apply prices, or only recommend them, because of the mode, because the
 * connection is off, or because sending prices is turned off.
 */
export type RepricingMode = 'live' | 'recommend_only' | 'paused' | 'read_only';

/** A time where the shop is. */
export interface LocalTime {
  /** 0 to 1,439. */
  readonly minuteOfDay: number;
  /** Monday is 1. */
  readonly weekday: Weekday;
  /** YYYY-MM-DD */
  readonly day: string;
}

/** The limits and switches of one marketplace at one time. */
export interface Policy {
  readonly now: Instant;
  /** The same time where the shop is; null if its time zone is not known. */
  readonly local: LocalTime | null;
  /** Offers and readings older than this do not count. */
  readonly maxOfferAge: Millis;
  /** The same for offers on other channels, where it is another time there. */
  readonly otherOfferAges: Readonly<Partial<Record<Marketplace, Millis>>>;
  /** The step limit as a share of the current price. */
  readonly maxStep: Bps;
  /** The daily limit as a share of the price 24 hours ago. */
  readonly maxDailyChange: Bps;
  /** Whether a target that leaves less than a lower allowed price is given up for that one. */
  readonly avoidBandEdges: boolean;
  /** Smaller changes are skipped. */
  readonly minStep: Cents;
  /** Minimum time between two automatic changes of a listing. */
  readonly cooldown: Millis;
  /** The number of cuts against one competitor within 24 hours that makes a price war. */
  readonly priceWarThreshold: number;
  /** How long repricing pauses in a price war. */
  readonly priceWarPause: Millis;
  /** Our seller names on this marketplace and, for rules that use other channels, on those. */
  readonly ownSellers: ReadonlySet<SellerKey>;
  /**
   * Whether our seller names are set or the source marks our offers, for rules that use other channels on those
   * too. Without it, prices based on competitors are only recommended.
   */
  readonly areOwnSellersKnown: boolean;
  readonly mode: RepricingMode;
  readonly halted: boolean;
  /** The global switch. */
  readonly autoRepricing: boolean;
  /** Whether prices may change that are based on a fulfillment fee estimated from size and weight. */
  readonly areFeeEstimatesAccepted: boolean;
}

/** The age up to which an offer on a channel counts. */
export function maxOfferAgeOn(channel: Marketplace, { maxOfferAge, otherOfferAges }: OfferAges): Millis {
  return otherOfferAges[channel] ?? maxOfferAge;
}

type OfferAges = Pick<Policy, 'maxOfferAge' | 'otherOfferAges'>;

/** The limits of a new installation, without `now`, own sellers and switches. */
export const DEFAULT_LIMITS = {
  maxOfferAge: hours(24),
  otherOfferAges: {},
  maxStep: 1_500 as Bps,
  maxDailyChange: 3_000 as Bps,
  avoidBandEdges: true,
  minStep: 1 as Cents,
  cooldown: hours(0),
  priceWarThreshold: 6,
  priceWarPause: hours(6),
} as const satisfies Partial<Policy>;
