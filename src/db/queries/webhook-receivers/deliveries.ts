import { and, asc, count, desc, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { type webhookAttempts, webhookDeliveries } from '#db/schema/webhook-receivers.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';
import type { AttemptFailure } from '#domain/webhook-receivers/delivery-retries.ts';
import type { DeliveryState } from '#domain/webhook-receivers/webhook-events.ts';

export type WebhookDeliveryRow = typeof webhookDeliveries.$inferSelect;
export type NewWebhookAttempt = Omit<typeof webhookAttempts.$inferInsert, 'id'>;

/** A delivery with its attempts, the first one first. */
export type ListedWebhookDelivery = WebhookDeliveryRow & {
  readonly log: readonly {
    /** ISO 8601 in UTC. */
    readonly at: string;
    readonly status: number | null;
    readonly failure: AttemptFailure | null;
    /** Milliseconds. */
    readonly duration: number;
  }[];
};

/** Receivers that are on, do not rest, and have a delivery that is due. */
export async function listDueReceivers(db: Db, now: Instant): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM webhook_receivers r
    WHERE is_on AND (rests_until IS NULL OR rests_until <= ${timestamptz(now)})
      AND EXISTS (SELECT FROM webhook_deliveries d
        WHERE d.receiver_id = r.id AND d.state = 'waiting' AND d.next_at <= ${timestamptz(now)})
    ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** The deliveries of a receiver that have been due for longest. */
export async function listDueDeliveries(
  db: Db,
  receiverId: string,
  now: Instant,
  limit: number,
): Promise<WebhookDeliveryRow[]> {
  const { nextAt, state, happenedAt, id } = webhookDeliveries;
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.receiverId, receiverId), eq(state, 'waiting'), lte(nextAt, now)))
    .orderBy(asc(nextAt), asc(happenedAt), asc(id))
    .limit(limit);
}

/** Writes down an attempt; not when the delivery was deleted since. */
export async function insertWebhookAttempt(tx: Db, attempt: NewWebhookAttempt): Promise<void> {
  await tx.execute(sql`
    INSERT INTO webhook_attempts (delivery_id, at, status, failure, duration)
    SELECT id, ${timestamptz(attempt.at)}, ${attempt.status ?? null}::int, ${attempt.failure ?? null}, ${attempt.duration}
    FROM webhook_deliveries WHERE id = ${attempt.deliveryId} FOR SHARE`);
}

/** Sets what follows from the last attempt. */
export async function updateWebhookDelivery(
  tx: Db,
  id: string,
  change: Pick<WebhookDeliveryRow, 'state' | 'attempts' | 'nextAt'>,
): Promise<void> {
  await tx.update(webhookDeliveries).set(change).where(eq(webhookDeliveries.id, id));
}

/** Queues the test event of a receiver. @param nextAt the earliest is sent first @returns its id */
export async function insertTestDelivery(
  tx: Db,
  receiverId: string,
  at: Instant,
  nextAt: Instant,
): Promise<string> {
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ receiverId, type: 'test', happenedAt: at, nextAt, data: {} })
    .returning({ id: webhookDeliveries.id });
  if (row === undefined) throw new Error('An insert returned no row.');
  return row.id;
}

/** Queues a delivery once more, with all its attempts. @param nextAt the earliest is sent first @returns false for none */
export async function requeueDelivery(
  tx: Db,
  receiverId: string,
  id: string,
  nextAt: Instant,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(webhookDeliveries)
    .set({ state: 'waiting', attempts: 0, nextAt })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.receiverId, receiverId)));
  return rowCount === 1;
}

/** A page of the deliveries of a receiver, the newest first. */
export async function listWebhookDeliveries(
  db: Db,
  receiverId: string,
  {
    state,
    page,
    size,
  }: { readonly state: DeliveryState | null; readonly page: number; readonly size: number },
): Promise<{ rows: ListedWebhookDelivery[]; total: number }> {
  const where = and(
    eq(webhookDeliveries.receiverId, receiverId),
    state === null ? undefined : eq(webhookDeliveries.state, state),
  );
  const log = sql<ListedWebhookDelivery['log']>`(SELECT coalesce(json_agg(json_build_object(
    'at', ${isoText(sql`a.at`)}, 'status', a.status, 'failure', a.failure, 'duration', a.duration) ORDER BY a.id), '[]')
    FROM webhook_attempts a WHERE a.delivery_id = ${webhookDeliveries}.id)`;
  const { id, type, happenedAt, data, attempts, nextAt } = webhookDeliveries;
  const columns = { id, receiverId: webhookDeliveries.receiverId, type, happenedAt, data, attempts, nextAt };
  const rows = await db
    .select({ ...columns, state: webhookDeliveries.state, log })
    .from(webhookDeliveries)
    .where(where)
    .orderBy(desc(happenedAt), desc(id))
    .limit(size)
    .offset((page - 1) * size);
  const [counted] = await db.select({ total: count() }).from(webhookDeliveries).where(where);
  return { rows, total: counted?.total ?? 0 };
}

/** Whether anything waits for a receiver. */
export async function hasWaitingDelivery(tx: Db, receiverId: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`SELECT FROM webhook_deliveries WHERE receiver_id = ${receiverId} AND state = 'waiting' LIMIT 1`,
  );
  return rows.length > 0;
}

/** Makes all that waits for a receiver due. */
export async function makeWaitingDue(tx: Db, receiverId: string, at: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE webhook_deliveries SET next_at = ${timestamptz(at)}
    WHERE receiver_id = ${receiverId} AND state = 'waiting' AND next_at > ${timestamptz(at)}`);
}

/** Deletes deliveries of a state from before a time, with their attempts. @returns how many, `max` at a time */
export async function deleteOldDeliveries(
  db: Db,
  state: DeliveryState,
  before: Instant,
  max: number,
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE state = ${state} AND happened_at < ${timestamptz(before)}
      ORDER BY happened_at LIMIT ${max})`);
  return rowCount ?? 0;
}

/** Deletes deliveries to a receiver. @returns how many, `max` at a time */
export async function deleteDeliveriesTo(db: Db, receiverId: string, max: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE receiver_id = ${receiverId} LIMIT ${max})`);
  return rowCount ?? 0;
}

/** Deletes deliveries to receivers that were deleted. @returns how many, `max` at a time */
export async function deleteOrphanedDeliveries(db: Db, max: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT d.id FROM webhook_deliveries d
      WHERE NOT EXISTS (SELECT FROM webhook_receivers r WHERE r.id = d.receiver_id) LIMIT ${max})`);
  return rowCount ?? 0;
}
