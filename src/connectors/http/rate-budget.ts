import type { Instant } from '#domain/units.ts';

/** How often an operation may be called. */
export interface BudgetLine {
  readonly perSecond: number;
  /** Burst: calls allowed in a row after a pause. */
  readonly burst: number;
}

interface Bucket {
  line: BudgetLine;
  calls: number;
  at: Instant;
  pausedUntil: Instant;
}

/**
 * The rate limit of an account, per operation; one per account and process. Operations without an entry are not
 * limited. A clock change adds at most one burst and delays no call longer than without it.
 */
export class RateBudget {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => Instant;

  constructor(lines: Readonly<Record<string, BudgetLine>>, now: () => Instant) {
    this.#now = now;
    const at = now();
    for (const [name, line] of Object.entries(lines)) {
      this.#buckets.set(name, { line, calls: line.burst, at, pausedUntil: at });
    }
  }

  /**
   * Acquires one call, if one is allowed.
   * @returns 0 when acquired, else the milliseconds until one is allowed
   */
  take(operation: string): number {
    const wait = this.waitFor(operation, 1);
    const bucket = this.#buckets.get(operation);
    if (wait === 0 && bucket !== undefined) bucket.calls -= 1;
    return wait;
  }

  /** Milliseconds until so many calls are allowed at once, at most the burst; 0 when they are now. */
  waitFor(operation: string, calls: number): number {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return 0;
    const now = this.#refill(bucket);
    const missing = Math.max(0, calls - bucket.calls);
    return Math.max(0, bucket.pausedUntil - now, Math.ceil((missing / bucket.line.perSecond) * 1_000));
  }

  /** Calls allowed now; a number that is never reached for operations without an entry. */
  left(operation: string): number {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return Number.POSITIVE_INFINITY;
    return bucket.pausedUntil > this.#refill(bucket) ? 0 : Math.floor(bucket.calls);
  }

  /** The service asked for a pause of this many milliseconds. */
  pause(operation: string, milliseconds: number): void {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return;
    const now = this.#refill(bucket);
    bucket.calls = 0;
    bucket.pausedUntil = Math.max(bucket.pausedUntil, now + milliseconds) as Instant;
  }

  /** The service reported the remaining calls: never more than we count ourselves. */
  remain(operation: string, calls: number): void {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return;
    this.#refill(bucket);
    bucket.calls = Math.min(bucket.calls, Math.max(0, calls));
  }

  /** The service reported our rate in calls per second. */
  pace(operation: string, perSecond: number): void {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined || !(perSecond > 0)) return;
    this.#refill(bucket);
    bucket.line = { ...bucket.line, perSecond };
  }

  #refill(bucket: Bucket): Instant {
    const now = this.#now();
    const { line, pausedUntil } = bucket;
    // The clock was set back: the count starts over.
    if (now < bucket.at) bucket.pausedUntil = (now + Math.max(0, pausedUntil - bucket.at)) as Instant;
    const passed = Math.max(0, now - bucket.at) / 1_000;
    bucket.calls = Math.min(line.burst, bucket.calls + passed * line.perSecond);
    bucket.at = now;
    return now;
  }
}
