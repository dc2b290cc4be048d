import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isSendingStopped } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { OPEN_INTENTS, type OpenIntent, urgencyOf } from './open-intent.ts';

/*
 * Prices that wait to be sent, and whose turn it is.
 */

/** Whether any price is open at a marketplace. */
export async function hasOpenIntents(db: Db, marketplace: Marketplace): Promise<boolean> {
  const { rows } = await db.execute<{ isAny: boolean }>(sql`
    SELECT EXISTS (SELECT FROM price_intents WHERE marketplace = ${marketplace}
      AND state IN ('queued', 'sent', 'accepted', 'unknown')) AS "isAny"`);
  return rows[0]?.isAny ?? false;
}

/** How many prices are queued for a marketplace. */
export async function countQueued(db: Db, marketplace: Marketplace): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::float8 AS count FROM price_intents WHERE marketplace = ${marketplace} AND state = 'queued'`);
  return rows[0]?.count ?? 0;
}

/** A listing whose price may be sent. */
export interface SendableListing extends Record<string, unknown> {
  readonly id: number;
  readonly isUrgent: boolean;
  /** The same for all members of a price group; null without one. */
  readonly groupOrder: string | null;
  readonly groupSize: number | null;
}

/**
 * Listings whose price may be sent next: first prices that end one below its margin floor, then manual prices, and
 * within each the largest change of money first. Not listings with a price of unknown result: it is read back first.
 * The engine's own prices also wait for one that was accepted, and while the current price is being checked.
 * @param acceptedSince a price accepted before this time that is still not seen is no longer waited for
 * @param halt the current halt: only prices sent in spite of it; null for none
 */
export async function readSendable(
  db: Db,
  marketplace: Marketplace,
  max: number,
  now: Instant,
  acceptedSince: Instant,
  halt: Instant | null,
): Promise<SendableListing[]> {
  const allowed = halt === null ? sql`true` : sql`q.past_halt = ${timestamptz(halt)}`;
  const { rows } = await db.execute<SendableListing>(sql`
    SELECT q.listing_id::float8 AS id, ${urgencyOf(sql`q`)} > 0 AS "isUrgent",
      q.group_order::text AS "groupOrder", q.group_size AS "groupSize" FROM price_intents q
    WHERE q.marketplace = ${marketplace} AND q.state = 'queued' AND ${allowed}
      AND (q.not_before IS NULL OR q.not_before <= ${timestamptz(now)})
      AND (${urgencyOf(sql`q`)} > 0 OR NOT ${isSendingStopped(sql`q.listing_id`, now)})
      AND NOT EXISTS (SELECT FROM price_intents i WHERE i.listing_id = q.listing_id
        AND (i.state = 'sent' OR (i.state = 'unknown' AND i.reads = 0)
          OR (q.source = 'rule' AND i.state = 'accepted' AND i.sent_at > ${timestamptz(acceptedSince)}
            AND NOT EXISTS (SELECT FROM price_intents later WHERE later.listing_id = i.listing_id
              AND later.sequence > i.sequence AND later.state = 'confirmed'))))
    ORDER BY ${urgencyOf(sql`q`)} DESC, abs(q.price - q.from_price) DESC, q.id LIMIT ${max}`);
  return rows;
}

/** Those of these listings, locked before, for which the engine sends nothing while their price is being checked. */
export async function readStoppedSending(
  tx: Db,
  listingIds: readonly number[],
  now: Instant,
): Promise<ReadonlySet<number>> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT l.id::float8 AS id FROM unnest(${sql.param(listingIds)}::bigint[]) AS l (id)
    WHERE ${isSendingStopped(sql`l.id`, now)}`);
  return new Set(rows.map(({ id }) => id));
}

/** The queued price of each of these listings; lock them first. */
export async function readQueued(tx: Db, listingIds: readonly number[]): Promise<OpenIntent[]> {
  const { rows } = await tx.execute<OpenIntent>(sql`
    ${OPEN_INTENTS} WHERE i.listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND i.state = 'queued' ORDER BY i.id`);
  return rows;
}

/** The prices that wait to be sent to a marketplace, without those that wait for the end of a pause. */
export async function readQueuedOf(tx: Db, marketplace: Marketplace): Promise<OpenIntent[]> {
  const { rows } = await tx.execute<OpenIntent>(sql`
    ${OPEN_INTENTS} WHERE i.marketplace = ${marketplace} AND i.state = 'queued' AND i.paused_until IS NULL ORDER BY i.id`);
  return rows;
}
