import type { Db } from '#db/client.ts';
import { endLease, type Lease, takeLease } from '#db/queries/background/leases.ts';
import type { SessionLock } from '#db/session-lock.ts';
import { hours, type Instant, type Millis, minutes, seconds } from '#domain/units.ts';

export interface LeaseDeps {
  readonly db: Db;
  readonly now: () => Instant;
  /** Names this process, and no other one. */
  readonly owner: string;
  /** Lets others see at once that this process is gone. Without it they wait for the end of what it held. */
  readonly session?: Pick<SessionLock, 'key'> | undefined;
}

/** After that others take over from a process that is not heard of any more. */
const LASTS = minutes(1);
/** Asked for again once less than this is left. */
const RENEW_BELOW = seconds(30);
/** Whatever is called under a duty, and must not outlast it, is over after that. */
export const LONGEST_CALL = seconds(50);
/** Left of it at least where such a call is prepared. */
const FRESH = hours(11 / 720);

/**
 * Something that one process at a time does, such as "send:walmart". Held for a minute and renewed while it is done;
 * a process that dies loses it with its database session, one that sleeps by the passing of time. What is written under
 * it is checked against its number in the same transaction (`shareLease`), what is called by `isHeldFor`.
 */
export class HeldLease {
  readonly #deps: LeaseDeps;
  readonly #name: string;
  #lease: Lease | null = null;
  #sessionKey: number | null = null;
  #asked = 0;

  constructor(deps: LeaseDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /** Takes it if it is free, or keeps it. @returns null while another process has it */
  hold(): Promise<Lease | null> {
    return this.#holdFor(RENEW_BELOW);
  }

  /** The same before a call that may take its whole time. */
  holdForCall(): Promise<Lease | null> {
    return this.#holdFor(FRESH);
  }

  /** Whether it will still be ours so many milliseconds from now, as far as a process that may have slept can tell. */
  isHeldFor(time: Millis): boolean {
    return this.#left() > time;
  }

  /** Gives it up for others. */
  async end(): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    if (lease !== null) await endLease(this.#deps.db, lease);
  }

  async #holdFor(least: Millis): Promise<Lease | null> {
    if (this.#left() >= least) return this.#lease;
    const { db, now, owner } = this.#deps;
    // From before the question on: the answer may have been long under way.
    const asked = now();
    const sessionKey = this.#currentKey();
    this.#lease = await takeLease(db, this.#name, owner, LASTS, sessionKey);
    this.#sessionKey = sessionKey;
    this.#asked = asked;
    return this.#lease;
  }

  #left(): number {
    // With the session that it was taken under anybody may have taken it over.
    if (this.#lease === null || this.#sessionKey !== this.#currentKey()) return 0;
    const since = this.#deps.now() - this.#asked;
    // A clock that was set back tells nothing.
    return since >= 0 ? LASTS - since : 0;
  }

  #currentKey(): number | null {
    return this.#deps.session?.key() ?? null;
  }
}
