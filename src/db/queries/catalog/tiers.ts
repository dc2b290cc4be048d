import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { shippingTiers } from '#db/schema/catalog.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type TierRow = Omit<typeof shippingTiers.$inferSelect, 'effectiveFrom'>;
export type TierInput = Omit<TierRow, 'id'>;

/** All tiers, by marketplace (in the order of every screen), fulfillment type and weight. */
export async function listTiers(db: Db): Promise<TierRow[]> {
  return db
    .select()
    .from(shippingTiers)
    .orderBy(
      sql`array_position(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'], ${shippingTiers.marketplace})`,
      asc(shippingTiers.fulfillmentType),
      asc(shippingTiers.minWeightOz),
    );
}

/** Locks tiers against changes until the end of the transaction; reads continue. */
export async function lockTiers(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${shippingTiers} IN SHARE ROW EXCLUSIVE MODE`);
}

/** @param since from when they apply, for weights that had a tier before; the first one for a weight applies since ever */
export async function insertTiers(tx: Db, tiers: readonly TierInput[], since: Instant): Promise<TierRow[]> {
  const rows = tiers.map((tier) => ({ ...tier, effectiveFrom: since }));
  return tx.insert(shippingTiers).values(rows).returning();
}

/** Replaces the stored tier, also with one on another marketplace. @param since as for {@link insertTiers} */
export async function replaceTier(tx: Db, id: number, tier: TierInput, since: Instant): Promise<void> {
  // Not an UPDATE: the trigger that marks listings as due would check only the new marketplace.
  await tx.delete(shippingTiers).where(eq(shippingTiers.id, id));
  await tx.execute(sql`
    INSERT INTO shipping_tiers (id, marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost, effective_from)
    OVERRIDING SYSTEM VALUE VALUES (${id}, ${tier.marketplace}, ${tier.fulfillmentType},
      ${tier.minWeightOz}::real, ${tier.maxWeightOz}::real, ${sql.param(tier.cost, shippingTiers.cost)}::numeric,
      ${timestamptz(since)})`);
}

/** @returns the deleted tiers; IDs without a row are ignored */
export async function deleteTiers(tx: Db, ids: readonly number[]): Promise<TierRow[]> {
  return tx
    .delete(shippingTiers)
    .where(inArray(shippingTiers.id, [...ids]))
    .returning();
}

/** Number of listings without a tier for their weight, as last decided, with the lightest and heaviest of them. */
export interface Untiered {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  readonly listings: number;
  readonly lightestOz: number;
  readonly heaviestOz: number;
}

/** Which listings have no tier for their weight, by marketplace and fulfillment type. */
export async function countUntiered(db: Db): Promise<Untiered[]> {
  const { rows } = await db.execute<Untiered & Record<string, unknown>>(sql`
    SELECT l.marketplace, l.fulfillment_type AS "fulfillmentType", count(*)::int AS listings,
      min(w.oz)::float8 AS "lightestOz", max(w.oz)::float8 AS "heaviestOz"
    FROM listing_metrics m
    JOIN listings l ON l.id = m.listing_id AND l.deleted_at IS NULL
    CROSS JOIN LATERAL (
      SELECT coalesce(
        (SELECT sum(b.quantity * s.weight_oz::numeric) FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
          WHERE b.listing_sku = l.sku),
        (SELECT s.weight_oz::numeric FROM skus s WHERE s.sku = l.sku)) AS oz) w
    WHERE m.missing_facts @> ARRAY['no_tier'] AND w.oz IS NOT NULL
    GROUP BY l.marketplace, l.fulfillment_type
    ORDER BY listings DESC, l.marketplace, l.fulfillment_type`);
  return rows;
}
