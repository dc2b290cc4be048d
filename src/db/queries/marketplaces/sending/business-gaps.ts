import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listings } from '#db/schema/listings.ts';
import { businessGaps, businessOffers } from '#db/schema/marketplace-syncs.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { BusinessGaps, BusinessPlan, BusinessPricePolicy } from '#domain/sending/business-plan.ts';
import { quantitiesOf } from '#domain/sending/business-plan.ts';
import type { BusinessOffer } from '#domain/sending/business-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** The distances of a listing, and what was last sent of them; null for nothing. */
export interface StoredGaps extends BusinessGaps {
  readonly written: (typeof businessGaps.$inferSelect)['written'];
}

/** What happens on a marketplace to prices for business buyers when the regular price changes. */
export async function readBusinessPricePolicy(
  db: Db,
  marketplace: Marketplace,
): Promise<BusinessPricePolicy> {
  const [row] = await db
    .select({ policy: marketplaceModes.businessPrices })
    .from(marketplaceModes)
    .where(eq(marketplaceModes.marketplace, marketplace));
  return row?.policy ?? 'leave';
}

/** @returns false where it was set before */
export async function setBusinessPricePolicy(
  tx: Db,
  marketplace: Marketplace,
  policy: BusinessPricePolicy,
): Promise<boolean> {
  const changed = await tx
    .update(marketplaceModes)
    .set({ businessPrices: policy })
    .where(
      and(
        eq(marketplaceModes.marketplace, marketplace),
        sql`${marketplaceModes.businessPrices} <> ${policy}`,
      ),
    )
    .returning({ marketplace: marketplaceModes.marketplace });
  return changed.length > 0;
}

/** Business offers of a marketplace next to the prices in force, by rising ID. @param after the ID before the first one */
export async function listOffersWithPrice(
  tx: Db,
  marketplace: Marketplace,
  after: number,
  max: number,
): Promise<
  readonly { readonly listingId: number; readonly offer: BusinessOffer; readonly regular: Cents }[]
> {
  const rows = await tx
    .select({
      listingId: businessOffers.listingId,
      price: businessOffers.price,
      tiers: businessOffers.tiers,
      regular: listings.currentPrice,
    })
    .from(businessOffers)
    .innerJoin(listings, eq(listings.id, businessOffers.listingId))
    .where(
      and(
        eq(listings.marketplace, marketplace),
        isNull(listings.deletedAt),
        gt(businessOffers.listingId, after),
      ),
    )
    .orderBy(businessOffers.listingId)
    .limit(max);
  return rows.map(({ listingId, price, tiers, regular }) => ({
    listingId,
    offer: { price, tiers },
    regular,
  }));
}

/** The distances of these listings, by ID; those without any are not among them. */
export async function readBusinessGaps(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredGaps>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(businessGaps)
    .where(inArray(businessGaps.listingId, [...ids]));
  return new Map(
    rows.map(({ listingId, priceDiscount: price, tiers, written }) => [listingId, { price, tiers, written }]),
  );
}

/** Replaces the distances of these listings. */
export async function writeBusinessGaps(
  tx: Db,
  rows: readonly { readonly listingId: number; readonly gaps: BusinessGaps }[],
  takenAt: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(businessGaps)
    .values(
      rows
        .map(({ listingId, gaps: { price: priceDiscount, tiers } }) => ({
          listingId,
          priceDiscount,
          tiers,
          takenAt,
        }))
        .toSorted((a, b) => a.listingId - b.listingId),
    )
    .onConflictDoUpdate({
      target: businessGaps.listingId,
      set: {
        priceDiscount: sql`excluded.price_discount`,
        tiers: sql`excluded.tiers`,
        takenAt: sql`excluded.taken_at`,
        written: null,
      },
    });
}

export async function deleteBusinessGaps(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.delete(businessGaps).where(inArray(businessGaps.listingId, [...ids]));
}

/** Forgets the distances of a whole marketplace. */
export async function clearBusinessGaps(tx: Db, marketplace: Marketplace): Promise<void> {
  const there = tx.select({ id: listings.id }).from(listings).where(eq(listings.marketplace, marketplace));
  await tx.delete(businessGaps).where(inArray(businessGaps.listingId, there));
}

/** Records what is about to be sent, by listing. */
export async function recordWrittenBusiness(tx: Db, plans: ReadonlyMap<number, BusinessPlan>): Promise<void> {
  for (const [listingId, plan] of [...plans].toSorted(([a], [b]) => a - b)) {
    const written = { quantities: quantitiesOf(plan), skipped: plan.skipped };
    await tx.update(businessGaps).set({ written }).where(eq(businessGaps.listingId, listingId));
  }
}
