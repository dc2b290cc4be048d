import { eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { incomingEvents, readWishes } from '#db/schema/event-subscriptions.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import type { Instant } from '#domain/units.ts';

/** Remembers an event by its digest. @returns false for one that came before */
export async function insertEvent(
  tx: Db,
  marketplace: Marketplace,
  digest: string,
  cameAt: Instant,
): Promise<boolean> {
  const inserted = await tx
    .insert(incomingEvents)
    .values({ marketplace, digest, cameAt })
    .onConflictDoNothing()
    .returning({ digest: incomingEvents.digest });
  return inserted.length > 0;
}

/** Forgets events from before. @returns how many there were */
export async function deleteEvents(db: Db, before: Instant): Promise<number> {
  return (await db.delete(incomingEvents).where(lt(incomingEvents.cameAt, before))).rowCount ?? 0;
}

/** Something of that kind has changed there. */
export async function writeSyncRequest(
  tx: Db,
  marketplace: Marketplace,
  what: SyncKind,
  at: Instant,
): Promise<void> {
  await tx
    .insert(readWishes)
    .values({ marketplace, what, askedAt: at })
    .onConflictDoUpdate({ target: [readWishes.marketplace, readWishes.what], set: { askedAt: at } });
}

/** When each kind of a marketplace was last said to have changed; those of which nobody said so are left out. */
export async function listSyncRequests(
  db: Db,
  marketplace: Marketplace,
): Promise<ReadonlyMap<SyncKind, Instant>> {
  const rows = await db.select().from(readWishes).where(eq(readWishes.marketplace, marketplace));
  return new Map(rows.map(({ what, askedAt }) => [what, askedAt]));
}

/** The offers for a listing have changed: it comes first when offers are read again. */
export async function putOffersFirst(tx: Db, marketplace: Marketplace, sku: string): Promise<void> {
  await tx.execute(sql`
    UPDATE marketplace_listings m SET offers_read_at = NULL FROM listings l
    WHERE l.id = m.listing_id AND l.marketplace = ${marketplace} AND l.sku = ${sku} AND l.deleted_at IS NULL`);
}
