import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { cents, millis } from '#db/sql-values.ts';
import type { FeeFact, FeeRefusal } from '#domain/fees/fee-fact.ts';
import type { Cents } from '#domain/units.ts';

const FACT_TYPES = {
  listingId: 'bigint',
  kind: 'text',
  name: 'text',
  source: 'text',
  fulfillmentType: 'text',
  askedPrice: 'numeric',
  askedShipping: 'numeric',
  amount: 'numeric',
  promotion: 'numeric',
  toldAt: 'timestamptz',
  refusedBecause: 'text',
} as const;

/** Adds fees as they were told. */
export async function addFeeFacts(tx: Db, facts: readonly TextRow[]): Promise<void> {
  if (facts.length === 0) return;
  await tx.execute(sql`
    INSERT INTO fee_facts (listing_id, kind, name, source, fulfillment_type, asked_price, asked_shipping, amount,
      promotion, told_at, refused_because)
    SELECT "listingId", kind, name, source, "fulfillmentType", "askedPrice", "askedShipping", amount,
      coalesce(promotion, 0), "toldAt", "refusedBecause" FROM ${rowsTable('f', FACT_TYPES, facts)}`);
}

const FACT = sql`kind, name, source, fulfillment_type AS "fulfillmentType", ${cents('asked_price')} AS "askedPrice",
  ${cents('asked_shipping')} AS "askedShipping", ${cents('amount')} AS amount, ${cents('promotion')} AS promotion,
  ${millis('told_at')} AS "toldAt"`;

/** A stored fee, used or not. */
export interface FeeFactRow extends Omit<FeeFact, 'amount'>, Record<string, unknown> {
  /** Null for an answer without a usable amount. */
  readonly amount: Cents | null;
  readonly refusedBecause: FeeRefusal | null;
}

/** More than a week of answers at several prices; older ones decide nothing. */
const MAX_ANSWERS = 40;

/** The fees told for these listings that may be used, the newest of each listing first. Answers are never cut in half. */
export async function listUsableFeeFacts(
  db: Db,
  ids: readonly number[],
): Promise<(FeeFact & { listingId: number })[]> {
  const { rows } = await db.execute<FeeFact & { listingId: number } & Record<string, unknown>>(sql`
    SELECT wanted.id::float8 AS "listingId", ${FACT}
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT *, dense_rank() OVER (ORDER BY told_at DESC) AS place FROM fee_facts
      WHERE listing_id = wanted.id AND refused_because IS NULL) f
    WHERE f.place <= ${MAX_ANSWERS} ORDER BY wanted.id, f.told_at DESC, f.id`);
  return rows;
}

/** All fees told for these listings that may be used, the oldest of each listing first. */
export async function listFeeFactsOf(
  db: Db,
  ids: readonly number[],
): Promise<(FeeFact & { listingId: number })[]> {
  const { rows } = await db.execute<FeeFact & { listingId: number } & Record<string, unknown>>(sql`
    SELECT listing_id::float8 AS "listingId", ${FACT} FROM fee_facts
    WHERE listing_id = ANY(${sql.param(ids)}::bigint[]) AND refused_because IS NULL ORDER BY listing_id, told_at, id`);
  return rows;
}

/** What was told of a listing's fees, the newest answer first. */
export async function listFeeFacts(db: Db, listingId: number, limit: number): Promise<FeeFactRow[]> {
  const { rows } = await db.execute<FeeFactRow>(sql`
    SELECT ${FACT}, refused_because AS "refusedBecause"
    FROM fee_facts WHERE listing_id = ${listingId} ORDER BY told_at DESC, id LIMIT ${limit}`);
  return rows;
}
