import { inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { businessOffers } from '#db/schema/marketplace-syncs.ts';
import type { BusinessOffer } from '#domain/sending/business-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** The business prices of a listing; a null offer: there are none. */
export interface ReadBusinessOffer {
  readonly listingId: number;
  readonly offer: BusinessOffer | null;
  /** The lowest price of a unit in it; null where that is no price. */
  readonly lowest: Cents | null;
}

/** Stores what a marketplace reported about the business prices of these listings. */
export async function writeBusinessOffers(
  tx: Db,
  rows: readonly ReadBusinessOffer[],
  readAt: Instant,
): Promise<void> {
  const removed = rows.filter(({ offer }) => offer === null).map(({ listingId }) => listingId);
  if (removed.length > 0) await tx.delete(businessOffers).where(inArray(businessOffers.listingId, removed));
  const values = rows.flatMap(({ listingId, offer, lowest }) =>
    offer === null
      ? []
      : [{ listingId, price: offer.price, tiers: offer.tiers, lowestPrice: lowest, readAt }],
  );
  if (values.length === 0) return;
  await tx
    .insert(businessOffers)
    .values(values.toSorted((a, b) => a.listingId - b.listingId))
    .onConflictDoUpdate({
      target: businessOffers.listingId,
      set: {
        price: sql`excluded.price`,
        tiers: sql`excluded.tiers`,
        lowestPrice: sql`excluded.lowest_price`,
        readAt: sql`excluded.read_at`,
      },
    });
}

/** The business prices of a listing with the time they were read; null for none. */
export async function findBusinessOffer(
  db: Db,
  listingId: number,
): Promise<(BusinessOffer & { readonly readAt: Instant }) | null> {
  const { price, tiers, readAt } = businessOffers;
  const [row] = await db
    .select({ price, tiers, readAt })
    .from(businessOffers)
    .where(inArray(businessOffers.listingId, [listingId]));
  return row ?? null;
}

/** The business prices of these listings; those without any are not among them. */
export async function readBusinessOffers(
  db: Db,
  listingIds: readonly number[],
): Promise<ReadonlyMap<number, BusinessOffer>> {
  if (listingIds.length === 0) return new Map();
  const { listingId, price, tiers } = businessOffers;
  const rows = await db
    .select({ listingId, price, tiers })
    .from(businessOffers)
    .where(inArray(listingId, [...listingIds]));
  return new Map(rows.map(({ listingId: id, ...offer }) => [id, offer]));
}
