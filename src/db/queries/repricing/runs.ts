import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { repricingRuns, type StoredPlan } from '#db/schema/runs.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

export type RunRow = typeof repricingRuns.$inferSelect;

/** Runs of the engine; Apply and Undo are actions of users. */
const OF_ENGINE = inArray(repricingRuns.trigger, ['data_change', 'full_check', 'manual']);
/** Runs over every listing. */
const FULL = inArray(repricingRuns.trigger, ['full_check', 'manual']);

/** Adds a run that is running, or queued for the engine, according to `state`. */
export async function insertRun(
  db: Db,
  run: Pick<RunRow, 'trigger' | 'state' | 'startedAt' | 'planned'> & Partial<Pick<RunRow, 'startedBy'>>,
): Promise<RunRow> {
  const [row] = await db.insert(repricingRuns).values(run).returning();
  if (row === undefined) throw new Error('An insert answered no row.');
  return row;
}

/** The running run, else the one queued longest; null when there is none. */
export async function findOpenRun(db: Db): Promise<RunRow | null> {
  const [row] = await db
    .select()
    .from(repricingRuns)
    .where(and(OF_ENGINE, inArray(repricingRuns.state, ['queued', 'running'])))
    .orderBy(desc(eq(repricingRuns.state, 'running')), asc(repricingRuns.id))
    .limit(1);
  return row ?? null;
}

/** A full run that is queued or running; null when there is none. */
export async function findOpenFullRun(db: Db): Promise<RunRow | null> {
  const [row] = await db
    .select()
    .from(repricingRuns)
    .where(and(FULL, inArray(repricingRuns.state, ['queued', 'running'])))
    .orderBy(desc(repricingRuns.id))
    .limit(1);
  return row ?? null;
}

/**
 * Locks a run until the end of the transaction, so that no other process continues it; null when it is no longer
 * running.
 */
export async function lockRunningRun(tx: Db, id: number): Promise<RunRow | null> {
  const [row] = await tx
    .select()
    .from(repricingRuns)
    .where(and(eq(repricingRuns.id, id), eq(repricingRuns.state, 'running')))
    .for('update');
  return row ?? null;
}

/** Until the end of the transaction no other full run is added. */
export async function lockFullRuns(tx: Db): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('pricewright full run'))`);
}

/** Starts a queued run. */
export async function startRun(db: Db, id: number, planned: number, now: Instant): Promise<void> {
  await db
    .update(repricingRuns)
    .set({ state: 'running', startedAt: now, planned })
    .where(and(eq(repricingRuns.id, id), eq(repricingRuns.state, 'queued')));
}

/** Stores the plan that the circuit breaker accepted. */
export async function savePlan(db: Db, id: number, plan: StoredPlan): Promise<void> {
  await db.update(repricingRuns).set({ plan }).where(eq(repricingRuns.id, id));
}

/** Whether a run with a reviewed plan started at a time or after it. */
export async function hasReviewedRunSince(db: Db, since: Instant): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT 1 FROM repricing_runs WHERE started_at >= ${timestamptz(since)} AND plan ->> 'isReviewed' = 'true' LIMIT 1`);
  return rows.length > 0;
}

/** Counts that one batch adds to a run. */
export type BatchCounts = Pick<
  RunRow,
  | 'evaluated'
  | 'changed'
  | 'kept'
  | 'recommended'
  | 'blocked'
  | 'dropped'
  | 'rose'
  | 'movedUnread'
  | 'atMarginFloor'
  | 'mayChange'
  | 'competitive'
  | 'newlyBlocked'
>;

/**
 * Adds a batch to its run and moves the cursor.
 * @param atSamePrice the new total: it is not a sum of batches
 */
export async function addBatch(
  tx: Db,
  id: number,
  counts: BatchCounts,
  atSamePrice: number,
  sweptTo: number,
): Promise<void> {
  const t = repricingRuns;
  await tx
    .update(t)
    .set({
      evaluated: sql`${t.evaluated} + ${counts.evaluated}`,
      // Listings that become due during the run are included, so the count may grow.
      planned: sql`CASE WHEN ${t.planned} IS NOT NULL THEN greatest(${t.planned}, ${t.evaluated} + ${counts.evaluated}) END`,
      changed: sql`${t.changed} + ${counts.changed}`,
      kept: sql`${t.kept} + ${counts.kept}`,
      recommended: sql`${t.recommended} + ${counts.recommended}`,
      blocked: sql`${t.blocked} + ${counts.blocked}`,
      dropped: sql`${t.dropped} + ${counts.dropped}`,
      rose: sql`${t.rose} + ${counts.rose}`,
      movedUnread: sql`${t.movedUnread} + ${counts.movedUnread}`,
      atMarginFloor: sql`${t.atMarginFloor} + ${counts.atMarginFloor}`,
      mayChange: sql`${t.mayChange} + ${counts.mayChange}`,
      competitive: sql`${t.competitive} + ${counts.competitive}`,
      newlyBlocked: sql`${t.newlyBlocked} + ${counts.newlyBlocked}`,
      atSamePrice,
      sweptTo,
    })
    .where(eq(t.id, id));
}

/**
 * Ends a queued or running run.
 * @param reason why it was stopped or failed; null when it is done
 */
export async function endRun(
  db: Db,
  id: number,
  state: 'done' | 'stopped' | 'failed',
  reason: string | null,
  now: Instant,
): Promise<void> {
  await db
    .update(repricingRuns)
    // A clock that was set back must not prevent a run from ending.
    .set({
      state,
      stopReason: reason,
      endedAt: sql`greatest(${timestamptz(now)}, started_at)`,
    })
    .where(and(eq(repricingRuns.id, id), inArray(repricingRuns.state, ['queued', 'running'])));
}

/**
 * Start of the last full run, whatever its result; null before the first. A start in the future, by a clock that was
 * ahead, is ignored.
 */
export async function lastFullRunAt(db: Db, now: Instant): Promise<Instant | null> {
  const [row] = await db
    .select({ startedAt: repricingRuns.startedAt })
    .from(repricingRuns)
    .where(and(FULL, sql`${repricingRuns.state} <> 'queued'`, lte(repricingRuns.startedAt, now)))
    .orderBy(desc(repricingRuns.startedAt))
    .limit(1);
  return row?.startedAt ?? null;
}
