import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { cents } from '#db/sql-values.ts';
import type { Cents, Instant } from '#domain/units.ts';

export type PriceRow = typeof priceHistory.$inferSelect;

/** One row of the ledger; null when that listing has no such row. */
export async function findPriceRow(db: Db, listingId: number, id: number): Promise<PriceRow | null> {
  const [row] = await db
    .select()
    .from(priceHistory)
    .where(and(eq(priceHistory.listingId, listingId), eq(priceHistory.id, id)));
  return row ?? null;
}

/** Counts of a bulk action on prices. */
export interface ActionCounts {
  readonly evaluated: number;
  readonly changed: number;
  readonly kept: number;
  readonly blocked: number;
}

/**
 * Records a bulk action on prices as a run, so that they can be reviewed together.
 * @param trigger recommendations that were applied, or prices that were undone
 * @param undoesRunId the run whose prices were undone; null if they were not those of one run
 * @returns its ID
 */
export async function insertActionRun(
  tx: Db,
  startedBy: string,
  counts: ActionCounts,
  now: Instant,
  trigger: 'apply' | 'undo' = 'apply',
  undoesRunId: number | null = null,
): Promise<number> {
  const [row] = await tx
    .insert(repricingRuns)
    .values({
      ...counts,
      startedBy,
      trigger,
      undoesRunId,
      state: 'done' as const,
      planned: counts.evaluated,
      startedAt: now,
      endedAt: now,
    })
    .returning({ id: repricingRuns.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  return row.id;
}

/** Adds another batch to such a run. */
export async function growActionRun(tx: Db, id: number, counts: ActionCounts, now: Instant): Promise<void> {
  await tx
    .update(repricingRuns)
    .set({
      planned: sql`${repricingRuns.planned} + ${counts.evaluated}`,
      evaluated: sql`${repricingRuns.evaluated} + ${counts.evaluated}`,
      changed: sql`${repricingRuns.changed} + ${counts.changed}`,
      kept: sql`${repricingRuns.kept} + ${counts.kept}`,
      blocked: sql`${repricingRuns.blocked} + ${counts.blocked}`,
      endedAt: now,
    })
    .where(eq(repricingRuns.id, id));
}

/** The effect of a run on one listing, with the listing's current state. */
export interface MovedByRun extends Record<string, unknown> {
  readonly id: number;
  readonly sku: string;
  /** Before the run. */
  readonly oldPrice: Cents;
  /** No price came after it. */
  readonly isLatest: boolean;
  readonly isDeleted: boolean;
}

/** The listings whose price a run changed, by ID; of some listings, or null for all of them. */
export async function readMovedByRun(
  db: Db,
  runId: number,
  ids: readonly number[] | null,
): Promise<MovedByRun[]> {
  const among = ids === null ? sql`` : sql`AND h.listing_id = ANY(${sql.param(ids)}::bigint[])`;
  const { rows } = await db.execute<MovedByRun>(sql`
    SELECT l.id::float8 AS id, l.sku, ${cents('(array_agg(h.old_price ORDER BY h.id))[1]')} AS "oldPrice",
      max(h.id) = l.current_price_id AS "isLatest", l.deleted_at IS NOT NULL AS "isDeleted"
    FROM price_history h JOIN listings l ON l.id = h.listing_id
    WHERE h.run_id = ${runId} ${among}
    GROUP BY l.id ORDER BY l.id`);
  return rows;
}
