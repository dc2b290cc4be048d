import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isSendingStopped } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import type { IntentState, PriceSource } from '#db/schema/prices.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant, Millis } from '#domain/units.ts';

/*
 * Reads and writes of the sender. Every change of a state is conditional on the state it starts from: a superseded one
 * changes nothing.
 */

const moment = (at: Instant | null): SQL => (at === null ? sql`NULL::timestamptz` : sql`${timestamptz(at)}`);
const among = (ids: readonly number[]): SQL => sql`i.id = ANY(${sql.param(ids)}::bigint[])`;
const IS_OPEN = sql`i.state IN ('sent', 'accepted', 'unknown')`;

/** 2 raises a price below its margin floor, 1 is a manual price, 0 any other. */
const urgencyOf = (of: SQL): SQL => sql`(CASE
    WHEN ${of}.from_price < ${of}.margin_floor THEN 2 WHEN ${of}.source <> 'rule' THEN 1 ELSE 0 END)`;

/** An open price, with the identifiers of its listing. */
export interface OpenIntent extends Record<string, unknown> {
  readonly id: number;
  readonly listingId: number;
  readonly marketplace: Marketplace;
  readonly sequence: number;
  readonly state: IntentState;
  readonly price: Cents;
  readonly fromPrice: Cents;
  readonly marginFloor: Cents;
  readonly source: PriceSource;
  /** A manual price, or one that ends a price below the margin floor. */
  readonly isUrgent: boolean;
  readonly idempotencyKey: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly sentAt: Instant | null;
  readonly receipt: string | null;
  readonly reads: number;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  readonly itemId: string | null;
  /** Names the listings that share its price now; null for none. */
  readonly groupKey: string | null;
  readonly keys: Readonly<Record<string, string>>;
  readonly currentPrice: Cents;
  readonly isDeleted: boolean;
  /** The halt that a user overrode to send it. */
  readonly pastHalt: Instant | null;
  /** A user's price that waited for the end of a pause: its age counts from then. */
  readonly pausedUntil: Instant | null;
  /** The reason not to reprice the listing that the user was told and confirmed; null for none. */
  readonly pastReason: string | null;
  /** A later price of the listing was confirmed: this one may still arrive, but is no longer wanted. */
  readonly isSuperseded: boolean;
  /** The same for all members of a price group; null without one. */
  readonly groupOrder: string | null;
  readonly groupSize: number | null;
}

const SELECTED = sql`
  SELECT i.id::float8 AS id, i.listing_id::float8 AS "listingId", i.marketplace, i.sequence, i.state, (i.price * 100)::float8 AS price,
    (i.from_price * 100)::float8 AS "fromPrice", (i.margin_floor * 100)::float8 AS "marginFloor", i.source, ${urgencyOf(sql`i`)} > 0 AS "isUrgent", i.idempotency_key AS "idempotencyKey",
    round(date_part('epoch', i.created_at) * 1000) AS "createdAt",
    round(date_part('epoch', i.expires_at) * 1000) AS "expiresAt",
    round(date_part('epoch', i.sent_at) * 1000) AS "sentAt", i.receipt, i.reads, round(date_part('epoch', i.past_halt) * 1000) AS "pastHalt",
    round(date_part('epoch', i.paused_until) * 1000) AS "pausedUntil", i.past_reason AS "pastReason", l.sku,
    l.fulfillment_type AS "fulfillmentType", l.marketplace_item_id AS "itemId", l.group_key AS "groupKey", coalesce(m.keys, '{}') AS keys,
    (l.current_price * 100)::float8 AS "currentPrice", l.deleted_at IS NOT NULL AS "isDeleted",
    EXISTS (SELECT FROM price_intents later WHERE later.listing_id = i.listing_id
      AND later.sequence > i.sequence AND later.state = 'confirmed') AS "isSuperseded",
    i.group_order::text AS "groupOrder", i.group_size AS "groupSize"
  FROM price_intents i JOIN listings l ON l.id = i.listing_id
  LEFT JOIN marketplace_listings m ON m.listing_id = l.id`;

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
  const allowed = halt === null ? sql`true` : sql`q.past_halt = ${moment(halt)}`;
  const { rows } = await db.execute<SendableListing>(sql`
    SELECT q.listing_id::float8 AS id, ${urgencyOf(sql`q`)} > 0 AS "isUrgent",
      q.group_order::text AS "groupOrder", q.group_size AS "groupSize" FROM price_intents q
    WHERE q.marketplace = ${marketplace} AND q.state = 'queued' AND ${allowed}
      AND (q.not_before IS NULL OR q.not_before <= ${moment(now)})
      AND (${urgencyOf(sql`q`)} > 0 OR NOT ${isSendingStopped(sql`q.listing_id`, now)})
      AND NOT EXISTS (SELECT FROM price_intents i WHERE i.listing_id = q.listing_id
        AND (i.state = 'sent' OR (i.state = 'unknown' AND i.reads = 0)
          OR (q.source = 'rule' AND i.state = 'accepted' AND i.sent_at > ${moment(acceptedSince)}
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
    ${SELECTED} WHERE i.listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND i.state = 'queued' ORDER BY i.id`);
  return rows;
}

/**
 * Marks queued prices as sent, before the call: from now on they may have arrived.
 * @returns those that were still queued; no other one may be sent
 */
export async function markSent(tx: Db, ids: readonly number[], now: Instant): Promise<ReadonlySet<number>> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'sent', sent_at = ${moment(now)}, not_before = NULL, next_read_at = NULL
    WHERE ${among(ids)} AND i.state = 'queued' RETURNING i.id::float8 AS id`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Users' prices wait until a pause of their listing or marketplace is over, unless another one is queued now.
 * @param from the state that they are in
 * @param lastMoment when they expire, if they are not sent after the pause
 */
export async function postponeIntent(
  tx: Db,
  id: number,
  from: 'queued' | 'sent',
  { until, lastMoment }: { readonly until: Instant; readonly lastMoment: Instant },
  answer: string,
  now: Instant,
): Promise<void> {
  const newer = sql`EXISTS (SELECT FROM price_intents n WHERE n.listing_id = i.listing_id AND n.sequence > i.sequence)`;
  await tx.execute(sql`
    UPDATE price_intents i SET sent_at = NULL, marketplace_message = ${answer}, not_before = ${moment(until)},
      paused_until = ${moment(until)}, expires_at = ${moment(lastMoment)},
      state = CASE WHEN ${newer} THEN 'expired' ELSE 'queued' END,
      settled_at = CASE WHEN ${newer} THEN ${moment(now)} END
    WHERE i.id = ${id} AND i.state = ${from}`);
}

/** Ends a price that certainly was not sent. @param from the state that it is in */
export async function expireUnsent(
  tx: Db,
  id: number,
  from: 'queued' | 'sent',
  answer: string,
  now: Instant,
): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET state = 'expired', sent_at = NULL, marketplace_message = ${answer},
      settled_at = ${moment(now)}, next_read_at = NULL
    WHERE i.id = ${id} AND i.state = ${from}`);
}

/** The prices that wait to be sent to a marketplace, without those that wait for the end of a pause. */
export async function readQueuedOf(tx: Db, marketplace: Marketplace): Promise<OpenIntent[]> {
  const { rows } = await tx.execute<OpenIntent>(sql`
    ${SELECTED} WHERE i.marketplace = ${marketplace} AND i.state = 'queued' AND i.paused_until IS NULL ORDER BY i.id`);
  return rows;
}

/** Queues a price again that certainly was not sent, unless another one is queued now. */
export async function requeueIntent(
  tx: Db,
  id: number,
  notBefore: Instant | null,
  answer: string,
  now: Instant,
): Promise<'queued' | 'expired' | 'ended'> {
  const newer = sql`EXISTS (SELECT FROM price_intents n WHERE n.listing_id = i.listing_id AND n.sequence > i.sequence)`;
  const over = sql`(${newer} OR i.expires_at <= ${moment(now)})`;
  const { rows } = await tx.execute<{ state: 'queued' | 'expired' }>(sql`
    UPDATE price_intents i SET sent_at = NULL, marketplace_message = ${answer}, not_before = ${moment(notBefore)},
      state = CASE WHEN ${over} THEN 'expired' ELSE 'queued' END,
      settled_at = CASE WHEN ${over} THEN ${moment(now)} END
    WHERE i.id = ${id} AND i.state = 'sent' RETURNING i.state`);
  return rows[0]?.state ?? 'ended';
}

/** Ends a price that was marked as sent and certainly was not. @returns whether it was still open */
export async function endUnsent(tx: Db, id: number, answer: string, now: Instant): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    UPDATE price_intents i SET state = 'expired', sent_at = NULL, settled_at = ${moment(now)}, marketplace_message = ${answer}
    WHERE i.id = ${id} AND i.state = 'sent'`);
  return rowCount === 1;
}

/** A price that was accepted, or whose result is unknown, is read back from that time on. */
export async function awaitReadBack(
  tx: Db,
  id: number,
  state: 'accepted' | 'unknown',
  said: { readonly receipt: string | null; readonly answer: string | null },
  nextReadAt: Instant,
): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET state = ${state}, receipt = ${said.receipt}, marketplace_message = ${said.answer},
      next_read_at = ${moment(nextReadAt)}, reads = 0
    WHERE i.id = ${id} AND i.state = 'sent'`);
}

/**
 * A price sent in the future, by a clock that was ahead, counts as sent now: otherwise it would be read back only once
 * that time has come.
 */
export async function limitSentTimes(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET sent_at = ${moment(now)},
      next_read_at = CASE WHEN i.next_read_at IS NOT NULL THEN ${moment(now)} END
    WHERE i.marketplace = ${marketplace} AND ${IS_OPEN} AND i.sent_at > ${moment(now)} + interval '1 minute'`);
}

/**
 * A new holder of the lease reads back at once what its predecessor marked as sent. That process may still be running
 * with a call in flight: until {@link markOrphansUnknown} only a price that is seen is certain.
 */
export async function readBackSentNow(db: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await db.execute(sql`
    UPDATE price_intents i SET next_read_at = ${moment(now)} WHERE i.marketplace = ${marketplace} AND i.state = 'sent'`);
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
    UPDATE price_intents i SET state = 'unknown', marketplace_message = ${answer}, next_read_at = ${moment(now)}, reads = 0
    WHERE i.marketplace = ${marketplace} AND i.state = 'sent' AND i.sent_at <= ${moment(sentBefore)}
    RETURNING i.listing_id::float8 AS id`);
  return rows.map(({ id }) => id);
}

/** Ends intents that are still in one of these states. @returns their listings */
export async function settle(
  tx: Db,
  ids: readonly number[],
  from: readonly IntentState[],
  state: 'rejected' | 'expired',
  answer: string,
  now: Instant,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = ${state}, settled_at = ${moment(now)}, marketplace_message = ${answer}, next_read_at = NULL
    WHERE ${among(ids)} AND i.state = ANY(${sql.param(from)}::text[]) RETURNING i.listing_id::float8 AS id`);
  return rows.map(({ id }) => id);
}

/**
 * Ends queued prices of a marketplace: all of them, those that expired, or those that a halt stops.
 */
export async function expireQueuedOf(
  tx: Db,
  marketplace: Marketplace,
  which: 'all' | { readonly life: Millis } | { readonly stoppedBy: Instant },
  answer: string,
  now: Instant,
): Promise<number[]> {
  // By its age too, and also when it is in the future: a clock that was set back must not keep an old one.
  const over =
    which === 'all'
      ? sql`true`
      : 'stoppedBy' in which
        ? sql`i.past_halt IS DISTINCT FROM ${moment(which.stoppedBy)}`
        : sql`(i.expires_at <= ${moment(now)} OR i.created_at > ${moment(now)} + interval '1 minute'
          OR (i.source <> 'repair'
            AND coalesce(i.paused_until, i.created_at) <= ${moment(now)} - make_interval(secs => ${which.life / 1_000}::float8)))`;
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'expired', settled_at = ${moment(now)}, marketplace_message = ${answer}
    WHERE i.marketplace = ${marketplace} AND i.state = 'queued' AND ${over}
    RETURNING i.listing_id::float8 AS id`);
  return rows.map(({ id }) => id);
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
    WHERE i.marketplace = ${marketplace} AND ${IS_OPEN} AND i.next_read_at <= ${moment(now)}
    GROUP BY i.listing_id ORDER BY min(i.next_read_at), i.listing_id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** All open prices of these listings, the oldest first. */
export async function readUnconfirmed(db: Db, listingIds: readonly number[]): Promise<OpenIntent[]> {
  const { rows } = await db.execute<OpenIntent>(sql`
    ${SELECTED} WHERE i.listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND ${IS_OPEN} ORDER BY i.listing_id, i.sequence`);
  return rows;
}

/** Accepted prices that the engine's next one waits for are read back by this time at the latest. */
export async function advanceReadBacks(tx: Db, marketplace: Marketplace, by: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET next_read_at = ${moment(by)}
    WHERE i.marketplace = ${marketplace} AND i.state = 'accepted' AND i.next_read_at > ${moment(by)}
      AND EXISTS (SELECT FROM price_intents q
        WHERE q.listing_id = i.listing_id AND q.state = 'queued' AND q.source = 'rule')`);
}

/** Read back, and not there yet: read again at that time. @param counts whether the read-back succeeded */
export async function scheduleReadBack(tx: Db, id: number, at: Instant, counts: boolean): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET next_read_at = ${moment(at)}, reads = i.reads + ${counts ? 1 : 0}
    WHERE i.id = ${id} AND i.state IN ('accepted', 'unknown')`);
}

/** Read back before its call must have ended, and not there yet: it is read again after that. */
export async function awaitOrphan(tx: Db, id: number): Promise<void> {
  await tx.execute(
    sql`UPDATE price_intents i SET next_read_at = NULL WHERE i.id = ${id} AND i.state = 'sent'`,
  );
}

/** A listing with the price that a sync read. */
export interface CurrentPrice extends Record<string, unknown> {
  readonly id: number;
  readonly sku: string;
  readonly currentPrice: Cents;
  readonly anchorPrice: Cents;
  /** When the current price came into force. */
  readonly priceSince: Instant;
  readonly heldBy: string | null;
  readonly heldUntil: Instant | null;
  /** A price is on its way: sent and not settled, or set by a user and about to be sent. */
  readonly isOpen: boolean;
  /** When the price last changed, or a sent price was settled. */
  readonly movedAt: Instant;
  readonly awaitsUpload: boolean;
  /** Prices of its marketplace are sent automatically. */
  readonly isConnected: boolean;
  /** Names the listings that share its price; null for none. */
  readonly groupKey: string | null;
}

/** Live listings of a marketplace among these, by ID, locked. */
export async function lockCurrentPrices(
  tx: Db,
  marketplace: Marketplace,
  listingIds: readonly number[],
): Promise<CurrentPrice[]> {
  await tx.execute(sql`
    SELECT FROM listings WHERE id = ANY(${sql.param(listingIds)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  const { rows } = await tx.execute<CurrentPrice>(sql`
    SELECT l.id::float8 AS id, l.sku, (l.current_price * 100)::float8 AS "currentPrice",
      (l.anchor_price * 100)::float8 AS "anchorPrice",
      round(date_part('epoch', h.timestamp) * 1000) AS "priceSince", l.held_by AS "heldBy",
      round(date_part('epoch', l.held_until) * 1000) AS "heldUntil",
      l.awaiting_upload_since IS NOT NULL AS "awaitsUpload", l.group_key AS "groupKey",
      EXISTS (SELECT FROM integrations w WHERE w.marketplace = l.marketplace AND w.price_channel = 'connected') AS "isConnected",
      round(date_part('epoch', greatest(h.timestamp, i.settled_at)) * 1000) AS "movedAt",
      coalesce(i.is_open, false) AS "isOpen"
    FROM listings l
    JOIN price_history h ON h.listing_id = l.id AND h.id = l.current_price_id
    -- What the engine only queued has not left yet, and is not sent from another price than it was decided from.
    LEFT JOIN LATERAL (SELECT max(settled_at) FILTER (WHERE sent_at IS NOT NULL) AS settled_at,
        bool_or(state IN ('sent', 'accepted', 'unknown') OR (state = 'queued' AND source <> 'rule')) AS is_open
      FROM price_intents WHERE listing_id = l.id) i ON true
    WHERE l.id = ANY(${sql.param(listingIds)}::bigint[]) AND l.marketplace = ${marketplace} AND l.deleted_at IS NULL
    ORDER BY l.id`);
  return rows;
}
