import type { RunGroups, RunGroupsQuery } from '#contract/undo-changes.ts';
import type { Db } from '#db/client.ts';
import { readRunGroups } from '#db/queries/repricing/run-groups.ts';
import { daySpan } from '#domain/time/day-span.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const WEEK = hours(7 * 24);
const MAX_GROUPS = 400;

/** Price changes of runs in a period, grouped by hour, day, marketplace or rule; by default the last 7 days. */
export async function runGroups(
  { db, now }: { readonly db: Db; readonly now: () => Instant },
  { by, from, to, zone }: RunGroupsQuery,
): Promise<RunGroups> {
  const days = daySpan({ from, to }, zone);
  const since = days.since ?? instant((days.until ?? now()) - WEEK);
  const groups = await readRunGroups(db, by, { since, until: days.until }, zone, MAX_GROUPS + 1, now());
  return {
    since: new Date(since).toISOString(),
    until: days.until === undefined ? null : new Date(days.until).toISOString(),
    groups: groups.slice(0, MAX_GROUPS),
    isCut: groups.length > MAX_GROUPS,
  };
}
