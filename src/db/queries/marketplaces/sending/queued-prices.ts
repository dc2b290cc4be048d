import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isReasonInForce } from '#db/queries/marketplaces/sync/not-repriceable.ts';
import { isSendingStopped } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import type { ChangedBy, PriceMove } from '#db/queries/repricing/decision-rows.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import type { INTENT_SOURCES, IntentState, PriceSource } from '#db/schema/prices.ts';
import { cents, isoTime, timestamptz } from '#db/sql-values.ts';
import { groupBy } from '#domain/group-by.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** A price to be sent: it was checked, so its margin floor is known. */
export type IntendedMove = PriceMove & { readonly marginFloor: Cents };
export type IntendedBy = ChangedBy & {
  readonly source: (typeof INTENT_SOURCES)[number];
  /** The halt that a user overrode to send it; null for none. */
  readonly pastHalt: Instant | null;
  /** Why listings must not be repriced from here, as the user was shown and confirmed. */
  readonly despiteReasons?: readonly string[];
};

/** A price was changed since the decision started from it. Has the SQLSTATE of a serialization failure. */
class Superseded extends Error {
  override readonly name = 'Superseded';
  readonly code = '40001';
}

const column = (values: readonly unknown[], type: 'bigint' | 'text'): SQL =>
  type === 'bigint' ? sql`${sql.param(values)}::bigint[]` : sql`${sql.param(values)}::text[]`;

/** Message of an intent that a newer one replaced. */
const REPLACED = 'Replaced by a newer price before it was sent.';

/**
 * Queues prices for their marketplace, one per listing: a queued one is replaced, a sent one is not. The prices of the
 * members of a price group are one: all of them have to be among these.
 * @param until not sent after this time
 * @throws an error with SQLSTATE 40001 when a price is not the one the decision started from, or a price group has other
 *   members by now: decide again
 */
export async function queueIntents(
  tx: Db,
  rows: readonly IntendedMove[],
  by: IntendedBy,
  until: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ listingId }) => listingId);
  await lockAsDecided(tx, rows);
  await expireQueued(tx, sql`listing_id = ANY(${sql.param(ids)}::bigint[])`, REPLACED, by.at);
  const amounts = (
    name: 'oldPrice' | 'newPrice' | 'marginFloor' | 'competitorPrice' | 'marginImpact' | 'marginAfter',
  ): SQL =>
    column(
      rows.map((row) => row[name]),
      'bigint',
    );
  const texts = (name: 'reason' | 'feeVersion' | 'facts'): SQL =>
    column(
      rows.map((row) => row[name]),
      'text',
    );
  await tx.execute(sql`
    WITH orders AS MATERIALIZED (
      SELECT marketplace, group_key, gen_random_uuid() AS id, count(*)::int AS size
      FROM listings WHERE id = ANY(${column(ids, 'bigint')}) AND group_key IS NOT NULL GROUP BY marketplace, group_key)
    INSERT INTO price_intents (listing_id, marketplace, group_key, group_order, group_size, sequence, price, from_price, margin_floor,
      competitor_price, margin_impact, margin_after, reason, rule_id, fee_version, facts, source, actor_id, actor, run_id,
      idempotency_key, created_at, expires_at, past_halt, past_reason)
    SELECT l.id, l.marketplace, l.group_key, o.id, o.size,
      1 + coalesce((SELECT max(sequence) FROM price_intents before WHERE before.listing_id = l.id), 0),
      w.price / 100.0, w.old / 100.0, w.floor / 100.0, w.competitor / 100.0, w.impact / 100.0, w.after / 100.0, w.reason, w.rule, w.fees,
      w.facts::jsonb, ${by.source}, ${by.actor?.id ?? null}, ${by.actor?.name ?? null}, ${by.runId}::bigint,
      gen_random_uuid(), ${timestamptz(by.at)}, ${timestamptz(until)},
      ${by.pastHalt === null ? null : isoTime(by.pastHalt)}::timestamptz,
      ${pastReason(by)}
    FROM unnest(${column(ids, 'bigint')}, ${amounts('newPrice')}, ${amounts('oldPrice')}, ${amounts('marginFloor')},
      ${amounts('competitorPrice')}, ${amounts('marginImpact')}, ${amounts('marginAfter')}, ${texts('reason')}, ${column(
        rows.map(({ ruleId }) => ruleId),
        'bigint',
      )}, ${texts('feeVersion')}, ${texts('facts')})
      AS w (id, price, old, floor, competitor, impact, after, reason, rule, fees, facts)
    JOIN listings l ON l.id = w.id
    LEFT JOIN orders o ON o.marketplace = l.marketplace AND o.group_key = l.group_key ORDER BY l.id`);
}

/** The confirmed reason of the listing `l`, while it is in force. */
function pastReason({ despiteReasons = [], at }: IntendedBy): SQL {
  if (despiteReasons.length === 0) return sql`NULL`;
  return sql`(SELECT m.not_repriceable_reason FROM marketplace_listings m
    WHERE m.listing_id = l.id AND ${isReasonInForce(sql`m`, at)}
      AND m.not_repriceable_reason = ANY(${sql.param(despiteReasons)}::text[]))`;
}

/** Checks start prices as the ledger does: under a lock, in one order for all writers. */
async function lockAsDecided(tx: Db, rows: readonly IntendedMove[]): Promise<void> {
  const { rows: moved } = await tx.execute<LockedListing>(sql`
    SELECT l.id::float8 AS id, l.current_price = w.old / 100.0 AS "asDecided", l.group_key AS "groupKey"
    FROM listings l JOIN unnest(${column(
      rows.map(({ listingId }) => listingId),
      'bigint',
    )}, ${column(
      rows.map(({ oldPrice }) => oldPrice),
      'bigint',
    )}) AS w (id, old) ON w.id = l.id
    ORDER BY l.id FOR NO KEY UPDATE OF l`);
  if (moved.length < rows.length || !moved.every(({ asDecided }) => asDecided)) {
    throw new Superseded('A price has moved since the decision to send another one.');
  }
  const grouped = moved.filter(({ groupKey }) => groupKey !== null);
  if (grouped.length > 0) await requireWholeGroups(tx, rows, grouped);
}

interface LockedListing extends Record<string, unknown> {
  readonly id: number;
  readonly asDecided: boolean;
  readonly groupKey: string | null;
}

/** A part of a price group cannot get a price of its own. */
async function requireWholeGroups(
  tx: Db,
  rows: readonly IntendedMove[],
  grouped: readonly LockedListing[],
): Promise<void> {
  const members = await readGroupMembers(
    tx,
    grouped.map(({ id }) => id),
  );
  const prices = new Map(rows.map(({ listingId, newPrice }) => [listingId, newPrice]));
  if (!members.every((id) => prices.has(id))) {
    throw new Superseded('A price group has other members than those that were decided.');
  }
  const groups = groupBy(grouped, ({ groupKey }) => groupKey ?? '');
  for (const group of groups.values()) {
    if (new Set(group.map(({ id }) => prices.get(id))).size > 1) {
      throw new Error('The members of a price group were given different prices.');
    }
  }
}

/** A queued price that will not be sent. */
export interface WithdrawnPrice extends Record<string, unknown> {
  readonly id: number;
  readonly price: Cents;
  readonly fromPrice: Cents;
}

async function expireQueued(
  tx: Db,
  which: SQL,
  answer: string | null,
  now: Instant,
): Promise<WithdrawnPrice[]> {
  const { rows } = await tx.execute<WithdrawnPrice>(sql`
    UPDATE price_intents SET state = 'expired', settled_at = ${timestamptz(now)}, marketplace_message = ${answer}
    WHERE state = 'queued' AND ${which}
    RETURNING listing_id::float8 AS id, ${cents('price')} AS price, ${cents('from_price')} AS "fromPrice"`);
  return rows;
}

/** Withdraws the engine's queued prices for these listings. A manual price stays. */
export async function withdrawRulePrices(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return;
  await expireQueued(
    tx,
    sql`source = 'rule' AND listing_id = ANY(${sql.param(ids)}::bigint[])`,
    'A newer decision replaced this price before it was sent.',
    now,
  );
}

/** Withdraws the repair of an external edit that was not sent yet. @returns whether there was one */
export async function withdrawRepair(tx: Db, listingId: number, now: Instant): Promise<boolean> {
  const which = sql`source = 'repair' AND listing_id = ${listingId}`;
  return (await expireQueued(tx, which, null, now)).length > 0;
}

/** Withdraws all repairs of a marketplace that were not sent yet. @returns their listings */
export async function withdrawRepairs(tx: Db, marketplace: Marketplace, now: Instant): Promise<number[]> {
  const which = sql`source = 'repair' AND marketplace = ${marketplace}`;
  return (await expireQueued(tx, which, null, now)).map(({ id }) => id);
}

/** A user undoes what a run queued for these listings and was not sent yet: it needs no message. */
export async function withdrawOfRun(
  tx: Db,
  runId: number,
  ids: readonly number[],
  now: Instant,
): Promise<WithdrawnPrice[]> {
  return expireQueued(
    tx,
    sql`run_id = ${runId} AND listing_id = ANY(${sql.param(ids)}::bigint[])`,
    null,
    now,
  );
}

/** {@link withdrawOfRun} for prices by their IDs. */
export async function withdrawIntents(
  tx: Db,
  intents: readonly number[],
  now: Instant,
): Promise<WithdrawnPrice[]> {
  return expireQueued(tx, sql`id = ANY(${sql.param(intents)}::bigint[])`, null, now);
}

/** Of these prices those that were sent: in progress or confirmed. By listing. */
export async function readLeft(
  db: Db,
  intents: readonly number[],
): Promise<{ readonly id: number; readonly sku: string; readonly isSeen: boolean }[]> {
  const { rows } = await db.execute<{ id: number; sku: string; isSeen: boolean }>(sql`
    SELECT l.id::float8 AS id, l.sku, bool_and(i.state = 'confirmed') AS "isSeen"
    FROM price_intents i JOIN listings l ON l.id = i.listing_id
    WHERE i.id = ANY(${sql.param(intents)}::bigint[]) AND i.state IN ('sent', 'accepted', 'unknown', 'confirmed')
    GROUP BY l.id ORDER BY l.id`);
  return rows;
}

/** Withdraws all queued prices on every marketplace: a newer program sends no decision of an older one. */
export async function cancelQueued(tx: Db, answer: string, now: Instant): Promise<void> {
  await expireQueued(tx, sql`true`, answer, now);
}

/** Listings for which a run has a price in progress, by ID; of some listings, or null for all of them. */
export async function readInProgressOfRun(
  db: Db,
  runId: number,
  ids: readonly number[] | null,
): Promise<{ readonly id: number; readonly sku: string }[]> {
  const among = ids === null ? sql`` : sql`AND i.listing_id = ANY(${sql.param(ids)}::bigint[])`;
  const { rows } = await db.execute<{ id: number; sku: string }>(sql`
    SELECT DISTINCT l.id::float8 AS id, l.sku
    FROM price_intents i JOIN listings l ON l.id = i.listing_id
    WHERE i.run_id = ${runId} AND i.state IN ('queued', 'sent', 'accepted', 'unknown') ${among} ORDER BY 1`);
  return rows;
}

/*
 * What the sender reads of an open price: queued, sent, accepted or unknown.
 */

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
  /** Since when every reading did not find the listing; null while the last one found it. */
  readonly missingSince: Instant | null;
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
  /** The reason not to reprice the listing that the user was shown and confirmed; null for none. */
  readonly pastReason: string | null;
  /** A later price of the listing was confirmed: this one may still arrive, but is no longer wanted. */
  readonly isSuperseded: boolean;
  /** The same for all members of a price group; null without one. */
  readonly groupOrder: string | null;
  readonly groupSize: number | null;
}

/** 2 raises a price below its margin floor, 1 is a manual price, 0 any other. */
const urgencyOf = (of: SQL): SQL => sql`(CASE
    WHEN ${of}.from_price < ${of}.margin_floor THEN 2 WHEN ${of}.source <> 'rule' THEN 1 ELSE 0 END)`;

export const OPEN_INTENTS = sql`
  SELECT i.id::float8 AS id, i.listing_id::float8 AS "listingId", i.marketplace, i.sequence, i.state, ${cents('i.price')} AS price,
    ${cents('i.from_price')} AS "fromPrice", ${cents('i.margin_floor')} AS "marginFloor", i.source, ${urgencyOf(sql`i`)} > 0 AS "isUrgent", i.idempotency_key AS "idempotencyKey",
    round(date_part('epoch', i.created_at) * 1000) AS "createdAt",
    round(date_part('epoch', i.expires_at) * 1000) AS "expiresAt",
    round(date_part('epoch', i.sent_at) * 1000) AS "sentAt", i.receipt, i.reads, round(date_part('epoch', i.missing_since) * 1000) AS "missingSince", round(date_part('epoch', i.past_halt) * 1000) AS "pastHalt",
    round(date_part('epoch', i.paused_until) * 1000) AS "pausedUntil", i.past_reason AS "pastReason", l.sku,
    l.fulfillment_type AS "fulfillmentType", l.marketplace_item_id AS "itemId", l.group_key AS "groupKey", coalesce(m.keys, '{}') AS keys,
    ${cents('l.current_price')} AS "currentPrice", l.deleted_at IS NOT NULL AS "isDeleted",
    EXISTS (SELECT FROM price_intents later WHERE later.listing_id = i.listing_id
      AND later.sequence > i.sequence AND later.state = 'confirmed') AS "isSuperseded",
    i.group_order::text AS "groupOrder", i.group_size AS "groupSize"
  FROM price_intents i JOIN listings l ON l.id = i.listing_id
  LEFT JOIN marketplace_listings m ON m.listing_id = l.id`;

export const IS_OPEN = sql`i.state IN ('sent', 'accepted', 'unknown')`;

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
