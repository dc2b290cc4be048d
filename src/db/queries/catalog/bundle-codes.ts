import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/**
 * Whether the code of the SKU `s` is that of a bundle: listings with this code consist of other SKUs, or did and no
 * user has confirmed that they no longer do. The SKU then is their packaging, and its cost is not the bundle's cost.
 * If they consist of the SKU itself, as a set of two does, it is a product like any other.
 */
export const IS_BUNDLE_CODE = sql<boolean>`(
  EXISTS (SELECT FROM bundle_components i WHERE i.listing_sku = s.sku)
    AND NOT EXISTS (SELECT FROM bundle_components i WHERE i.listing_sku = s.sku AND i.component_sku_id = s.id)
  OR EXISTS (SELECT FROM listings i WHERE i.sku = s.sku AND i.bundle_unconfirmed AND i.deleted_at IS NULL))`;

/** The codes of bundles among these codes. */
export async function findBundleCodes(db: Db, codes: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ sku: string }>(
    sql`SELECT s.sku FROM skus s WHERE s.sku = ANY(${sql.param(codes)}::text[]) AND ${IS_BUNDLE_CODE}`,
  );
  return new Set(rows.map(({ sku }) => sku));
}

/** A component of these bundles that is a bundle itself, as currently stored; null when there is none. */
export async function findBundleInBundle(
  db: Db,
  listingSkus: readonly string[],
): Promise<{ listingSku: string; sku: string } | null> {
  const { rows } = await db.execute<{ listingSku: string; sku: string }>(sql`
    SELECT b.listing_sku AS "listingSku", s.sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY(${sql.param(listingSkus)}::text[]) AND ${IS_BUNDLE_CODE} ORDER BY b.id LIMIT 1`);
  return rows[0] ?? null;
}
