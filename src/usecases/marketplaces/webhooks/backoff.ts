import type { Account } from '#connectors/connector.ts';
import type { Instant } from '#domain/units.ts';
import { isSameCredentials } from './webhook-address.ts';

/** Milliseconds. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 300_000;

/** When something that failed is tried again: after waits that grow to five minutes, or at once with other keys. */
export class Backoff {
  #failures = 0;
  #failed: { readonly account: Account | null; readonly at: Instant } | null = null;

  /** @param account with which it would be tried; null for a try that needs none */
  canRetry(account: Account | null, now: Instant): boolean {
    const failed = this.#failed;
    if (failed === null || !isSame(account, failed.account)) return true;
    const wait = Math.min(FIRST_WAIT * 2 ** (this.#failures - 1), LONGEST_WAIT);
    // A clock that was put back must not hold it up.
    return now >= failed.at + wait || now < failed.at;
  }

  fail(account: Account | null, now: Instant): void {
    this.#failures++;
    this.#failed = { account, at: now };
  }

  succeed(): void {
    this.#failures = 0;
    this.#failed = null;
  }
}

function isSame(a: Account | null, b: Account | null): boolean {
  return a === null || b === null ? a === b : isSameCredentials(a.credentials, b.credentials);
}
