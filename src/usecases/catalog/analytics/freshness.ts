import type { Db } from '#db/client.ts';
import type { SyncRow } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { syncInterval } from '#usecases/marketplaces/sync/due-syncs.ts';

const MINUTE = 60_000;
/** A figure older than this many check intervals was missed by at least one of them. */
const INTERVALS = 2;

/**
 * Returns when a figure of this moment becomes stale.
 * @param read how the marketplace is synced for it: some kinds are synced less often than prices are checked; null or
 *   undefined where figures come from files
 * @returns a function from and to ISO 8601
 */
export async function staleAfter(
  db: Db,
  read: Pick<SyncRow, 'kind'> | null = null,
): Promise<(fetchedAt: string) => string> {
  const { checkInterval } = await readSettings(db);
  const interval = read === null ? checkInterval * MINUTE : syncInterval(read.kind, checkInterval);
  return (fetchedAt) => new Date(Date.parse(fetchedAt) + INTERVALS * interval).toISOString();
}
