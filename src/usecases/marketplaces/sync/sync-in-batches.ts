import {
  countSyncQueue,
  type ListingToSync,
  markSynced,
  nextInSyncQueue,
  type SyncQueue,
} from '#db/queries/marketplaces/sync-queue.ts';
import type { SyncDeps } from './sync-deps.ts';

/** Listings per request to the connector: several pages of any marketplace. */
const BATCH_SIZE = 200;

/** Result or progress of a sync that goes listing by listing. */
export interface BatchCounts {
  /** What was stored, as `BatchSource.ingest` counts it. */
  readonly ingested: number;
  /** Listings for which the marketplace returned nothing. */
  readonly unread: number;
  /** Listings left for the next sync. */
  readonly waiting: number;
}

interface Response {
  readonly kind: string;
  readonly listingId: number;
}

/** What one kind of sync requests, and how it stores the responses. */
export interface BatchSource<Page extends Response> {
  request(refs: readonly ListingToSync[]): AsyncGenerator<readonly Page[]>;
  /** @param page responses, each listing once @returns how many count as stored */
  ingest(page: readonly Page[]): Promise<number>;
  /** Called after the listings of a page are marked as synced. */
  settle?(): Promise<void>;
  /** Called with the counts so far, for a sync that does not finish. */
  onProgress(counts: BatchCounts): void;
}

/**
 * Requests all due listings from a marketplace, the longest waiting first. When the rate budget is used up, the next sync
 * continues; what was stored until then stays.
 * @throws ConnectorError
 */
export async function syncInBatches<Page extends Response>(
  { db, now }: SyncDeps,
  queue: SyncQueue,
  { request, ingest, settle, onProgress }: BatchSource<Page>,
): Promise<BatchCounts> {
  let [ingested, unread, waiting] = [0, 0, await countSyncQueue(db, queue)];
  for (;;) {
    onProgress({ ingested, unread, waiting });
    const refs = await nextInSyncQueue(db, queue, BATCH_SIZE);
    if (refs.length === 0) return { ingested, unread, waiting: 0 };
    const left = new Set(refs.map(({ listingId }) => listingId));
    for await (const page of request(refs)) {
      const answers = page.filter(({ listingId }) => left.delete(listingId));
      ingested += await ingest(answers);
      const ids = answers.map(({ listingId }) => listingId);
      await markSynced(db, queue.kind, ids, now());
      await settle?.();
      unread += answers.filter(({ kind }) => kind === 'unread').length;
      waiting = Math.max(0, waiting - answers.length);
      onProgress({ ingested, unread, waiting });
    }
    // Without this, listings that were not answered at all would be first in every sync.
    await markSynced(db, queue.kind, [...left], now());
    unread += left.size;
    waiting = Math.max(0, waiting - left.size);
  }
}
