import { type Cents, type Instant, instant } from '#domain/units.ts';
import type { Chance } from '#sandbox/world/chance.ts';
import { buyersPrice } from '#sandbox/world/item.ts';
import type { PriceLag, Store } from '#sandbox/world/price-lag.ts';
import type { Terms } from '#sandbox/world/terms.ts';

/** The stores of prices; the box has its own history. */
const PRICE_STORES = ['item', 'list', 'document', 'event'] as const;
export type PriceStore = Exclude<Store, 'box'>;

/** What changed a price. */
export type PriceCause =
  /** The price at the start. */
  | 'start'
  /** A price that a call sent. */
  | 'sent'
  /** The seller, on the marketplace's own pages. */
  | 'seller'
  /** Another program of the seller. */
  | 'tool'
  /** The marketplace's own repricer. */
  | 'repricer'
  /** The marketplace, which lost a price and shows the one before. */
  | 'fell_back'
  /** A sale that begins or ends. */
  | 'sale'
  /** Terms that were arranged; the price stays. */
  | 'terms';

/** One state of a listing's price, from the moment when buyers see it. */
export interface PriceChange {
  readonly at: Instant;
  /** The usual price. */
  readonly price: Cents;
  /** The price of the running sale; null while none runs. */
  readonly salePrice: Cents | null;
  readonly terms: Terms;
  readonly cause: PriceCause;
  /** When each store shows it; stores that are not named show it at once. */
  readonly shownAt: Readonly<Partial<Record<PriceStore, Instant>>>;
}

/** The prices of all listings of a marketplace: what buyers saw, and what each store showed when. */
export class PriceHistory {
  readonly #chance: Chance;
  readonly #pace: number;
  readonly #changes = new Map<string, PriceChange[]>();

  /** @param pace divides all delays */
  constructor(chance: Chance, pace: number) {
    this.#chance = chance;
    this.#pace = pace;
  }

  /** Adds a change that buyers see from now on. */
  add(sku: string, change: Omit<PriceChange, 'shownAt'>, lag: PriceLag = {}): PriceChange {
    const changes = this.#changes.get(sku) ?? [];
    this.#changes.set(sku, changes);
    const added = { ...change, shownAt: {} as Partial<Record<PriceStore, Instant>> };
    for (const store of PRICE_STORES) {
      const [from, to] = lag[store] ?? [0, 0];
      if (to === 0) continue;
      const delay = this.#chance.for(`${store} ${sku} ${changes.length}`).between(from, to) * 1_000;
      added.shownAt[store] = instant(change.at + Math.round(delay / this.#pace));
    }
    changes.push(added);
    return added;
  }

  /** In the order in which buyers saw them. */
  of(sku: string): readonly PriceChange[] {
    return this.#changes.get(sku) ?? [];
  }

  /** What buyers saw then; null before the listing existed. */
  at(sku: string, moment: Instant): Cents | null {
    const last = this.of(sku).findLast(({ at }) => at <= moment);
    return last === undefined ? null : buyersPrice(last);
  }

  /** What a store showed then: the last change that had reached it. Null before the listing existed. */
  shown(sku: string, store: PriceStore, moment: Instant): PriceChange | null {
    const changes = this.of(sku);
    return changes.findLast(({ at, shownAt }) => (shownAt[store] ?? at) <= moment) ?? changes[0] ?? null;
  }

  /** The usual price before the present one; null if it never was another. */
  former(sku: string): Cents | null {
    const changes = this.of(sku);
    const now = changes.at(-1)?.price;
    return changes.findLast(({ price }) => price !== now)?.price ?? null;
  }
}
