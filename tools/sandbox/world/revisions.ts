import type { Instant } from '#domain/units.ts';
import { pacificDay } from './pacific-day.ts';

const USUAL_LIMIT = 250;

/** How often each listing was revised today; a day begins at midnight in Los Angeles. */
export class Revisions {
  readonly #now: () => Instant;
  readonly #limit: () => number;
  readonly #counts = new Map<string, { readonly day: string; readonly count: number }>();

  /** @param limit revisions of a listing in a day; 250 if it returns undefined */
  constructor(now: () => Instant, limit: () => number | undefined) {
    this.#now = now;
    this.#limit = () => limit() ?? USUAL_LIMIT;
  }

  /** Counts a revision. @returns false if the listing was revised too often already */
  count(itemId: string): boolean {
    const count = this.today(itemId);
    if (count >= this.#limit()) return false;
    this.#counts.set(itemId, { day: pacificDay(this.#now()), count: count + 1 });
    return true;
  }

  today(itemId: string): number {
    const before = this.#counts.get(itemId);
    return before?.day === pacificDay(this.#now()) ? before.count : 0;
  }

  /** Counts revisions that were made elsewhere today. */
  use(itemId: string, revisions: number): void {
    this.#counts.set(itemId, { day: pacificDay(this.#now()), count: this.today(itemId) + revisions });
  }
}
