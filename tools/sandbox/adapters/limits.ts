import type { Instant } from '#domain/units.ts';
import type { LimitLine, LimitState } from './adapter.ts';

/** Token buckets by operation, on the world's clock. */
export class Limits {
  readonly #lines: Readonly<Record<string, LimitLine>>;
  readonly #now: () => Instant;
  readonly #levels = new Map<string, { tokens: number; at: number }>();

  /** @param factor multiplies the calls per second */
  constructor(lines: Readonly<Record<string, LimitLine>>, now: () => Instant, factor = 1) {
    const times = ({ perSecond, burst }: LimitLine): LimitLine => ({ perSecond: perSecond * factor, burst });
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
    const now = this.#now();
    const level = this.#levels.get(operation) ?? { tokens: line.burst, at: now };
    const tokens = Math.min(line.burst, level.tokens + ((now - level.at) / 1_000) * line.perSecond);
    const isTooMany = tokens < 1;
    const left = isTooMany ? tokens : tokens - 1;
    this.#levels.set(operation, { tokens: left, at: now });
    const wait = isTooMany ? Math.ceil(((1 - tokens) / line.perSecond) * 1_000) : 0;
    return { ...line, left: Math.floor(left), wait };
  }
}
