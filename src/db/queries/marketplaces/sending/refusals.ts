import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import type { INTENT_SOURCES } from '#db/schema/prices.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { Cents, Instant } from '#domain/units.ts';

/*
 * A price that a marketplace rejected is not sent again until something changes: the current price, its catalog data,
 * the credentials (triggers detect these), or a user requests it.
 */

/**
 * Ends open intents that the marketplace rejected. Their listings are decided again: another price may be accepted.
 * @param answer the marketplace's message
 */
export async function rejectIntents(
  tx: Db,
  ids: readonly number[],
  answer: string,
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'rejected', is_refusal_active = true, marketplace_message = ${answer}, next_read_at = NULL,
      settled_at = ${timestamptz(now)}
    WHERE i.id = ANY(${sql.param(ids)}::bigint[]) AND i.state IN ('sent', 'accepted', 'unknown')
    RETURNING i.listing_id::float8 AS id`);
  await markDue(
    tx,
    rows.map(({ id }) => id),
  );
}

export interface ActiveRefusal extends Record<string, unknown> {
  readonly listingId: number;
  readonly price: Cents;
}

/** Rejected prices of these listings that are not sent again: those that started from the current price. */
export async function readActiveRefusals(db: Db, listingIds: readonly number[]): Promise<ActiveRefusal[]> {
  const { rows } = await db.execute<ActiveRefusal>(sql`
    SELECT i.listing_id::float8 AS "listingId", ${cents('i.price')} AS price
    FROM price_intents i JOIN listings l ON l.id = i.listing_id AND l.current_price = i.from_price
    WHERE i.is_refusal_active AND i.listing_id = ANY(${sql.param(listingIds)}::bigint[]) ORDER BY i.id`);
  return rows;
}

/** The newest price of a listing that was rejected there. */
export interface RefusedPrice extends Record<string, unknown> {
  readonly price: Cents;
  readonly source: (typeof INTENT_SOURCES)[number];
  readonly answer: string | null;
}

/** @returns null when the newest price of the listing was not rejected */
export async function readRefused(tx: Db, listingId: number): Promise<RefusedPrice | null> {
  const { rows } = await tx.execute<RefusedPrice & { state: string }>(sql`
    SELECT ${cents('price')} AS price, source, marketplace_message AS answer, state FROM price_intents
    WHERE listing_id = ${listingId} ORDER BY sequence DESC LIMIT 1`);
  const [newest] = rows;
  return newest?.state === 'rejected' ? newest : null;
}

/** All rejected prices of a listing may be sent again. */
export async function clearRefusals(tx: Db, listingId: number): Promise<void> {
  await tx.execute(sql`SELECT clear_refusals(ARRAY[${listingId}]::bigint[])`);
}
