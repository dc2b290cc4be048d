import type { Instant } from '#domain/units.ts';
import type { AmazonShop } from './amazon-shop.ts';

/** Overlap with the previous sync: clocks differ, and Amazon reports several changes late. */
const OVERLAP = 3_600_000;
/** After that time the position of an interrupted sync is no longer valid. */
const KEPT = 12 * 3_600_000;

/** A sync in progress: everything that changed between two times, up to the next page. */
interface Begun {
  readonly since: Instant;
  readonly until: Instant;
  readonly token: string;
  readonly at: Instant;
}

interface Progress {
  /** Everything that changed between the two was read to the end. */
  readonly done: { readonly since: Instant; readonly until: Instant } | null;
  readonly begun: Begun | null;
}

/**
 * How far the sales of each store were read in this process. After a burst of sixteen pages Amazon allows one page
 * in four minutes: starting over each time would take too long.
 */
export class SalesProgress {
  readonly #shops = new Map<string, Progress>();

  /** Where to continue; null to start. */
  begun(shop: AmazonShop, since: Instant, now: Instant): Begun | null {
    const { begun } = this.#of(shop);
    if (begun === null || begun.since > since || begun.at > now || now > begun.at + KEPT) return null;
    return begun;
  }

  /** Start of the time whose changes may not have been read yet. */
  start(shop: AmazonShop, since: Instant, now: Instant): Instant {
    const { done } = this.#of(shop);
    if (done === null || done.since > since || done.until > now) return since;
    return Math.max(since, done.until - OVERLAP) as Instant;
  }

  /** A page was processed, and another one follows. */
  goOn(shop: AmazonShop, begun: Begun): void {
    this.#shops.set(keyOf(shop), { ...this.#of(shop), begun });
  }

  /** The position of the last interrupted sync is no longer valid. */
  forget(shop: AmazonShop): void {
    this.#shops.set(keyOf(shop), { ...this.#of(shop), begun: null });
  }

  /** The last page was processed. */
  end(shop: AmazonShop, since: Instant, until: Instant): void {
    const { done } = this.#of(shop);
    const isNext = done !== null && done.since <= since && since <= done.until;
    this.#shops.set(keyOf(shop), { done: { since: isNext ? done.since : since, until }, begun: null });
  }

  #of(shop: AmazonShop): Progress {
    return this.#shops.get(keyOf(shop)) ?? { done: null, begun: null };
  }
}

function keyOf({ sellerId, marketplaceId }: AmazonShop): string {
  return `${sellerId} ${marketplaceId}`;
}
