import type { Instant } from '#domain/units.ts';

/** How often an operation may be called. */
export interface BudgetLine {
  readonly perSecond: number;
  /** Calls that may go at once after a rest. */
  readonly burst: number;
}

interface Bucket {
  line: BudgetLine;
  calls: number;
  at: Instant;
  pausedUntil: Instant;
}

/**
 * What an account may ask, per operation; one per account and process. Operations without a line are free. A clock that
 * is put back or forward lends at most one burst and blocks nothing for longer than it would have been.
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
   * Takes one call, if there is one.
   * @returns 0 when it is taken, else the milliseconds until there is one
   */
  take(operation: string): number {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return 0;
    const now = this.#refill(bucket);
    if (bucket.pausedUntil > now) return bucket.pausedUntil - now;
    if (bucket.calls < 1) return Math.ceil(((1 - bucket.calls) / bucket.line.perSecond) * 1_000);
    bucket.calls -= 1;
    return 0;
  }

  /** How many calls may go at this moment; more than anybody makes for operations without a line. */
  left(operation: string): number {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return Number.POSITIVE_INFINITY;
    return bucket.pausedUntil > this.#refill(bucket) ? 0 : Math.floor(bucket.calls);
  }

  /** The service said that nothing goes for so many milliseconds. */
  pause(operation: string, milliseconds: number): void {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return;
    const now = this.#refill(bucket);
    bucket.calls = 0;
    bucket.pausedUntil = Math.max(bucket.pausedUntil, now + milliseconds) as Instant;
  }

  /** The service said how many calls are left: never more than we count ourselves. */
  remain(operation: string, calls: number): void {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined) return;
    this.#refill(bucket);
    bucket.calls = Math.min(bucket.calls, Math.max(0, calls));
  }

  /** The service said how many calls a second there are for us. */
  pace(operation: string, perSecond: number): void {
    const bucket = this.#buckets.get(operation);
    if (bucket === undefined || !(perSecond > 0)) return;
    this.#refill(bucket);
    bucket.line = { ...bucket.line, perSecond };
  }

  #refill(bucket: Bucket): Instant {
    const now = this.#now();
    const { line, pausedUntil } = bucket;
    // Put back: what was counted from a later moment starts anew.
    if (now < bucket.at) bucket.pausedUntil = (now + Math.max(0, pausedUntil - bucket.at)) as Instant;
    const passed = Math.max(0, now - bucket.at) / 1_000;
    bucket.calls = Math.min(line.burst, bucket.calls + passed * line.perSecond);
    bucket.at = now;
    return now;
  }
}
