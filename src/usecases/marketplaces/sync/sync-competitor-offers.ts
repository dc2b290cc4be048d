import { transact } from '#db/transact.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { ingestSyncedOffers } from './ingest-offers.ts';
import type { SyncDeps, SyncRun } from './sync-deps.ts';
import { type BatchCounts, syncInBatches } from './sync-in-batches.ts';

export interface CompetitorOfferCounts {
  /** Listings whose offers were replaced, and those passed over. */
  readonly read: number;
  readonly unread: number;
  readonly passedOver: number;
  readonly waiting: number;
}

/**
 * Syncs the competitor offers of listings last read before `syncedBefore`.
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncCompetitorOffers(
  deps: SyncDeps,
  { connection: { marketplace, connector, account }, signal, passedOver }: SyncRun,
  syncedBefore: Instant,
  onProgress: (counts: CompetitorOfferCounts) => void,
): Promise<CompetitorOfferCounts> {
  const { readOffers } = connector;
  if (readOffers === undefined) return { read: 0, unread: 0, passedOver: 0, waiting: 0 };
  const queue = { kind: 'offers', marketplace, syncedBefore } as const;
  const counts = await syncInBatches(deps, queue, {
    name: MARKETPLACE_NAMES[marketplace],
    passedOver,
    request: (refs) => readOffers.call(connector, account, refs, signal),
    ingest: async (page) => {
      await transact(deps.db, (tx) => ingestSyncedOffers(tx, marketplace, page, deps.now()));
      return page.filter((each) => each.kind === 'offers').length;
    },
    onProgress: (soFar) => onProgress(countsOf(soFar)),
  });
  return countsOf(counts);
}

function countsOf({ ingested, ...others }: BatchCounts): CompetitorOfferCounts {
  return { read: ingested + others.passedOver, ...others };
}
