import type { Db } from '#db/client.ts';
import {
  type IntendedBy,
  type IntendedMove,
  queueIntents,
} from '#db/queries/marketplaces/sending/queued-prices.ts';
import { insertPriceHistory, type PriceMove } from '#db/queries/repricing/decision-rows.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';

/** A decided and checked price, and how it reaches the marketplace. */
export interface DecidedPrice {
  /** Sent through the API and current once buyers see it. All others are current immediately and uploaded by file. */
  readonly isConnected: boolean;
  readonly move: PriceMove;
}

/** After this, a price that was not sent expires and the listing is repriced. */
export const INTENT_TTL = minutes(10);

/** After this, the repair of an external edit that was not sent expires: a user has to decide. */
export const REPAIR_TTL = hours(24);

/**
 * After this, a listing with an unknown sent price that buyers do not see is repriced: most marketplaces show a price
 * within minutes. The price is still read back, since it may arrive later.
 */
export const CONFIRMATION_TIMEOUT = minutes(15);

/**
 * Applies decided prices, the only place that does: writes them to the ledger, or queues them for sending.
 * @throws a database error with SQLSTATE 40001 when a price changed after the facts were read: decide again
 */
export async function applyDecidedPrices(
  tx: Db,
  taken: readonly DecidedPrice[],
  by: IntendedBy,
): Promise<void> {
  const moves = taken.flatMap(({ isConnected, move }) => (isConnected ? [] : [move]));
  const intended = taken.flatMap(({ isConnected, move }) => (isConnected ? [withFloor(move)] : []));
  await insertPriceHistory(tx, moves, by);
  await queueIntents(tx, intended, by, lastMoment(by));
}

/** Time after which a price that is decided now is no longer sent. */
function lastMoment({ at, source }: IntendedBy): Instant {
  return instant(at + (source === 'repair' ? REPAIR_TTL : INTENT_TTL));
}

function withFloor(move: PriceMove): IntendedMove {
  const { marginFloor } = move;
  if (marginFloor !== null) return { ...move, marginFloor };
  throw new Error(`The price of listing ${move.listingId} was taken without its margin floor.`);
}
