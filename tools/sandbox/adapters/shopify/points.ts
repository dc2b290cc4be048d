import type { Instant } from '#domain/units.ts';

const MAX_POINTS = 2_000;
const POINTS_PER_SECOND = 100;

/** The query cost bucket of a shop on the standard plan; always full where limits are not enforced. */
export class Points {
  readonly #now: () => Instant;
  readonly #isKept: boolean;
  #left = MAX_POINTS;
  #at: Instant;

  constructor(now: () => Instant, isKept: boolean) {
    this.#now = now;
    this.#isKept = isKept;
    this.#at = now();
  }

  /** Deducts the points if enough are left. @returns whether they were */
  spend(points: number): boolean {
    const now = this.#now();
    this.#left = Math.min(MAX_POINTS, this.#left + ((now - this.#at) / 1_000) * POINTS_PER_SECOND);
    this.#at = now;
    if (!this.#isKept) return true;
    if (points > this.#left) return false;
    this.#left -= points;
    return true;
  }

  status() {
    return {
      maximumAvailable: MAX_POINTS,
      currentlyAvailable: Math.floor(this.#left),
      restoreRate: POINTS_PER_SECOND,
    };
  }
}
