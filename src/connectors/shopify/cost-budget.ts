import type { Instant } from '#domain/units.ts';

/** What Shopify says about the points of a shop. */
export interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  /** Points a second. */
  readonly restoreRate: number;
}

/** The share of the points that is left to other programs of the shop. */
const LEFT_TO_OTHERS = 0.2;
/** More than that is never kept back, whatever Shopify says. Milliseconds. */
const LONGEST_WAIT = 60_000;

/**
 * The points of a shop, counted between what its answers say. How much an operation asks for is known from the last
 * time.
 */
export class CostBudget {
  #status: ThrottleStatus | null = null;
  #at: Instant;
  readonly #costs = new Map<string, number>();
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
    this.#at = now();
  }

  /** @returns 0 when the operation may go, else the milliseconds until it may */
  wait(operation: string): number {
    if (this.#status === null) return 0;
    const { maximumAvailable, currentlyAvailable, restoreRate } = this.#status;
    const passed = Math.max(0, this.#now() - this.#at) / 1_000;
    const available = Math.min(maximumAvailable, currentlyAvailable + passed * restoreRate);
    const kept = maximumAvailable * LEFT_TO_OTHERS;
    // What is dearer than our share may go once all points are there.
    const needed = Math.min(maximumAvailable, (this.#costs.get(operation) ?? 0) + kept);
    return Math.min(LONGEST_WAIT, Math.ceil(Math.max(0, (needed - available) / restoreRate) * 1_000));
  }

  /** @param requested what the operation asked for; null when it is not told */
  learn(operation: string, requested: number | null, status: ThrottleStatus | null): void {
    if (requested !== null) this.#costs.set(operation, requested);
    if (status === null) return;
    this.#status = status;
    this.#at = this.#now();
  }
}
