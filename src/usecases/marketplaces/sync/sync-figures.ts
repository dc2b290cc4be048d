import type { ListingFigures } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { writeFigures } from '#db/queries/marketplaces/sync/marketplace-figures.ts';
import { transact } from '#db/transact.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { SyncDeps, SyncRun } from './sync-deps.ts';
import { type BatchCounts, syncInBatches } from './sync-in-batches.ts';

export interface FigureCounts {
  readonly read: number;
  readonly unread: number;
  readonly passedOver: number;
  readonly waiting: number;
}

/**
 * Syncs sales rank, rating and buy box share of listings last read before `syncedBefore`.
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncFigures(
  deps: SyncDeps,
  { connection: { marketplace, connector, account }, signal, passedOver }: SyncRun,
  syncedBefore: Instant,
  onProgress: (counts: FigureCounts) => void,
): Promise<FigureCounts> {
  const { readFigures } = connector;
  if (readFigures === undefined) return { read: 0, unread: 0, passedOver: 0, waiting: 0 };
  const queue = { kind: 'figures', marketplace, syncedBefore } as const;
  const counts = await syncInBatches(deps, queue, {
    name: MARKETPLACE_NAMES[marketplace],
    passedOver,
    atOnce: connector.listingsAtOnce,
    request: (refs) => readFigures.call(connector, account, refs, signal),
    ingest: async (page) => {
      const figures = page.filter((each) => each.kind === 'figures');
      await storeFigures(deps, figures);
      return figures.length;
    },
    onProgress: (soFar) => onProgress(countsOf(soFar)),
  });
  return countsOf(counts);
}

function countsOf({ ingested, ...others }: BatchCounts): FigureCounts {
  return { read: ingested + others.passedOver, ...others };
}

async function storeFigures({ db, now }: SyncDeps, figures: readonly ListingFigures[]): Promise<void> {
  if (figures.length === 0) return;
  await transact(db, async (tx) => {
    await writeFigures(tx, figures.map(rowOf), now());
    await notify(tx, 'pricewright_listings', []);
  });
}

function rowOf(figures: ListingFigures): TextRow {
  const { listingId, reviewCount, averageRating, salesRank, salesRankCategory, buyBoxShare } = figures;
  const count = (value: number | null): string | null => (value === null ? null : String(value));
  return {
    listingId: String(listingId),
    reviewCount: count(reviewCount),
    salesRank: count(salesRank),
    salesRankCategory,
    averageRating: averageRating === null ? null : (averageRating / 100).toFixed(2),
    buyBoxShare: buyBoxShare === null ? null : decimalFromBps(buyBoxShare),
  };
}
