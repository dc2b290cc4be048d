import type { ListedRun } from '#contract/engine.ts';
import { readersZone } from '#web/lib/moments.ts';
import { sumOf } from '#web/lib/money-sums.ts';

/** One row of the list: a run, or the automatic runs of an hour. */
export interface RunRow {
  /** The newest first; at least one. */
  readonly runs: readonly ListedRun[];
  readonly evaluated: number;
  readonly changed: number;
  readonly up: number;
  readonly down: number;
  readonly recommended: number;
  readonly blocked: number;
  /** Of the runs whose worth is known; null without one. */
  readonly equalSales: string | null;
  /** The number of changes in that sum. */
  readonly equalSalesOf: number;
}

/** The runs of a day; `day` as "2026-11-21" where the reader is. */
export interface RunDay {
  readonly day: string;
  readonly rows: readonly RunRow[];
}

/**
 * Runs by day. Automatic runs of the same hour that follow each other are one row; those that a user started, that are not
 * finished or that were stopped stay alone.
 * @param runs the newest first
 */
export function runDays(runs: readonly ListedRun[]): readonly RunDay[] {
  const days: { day: string; folds: ListedRun[][] }[] = [];
  for (const run of runs) {
    const day = localDay(run.startedAt);
    if (days.at(-1)?.day !== day) days.push({ day, folds: [] });
    const folds = days.at(-1)?.folds ?? [];
    const last = folds.at(-1)?.[0];
    if (last !== undefined && canFold(last) && canFold(run) && hourOf(last) === hourOf(run))
      folds.at(-1)?.push(run);
    else folds.push([run]);
  }
  return days.map(({ day, folds }) => ({ day, rows: folds.map(rowOf) }));
}

/** "2026-11-21" where the reader is. */
export function localDay(iso: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: readersZone() }).format(new Date(iso));
}

function canFold({ startedBy, state }: ListedRun): boolean {
  return startedBy === null && state === 'done';
}

function hourOf({ startedAt }: ListedRun): number {
  const at = new Date(startedAt);
  return at.setMinutes(0, 0, 0);
}

function rowOf(runs: readonly ListedRun[]): RunRow {
  const sum = (of: (run: ListedRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  return {
    runs,
    evaluated: sum(({ evaluated }) => evaluated),
    changed: sum(({ changed }) => changed),
    up: sum(({ up }) => up),
    down: sum(({ down }) => down),
    recommended: sum(({ recommended }) => recommended),
    blocked: sum(({ blocked }) => blocked),
    equalSales: sumOf(runs.map(({ equalSales }) => equalSales)),
    equalSalesOf: sum(({ equalSalesOf }) => equalSalesOf),
  };
}
