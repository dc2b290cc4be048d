import type { Instant } from '#domain/units.ts';

/** Failures in a row after which nobody is asked for a while. */
const FAILURES = 5;
const REST = 30_000;

/** Stops asking a service that does not answer; after a rest one call finds out whether it does again. */
export class HttpCircuitBreaker {
  #failures = 0;
  #closedUntil: Instant | null = null;
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** @returns 0 when a call may go, else the milliseconds of rest that are left */
  rest(): number {
    if (this.#closedUntil === null) return 0;
    const left = this.#closedUntil - this.#now();
    // A clock that was put back must not make the rest longer.
    if (left > 0 && left <= REST) return left;
    this.#closedUntil = null;
    // One more failure closes it again.
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
