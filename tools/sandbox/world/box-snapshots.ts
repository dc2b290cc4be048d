import type { Cents, Instant } from '#domain/units.ts';
import type { MarketItem } from './item.ts';
import { featuredOffer } from './offers.ts';

interface Snapshot {
  readonly item: MarketItem;
  readonly shownAt: Instant;
}

/** One state of the buy box of an item. */
export interface BoxState {
  /** When it was so. */
  readonly at: Instant;
  /** From when it was shown. */
  readonly shownAt: Instant;
  readonly ourPrice: Cents;
  /** Null when no one held it. */
  readonly featured: { readonly price: Cents; readonly landed: Cents; readonly isOurs: boolean } | null;
}

/** What a late store reports about the offers of an item: the offers as they were, each state from its own moment on. */
export class BoxSnapshots {
  readonly #taken = new Map<string, Snapshot[]>();
  readonly #states = new Map<string, BoxState[]>();

  /** Keeps the present offers of an item, to be shown from that moment on. */
  take(item: MarketItem, now: Instant, shownAt: Instant): void {
    const before = this.#taken.get(item.sku) ?? [];
    // Of those that are shown already, only the last one is needed.
    const last = before.findLastIndex((one) => one.shownAt <= now);
    const competitors = item.competitors.map((competitor) => ({ ...competitor }));
    const kept = before.slice(Math.max(0, last));
    this.#taken.set(item.sku, [...kept, { item: { ...item, competitors }, shownAt }]);
    const states = this.#states.get(item.sku) ?? [];
    this.#states.set(item.sku, states);
    const offer = featuredOffer(item);
    const featured =
      offer === null ? null : { price: offer.price, landed: offer.landed, isOurs: offer.competitor === null };
    states.push({ at: now, shownAt, ourPrice: item.price, featured });
  }

  /** All states of an item's box that were kept, oldest first. */
  states(sku: string): readonly BoxState[] {
    return this.#states.get(sku) ?? [];
  }

  /** The offers of an item as they are shown now; as they are if none were kept. */
  of(item: MarketItem, now: Instant): MarketItem {
    return this.#taken.get(item.sku)?.findLast(({ shownAt }) => shownAt <= now)?.item ?? item;
  }

  clear(): void {
    this.#taken.clear();
  }
}
