import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { IntentState } from '#db/schema/prices.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant, Millis } from '#domain/units.ts';

/*
 * Prices that are not sent: postponed, queued again, expired or rejected. Every change of a state is conditional on the
 * state it starts from.
 */

/** A price waits in the queue, or went out and was not taken, as said at once or when it is read back. */
export type UnsentState = 'queued' | 'sent' | 'accepted' | 'unknown';

/** What was out may still show up as a price of ours: the time stays when it was sent. */
const SENT_AT = sql`CASE WHEN i.state IN ('accepted', 'unknown') THEN i.sent_at END`;

const isIn = (states: readonly UnsentState[]): SQL => sql`i.state = ANY(${sql.param(states)}::text[])`;

/**
 * Users' prices wait until a pause of their listing or marketplace is over, unless another one is queued now.
 * @param from the states that they may be in
 * @param lastMoment when they expire, if they are not sent after the pause
 */
export async function postponeIntent(
  tx: Db,
  id: number,
  from: readonly UnsentState[],
  { until, lastMoment }: { readonly until: Instant; readonly lastMoment: Instant },
  answer: string,
  now: Instant,
): Promise<void> {
  const newer = sql`EXISTS (SELECT FROM price_intents n WHERE n.listing_id = i.listing_id AND n.sequence > i.sequence)`;
  await tx.execute(sql`
    UPDATE price_intents i SET sent_at = ${SENT_AT}, marketplace_message = ${answer}, not_before = ${timestamptz(until)},
      paused_until = ${timestamptz(until)}, expires_at = ${timestamptz(lastMoment)}, next_read_at = NULL,
      state = CASE WHEN ${newer} THEN 'expired' ELSE 'queued' END,
      settled_at = CASE WHEN ${newer} THEN ${timestamptz(now)} END
    WHERE i.id = ${id} AND ${isIn(from)}`);
}

/** Ends a price that certainly was not taken. @param from the states that it may be in */
export async function expireUnsent(
  tx: Db,
  id: number,
  from: readonly UnsentState[],
  answer: string,
  now: Instant,
): Promise<void> {
  await tx.execute(sql`
    UPDATE price_intents i SET state = 'expired', sent_at = ${SENT_AT}, marketplace_message = ${answer},
      settled_at = ${timestamptz(now)}, next_read_at = NULL
    WHERE i.id = ${id} AND ${isIn(from)}`);
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
  const over = sql`(${newer} OR i.expires_at <= ${timestamptz(now)})`;
  const { rows } = await tx.execute<{ state: 'queued' | 'expired' }>(sql`
    UPDATE price_intents i SET sent_at = NULL, marketplace_message = ${answer}, not_before = ${notBefore === null ? sql`NULL` : timestamptz(notBefore)},
      state = CASE WHEN ${over} THEN 'expired' ELSE 'queued' END,
      settled_at = CASE WHEN ${over} THEN ${timestamptz(now)} END
    WHERE i.id = ${id} AND i.state = 'sent' RETURNING i.state`);
  return rows[0]?.state ?? 'ended';
}

/** Ends a price that was marked as sent and certainly was not. @returns whether it was still open */
export async function endUnsent(tx: Db, id: number, answer: string, now: Instant): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    UPDATE price_intents i SET state = 'expired', sent_at = NULL, settled_at = ${timestamptz(now)}, marketplace_message = ${answer}
    WHERE i.id = ${id} AND i.state = 'sent'`);
  return rowCount === 1;
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
        ? sql`i.past_halt IS DISTINCT FROM ${timestamptz(which.stoppedBy)}`
        : sql`(i.expires_at <= ${timestamptz(now)} OR i.created_at > ${timestamptz(now)} + interval '1 minute'
          OR (i.source <> 'repair'
            AND coalesce(i.paused_until, i.created_at) <= ${timestamptz(now)} - make_interval(secs => ${which.life / 1_000}::float8)))`;
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'expired', settled_at = ${timestamptz(now)}, marketplace_message = ${answer}
    WHERE i.marketplace = ${marketplace} AND i.state = 'queued' AND ${over}
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
    UPDATE price_intents i SET state = ${state}, settled_at = ${timestamptz(now)}, marketplace_message = ${answer}, next_read_at = NULL
    WHERE i.id = ANY(${sql.param(ids)}::bigint[]) AND i.state = ANY(${sql.param(from)}::text[]) RETURNING i.listing_id::float8 AS id`);
  return rows.map(({ id }) => id);
}
