import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { ChangedBy, PriceMove } from '#db/queries/repricing/write-decisions.ts';
import type { INTENT_SOURCES } from '#db/schema/prices.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** A price to be sent: checked, so that its lowest legal price is known. */
export type IntendedMove = PriceMove & { readonly marginFloor: Cents };
export type IntendedBy = ChangedBy & {
  readonly source: (typeof INTENT_SOURCES)[number];
  /** The halt in spite of which a person confirmed that it goes out; null for none. */
  readonly pastHalt: Instant | null;
};

/** A price moved since the decision started from it. The code is PostgreSQL's for "begin the transaction anew". */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
  readonly code = '40001';
}

const column = (values: readonly unknown[], type: 'bigint' | 'text'): SQL =>
  type === 'bigint' ? sql`${sql.param(values)}::bigint[]` : sql`${sql.param(values)}::text[]`;

/** What replaced an intent says so in its answer. */
const REPLACED = 'Replaced by a newer price before it was sent.';

/**
 * Queues prices for their marketplace, one per listing: what was queued before is replaced, what was sent is not.
 * @param until not sent after that
 * @throws an error with SQLSTATE 40001 when a price is not what the decision started from: decide anew
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
    INSERT INTO price_intents (listing_id, marketplace, sequence, price, from_price, margin_floor,
      competitor_price, margin_impact, reason, rule_id, fee_version, facts, source, actor_id, actor, run_id,
      idempotency_key, created_at, expires_at, past_halt)
    SELECT l.id, l.marketplace,
      1 + coalesce((SELECT max(sequence) FROM price_intents before WHERE before.listing_id = l.id), 0),
      w.price / 100.0, w.old / 100.0, w.floor / 100.0, w.competitor / 100.0, w.impact / 100.0, w.reason, w.rule, w.fees,
      w.facts::jsonb, ${by.source}, ${by.actor?.id ?? null}, ${by.actor?.name ?? null}, ${by.runId}::bigint,
      gen_random_uuid(), ${timestamptz(by.at)}, ${timestamptz(until)},
      ${by.pastHalt === null ? null : isoTime(by.pastHalt)}::timestamptz
    FROM unnest(${column(ids, 'bigint')}, ${amounts('newPrice')}, ${amounts('oldPrice')}, ${amounts('marginFloor')},
      ${amounts('competitorPrice')}, ${column(
        rows.map(({ marginImpact }) => marginImpact),
        'bigint',
      )}, ${texts('reason')}, ${column(
        rows.map(({ ruleId }) => ruleId),
        'bigint',
      )}, ${texts('feeVersion')}, ${texts('facts')})
      AS w (id, price, old, floor, competitor, impact, reason, rule, fees, facts)
    JOIN listings l ON l.id = w.id ORDER BY l.id`);
}

/** As the ledger does for a price that moves at once: under a lock, in one order for everybody. */
async function lockAsDecided(tx: Db, rows: readonly IntendedMove[]): Promise<void> {
  const { rows: moved } = await tx.execute<{ id: number; asDecided: boolean }>(sql`
    SELECT l.id::float8 AS id, l.current_price = w.old / 100.0 AS "asDecided"
    FROM listings l JOIN unnest(${column(
      rows.map(({ listingId }) => listingId),
      'bigint',
    )}, ${column(
      rows.map(({ oldPrice }) => oldPrice),
      'bigint',
    )}) AS w (id, old) ON w.id = l.id
    ORDER BY l.id FOR NO KEY UPDATE OF l`);
  if (moved.length === rows.length && moved.every(({ asDecided }) => asDecided)) return;
  throw new Overtaken('A price has moved since the decision to send another one.');
}

/** A price that was queued and is not sent any more. */
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
    RETURNING listing_id::float8 AS id, (price * 100)::float8 AS price, (from_price * 100)::float8 AS "fromPrice"`);
  return rows;
}

/** Ends what the engine queued for these listings and no longer wants. A person's price stays. */
export async function withdrawRulePrices(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return;
  await expireQueued(
    tx,
    sql`source = 'rule' AND listing_id = ANY(${sql.param(ids)}::bigint[])`,
    'A newer decision replaced this price before it was sent.',
    now,
  );
}

/** A person takes back what a run queued for these listings and nobody has sent yet: there is nothing to tell of it. */
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

/** {@link withdrawOfRun} for prices by their ids. */
export async function withdrawIntents(
  tx: Db,
  intents: readonly number[],
  now: Instant,
): Promise<WithdrawnPrice[]> {
  return expireQueued(tx, sql`id = ANY(${sql.param(intents)}::bigint[])`, null, now);
}

/** Of these prices those that have left: on their way, or seen by buyers. By listing. */
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

/** Ends everything queued, on every marketplace: nothing that an older program decided is sent by a newer one. */
export async function cancelQueued(tx: Db, answer: string, now: Instant): Promise<void> {
  await expireQueued(tx, sql`true`, answer, now);
}

/** Listings for which a run has a price on its way, by id; of some listings, or null for all of them. */
export async function readUnderWayOfRun(
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
