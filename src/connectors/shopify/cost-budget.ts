import type { Instant } from '#domain/units.ts';

/** The state of a store's rate limit, in points, as Shopify reports it. */
export interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  /** Points per second. */
  readonly restoreRate: number;
}

/** The share of the points that is left to other programs of the store. */
const LEFT_TO_OTHERS = 0.2;
/** Longest delay, whatever Shopify reports. Milliseconds. */
const LONGEST_WAIT = 60_000;

/**
 * The points of a store, estimated between the reports in responses. The cost of an operation is known from its
 * last call.
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

  /** @returns 0 when the operation may start, else the milliseconds until it may */
  wait(operation: string): number {
    if (this.#status === null) return 0;
    const { maximumAvailable, currentlyAvailable, restoreRate } = this.#status;
    const passed = Math.max(0, this.#now() - this.#at) / 1_000;
    const available = Math.min(maximumAvailable, currentlyAvailable + passed * restoreRate);
    const kept = maximumAvailable * LEFT_TO_OTHERS;
    // An operation that costs more than our share may start once all points are available.
    const needed = Math.min(maximumAvailable, (this.#costs.get(operation) ?? 0) + kept);
    return Math.min(LONGEST_WAIT, Math.ceil(Math.max(0, (needed - available) / restoreRate) * 1_000));
  }

  /** @param requested cost of the operation; null when it is not reported */
  learn(operation: string, requested: number | null, status: ThrottleStatus | null): void {
    if (requested !== null) this.#costs.set(operation, requested);
    if (status === null) return;
    this.#status = status;
    this.#at = this.#now();
  }
}
