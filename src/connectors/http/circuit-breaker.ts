import type { Instant } from '#domain/units.ts';

/** Consecutive failures after which calls are paused. */
const FAILURES = 5;
const REST = 30_000;

/** Stops calling a service that does not respond; after a pause one call tests whether it does again. */
export class HttpCircuitBreaker {
  #failures = 0;
  #closedUntil: Instant | null = null;
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** @returns 0 when a call may be made, else the milliseconds left of the pause */
  rest(): number {
    if (this.#closedUntil === null) return 0;
    const left = this.#closedUntil - this.#now();
    // A clock that was set back must not extend the pause.
    if (left > 0 && left <= REST) return left;
    this.#closedUntil = null;
    // One more failure opens it again.
    this.#failures = FAILURES - 1;
    return 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= FAILURES) this.#closedUntil = (this.#now() + REST) as Instant;
  }
}
