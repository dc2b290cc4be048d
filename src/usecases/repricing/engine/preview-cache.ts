import { createHash, type Hash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { readLive, type ToDecide } from '#db/queries/repricing/due-listings.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { type Instant, minutes } from '#domain/units.ts';
import type { StoreFacts } from '#usecases/repricing/pricing/pricing-context.ts';
import { withWholeGroups } from './page-with-price-groups.ts';
import { storeText } from './planned-pages.ts';

/** Longest age of a cached preview: offers expire and holds end without marking a listing as due. */
const MAX_AGE = minutes(2);
const MAX_PREVIEWS = 20;
const PAGE_SIZE = 5_000;

/** Fingerprint of all listings with their row versions and due marks, and of the store's settings. */
export class CatalogFingerprint {
  readonly #hash: Hash;

  constructor(store: StoreFacts) {
    this.#hash = createHash('sha256').update(storeText(store));
  }

  add(page: readonly ToDecide[]): void {
    for (const { id, mark, row } of page) this.#hash.update(`${id}:${mark}:${row};`);
  }

  text(): string {
    return this.#hash.copy().digest('base64');
  }
}

/** Figures of a plan that going live needs. */
export interface PlanFigures {
  /** Prices that it changes. */
  readonly changes: number;
  readonly fallen: LoweredFloors;
}

interface CachedPreview extends PlanFigures {
  readonly catalog: string;
  readonly at: Instant;
}

/**
 * Previews made in this process, so that going live need not decide everything again while a request waits. A preview is
 * valid for 2 minutes, and only while all listings, due marks and settings are unchanged: the condition under which a run
 * also reuses its plan.
 */
export class PreviewCache {
  readonly #plans = new Map<string, CachedPreview>();

  remember(token: string, cached: CachedPreview): void {
    this.#plans.delete(token);
    this.#plans.set(token, cached);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > MAX_PREVIEWS && oldest !== undefined) this.#plans.delete(oldest);
  }

  /**
   * Returns the figures of a cached plan that is still valid.
   * @param store current facts, by which the plan would be made now
   * @returns null when it is not cached, too old, or anything has changed
   */
  async figuresOf(db: Db, token: string, store: StoreFacts): Promise<PlanFigures | null> {
    const cached = this.#plans.get(token);
    const age = store.now - (cached?.at ?? 0);
    if (cached === undefined || !(age >= 0 && age <= MAX_AGE)) return null;
    const catalog = new CatalogFingerprint(store);
    for (let after = 0, isLast = false; !isLast; ) {
      const page = await readLive(db, after, PAGE_SIZE);
      catalog.add(await withWholeGroups(db, page, after));
      isLast = page.length < PAGE_SIZE;
      after = page.at(-1)?.id ?? after;
    }
    return catalog.text() === cached.catalog ? cached : null;
  }
}
