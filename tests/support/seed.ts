import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { shippingTiers, skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { competitorOffers, ownSellers } from '#db/schema/offers.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, ounces } from '#domain/units.ts';
import { NOW, pct, usd } from '#tests/builders/facts.ts';

/** Rows of a shop for tests, each with a story as default: Walmart, FBM, $20.00, cost $10.00, delivered free. */

type NewSku = Partial<typeof skus.$inferInsert>;
type NewListing = Partial<typeof listings.$inferInsert>;
type NewRule = Partial<typeof repricingRules.$inferInsert>;
type NewOffer = Partial<typeof competitorOffers.$inferInsert> & { readonly by?: string | null };

export async function addSku(db: Db, sku: string, over: NewSku = {}): Promise<number> {
  const story = { name: `Product ${sku}`, productCost: usd(10), weightOz: ounces(8) };
  const [row] = await db
    .insert(skus)
    .values({ sku, ...story, ...over })
    .returning({ id: skus.id });
  return idOf(row);
}

/** A listing with a shipping cost of 0.00, so that no tier is needed. */
export async function addListing(db: Db, sku: string, over: NewListing = {}): Promise<number> {
  const currentPrice = over.currentPrice ?? usd(20);
  const story = {
    title: `Product ${sku}`,
    fulfillmentType: 'FBM' as const,
    shippingCost: usd(0),
    // Not the database's own clock: the stories happen at a moment of their own.
    createdAt: (NOW - hours(2)) as Instant,
  };
  const [row] = await db
    .insert(listings)
    .values({ sku, ...story, anchorPrice: currentPrice, ...over, currentPrice })
    .returning({ id: listings.id });
  return idOf(row);
}

/** A rule that beats the lowest competitor by a cent and keeps 15 %. */
export async function addRule(db: Db, over: NewRule = {}): Promise<number> {
  const story = {
    name: 'Beat everybody',
    fulfillmentType: 'All' as const,
    strategy: 'Beat Competitor' as const,
    minimumMargin: pct(15),
  };
  const [row] = await db
    .insert(repricingRules)
    .values({ ...story, ...over })
    .returning({ id: repricingRules.id });
  return idOf(row);
}

/** An offer of a competitor, seen just now. */
export async function addOffer(db: Db, listingId: number, price: number, over: NewOffer = {}): Promise<void> {
  const { by = 'Corner Store', ...rest } = over;
  await db.insert(competitorOffers).values({
    listingId,
    sellerName: by,
    sellerKey: sellerKey(by),
    price: usd(price),
    fulfillmentType: 'FBM',
    seenAt: NOW,
    ...rest,
  });
}

export async function addTier(db: Db, marketplace: Marketplace, cost: number, most = 80): Promise<void> {
  const range = { minWeightOz: ounces(0), maxWeightOz: ounces(most) };
  await db.insert(shippingTiers).values({ marketplace, fulfillmentType: 'FBM', ...range, cost: usd(cost) });
}

/** Declares our own seller on a marketplace. */
export async function declareSeller(db: Db, marketplace: Marketplace, name = 'Our Shop'): Promise<void> {
  await db.insert(ownSellers).values({ marketplace, name, sellerKey: sellerKey(name) ?? name });
}

/** Sets a marketplace to live, as if an administrator went live on it. */
export async function setLive(db: Db, marketplace: Marketplace): Promise<void> {
  await db
    .update(marketplaceModes)
    .set({ mode: 'live', resetReason: null })
    .where(eq(marketplaceModes.marketplace, marketplace));
}

/** A reading has shown that every marketplace asks what we think it asks. */
export async function readEveryPrice(db: Db): Promise<void> {
  await db.execute(sql`
    INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, price_verified_generation)
    SELECT l.id, '{}', true, l.created_at, i.generation FROM listings l JOIN integrations i USING (marketplace)
    ON CONFLICT (listing_id) DO UPDATE SET price_verified_generation = excluded.price_verified_generation`);
}

export async function addRun(
  db: Db,
  at: Instant = NOW,
  state: 'running' | 'done' = 'running',
): Promise<number> {
  const [row] = await db
    .insert(repricingRuns)
    .values({ trigger: 'manual', startedAt: at, state })
    .returning({ id: repricingRuns.id });
  return idOf(row);
}

function idOf(row: { readonly id: number } | undefined): number {
  if (row === undefined) throw new Error('An insert answered no row.');
  return row.id;
}
