import { eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { syncRequests, webhookEvents } from '#db/schema/event-subscriptions.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** Records an event by its digest. @returns false for a repeated one */
export async function insertEvent(
  tx: Db,
  marketplace: Marketplace,
  digest: string,
  receivedAt: Instant,
): Promise<boolean> {
  const inserted = await tx
    .insert(webhookEvents)
    .values({ marketplace, digest, receivedAt })
    .onConflictDoNothing()
    .returning({ digest: webhookEvents.digest });
  return inserted.length > 0;
}

/** Deletes events from before a time. @returns how many there were */
export async function deleteEvents(db: Db, before: Instant): Promise<number> {
  return (await db.delete(webhookEvents).where(lt(webhookEvents.receivedAt, before))).rowCount ?? 0;
}

/** Records a change of that kind there. */
export async function writeSyncRequest(
  tx: Db,
  marketplace: Marketplace,
  what: SyncKind,
  at: Instant,
): Promise<void> {
  await tx
    .insert(syncRequests)
    .values({ marketplace, kind: what, requestedAt: at })
    .onConflictDoUpdate({ target: [syncRequests.marketplace, syncRequests.kind], set: { requestedAt: at } });
}

/** When each kind of a marketplace was last reported as changed; kinds without a report are omitted. */
export async function listSyncRequests(
  db: Db,
  marketplace: Marketplace,
): Promise<ReadonlyMap<SyncKind, Instant>> {
  const rows = await db.select().from(syncRequests).where(eq(syncRequests.marketplace, marketplace));
  return new Map(rows.map(({ kind, requestedAt }) => [kind, requestedAt]));
}

/** The offers for a listing have changed: it comes first in the next sync of offers. */
export async function putOffersFirst(tx: Db, marketplace: Marketplace, sku: string): Promise<void> {
  await tx.execute(sql`
    UPDATE marketplace_listings m SET offers_read_at = NULL FROM listings l
    WHERE l.id = m.listing_id AND l.marketplace = ${marketplace} AND l.sku = ${sku} AND l.deleted_at IS NULL`);
}
