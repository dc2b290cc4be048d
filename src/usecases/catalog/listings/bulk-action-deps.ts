import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';

/** What everything that people do to listings needs from outside. */
export interface ActDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** A listing that an act left out, and why. */
export interface Refusal {
  readonly listingId: number;
  readonly sku: string;
  readonly message: string;
}

/** What an act did to some listings. */
export interface ActResult {
  readonly done: number;
  /** Of those, the prices that are sent to their marketplace first. */
  readonly onItsWay?: number;
  readonly refused: readonly Refusal[];
}
