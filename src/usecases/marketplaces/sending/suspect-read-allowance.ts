import type { ItemReads } from '#connectors/connector.ts';
import type { Instant } from '#domain/units.ts';

/** The share of a marketplace's item calls that checks of suspect prices may use. */
const SHARE = 0.1;
/** Calls that were not used are kept for this many seconds. */
const KEPT_FOR = 60;

/** How many items of suspect prices may be read now: an allowance of their own, so that they never delay other calls. */
export class ItemAllowance {
  readonly #now: () => Instant;
  #calls: number | null = null;
  #at: Instant;

  constructor(now: () => Instant) {
    this.#now = now;
    this.#at = now();
  }

  /** @returns listings that may be read now */
  left({ callsPerSecond, listingsPerCall }: ItemReads): number {
    const now = this.#now();
    const perSecond = callsPerSecond * SHARE;
    const most = Math.max(1, perSecond * KEPT_FOR);
    // A clock that was set back earns nothing.
    const earned = (Math.max(0, now - this.#at) / 1_000) * perSecond;
    this.#calls = Math.min(most, (this.#calls ?? most) + earned);
    this.#at = now;
    return Math.floor(this.#calls) * listingsPerCall;
  }

  /** Call {@link left} before. */
  take(listings: number, { listingsPerCall }: ItemReads): void {
    this.#calls = (this.#calls ?? 0) - Math.ceil(listings / listingsPerCall);
  }
}
