import { alarmed } from '#connectors/format-alarm.ts';
import type { UnreadableRow } from '#connectors/passed-over.ts';
import {
  countSyncQueue,
  type ListingToSync,
  markSynced,
  nextInSyncQueue,
  type SyncQueue,
} from '#db/queries/marketplaces/sync/sync-queue.ts';
import type { PassedOverList, SyncDeps } from './sync-deps.ts';

/** Listings per request to the connector, unless it says otherwise: several pages of any marketplace. */
const BATCH_SIZE = 200;

/** Answers that have to come before the first is used, in case the marketplace writes them in another format. */
const FIRST_ANSWERS = 50;

/** Result or progress of a sync that goes listing by listing. */
export interface BatchCounts {
  /** What was stored, as `BatchSource.ingest` counts it. */
  readonly ingested: number;
  /** Listings for which the marketplace returned nothing. */
  readonly unread: number;
  /** Listings whose row could not be read; not among the unread ones. */
  readonly passedOver: number;
  /** Listings left for the next sync. */
  readonly waiting: number;
}

interface Response {
  readonly kind: string;
  readonly listingId: number;
  /** The row of the response that could not be read. */
  readonly row?: UnreadableRow;
}

/** What one kind of sync requests, and how it stores the responses. */
export interface BatchSource<Page extends Response> {
  /** The name of the marketplace in messages. */
  readonly name: string;
  readonly passedOver: PassedOverList;
  /** The most listings per request, where the connector prefers more. */
  readonly atOnce?: number | undefined;
  /** Which listings are next, the most urgent first, none to end the sync; where it is absent, those that waited longest. */
  next?(max: number): Promise<readonly ListingToSync[]>;
  request(refs: readonly ListingToSync[]): AsyncGenerator<readonly Page[]>;
  /** @param page responses, each listing once @returns how many count as stored */
  ingest(page: readonly Page[]): Promise<number>;
  /** Called after the listings of a page are marked as synced. */
  settle?(): Promise<void>;
  /** Called with the counts so far, for a sync that does not finish. */
  onProgress(counts: BatchCounts): void;
}

/**
 * Requests all due listings from a marketplace, batch by batch. When the rate budget is used up, the next sync
 * continues; what was stored until then stays.
 * @throws ConnectorError
 */
export async function syncInBatches<Page extends Response>(
  { db, now }: SyncDeps,
  queue: SyncQueue,
  {
    name,
    passedOver: list,
    atOnce = BATCH_SIZE,
    next,
    request,
    ingest,
    settle,
    onProgress,
  }: BatchSource<Page>,
): Promise<BatchCounts> {
  const startedAt = now();
  const countWaiting = (): Promise<number> => countSyncQueue(db, queue, now());
  let [ingested, unread, passedOver, waiting] = [0, 0, 0, await countWaiting()];
  for (;;) {
    onProgress({ ingested, unread, passedOver, waiting });
    // By a clock that was set back since, everything would be asked for again and again.
    const isSetBack = now() < startedAt;
    const refs = isSetBack ? [] : await (next?.(atOnce) ?? nextInSyncQueue(db, queue, now(), atOnce));
    if (refs.length === 0) return { ingested, unread, passedOver, waiting: await countWaiting() };
    const left = new Set(refs.map(({ listingId }) => listingId));
    for await (const page of alarmed(name, request(refs), rowsOf, FIRST_ANSWERS)) {
      const answers = page.filter(({ listingId }) => left.delete(listingId));
      ingested += await ingest(answers);
      const ids = answers.map(({ listingId }) => listingId);
      await markSynced(db, queue.kind, ids, now());
      await settle?.();
      list.takesUnreadable(rowsOf(answers));
      const without = answers.filter(({ kind }) => kind === 'unread');
      const odd = without.filter(({ row }) => row !== undefined).length;
      passedOver += odd;
      unread += without.length - odd;
      waiting = Math.max(0, waiting - answers.length);
      onProgress({ ingested, unread, passedOver, waiting });
    }
    // Without this, listings that were not answered at all would be first in every sync.
    await markSynced(db, queue.kind, [...left], now());
    unread += left.size;
    waiting = Math.max(0, waiting - left.size);
  }
}

function rowsOf(page: readonly Response[]): object[] {
  return page.map((answer) => answer.row ?? answer);
}
