import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

export type SkuRecord = typeof skus.$inferSelect;

/** Locks bundles against changes until the end of the transaction; reads continue. */
export async function lockBundles(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${bundleComponents} IN SHARE ROW EXCLUSIVE MODE`);
}

/** A stored component with its SKU. */
export interface StoredComponent {
  readonly component: typeof bundleComponents.$inferSelect;
  readonly sku: SkuRecord;
}

/** Components of these listing SKUs, in stored order. */
export async function readBundles(db: Db, listingSkus: readonly string[]): Promise<StoredComponent[]> {
  return db
    .select({ component: bundleComponents, sku: skus })
    .from(bundleComponents)
    .innerJoin(skus, eq(skus.id, bundleComponents.componentSkuId))
    .where(sql`${bundleComponents.listingSku} = ANY(${sql.param(listingSkus)}::text[])`)
    .orderBy(asc(bundleComponents.id));
}

/** SKUs by their IDs, deleted ones too. */
export async function findSkusById(db: Db, ids: readonly number[]): Promise<SkuRecord[]> {
  return db
    .select()
    .from(skus)
    .where(sql`${skus.id} = ANY(${sql.param(ids)}::bigint[])`)
    .orderBy(asc(skus.id));
}

/** A SKU that is not deleted. */
export async function findSkuByCode(db: Db, code: string): Promise<SkuRecord | null> {
  const [row] = await db
    .select()
    .from(skus)
    .where(and(eq(skus.sku, code), isNull(skus.deletedAt)));
  return row ?? null;
}

/** The live listings with these SKUs, on every marketplace. */
export async function listingsOfSkus(
  db: Db,
  listingSkus: readonly string[],
): Promise<{ id: number; sku: string; bundleUnconfirmed: boolean }[]> {
  return db
    .select({ id: listings.id, sku: listings.sku, bundleUnconfirmed: listings.bundleUnconfirmed })
    .from(listings)
    .where(sql`${listings.sku} = ANY(${sql.param(listingSkus)}::text[]) AND ${listings.deletedAt} IS NULL`)
    .orderBy(asc(listings.id));
}

/** Deletes a bundle. @returns its components */
export async function deleteBundle(
  tx: Db,
  listingSku: string,
  now: Instant,
): Promise<(typeof bundleComponents.$inferSelect)[]> {
  return withVersions(tx, [listingSku], now, () =>
    tx.delete(bundleComponents).where(eq(bundleComponents.listingSku, listingSku)).returning(),
  );
}

/**
 * Changes bundles and keeps what was in them: the first change of one keeps its components since ever. Components that are
 * saved while it is unconfirmed whether a removed bundle is one apply from its removal.
 * @param change of these listing SKUs
 */
export async function withVersions<Result>(
  tx: Db,
  listingSkus: readonly string[],
  now: Instant,
  change: () => Promise<Result>,
): Promise<Result> {
  const codes = sql`${sql.param([...listingSkus])}::text[]`;
  const components = sql`coalesce(array_agg(component_sku_id ORDER BY id), '{}'), coalesce(array_agg(quantity ORDER BY id), '{}')`;
  await tx.execute(sql`
    INSERT INTO bundle_versions (listing_sku, component_sku_ids, quantities)
    SELECT listing_sku, ${components} FROM bundle_components
    WHERE listing_sku = ANY(${codes}) AND listing_sku NOT IN (SELECT listing_sku FROM bundle_versions)
    GROUP BY listing_sku`);
  const result = await change();
  await tx.execute(sql`
    INSERT INTO bundle_versions (listing_sku, effective_from, component_sku_ids, quantities)
    SELECT v.listing_sku, CASE WHEN v.component_sku_ids = '{}' AND EXISTS (
        SELECT FROM listings l WHERE l.sku = v.listing_sku AND l.bundle_unconfirmed)
      THEN v.effective_from ELSE ${timestamptz(now)} END, c.ids, c.quantities
    FROM (SELECT DISTINCT ON (listing_sku) * FROM bundle_versions WHERE listing_sku = ANY(${codes})
      ORDER BY listing_sku, id DESC) v
    CROSS JOIN LATERAL (SELECT ${components} FROM bundle_components b WHERE b.listing_sku = v.listing_sku) c (ids, quantities)`);
  return result;
}

/**
 * Sets whether it is unconfirmed that these listings are no bundles: their cost is unknown then. Deleted listings too,
 * since they may be restored.
 */
export async function markUnconfirmed(
  tx: Db,
  listingSkus: readonly string[],
  isUnconfirmed: boolean,
): Promise<void> {
  if (listingSkus.length === 0) return;
  await tx
    .update(listings)
    .set({ bundleUnconfirmed: isUnconfirmed })
    .where(
      sql`${listings.sku} = ANY(${sql.param(listingSkus)}::text[]) AND ${listings.bundleUnconfirmed} <> ${isUnconfirmed}`,
    );
}
