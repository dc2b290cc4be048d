import type { Instant } from '#domain/units.ts';
import type { AmazonShop } from './amazon-shop.ts';

/** Changes are read again for so long before what was read: clocks differ, and Amazon tells some of them late. */
const OVERLAP = 3_600_000;
/** After that the place where a reading was broken off is no longer sure. */
const KEPT = 12 * 3_600_000;

/** A reading under way: everything that changed from a moment to another, as far as the page that comes next. */
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
 * How far the sales of each shop were read in this process. Amazon gives a page in four minutes once the first sixteen
 * are spent: nobody can afford to begin at the beginning each time.
 */
export class SalesProgress {
  readonly #shops = new Map<string, Progress>();

  /** Where to go on; null to begin. */
  begun(shop: AmazonShop, since: Instant, now: Instant): Begun | null {
    const { begun } = this.#of(shop);
    if (begun === null || begun.since > since || begun.at > now || now > begun.at + KEPT) return null;
    return begun;
  }

  /** From when on something may have changed that was not read. */
  start(shop: AmazonShop, since: Instant, now: Instant): Instant {
    const { done } = this.#of(shop);
    if (done === null || done.since > since || done.until > now) return since;
    return Math.max(since, done.until - OVERLAP) as Instant;
  }

  /** A page was taken, and another one comes after it. */
  goOn(shop: AmazonShop, begun: Begun): void {
    this.#shops.set(keyOf(shop), { ...this.#of(shop), begun });
  }

  /** The place where the last reading was broken off is no longer good. */
  forget(shop: AmazonShop): void {
    this.#shops.set(keyOf(shop), { ...this.#of(shop), begun: null });
  }

  /** The last page was taken. */
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
