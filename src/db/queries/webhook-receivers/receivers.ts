import { eq, getTableColumns, lte, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { webhookDeliveries, webhookReceivers } from '#db/schema/webhook-receivers.ts';
import type { Instant } from '#domain/units.ts';

export type WebhookReceiverRow = typeof webhookReceivers.$inferSelect;

/** A receiver for lists, without its secrets. */
export type ListedWebhookReceiver = Omit<
  WebhookReceiverRow,
  'secretEncrypted' | 'formerSecretEncrypted' | 'restsUntil'
> & {
  readonly hasSecret: boolean;
  readonly waitingCount: number;
  readonly failedCount: number;
};

/** All receivers by name. */
export async function listWebhookReceivers(db: Db): Promise<ListedWebhookReceiver[]> {
  const {
    secretEncrypted,
    formerSecretEncrypted: _,
    restsUntil: __,
    ...shown
  } = getTableColumns(webhookReceivers);
  const countIn = (state: string) => sql<number>`(SELECT count(*)::int FROM ${webhookDeliveries} d
    WHERE d.receiver_id = ${webhookReceivers}.id AND d.state = ${state})`;
  return db
    .select({
      ...shown,
      hasSecret: sql<boolean>`${secretEncrypted} is not null`,
      waitingCount: countIn('waiting'),
      failedCount: countIn('failed'),
    })
    .from(webhookReceivers)
    .orderBy(sql`lower(${webhookReceivers.name})`);
}

export async function findWebhookReceiver(db: Db, id: string): Promise<WebhookReceiverRow | null> {
  const [row] = await db.select().from(webhookReceivers).where(eq(webhookReceivers.id, id));
  return row ?? null;
}

/** The same, locked until the end of the transaction; new deliveries do not wait for it. */
export async function lockWebhookReceiver(tx: Db, id: string): Promise<WebhookReceiverRow | null> {
  const [row] = await tx
    .select()
    .from(webhookReceivers)
    .where(eq(webhookReceivers.id, id))
    .for('no key update');
  return row ?? null;
}

/** Locks all, so that others add and rename none until the end of the transaction. @returns how many there are */
export async function lockReceivers(tx: Db): Promise<number> {
  await tx.execute(sql`LOCK TABLE webhook_receivers IN SHARE ROW EXCLUSIVE MODE`);
  return tx.$count(webhookReceivers);
}

/** @returns false when another one has the name, ignoring case */
export async function insertWebhookReceiver(
  tx: Db,
  row: typeof webhookReceivers.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await tx.insert(webhookReceivers).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Whether another receiver than this one has a name, ignoring case. */
export async function hasReceiverName(tx: Db, name: string, exceptId: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`SELECT FROM webhook_receivers WHERE lower(name) = lower(${name}) AND id <> ${exceptId}`,
  );
  return rows.length > 0;
}

export async function updateWebhookReceiver(
  tx: Db,
  id: string,
  change: Partial<Omit<WebhookReceiverRow, 'id'>>,
): Promise<void> {
  await tx.update(webhookReceivers).set(change).where(eq(webhookReceivers.id, id));
}

/** Deletes a receiver, without its deliveries. */
export async function deleteWebhookReceiver(tx: Db, id: string): Promise<void> {
  await tx.delete(webhookReceivers).where(eq(webhookReceivers.id, id));
}

/** Deletes former secrets that no longer sign. */
export async function deleteFormerSecrets(db: Db, now: Instant): Promise<void> {
  await db
    .update(webhookReceivers)
    .set({ formerSecretEncrypted: null, formerSecretUntil: null })
    .where(lte(webhookReceivers.formerSecretUntil, now));
}

/** Switches off all receivers that are on, after a restore. @returns how many */
export async function switchOffAllReceivers(tx: Db): Promise<number> {
  const { rowCount } = await tx
    .update(webhookReceivers)
    .set({ isOn: false, offReason: 'restored' })
    .where(eq(webhookReceivers.isOn, true));
  return rowCount ?? 0;
}
