import { LONGEST_CALL } from '#usecases/background/lease.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import type { MarketplaceSender } from './sending-deps.ts';

/** Has the connector finish what a process that was killed, or stopped, left of its last call. Also during a halt. */
export async function finishWrites(
  { deps, heldLease }: MarketplaceSender,
  { connector, account }: Connection,
): Promise<void> {
  if (connector.finishWrites === undefined || (await heldLease.acquireForCall()) === null) return;
  try {
    await connector.finishWrites(account, AbortSignal.timeout(LONGEST_CALL));
  } catch (error) {
    // Prices are sent and read back all the same.
    deps.onUnexpectedError(error);
  }
}
