import { createHash } from 'node:crypto';
import type { ToDecide } from '#db/queries/repricing/due.ts';
import { RunTally } from '#domain/run-tally.ts';
import { type Bps, minutes } from '#domain/units.ts';
import type { ShopFacts } from '#usecases/repricing/pricing/pricing-context.ts';
import { type DecidedCase, isWorthRecording } from '#usecases/repricing/pricing/record-decisions.ts';

/** Decisions kept at most, some kilobytes each: what goes beyond is decided again. */
const MOST_KEPT = 2_000;
/** Time passes too: offers grow old and holds end without a mark. */
const GOOD_FOR = minutes(2);

/** What a page of a plan comes to. */
export interface PlannedPage {
  readonly tally: RunTally;
  /** By id. Every other listing of the page is decided as it was the last time: nothing of it is written. */
  readonly news: readonly DecidedCase[];
}

/**
 * Decisions of a plan, kept from the plan until its run records them, so that a run decides each listing once. A page
 * holds as long as the shop is the same, and its listings are, with the same rows and the same marks: whatever changes
 * the facts of a listing renews its mark in the same transaction, and marks are read before facts.
 */
export class PlannedPages {
  #runId: number | null = null;
  #at = 0;
  #shop = '';
  #kept = 0;
  readonly #pages = new Map<number, PlannedPage & { readonly name: string }>();

  /** A new plan; what was left of the one before is forgotten. */
  begin(runId: number, shop: ShopFacts): void {
    this.#runId = runId;
    this.#at = shop.now;
    this.#shop = shopText(shop);
    this.#kept = 0;
    this.#pages.clear();
  }

  /**
   * Keeps a page if there is room for it.
   * @param after the cursor in front of it
   * @param page as it was read before the facts
   */
  add(after: number, page: readonly ToDecide[], decided: readonly DecidedCase[], dropDepth: Bps): void {
    const news = decided.filter(isWorthRecording);
    if (this.#kept + news.length > MOST_KEPT) return;
    this.#kept += news.length;
    const tally = new RunTally(dropDepth);
    for (const { pricingCase, decision } of decided) {
      tally.add(pricingCase, decision, pricingCase.listing.metrics?.outcome ?? null);
    }
    this.#pages.set(after, { name: nameOf(page), news, tally });
  }

  /**
   * The page behind a cursor, once: a batch that is decided anew reads its facts anew.
   * @param page as it reads now, in the transaction that records it
   * @param shop as it is now
   * @returns null when it was not kept, or anything about it has changed since, or it is too old
   */
  take(runId: number, after: number, page: readonly ToDecide[], shop: ShopFacts): PlannedPage | null {
    if (runId !== this.#runId) return null;
    const planned = this.#pages.get(after);
    this.#pages.delete(after);
    if (planned === undefined || planned.name !== nameOf(page)) return null;
    // Put so that a clock that was set back lets nothing pass.
    const age = shop.now - this.#at;
    if (!(age >= 0 && age <= GOOD_FOR)) return null;
    return this.#shop === shopText(shop) ? planned : null;
  }
}

/** All that a shop says, its moment aside. */
export function shopText({ now: _, ...facts }: ShopFacts): string {
  // A set as such would be written as {}, whatever is in it.
  return JSON.stringify(facts, (_, value: unknown) => (value instanceof Set ? [...value].sort() : value));
}

/** Names exactly these listings with exactly these rows and marks. */
function nameOf(page: readonly ToDecide[]): string {
  const hash = createHash('sha256');
  for (const { id, mark, row } of page) hash.update(`${id}:${mark}:${row};`);
  return hash.digest('base64');
}
