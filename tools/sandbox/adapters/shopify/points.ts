import type { Instant } from '#domain/units.ts';

const MOST = 2_000;
const A_SECOND = 100;

/** The points of a shop of the usual plan. Where limits are not kept they are always all there. */
export class Points {
  readonly #now: () => Instant;
  readonly #isKept: boolean;
  #left = MOST;
  #at: Instant;

  constructor(now: () => Instant, isKept: boolean) {
    this.#now = now;
    this.#isKept = isKept;
    this.#at = now();
  }

  /** @returns whether there are as many; then they are taken */
  take(points: number): boolean {
    const now = this.#now();
    this.#left = Math.min(MOST, this.#left + ((now - this.#at) / 1_000) * A_SECOND);
    this.#at = now;
    if (!this.#isKept) return true;
    if (points > this.#left) return false;
    this.#left -= points;
    return true;
  }

  status() {
    return { maximumAvailable: MOST, currentlyAvailable: Math.floor(this.#left), restoreRate: A_SECOND };
  }
}
