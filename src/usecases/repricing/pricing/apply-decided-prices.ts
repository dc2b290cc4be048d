import type { Db } from '#db/client.ts';
import { type IntendedBy, type IntendedMove, queueIntents } from '#db/queries/marketplaces/price-intents.ts';
import { insertPriceHistory, type PriceMove } from '#db/queries/repricing/write-decisions.ts';
import { type Instant, instant, minutes } from '#domain/units.ts';

/** A price that was decided and checked, and which way it goes. */
export interface DecidedPrice {
  /** Sent by a call: in force once buyers see it. All others are in force at once, and leave by file. */
  readonly isConnected: boolean;
  readonly move: PriceMove;
}

/** A price that was not sent by then is decided anew. */
export const INTENT_TTL = minutes(10);

/**
 * A price of which nobody knows whether it left is decided anew when buyers do not see it after that: most marketplaces
 * show one within minutes. It is looked for all the same, since it may still come.
 */
export const CONFIRMATION_TIMEOUT = minutes(15);

/**
 * The one way of a decided price, by whomever: into the ledger, or on its way to the marketplace.
 * @throws a database error with SQLSTATE 40001 when a price moved since the facts were read: decide anew
 */
export async function applyDecidedPrices(
  tx: Db,
  taken: readonly DecidedPrice[],
  by: IntendedBy,
): Promise<void> {
  const moves = taken.flatMap(({ isConnected, move }) => (isConnected ? [] : [move]));
  const intended = taken.flatMap(({ isConnected, move }) => (isConnected ? [withFloor(move)] : []));
  await insertPriceHistory(tx, moves, by);
  await queueIntents(tx, intended, by, lastMoment(by.at));
}

/** The moment after which a price that was decided now is no longer sent. */
function lastMoment(decidedAt: Instant): Instant {
  return instant(decidedAt + INTENT_TTL);
}

function withFloor(move: PriceMove): IntendedMove {
  const { marginFloor } = move;
  if (marginFloor !== null) return { ...move, marginFloor };
  throw new Error(`The price of listing ${move.listingId} was taken without its margin floor.`);
}
