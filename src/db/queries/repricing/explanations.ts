import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { ListingRecord } from '#db/queries/catalog/listing-writes.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { runItems } from '#db/schema/runs.ts';
import type { Instant } from '#domain/units.ts';

/** One listing, deleted or not: its history stays. */
export async function findListing(db: Db, id: number): Promise<ListingRecord | null> {
  const [row] = await db.select().from(listings).where(eq(listings.id, id));
  return row ?? null;
}

/** What a run decided about a listing; null when it kept the price, or the item is deleted. */
export async function findItemOfRun(
  db: Db,
  runId: number,
  listingId: number,
): Promise<{ readonly at: Instant; readonly facts: unknown } | null> {
  const [row] = await db
    .select({ at: runItems.at, facts: runItems.facts })
    .from(runItems)
    .where(and(eq(runItems.runId, runId), eq(runItems.listingId, listingId)));
  return row ?? null;
}

/** The stored item of the engine's last decision about a listing; null when that kept the price. */
export async function findRunItem(
  db: Db,
  listingId: number,
): Promise<{ readonly at: Instant; readonly facts: unknown } | null> {
  const [row] = await db
    .select({ at: runItems.at, facts: runItems.facts })
    .from(listingMetrics)
    .innerJoin(
      runItems,
      and(eq(runItems.runId, listingMetrics.runId), eq(runItems.listingId, listingMetrics.listingId)),
    )
    .where(eq(listingMetrics.listingId, listingId));
  return row ?? null;
}
