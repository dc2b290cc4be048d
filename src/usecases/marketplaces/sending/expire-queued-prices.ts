import type { Db } from '#db/client.ts';
import { expireQueuedOf } from '#db/queries/marketplaces/sending/unsent-prices.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { INTENT_TTL } from '#usecases/repricing/pricing/apply-decided-prices.ts';

/** Listings whose queued price was given up. */
export interface ExpiredPrices {
  /** By a halt; resuming has them decided again. */
  readonly stopped: readonly number[];
  /** Because the marketplace is not connected, or since they waited longer than a price is valid. */
  readonly expired: readonly number[];
}

/**
 * Gives up prices that wait to be sent: while repricing is halted all but those that a user confirmed during this halt,
 * without a connection all of them, and otherwise the ones that waited too long. Prices marked as sent are not touched.
 * @param obstacle why no price can be sent to the marketplace now; null when it is connected
 */
export async function expireQueuedPrices(
  tx: Db,
  marketplace: Marketplace,
  obstacle: string | null,
  now: Instant,
): Promise<ExpiredPrices> {
  const expire = (which: Parameters<typeof expireQueuedOf>[2], why: string): Promise<number[]> =>
    expireQueuedOf(tx, marketplace, which, why, now);
  const { halted, changedAt } = await readEngineSwitches(tx);
  const stopped = halted ? await expire({ stoppedBy: changedAt }, 'Not sent: repricing was halted.') : [];
  const expired =
    obstacle === null
      ? await expire({ life: INTENT_TTL }, 'The price waited too long to be sent.')
      : await expire('all', obstacle);
  return { stopped, expired };
}
