import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { type Outcome, repricingRuns } from '#db/schema/runs.ts';
import type { Instant } from '#domain/units.ts';

/** A full check in the past, for the sample store. */
export async function openRun(db: Db, at: Instant): Promise<number> {
  const [row] = await db
    .insert(repricingRuns)
    .values({ trigger: 'full_check', startedAt: at, startedBy: null })
    .returning({ id: repricingRuns.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  return row.id;
}

export async function closeRun(db: Db, id: number, outcomes: readonly Outcome[], at: Instant): Promise<void> {
  const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  await db
    .update(repricingRuns)
    .set({
      state: 'done',
      endedAt: at,
      planned: outcomes.length,
      evaluated: outcomes.length,
      changed: count('change'),
      kept: count('keep'),
      recommended: count('recommend'),
      blocked: count('blocked'),
    })
    .where(eq(repricingRuns.id, id));
}
