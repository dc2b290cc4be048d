import { type Instant, instant } from '#domain/units.ts';
import { nextPacificMidnight, pacificDay } from '#sandbox/world/pacific-day.ts';
import type { LimitLine, LimitState } from './adapter.ts';

const DAY_SECONDS = 86_400;

interface Level {
  readonly tokens: number;
  readonly at: Instant;
}

/** Call limits by operation, on the world's clock: token buckets, or calls per calendar day. */
export class Limits {
  readonly #lines: Readonly<Record<string, LimitLine>>;
  readonly #now: () => Instant;
  readonly #levels = new Map<string, Level>();

  /** @param factor multiplies the calls per second */
  constructor(lines: Readonly<Record<string, LimitLine>>, now: () => Instant, factor = 1) {
    const times = (line: LimitLine): LimitLine => ({ ...line, perSecond: line.perSecond * factor });
    this.#lines = Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, times(line)]));
    this.#now = now;
  }

  /**
   * Counts a call.
   * @returns the state after the call, with `wait` above zero if it exceeds the limit; null for a call without a limit
   */
  count(operation: string | null): LimitState | null {
    const line = operation === null ? undefined : this.#lines[operation];
    if (operation === null || line === undefined) return null;
    const tokens = this.#tokens(operation, line);
    const isTooMany = tokens < 1;
    const left = isTooMany ? tokens : tokens - 1;
    this.#levels.set(operation, { tokens: left, at: this.#now() });
    return { ...line, left: Math.floor(left), wait: isTooMany ? this.#wait(line, tokens) : 0 };
  }

  /** Calls left now; null for a call without a limit. */
  left(operation: string): number | null {
    const line = this.#lines[operation];
    return line === undefined ? null : Math.max(0, Math.floor(this.#tokens(operation, line)));
  }

  /** Counts calls of another program of the same account. @throws RangeError for a call without a limit */
  use(operation: string, calls: number): void {
    const line = this.#lines[operation];
    if (line === undefined) throw new RangeError(`no limit is known for ${operation}`);
    const tokens = Math.max(0, this.#tokens(operation, line) - calls);
    this.#levels.set(operation, { tokens, at: this.#now() });
  }

  #tokens(operation: string, line: LimitLine): number {
    const now = this.#now();
    const level = this.#levels.get(operation);
    if (level === undefined) return line.burst;
    if (line.isDaily) return pacificDay(level.at) === pacificDay(now) ? level.tokens : line.burst;
    return Math.min(line.burst, level.tokens + ((now - level.at) / 1_000) * line.perSecond);
  }

  /** Milliseconds. */
  #wait(line: LimitLine, tokens: number): number {
    if (line.isDaily) return nextPacificMidnight(this.#now()) - this.#now();
    return Math.ceil(((1 - tokens) / line.perSecond) * 1_000);
  }
}

/** So many calls a calendar day, which begins at midnight in Los Angeles. */
export function callsPerDay(calls: number): LimitLine {
  return { perSecond: calls / DAY_SECONDS, burst: calls, isDaily: true };
}

/** Calls within the last 24 hours, counted at every moment: no midnight forgives them. */
export class SlidingDay {
  readonly #most: number;
  readonly #now: () => Instant;
  /** When they were made, oldest first. */
  readonly #made: Instant[] = [];

  constructor(most: number, now: () => Instant) {
    this.#most = most;
    this.#now = now;
  }

  /** @returns calls left after this one, and milliseconds until one is allowed: above zero if this one is not */
  count(): { readonly left: number; readonly wait: number } {
    const wait = this.#wait();
    if (wait === 0) this.#made.push(this.#now());
    return { left: this.#most - this.#made.length, wait };
  }

  /** Counts calls of another program with the same token, made now. */
  use(calls: number): void {
    const free = this.#most - this.#made.length;
    for (let at = 0; at < Math.min(calls, free); at++) this.#made.push(this.#now());
  }

  #wait(): number {
    const now = this.#now();
    const first = this.#made.findIndex((moment) => moment > now - DAY_SECONDS * 1_000);
    this.#made.splice(0, first < 0 ? this.#made.length : first);
    const [oldest] = this.#made;
    if (oldest === undefined || this.#made.length < this.#most) return 0;
    return instant(oldest + DAY_SECONDS * 1_000) - now;
  }
}
