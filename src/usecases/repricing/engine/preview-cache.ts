import { createHash, type Hash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { readLive, type ToDecide } from '#db/queries/repricing/due.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { type Instant, minutes } from '#domain/units.ts';
import type { ShopFacts } from '#usecases/repricing/pricing/pricing-context.ts';
import { shopText } from './planned-pages.ts';

/** Time passes too: offers grow old and holds end without a mark. */
const GOOD_FOR = minutes(2);
const MOST_KEPT = 20;
const PAGE = 5_000;

/** Names all listings with their rows and marks, in a shop, whatever the pages they come in. */
export class CatalogueName {
  readonly #hash: Hash;

  constructor(shop: ShopFacts) {
    this.#hash = createHash('sha256').update(shopText(shop));
  }

  add(page: readonly ToDecide[]): void {
    for (const { id, mark, row } of page) this.#hash.update(`${id}:${mark}:${row};`);
  }

  text(): string {
    return this.#hash.copy().digest('base64');
  }
}

/** What arming a plan is told of it. */
export interface PlanFigures {
  /** Prices that it changes. */
  readonly changes: number;
  readonly fallen: LoweredFloors;
}

interface Looked extends PlanFigures {
  readonly catalogue: string;
  readonly at: Instant;
}

/**
 * Plans that were looked at in this process, so that arming need not decide everything again while a request waits. One
 * holds for two minutes, and only while every listing, its mark and the shop are those it was made of: the same proof by
 * which a run takes its plan over.
 */
export class PreviewCache {
  readonly #plans = new Map<string, Looked>();

  remember(token: string, looked: Looked): void {
    this.#plans.delete(token);
    this.#plans.set(token, looked);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > MOST_KEPT && oldest !== undefined) this.#plans.delete(oldest);
  }

  /**
   * Whether a plan is still what a look at it now would show.
   * @param shop as the plan would be made in now
   * @returns what it comes to; null when that is not sure
   */
  async figuresOf(db: Db, token: string, shop: ShopFacts): Promise<PlanFigures | null> {
    const looked = this.#plans.get(token);
    const age = shop.now - (looked?.at ?? 0);
    if (looked === undefined || !(age >= 0 && age <= GOOD_FOR)) return null;
    const catalogue = new CatalogueName(shop);
    for (let after = 0, isLast = false; !isLast; ) {
      const page = await readLive(db, after, PAGE);
      catalogue.add(page);
      isLast = page.length < PAGE;
      after = page.at(-1)?.id ?? after;
    }
    return catalogue.text() === looked.catalogue ? looked : null;
  }
}
