import type { Instant } from '#domain/units.ts';
import type { Account, ListingPlace, ListingRef } from './connector.ts';

/** A listing of the marketplace to move into its other model, with those of ours that it holds (its variations). */
export interface MigrationOrder {
  readonly itemId: string;
  readonly refs: readonly ListingRef[];
}

/** What became of one order. */
export type MigrationOutcome = { readonly itemId: string } & (
  | {
      readonly kind: 'migrated';
      /** Where each of our listings is now. One that is absent here is found when its next price is sent. */
      readonly places: readonly { readonly listingId: number; readonly place: ListingPlace }[];
    }
  /** Nothing changed. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It may have been migrated or not: read it back. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** Certainly not: too busy, too late, no connection, no valid key. */
  | { readonly kind: 'not_sent'; readonly message: string; readonly retryAfter: number | null }
);

/** Moving listings into another model of the marketplace, for good. No price changes by it. */
export interface ListingMigration {
  /** Listings of the marketplace in one call. */
  readonly atOnce: number;
  /**
   * Moves them. Called from `usecases/marketplaces/sending` only, at most `atOnce` at a time. Never throws ConnectorError:
   * one outcome per order, in their order.
   * @param notAfter no call leaves later
   */
  migrate(
    account: Account,
    orders: readonly MigrationOrder[],
    notAfter: Instant,
    signal: AbortSignal,
  ): Promise<readonly MigrationOutcome[]>;
  /** What became of an order whose response was lost; `unknown` again where that cannot be read. Never throws ConnectorError. */
  readBack(account: Account, order: MigrationOrder, signal: AbortSignal): Promise<MigrationOutcome>;
}
