import type { Decision, ReasonCode } from '#domain/decision/decision.ts';

/** What a run did, as `--summary` writes it. */
export interface Summary {
  /** Listings that have a row in the output. */
  readonly evaluated: number;
  readonly changed: number;
  readonly kept: number;
  readonly recommended: number;
  readonly blocked: number;
  /** Rows of any file with something unreadable; each is listed on standard error. */
  readonly rejected: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  /** Listings per reason code, in the order of the alphabet. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Counts what happens in a run. */
export class Tally {
  readonly #outcomes: Record<Decision['kind'], number> = { change: 0, keep: 0, recommend: 0, blocked: 0 };
  readonly #reasons = new Map<ReasonCode, number>();
  #rejected = 0;
  #lastRejected = '';

  count(decision: Decision): void {
    this.#outcomes[decision.kind]++;
    this.#reasons.set(decision.reason, (this.#reasons.get(decision.reason) ?? 0) + 1);
  }

  /** A row counts once, however many of its cells are reported one after the other. */
  reject(file: string, line: number): void {
    const place = `${line} ${file}`;
    if (place === this.#lastRejected) return;
    this.#lastRejected = place;
    this.#rejected++;
  }

  get rejected(): number {
    return this.#rejected;
  }

  get evaluated(): number {
    const { change, keep, recommend, blocked } = this.#outcomes;
    return change + keep + recommend + blocked;
  }

  /** @param seconds that the run took */
  summary(seconds: number): Summary {
    const { change, keep, recommend, blocked } = this.#outcomes;
    const { evaluated } = this;
    return {
      evaluated,
      changed: change,
      kept: keep,
      recommended: recommend,
      blocked,
      rejected: this.#rejected,
      seconds: Math.round(seconds * 1_000) / 1_000,
      rowsPerSecond: seconds > 0 ? Math.round(evaluated / seconds) : evaluated,
      reasons: Object.fromEntries([...this.#reasons].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}

/** The last line on standard error. */
export function summaryText(summary: Summary): string {
  const { evaluated, changed, kept, recommended, blocked, rejected, seconds, rowsPerSecond } = summary;
  const rows = rejected === 1 ? '1 row rejected' : `${rejected} rows rejected`;
  return `Evaluated ${evaluated}: ${changed} changed, ${kept} kept, ${recommended} recommended, ${blocked} blocked; ${rows}. ${seconds.toFixed(2)} s, ${rowsPerSecond} rows per second.`;
}
