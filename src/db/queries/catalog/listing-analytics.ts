import { and, asc, eq, gt } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listingAnalytics, listingDays } from '#db/schema/listing-analytics.ts';

export type AnalyticsRecord = typeof listingAnalytics.$inferSelect;

/** The newest figures of a listing; null when none were ever reported. */
export async function findAnalytics(db: Db, listingId: number): Promise<AnalyticsRecord | null> {
  const [row] = await db.select().from(listingAnalytics).where(eq(listingAnalytics.listingId, listingId));
  return row ?? null;
}

/** Observations of the featured offer by day, the oldest first. @param after a day such as "2026-11-21", exclusive */
export async function listBuyBoxDays(
  db: Db,
  listingId: number,
  after: string,
): Promise<{ readonly day: string; readonly checks: number; readonly wins: number }[]> {
  return db
    .select({ day: listingDays.day, checks: listingDays.buyBoxPolls, wins: listingDays.buyBoxWins })
    .from(listingDays)
    .where(
      and(eq(listingDays.listingId, listingId), gt(listingDays.day, after), gt(listingDays.buyBoxPolls, 0)),
    )
    .orderBy(asc(listingDays.day));
}
