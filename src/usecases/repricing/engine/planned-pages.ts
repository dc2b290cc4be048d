import { createHash } from 'node:crypto';
import type { ToDecide } from '#db/queries/repricing/due-listings.ts';
import { RunTally } from '#domain/decision/run-tally.ts';
import { type Bps, minutes } from '#domain/units.ts';
import { lastDecisionOf } from '#usecases/repricing/pricing/metrics-of.ts';
import type { StoreFacts } from '#usecases/repricing/pricing/pricing-context.ts';
import { type DecidedCase, isWorthRecording } from '#usecases/repricing/pricing/record-decisions.ts';

/** Largest number of kept decisions, a few kilobytes each; pages beyond are decided again. */
const MAX_KEPT_DECISIONS = 2_000;
/** Longest age: offers expire and holds end without marking a listing as due. */
const MAX_AGE = minutes(2);

/** Decisions of one page of a plan. */
export interface PlannedPage {
  readonly tally: RunTally;
  /** By listing ID. The decisions for all other listings of the page repeat the last ones; nothing is written for them. */
  readonly toRecord: readonly DecidedCase[];
}

/**
 * Decisions of a plan, kept until its run records them, so that a run decides each listing once. A page is valid while the
 * store's facts, its listings, their row versions and due marks are unchanged: every change of a listing's facts renews
 * its mark in the same transaction, and marks are read before facts.
 */
export class PlannedPages {
  #runId: number | null = null;
  #at = 0;
  #store = '';
  #kept = 0;
  readonly #pages = new Map<number, PlannedPage & { readonly name: string }>();

  /** Starts a new plan and drops the former one. */
  start(runId: number, store: StoreFacts): void {
    this.#runId = runId;
    this.#at = store.now;
    this.#store = storeText(store);
    this.#kept = 0;
    this.#pages.clear();
  }

  /**
   * Keeps a page if there is room.
   * @param after the cursor before it
   * @param page as read before the facts
   */
  add(after: number, page: readonly ToDecide[], decided: readonly DecidedCase[], dropDepth: Bps): void {
    const toRecord = decided.filter(isWorthRecording);
    if (this.#kept + toRecord.length > MAX_KEPT_DECISIONS) return;
    this.#kept += toRecord.length;
    const tally = new RunTally(dropDepth);
    for (const { pricingInput, decision } of decided) {
      tally.add(pricingInput, decision, lastDecisionOf(pricingInput));
    }
    this.#pages.set(after, { name: fingerprintOf(page), toRecord, tally });
  }

  /**
   * Returns the page after a cursor, once: a repeated batch reads its facts again.
   * @param page as it reads now, in the transaction that records it
   * @param store current facts
   * @returns null when it was not kept, has changed, or is too old
   */
  take(runId: number, after: number, page: readonly ToDecide[], store: StoreFacts): PlannedPage | null {
    if (runId !== this.#runId) return null;
    const planned = this.#pages.get(after);
    this.#pages.delete(after);
    if (planned === undefined || planned.name !== fingerprintOf(page)) return null;
    // Also false for a negative age after the clock was set back.
    const age = store.now - this.#at;
    if (!(age >= 0 && age <= MAX_AGE)) return null;
    return this.#store === storeText(store) ? planned : null;
  }
}

/** The store's facts as text, without their time. */
export function storeText({ now: _, ...facts }: StoreFacts): string {
  // JSON.stringify writes every set as {}.
  return JSON.stringify(facts, (_, value: unknown) => (value instanceof Set ? [...value].sort() : value));
}

/** Fingerprint of these listings with their row versions and due marks. */
function fingerprintOf(page: readonly ToDecide[]): string {
  const hash = createHash('sha256');
  for (const { id, mark, row } of page) hash.update(`${id}:${mark}:${row};`);
  return hash.digest('base64');
}
