import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { Account, ListingRef } from './connector.ts';

/** A listing whose price from which offers of buyers are accepted may be too low. */
export interface RaiseOrder {
  readonly ref: ListingRef;
  /** By the seller's own margins and limits. */
  readonly allowed: AllowedPrices;
  /** What the marketplace refused last, as {@link RaiseOutcome} named it: not requested again. Null for nothing. */
  readonly refused: string | null;
  /** No call leaves later. */
  readonly notAfter: Instant;
}

/** What became of one order. */
export type RaiseOutcome =
  /** The listing shows it now. */
  | { readonly kind: 'raised'; readonly from: Cents; readonly to: Cents }
  /** Nothing to raise: what the listing shows; null where no offers are accepted without the seller. */
  | { readonly kind: 'unneeded'; readonly autoAccept: Cents | null }
  /**
   * Nothing changed. `asked` names what was requested, with all that the answer depends on; null where nothing was. The
   * message is null where the same was refused before.
   */
  | { readonly kind: 'refused'; readonly message: string | null; readonly asked: string | null }
  /** It may have been raised or not: a repeat reads it first. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** Certainly not: too busy, too late, no connection, a sale is running. Milliseconds, or null. */
  | { readonly kind: 'not_sent'; readonly message: string; readonly retryAfter: number | null };

/** Raising the price from which a marketplace accepts offers of buyers without the seller. No price changes by it. */
export interface BestOfferLimits {
  /** Whether the seller asked for it. */
  isWanted(account: Account): boolean;
  /**
   * Reads the listing, raises it where it is too low, and reads the listing again. Called from
   * `usecases/marketplaces/sending` only. Never throws ConnectorError.
   */
  raise(account: Account, order: RaiseOrder, signal: AbortSignal): Promise<RaiseOutcome>;
}
