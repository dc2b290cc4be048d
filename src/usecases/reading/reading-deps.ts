import type { Db } from '#db/client.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { Connection } from '#usecases/connections/connections.ts';
import type { Actor } from '#usecases/editor.ts';

/** A price that a marketplace shows, as it was read. */
export interface ShownPrice {
  readonly listingId: number;
  readonly price: Cents;
}

/** What reading a marketplace needs. */
export interface ReadingDeps {
  readonly db: Db;
  readonly now: () => Instant;
  /**
   * Compares prices that were read with those we know, in the caller's transaction, and takes over what somebody
   * changed there.
   * @returns how many it took over
   */
  readonly adoptPrices: (tx: Db, shown: readonly ShownPrice[], now: Instant) => Promise<number>;
}

/** One marketplace to read from, until the signal says that it is enough. */
export interface ReadingOf {
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

/** Written as the actor of what a reading found. */
export const READER: Actor = { id: null, name: 'Pricewright' };
