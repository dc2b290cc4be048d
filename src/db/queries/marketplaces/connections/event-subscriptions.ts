import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eventSubscriptions } from '#db/schema/event-subscriptions.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type EventSubscriptionRow = typeof eventSubscriptions.$inferSelect;

/** The event subscription of each marketplace that should have one. */
export async function listEventSubscriptions(
  db: Db,
): Promise<ReadonlyMap<Marketplace, EventSubscriptionRow>> {
  const rows = await db.select().from(eventSubscriptions);
  return new Map(rows.map((row) => [row.marketplace, row]));
}

/**
 * Records that events arrive from now on, or still do.
 * @param address the registered address; null for a queue of the seller's
 */
export async function startEventSubscription(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
  address: string | null = null,
): Promise<void> {
  await db
    .insert(eventSubscriptions)
    .values({ marketplace, since: now, address })
    .onConflictDoUpdate({
      target: eventSubscriptions.marketplace,
      set: { since: sql`coalesce(${eventSubscriptions.since}, excluded.since)`, problem: null, address },
    });
}

/** Records that an event arrived. */
export async function markEventReceived(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await tx
    .update(eventSubscriptions)
    .set({ lastAt: now })
    .where(eq(eventSubscriptions.marketplace, marketplace));
}

/** Records that no more events arrive, and why. */
export async function failEventSubscription(
  db: Db,
  marketplace: Marketplace,
  problem: string,
): Promise<void> {
  await db
    .insert(eventSubscriptions)
    .values({ marketplace, problem })
    .onConflictDoUpdate({ target: eventSubscriptions.marketplace, set: { since: null, problem } });
}

/** Ends the subscription. @returns whether there was one */
export async function endEventSubscription(db: Db, marketplace: Marketplace): Promise<boolean> {
  const ended = await db
    .delete(eventSubscriptions)
    .where(eq(eventSubscriptions.marketplace, marketplace))
    .returning();
  return ended.length > 0;
}
