import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isReasonInForce } from '#db/queries/marketplaces/sync/not-repriceable.ts';
import type { ChangedBy, PriceMove } from '#db/queries/repricing/decision-rows.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import type { INTENT_SOURCES } from '#db/schema/prices.ts';
import { cents, isoTime, timestamptz } from '#db/sql-values.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
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
  const amounts = (name: 'oldPrice' | 'newPrice' | 'marginFloor' | 'competitorPrice'): SQL =>
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
      competitor_price, margin_impact, reason, rule_id, fee_version, facts, source, actor_id, actor, run_id,
      idempotency_key, created_at, expires_at, past_halt, past_reason)
    SELECT l.id, l.marketplace, l.group_key, o.id, o.size,
      1 + coalesce((SELECT max(sequence) FROM price_intents before WHERE before.listing_id = l.id), 0),
      w.price / 100.0, w.old / 100.0, w.floor / 100.0, w.competitor / 100.0, w.impact / 100.0, w.reason, w.rule, w.fees,
      w.facts::jsonb, ${by.source}, ${by.actor?.id ?? null}, ${by.actor?.name ?? null}, ${by.runId}::bigint,
      gen_random_uuid(), ${timestamptz(by.at)}, ${timestamptz(until)},
      ${by.pastHalt === null ? null : isoTime(by.pastHalt)}::timestamptz,
      ${pastReason(by)}
    FROM unnest(${column(ids, 'bigint')}, ${amounts('newPrice')}, ${amounts('oldPrice')}, ${amounts('marginFloor')},
      ${amounts('competitorPrice')}, ${column(
        rows.map(({ marginImpact }) => marginImpact),
        'bigint',
      )}, ${texts('reason')}, ${column(
        rows.map(({ ruleId }) => ruleId),
        'bigint',
      )}, ${texts('feeVersion')}, ${texts('facts')})
      AS w (id, price, old, floor, competitor, impact, reason, rule, fees, facts)
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
