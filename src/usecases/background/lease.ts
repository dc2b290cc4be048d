import type { Db } from '#db/client.ts';
import { acquireLease, type Lease, releaseLease } from '#db/queries/background/leases.ts';
import type { SessionLock } from '#db/session-lock.ts';
import { type Instant, type Millis, minutes, seconds } from '#domain/units.ts';

export interface LeaseDeps {
  readonly db: Db;
  readonly now: () => Instant;
  /** Names this process, and no other one. */
  readonly owner: string;
  /** Lets others detect at once that this process has ended. Without it they wait until its leases expire. */
  readonly session?: Pick<SessionLock, 'key'> | undefined;
}

/** Afterwards another process may acquire the lease. */
export const LEASE_DURATION = minutes(1);
/** Renewed when less than this is left. */
const RENEW_BELOW = seconds(30);
/** The longest external call that may run under a lease. */
export const LONGEST_CALL = seconds(50);
/** The least time that must be left before such a call. */
const MIN_LEFT_FOR_CALL = seconds(55);

/**
 * A named lease, such as "send:walmart". One process holds it for a minute and renews it while it works; a process that
 * dies loses it with its database session, one that sleeps loses it on expiry. Writes check the fencing token in the
 * same transaction (`shareLease`); call `isValidFor` before an external call.
 */
export class HeldLease {
  readonly #deps: LeaseDeps;
  readonly #name: string;
  #lease: Lease | null = null;
  #sessionKey: number | null = null;
  #requestedAt = 0;

  constructor(deps: LeaseDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /** Acquires or renews the lease. @returns null while another process holds it */
  acquire(): Promise<Lease | null> {
    return this.#acquireFor(RENEW_BELOW);
  }

  /** The same before a call that may need its whole time. */
  acquireForCall(): Promise<Lease | null> {
    return this.#acquireFor(MIN_LEFT_FOR_CALL);
  }

  /**
   * Whether the lease is still valid after this many milliseconds, as far as a process that may have slept can know.
   */
  isValidFor(time: Millis): boolean {
    return this.#left() > time;
  }

  /** Releases the lease. */
  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    if (lease !== null) await releaseLease(this.#deps.db, lease);
  }

  async #acquireFor(least: Millis): Promise<Lease | null> {
    if (this.#left() >= least) return this.#lease;
    const { db, now, owner } = this.#deps;
    // The time before the request: the response may have been delayed.
    const requestedAt = now();
    const sessionKey = this.#currentKey();
    this.#lease = await acquireLease(db, this.#name, owner, LEASE_DURATION, sessionKey);
    this.#sessionKey = sessionKey;
    this.#requestedAt = requestedAt;
    return this.#lease;
  }

  #left(): number {
    // Another process may hold the lease once the session that acquired it has ended.
    if (this.#lease === null || this.#sessionKey !== this.#currentKey()) return 0;
    const since = this.#deps.now() - this.#requestedAt;
    // The clock was set back, so the remaining time is unknown.
    return since >= 0 ? LEASE_DURATION - since : 0;
  }

  #currentKey(): number | null {
    return this.#deps.session?.key() ?? null;
  }
}
