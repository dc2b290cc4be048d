import { notify } from '#db/listen.ts';
import { writeFeaturedPrices } from '#db/queries/marketplaces/offers/featured-prices.ts';
import { transact } from '#db/transact.ts';
import { FEATURED_PRICE_MAX_AGE } from '#domain/competition/featured-price.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { SyncDeps, SyncRun } from './sync-deps.ts';
import { type BatchCounts, syncInBatches } from './sync-in-batches.ts';

export interface FeaturedPriceCounts {
  readonly read: number;
  readonly unread: number;
  readonly passedOver: number;
  readonly waiting: number;
}

/**
 * Syncs what it takes to become the featured offer, of listings that are not: those whose offers changed since they were
 * last asked for, and those asked for longer ago than half the time that such a price is used.
 * @param requestedAt when a user last requested a full sync
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncFeaturedPrices(
  deps: SyncDeps,
  { connection: { marketplace, connector, account }, signal, passedOver }: SyncRun,
  startedAt: Instant,
  requestedAt: Instant | null,
  onProgress: (counts: FeaturedPriceCounts) => void,
): Promise<FeaturedPriceCounts> {
  const { readFeaturedPrices } = connector;
  if (readFeaturedPrices === undefined) return { read: 0, unread: 0, passedOver: 0, waiting: 0 };
  const syncedBefore = Math.max(
    startedAt - FEATURED_PRICE_MAX_AGE / 2,
    Math.min(requestedAt ?? 0, startedAt),
  ) as Instant;
  const queue = { kind: 'featured_prices', marketplace, syncedBefore } as const;
  const counts = await syncInBatches(deps, queue, {
    name: MARKETPLACE_NAMES[marketplace],
    passedOver,
    request: (refs) => readFeaturedPrices.call(connector, account, refs, signal),
    ingest: async (page) => {
      const readings = page.filter((each) => each.kind === 'featured_price');
      await transact(deps.db, async (tx) => {
        await writeFeaturedPrices(tx, readings, deps.now());
        await notify(tx, 'pricewright_listings', []);
      });
      return readings.length;
    },
    onProgress: (soFar) => onProgress(countsOf(soFar)),
  });
  return countsOf(counts);
}

function countsOf({ ingested, ...others }: BatchCounts): FeaturedPriceCounts {
  return { read: ingested + others.passedOver, ...others };
}
