import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eventSubscriptions } from '#db/schema/event-subscriptions.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type InflowRow = typeof eventSubscriptions.$inferSelect;

/** What each marketplace sends by itself; without those that are to send nothing. */
export async function listInflows(db: Db): Promise<ReadonlyMap<Marketplace, InflowRow>> {
  const rows = await db.select().from(eventSubscriptions);
  return new Map(rows.map((row) => [row.marketplace, row]));
}

/**
 * It comes from now on, or still does.
 * @param address where it was asked to come to; null for a queue of the seller's
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

/** Something came. */
export async function markInflow(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await tx
    .update(eventSubscriptions)
    .set({ lastAt: now })
    .where(eq(eventSubscriptions.marketplace, marketplace));
}

/** Nothing comes any more, and why. */
export async function failInflow(db: Db, marketplace: Marketplace, problem: string): Promise<void> {
  await db
    .insert(eventSubscriptions)
    .values({ marketplace, problem })
    .onConflictDoUpdate({ target: eventSubscriptions.marketplace, set: { since: null, problem } });
}

/** Nothing is to come. @returns whether anything was */
export async function endInflow(db: Db, marketplace: Marketplace): Promise<boolean> {
  const ended = await db
    .delete(eventSubscriptions)
    .where(eq(eventSubscriptions.marketplace, marketplace))
    .returning();
  return ended.length > 0;
}
