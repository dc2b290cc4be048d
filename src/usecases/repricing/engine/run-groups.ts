import type { RunGroups, RunGroupsQuery } from '#contract/undo-changes.ts';
import type { Db } from '#db/client.ts';
import { readRunGroups } from '#db/queries/repricing/run-groups.ts';
import { daySpan, dayStarts } from '#domain/time/day-span.ts';
import { type Instant, instant } from '#domain/units.ts';

/** Whole days: an undo of a day undoes all of it. */
const DEFAULT_DAYS = 7;
const MAX_GROUPS = 400;

/** Price changes of runs in a period, grouped by hour, day, marketplace or rule; by default of seven whole days, today or `to` included. */
export async function runGroups(
  { db, now }: { readonly db: Db; readonly now: () => Instant },
  { by, from, to, zone }: RunGroupsQuery,
): Promise<RunGroups> {
  const days = daySpan({ from, to }, zone);
  const last = days.until === undefined ? now() : instant(days.until - 1);
  const [first] = dayStarts(last, zone, DEFAULT_DAYS);
  const since = days.since ?? first?.start ?? last;
  const groups = await readRunGroups(db, by, { since, until: days.until }, zone, MAX_GROUPS + 1, now());
  return {
    since: new Date(since).toISOString(),
    until: days.until === undefined ? null : new Date(days.until).toISOString(),
    groups: groups.slice(0, MAX_GROUPS),
    isCut: groups.length > MAX_GROUPS,
  };
}
