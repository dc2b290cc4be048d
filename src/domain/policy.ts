import type { SellerKey } from './offer.ts';
import { type Bps, type Cents, hours, type Instant, type Millis } from './units.ts';

/**
 * What the engine may do on a marketplace: change prices, only look, only look because the connection is off, or because
 * nobody has let prices be sent there.
 */
export type RepricingMode = 'live' | 'recommend_only' | 'paused' | 'read_only';

/** The limits and switches in force for one marketplace at one moment. */
export interface Policy {
  readonly now: Instant;
  /** Offers older than this do not count. */
  readonly maxOfferAge: Millis;
  /** Most that one step may move a price, as a share of the current price. */
  readonly maxStep: Bps;
  /** Most that 24 hours may move a price, as a share of the price 24 hours ago. */
  readonly maxDailyChange: Bps;
  /** Smaller moves are not worth a change. */
  readonly minStep: Cents;
  /** Least time between two changes of one listing by the engine. */
  readonly cooldown: Millis;
  /** Lowered this often in 24 hours against one competitor is a price war. */
  readonly priceWarThreshold: number;
  /** How long repricing pauses in a price war. */
  readonly priceWarPause: Millis;
  /** Sellers that are us: on this marketplace and, where a rule looks at other channels, on those. */
  readonly ownSellers: ReadonlySet<SellerKey>;
  /**
   * Somebody declared our own sellers here, or the source marks our offers; where a rule looks at other
   * channels, on those too. Without it nothing competitive is changed.
   */
  readonly areOwnSellersKnown: boolean;
  readonly mode: RepricingMode;
  readonly halted: boolean;
  /** The global switch. */
  readonly autoRepricing: boolean;
}

/** The limits of a new install. `now`, own sellers and switches are the caller's. */
export const DEFAULT_LIMITS = {
  maxOfferAge: hours(24),
  maxStep: 1_500 as Bps,
  maxDailyChange: 3_000 as Bps,
  minStep: 1 as Cents,
  cooldown: hours(0),
  priceWarThreshold: 6,
  priceWarPause: hours(6),
} as const satisfies Partial<Policy>;
