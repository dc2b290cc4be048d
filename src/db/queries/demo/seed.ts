import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#db/client.ts';
import { bundleComponents, shippingTiers, skus } from '#db/schema/catalog.ts';
import { listingAnalytics, listingDays } from '#db/schema/listing-analytics.ts';
import { listings } from '#db/schema/listings.ts';
import { competitorOffers, ownSellers } from '#db/schema/offers.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { setupFlags } from '#db/schema/settings.ts';
import type { Instant } from '#domain/units.ts';

/** Whole tables of the sample store. Everything else is written by its own use case. */

export type SkuInsert = typeof skus.$inferInsert;
export type ListingInsert = typeof listings.$inferInsert;
export type BundleInsert = typeof bundleComponents.$inferInsert;
export type TierInsert = typeof shippingTiers.$inferInsert;
export type RuleInsert = typeof repricingRules.$inferInsert;
export type OfferInsert = typeof competitorOffers.$inferInsert;
export type SellerInsert = typeof ownSellers.$inferInsert;
export type SaleInsert = typeof salesHistory.$inferInsert;
export type AnalyticsInsert = typeof listingAnalytics.$inferInsert;
export type ListingDayInsert = typeof listingDays.$inferInsert;

/** One statement has up to 65,535 parameters; the widest table here has 35 columns. */
const CHUNK = 1_000;

async function insertAll<Table extends PgTable>(
  db: Db,
  table: Table,
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    await db.insert(table).values(rows.slice(from, from + CHUNK));
  }
}

/** @returns the ID of each SKU by its code */
export async function seedSkus(db: Db, rows: readonly SkuInsert[]): Promise<Map<string, number>> {
  await insertAll(db, skus, rows);
  const seeded = await db.select({ id: skus.id, sku: skus.sku }).from(skus);
  return new Map(seeded.map(({ id, sku }) => [sku, id]));
}

/** @returns the IDs in the order of the rows; more than a thousand are inserted in parts */
export async function seedListings(db: Db, rows: readonly ListingInsert[]): Promise<number[]> {
  const seeded = await db
    .insert(listings)
    .values([...rows])
    .returning({ id: listings.id });
  return seeded.map(({ id }) => id);
}

export const seedBundles = (db: Db, rows: readonly BundleInsert[]): Promise<void> =>
  insertAll(db, bundleComponents, rows);
export const seedTiers = (db: Db, rows: readonly TierInsert[]): Promise<void> =>
  insertAll(db, shippingTiers, rows);
export const seedRules = (db: Db, rows: readonly RuleInsert[]): Promise<void> =>
  insertAll(db, repricingRules, rows);
export const seedSellers = (db: Db, rows: readonly SellerInsert[]): Promise<void> =>
  insertAll(db, ownSellers, rows);
export const seedSales = (db: Db, rows: readonly SaleInsert[]): Promise<void> =>
  insertAll(db, salesHistory, rows);

/** The newest sale that the seller shipped and that came back; null without one. */
export async function findReturnedSale(db: Db): Promise<number | null> {
  const [row] = await db
    .select({ id: salesHistory.id })
    .from(salesHistory)
    .innerJoin(listings, eq(listings.id, salesHistory.listingId))
    .where(and(isNotNull(salesHistory.refunds), eq(listings.fulfillmentType, 'FBM')))
    .orderBy(desc(salesHistory.saleDate), desc(salesHistory.id))
    .limit(1);
  return row?.id ?? null;
}

export const seedAnalytics = (db: Db, rows: readonly AnalyticsInsert[]): Promise<void> =>
  insertAll(db, listingAnalytics, rows);
export const seedListingDays = (db: Db, rows: readonly ListingDayInsert[]): Promise<void> =>
  insertAll(db, listingDays, rows);

/** Replaces all offers by these. */
export async function reseedOffers(db: Db, rows: readonly OfferInsert[]): Promise<void> {
  await db.delete(competitorOffers);
  await insertAll(db, competitorOffers, rows);
}

/** A listing with the price that buyers see, or will see once it is confirmed. */
export type ShownListing = Pick<
  typeof listings.$inferSelect,
  'marketplace' | 'sku' | 'title' | 'fulfillmentType' | 'shippingCharge' | 'currentPrice'
>;

/** All listings that are not deleted. */
export async function listShownListings(db: Db): Promise<ShownListing[]> {
  const sent = sql`(SELECT i.price FROM price_intents i WHERE i.listing_id = ${listings.id}
    AND i.state IN ('sent', 'accepted', 'unknown') ORDER BY i.id DESC LIMIT 1)`;
  return db
    .select({
      marketplace: listings.marketplace,
      sku: listings.sku,
      title: listings.title,
      fulfillmentType: listings.fulfillmentType,
      shippingCharge: listings.shippingCharge,
      currentPrice: sql`coalesce(${sent}, ${listings.currentPrice})`.mapWith(listings.currentPrice),
    })
    .from(listings)
    .where(isNull(listings.deletedAt))
    .orderBy(asc(listings.id));
}

/** Sets every marketplace to live, to generate a history, or to recommend only. */
export async function setAllModes(db: Db, mode: 'live' | 'recommend_only'): Promise<void> {
  await db.update(marketplaceModes).set({ mode, changedBy: 'sample shop' });
}

/** Marks the price files of all marketplaces as uploaded. */
export async function clearUploadMarks(db: Db): Promise<void> {
  await db.execute(
    sql`UPDATE listings SET awaiting_upload_since = NULL WHERE awaiting_upload_since IS NOT NULL`,
  );
}

export async function hasFlag(db: Db, name: 'demo'): Promise<boolean> {
  const rows = await db.select().from(setupFlags).where(sql`${setupFlags.name} = ${name}`);
  return rows.length > 0;
}

export async function setFlag(db: Db, name: 'demo', now: Instant): Promise<void> {
  await db.insert(setupFlags).values({ name, reachedAt: now }).onConflictDoNothing();
}
