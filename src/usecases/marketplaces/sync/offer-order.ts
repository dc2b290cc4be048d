import {
  offersRequestedSince,
  offersToRead,
  rankOffers,
} from '#db/queries/marketplaces/offers/offer-queue.ts';
import type { ListingToSync } from '#db/queries/marketplaces/sync/sync-queue.ts';
import { refreshOrder } from '#domain/competition/refresh-order.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant, Millis } from '#domain/units.ts';
import type { SyncDeps } from './sync-deps.ts';

/**
 * Listings of each queue in one ranking, or as many as one request names: more than a sync reads in its time, and few enough
 * to order at once.
 */
const RANKED = 25_000;

/** What one sync of competitors reads. */
export interface OfferRound {
  readonly marketplace: Marketplace;
  /** Listings read after this are recent enough. */
  readonly syncedBefore: Instant;
  readonly maxAge: Millis;
  /** The round ends after that time, with the listings that are left. */
  readonly longest: Millis;
}

/**
 * The listings of one sync in the order of one ranking, batch by batch, each once. Those that are requested after it come
 * first, up to half of a batch, even if they were read before. The round ends after some time, since a ranking gets old:
 * the next sync ranks again.
 */
export class OfferOrder {
  readonly #deps: SyncDeps;
  readonly #round: OfferRound;
  readonly #startedAt: Instant;
  /** Of this sync. */
  readonly #taken = new Set<number>();
  /** The ranked ones that are left, the most urgent last. */
  #left: number[] = [];
  /** Null before the first ranking. */
  #rankedAt: Instant | null = null;
  /** Whether a queue has more than was ranked. */
  #isCutOff = true;

  constructor(deps: SyncDeps, round: OfferRound) {
    this.#deps = deps;
    this.#round = round;
    this.#startedAt = deps.now();
  }

  /** @returns at most `max` listings; none at the end of the round */
  async next(max: number): Promise<readonly ListingToSync[]> {
    const { db, now } = this.#deps;
    const { marketplace, longest } = this.#round;
    while (now() - this.#startedAt < longest) {
      const ids =
        this.#rankedAt === null
          ? []
          : await offersRequestedSince(db, marketplace, this.#rankedAt, now(), Math.ceil(max / 2));
      for (const id of ids) this.#taken.add(id);
      if (this.#left.length === 0 && this.#isCutOff) await this.#rank(Math.max(RANKED, max));
      this.#fill(ids, max);
      if (ids.length === 0) return [];
      const listings = await offersToRead(db, marketplace, ids);
      // All of a batch may have ended since the ranking.
      if (listings.length > 0) return listings;
    }
    return [];
  }

  /** Adds ranked ones until there are `max`. */
  #fill(ids: number[], max: number): void {
    while (ids.length < max) {
      const id = this.#left.pop();
      if (id === undefined) return;
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      ids.push(id);
    }
  }

  /** @param most listings of each queue */
  async #rank(most: number): Promise<void> {
    const { marketplace, syncedBefore, maxAge } = this.#round;
    const now = this.#deps.now();
    const ranked = await rankOffers(this.#deps.db, { marketplace, syncedBefore, now }, most);
    const fresh = ranked.filter(({ listingId }) => !this.#taken.has(listingId));
    this.#left = refreshOrder(fresh, now, maxAge)
      .map(({ listingId }) => listingId)
      .reverse();
    this.#rankedAt = now;
    this.#isCutOff = fresh.length > 0 && ranked.length >= most;
  }
}
