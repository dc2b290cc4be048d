import type { Instant } from '#domain/units.ts';

/** Milliseconds. */
const FIRST_WAIT = 5_000;
const MAX_WAIT = 300_000;

/** How long to wait after so many failures in a row: the first wait, doubled with each further one. Milliseconds. */
export function backoffAfter(failures: number, first: number, most: number): number {
  return Math.min(first * 2 ** (failures - 1), most);
}

/**
 * When something that failed is retried: after waits that grow to five minutes, or at once with something else, such as
 * other credentials.
 */
export class Backoff<With> {
  readonly #isSame: (a: With, b: With) => boolean;
  #failures = 0;
  #failed: { readonly with: With; readonly at: Instant } | null = null;

  constructor(isSame: (a: With, b: With) => boolean) {
    this.#isSame = isSame;
  }

  canRetry(using: With, now: Instant): boolean {
    const failed = this.#failed;
    if (failed === null || !this.#isSame(using, failed.with)) return true;
    const wait = backoffAfter(this.#failures, FIRST_WAIT, MAX_WAIT);
    // A clock that was set back must not delay the retry.
    return now >= failed.at + wait || now < failed.at;
  }

  fail(using: With, now: Instant): void {
    this.#failures++;
    this.#failed = { with: using, at: now };
  }

  succeed(): void {
    this.#failures = 0;
    this.#failed = null;
  }
}
