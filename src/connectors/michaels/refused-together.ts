import { type Instant, minutes } from '#domain/units.ts';

/** How long it is remembered that a call was refused: long enough to find the SKU it was refused for. */
const REMEMBERED = minutes(30);

interface Refused {
  readonly skus: Set<string>;
  readonly at: Instant;
}

/**
 * SKUs whose common call Michaels refused because of one of them. A turn of the sender has time for two calls, too few
 * to find that one, so what is known stays for the next turns: it goes alone soon, and the others without it. Kept in
 * memory, and for all accounts: a SKU that is suspected wrongly goes in a smaller call, which is all it costs.
 */
export class RefusedTogether {
  #groups: Refused[] = [];
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** How many SKUs are suspected. */
  get size(): number {
    return this.#current().reduce((sum, { skus }) => sum + skus.size, 0);
  }

  /** The oldest of the groups with one of these SKUs, without its other SKUs; empty when none of them is suspected. */
  firstOf(skus: readonly string[]): readonly string[] {
    for (const group of this.#current()) {
      const among = skus.filter((sku) => group.skus.has(sku));
      if (among.length > 0) return among;
    }
    return [];
  }

  has(sku: string): boolean {
    return this.#current().some(({ skus }) => skus.has(sku));
  }

  /** One of these made Michaels refuse their call: the rest of the group they were taken of is no longer suspected. */
  refused(skus: readonly string[]): void {
    const [any = ''] = skus;
    this.#groups = this.#groups.filter((group) => !group.skus.has(any));
    if (skus.length > 1) this.#groups.push({ skus: new Set(skus), at: this.#now() });
  }

  /** Their call went through: what made it fail before is among the others of their group. */
  passed(skus: readonly string[]): void {
    for (const group of this.#groups) for (const sku of skus) group.skus.delete(sku);
    this.#groups = this.#groups.filter((group) => group.skus.size > 0);
  }

  #current(): readonly Refused[] {
    const now = this.#now();
    // Also after the clock was set back.
    this.#groups = this.#groups.filter(({ at }) => now - at >= 0 && now - at < REMEMBERED);
    return this.#groups;
  }
}
