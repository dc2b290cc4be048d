import { createHash } from 'node:crypto';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';

/** Names exactly these changes on exactly these live marketplaces. */
export class PlanToken {
  readonly #hash = createHash('sha256');

  constructor(live: ReadonlySet<Marketplace>) {
    // Without any change all choices of marketplaces have the same prices, and still are different plans.
    this.#hash.update(`${[...live].sort().join(' ')};`);
  }

  /** Adds a change; the listings in the order of their IDs. */
  add(listingId: number, from: Cents, to: Cents): void {
    // Both prices: the same new price reached from a higher one is a different plan, with a drop that was not reviewed.
    this.#hash.update(`${listingId}:${from}>${to};`);
  }

  /** Of the changes so far. */
  text(): string {
    return this.#hash.copy().digest('hex');
  }
}
