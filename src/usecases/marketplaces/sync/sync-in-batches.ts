import {
  countTurns,
  type ListingTurn,
  markSynced,
  nextInSyncQueue,
  type SyncQueue,
} from '#db/queries/marketplaces/sync-queue.ts';
import type { ReadingDeps } from './sync-deps.ts';

/** Listings that are asked for at once: several pages of any marketplace. */
const BATCH = 200;

/** How a reading that goes listing by listing went, or how far it came. */
export interface TurnCounts {
  /** What was taken, as whoever takes it counts. */
  readonly taken: number;
  /** Listings that the marketplace had no answer for. */
  readonly unread: number;
  /** Listings that are left for the next time. */
  readonly waiting: number;
}

interface Answer {
  readonly kind: string;
  readonly listingId: number;
}

/** What a kind of reading asks, and what it does with the answers. */
export interface TurnOf<Page extends Answer> {
  ask(refs: readonly ListingTurn[]): AsyncGenerator<readonly Page[]>;
  /** @param page answers to what was asked, each listing once @returns how much of it counts */
  take(page: readonly Page[]): Promise<number>;
  /** Hears how far it came, for when it does not come to its end. */
  onProgress(counts: TurnCounts): void;
}

/**
 * Asks a marketplace for all listings whose turn it is, those first that waited longest. What a budget ends is gone on with
 * the next time; what was taken until then stays.
 * @throws ConnectorError
 */
export async function syncInBatches<Page extends Answer>(
  { db, now }: ReadingDeps,
  turns: SyncQueue,
  { ask, take, onProgress }: TurnOf<Page>,
): Promise<TurnCounts> {
  let [taken, unread, waiting] = [0, 0, await countTurns(db, turns)];
  for (;;) {
    onProgress({ taken, unread, waiting });
    const refs = await nextInSyncQueue(db, turns, BATCH);
    if (refs.length === 0) return { taken, unread, waiting: 0 };
    const left = new Set(refs.map(({ listingId }) => listingId));
    for await (const page of ask(refs)) {
      const answers = page.filter(({ listingId }) => left.delete(listingId));
      taken += await take(answers);
      await markSynced(
        db,
        turns.what,
        answers.map(({ listingId }) => listingId),
        now(),
      );
      unread += answers.filter(({ kind }) => kind === 'unread').length;
      waiting = Math.max(0, waiting - answers.length);
      onProgress({ taken, unread, waiting });
    }
    // Whatever it did not answer at all would come first again, for ever.
    await markSynced(db, turns.what, [...left], now());
    unread += left.size;
    waiting = Math.max(0, waiting - left.size);
  }
}
