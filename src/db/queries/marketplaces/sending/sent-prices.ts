import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { IS_OPEN, OPEN_INTENTS, type OpenIntent } from './queued-prices.ts';

/*
 * Prices from the moment they are marked as sent until their read-back. Every change of a state is conditional on the
 * state it starts from: a superseded one changes nothing.
 */

/**
 * Marks queued prices as sent, before the call: from now on they may have arrived.
 * @returns those that were still queued; no other one may be sent
 */
export async function markSent(tx: Db, ids: readonly number[], now: Instant): Promise<ReadonlySet<number>> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'sent', sent_at = ${timestamptz(now)}, not_before = NULL, next_read_at = NULL
    WHERE i.id = ANY(${sql.param(ids)}::bigint[]) AND i.state = 'queued' RETURNING i.id::float8 AS id`);
  return new Set(rows.map(({ id }) => id));
}

/** Prices that were accepted, or whose result is unknown, are read back from that time on. */
export async function awaitReadBack(
  tx: Db,
  ids: readonly number[],
  state: 'accepted' | 'unknown',
  said: { readonly receipt: string | null; readonly answer: string | null },
  nextReadAt: Instant,
): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET state = ${state}, receipt = ${said.receipt}, marketplace_message = ${said.answer},
      next_read_at = ${timestamptz(nextReadAt)}, reads = 0
    WHERE i.id = ANY(${sql.param(ids)}::bigint[]) AND i.state = 'sent'`);
}

/**
 * A price sent in the future, by a clock that was ahead, counts as sent now: otherwise it would be read back only once
 * that time has come.
 */
export async function limitSentTimes(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET sent_at = ${timestamptz(now)},
      next_read_at = CASE WHEN i.next_read_at IS NOT NULL THEN ${timestamptz(now)} END
    WHERE i.marketplace = ${marketplace} AND ${IS_OPEN} AND i.sent_at > ${timestamptz(now)} + interval '1 minute'`);
}

/**
 * A new holder of the lease reads back at once what its predecessor marked as sent. That process may still be running
 * with a call in flight: until {@link markOrphansUnknown} only a price that is seen is certain.
 */
export async function readBackSentNow(db: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await db.execute(sql`
    UPDATE price_intents i SET next_read_at = ${timestamptz(now)} WHERE i.marketplace = ${marketplace} AND i.state = 'sent'`);
}

/** Sent prices whose call must have ended become unknown, and are read back at once. */
export async function markOrphansUnknown(
  tx: Db,
  marketplace: Marketplace,
  sentBefore: Instant,
  answer: string,
  now: Instant,
): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'unknown', marketplace_message = ${answer}, next_read_at = ${timestamptz(now)}, reads = 0
    WHERE i.marketplace = ${marketplace} AND i.state = 'sent' AND i.sent_at <= ${timestamptz(sentBefore)}
    RETURNING i.listing_id::float8 AS id`);
  return rows.map(({ id }) => id);
}

/** Read back before its call must have ended, and not there yet: it is read again after that. */
export async function awaitOrphan(tx: Db, id: number): Promise<void> {
  await tx.execute(
    sql`UPDATE price_intents i SET next_read_at = NULL WHERE i.id = ${id} AND i.state = 'sent'`,
  );
}

/** Listings with an open price to read back now, the longest due first. */
export async function readToReadBack(
  db: Db,
  marketplace: Marketplace,
  max: number,
  now: Instant,
): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT i.listing_id::float8 AS id FROM price_intents i
    WHERE i.marketplace = ${marketplace} AND ${IS_OPEN} AND i.next_read_at <= ${timestamptz(now)}
    GROUP BY i.listing_id ORDER BY min(i.next_read_at), i.listing_id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** All open prices of these listings, the oldest first. */
export async function readUnconfirmed(db: Db, listingIds: readonly number[]): Promise<OpenIntent[]> {
  const { rows } = await db.execute<OpenIntent>(sql`
    ${OPEN_INTENTS} WHERE i.listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND ${IS_OPEN} ORDER BY i.listing_id, i.sequence`);
  return rows;
}

/** Accepted prices that the engine's next one waits for are read back by this time at the latest. */
export async function advanceReadBacks(tx: Db, marketplace: Marketplace, by: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET next_read_at = ${timestamptz(by)}
    WHERE i.marketplace = ${marketplace} AND i.state = 'accepted' AND i.next_read_at > ${timestamptz(by)}
      AND EXISTS (SELECT FROM price_intents q
        WHERE q.listing_id = i.listing_id AND q.state = 'queued' AND q.source = 'rule')`);
}

/** Whether the last reading found the listing of open prices. @param since null: it did */
export async function noteMissing(tx: Db, ids: readonly number[], since: Instant | null): Promise<void> {
  const missingSince = since === null ? sql`NULL` : timestamptz(since);
  await tx.execute(sql`
    UPDATE price_intents i SET missing_since = ${missingSince}
    WHERE i.id = ANY(${sql.param(ids)}::bigint[]) AND i.state IN ('accepted', 'unknown')
      AND i.missing_since IS DISTINCT FROM ${missingSince}`);
}

/** Read back, and not there yet: read again at that time. @param counts whether the read-back succeeded */
export async function scheduleReadBack(tx: Db, id: number, at: Instant, counts: boolean): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET next_read_at = ${timestamptz(at)}, reads = i.reads + ${counts ? 1 : 0}
    WHERE i.id = ${id} AND i.state IN ('accepted', 'unknown')`);
}
