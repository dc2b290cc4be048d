import type { Db } from '#db/client.ts';
import type { ToDecide } from '#db/queries/repricing/due-listings.ts';
import { readMembersToDecide } from '#db/queries/repricing/price-groups.ts';

const NOTHING_SKIPPED: ReadonlySet<number> = new Set();

/**
 * A page with whole price groups, by ID: each is decided with its first member, and one of which a member is skipped not
 * at all.
 * @param after the cursor before the page: a group that starts there or earlier was decided with an earlier page
 */
export async function withWholeGroups(
  db: Db,
  page: readonly ToDecide[],
  after: number,
  skipped: ReadonlySet<number> = NOTHING_SKIPPED,
): Promise<readonly ToDecide[]> {
  const grouped = page.filter(({ groupKey }) => groupKey !== null);
  if (grouped.length === 0) return page;
  const members = await readMembersToDecide(
    db,
    grouped.map(({ id }) => id),
  );
  const left = new Set(members.filter(({ id }) => skipped.has(id)).map(({ first }) => first));
  const whole = members.filter(({ first }) => first > after && !left.has(first));
  // Read before: a member that left its group since is decided by the next run.
  const alone = page.filter(({ groupKey }) => groupKey === null);
  return [...alone, ...whole].toSorted((a, b) => a.id - b.id);
}
