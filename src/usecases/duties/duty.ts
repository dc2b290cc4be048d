import type { Db } from '#db/client.ts';
import { endLease, type Lease, takeLease } from '#db/queries/leases.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';

export interface DutyDeps {
  readonly db: Db;
  readonly now: () => Instant;
  /** Names this process, and no other one. */
  readonly owner: string;
}

/** Longer than any single call that is made under it. */
const LASTS = hours(1 / 20);
/** Asked for again once less than this is left. */
const RENEW_BELOW = hours(1 / 30);

/**
 * Something that one process at a time does, such as "send:walmart". Held for some minutes and renewed while it is done;
 * whoever dies or sleeps loses it by the passing of time. What is written under it is checked against its number in the
 * same transaction (`shareLease`), what is called by `isHeldFor`.
 */
export class Duty {
  readonly #deps: DutyDeps;
  readonly #name: string;
  #lease: Lease | null = null;
  #asked = 0;

  constructor(deps: DutyDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /** Takes it if it is free, or keeps it. @returns null while another process has it */
  async hold(): Promise<Lease | null> {
    if (this.#left() >= RENEW_BELOW) return this.#lease;
    const { db, now, owner } = this.#deps;
    // From before the question on: the answer may have been long under way.
    const asked = now();
    this.#lease = await takeLease(db, this.#name, owner, LASTS);
    this.#asked = asked;
    return this.#lease;
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

  #left(): number {
    if (this.#lease === null) return 0;
    const since = this.#deps.now() - this.#asked;
    // A clock that was set back tells nothing.
    return since >= 0 ? LASTS - since : 0;
  }
}
