import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';

/** What actions on listings need from outside. */
export interface ListingDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** A listing that an action skipped, and why. */
export interface Refusal {
  readonly listingId: number;
  readonly sku: string;
  readonly message: string;
}

/** What an action did to some listings. */
export interface BulkActionResult {
  readonly done: number;
  /** Of those, the prices that are sent to their marketplace first. */
  readonly inProgress?: number;
  readonly refused: readonly Refusal[];
}
