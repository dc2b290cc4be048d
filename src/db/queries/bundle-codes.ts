import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/**
 * Whether the code of a SKU is that of a bundle: listings of this code are packed from other SKUs, or were and nobody
 * said yet that they are no more. The SKU then is their box, and what it costs is not what the goods cost. Where they
 * are packed from the SKU itself, as a set of two is, it is an article like any other.
 * @param skus the name under which the statement knows its row of `skus`
 */
export function isBundleCode(skus: 's'): SQL<boolean> {
  const own = sql.raw(`${skus}.sku`);
  return sql`(
    EXISTS (SELECT FROM bundle_components i WHERE i.listing_sku = ${own})
      AND NOT EXISTS (SELECT FROM bundle_components i WHERE i.listing_sku = ${own} AND i.component_sku_id = ${sql.raw(`${skus}.id`)})
    OR EXISTS (SELECT FROM listings i WHERE i.sku = ${own} AND i.bundle_unconfirmed AND i.deleted_at IS NULL))`;
}

/** Which of these codes of SKUs are those of bundles. */
export async function findBundleCodes(db: Db, codes: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ sku: string }>(
    sql`SELECT s.sku FROM skus s WHERE s.sku = ANY(${sql.param(codes)}::text[]) AND ${isBundleCode('s')}`,
  );
  return new Set(rows.map(({ sku }) => sku));
}

/** A component of these bundles that is a bundle itself, as they are stored now; null when there is none. */
export async function findBundleInBundle(
  db: Db,
  listingSkus: readonly string[],
): Promise<{ listingSku: string; sku: string } | null> {
  const { rows } = await db.execute<{ listingSku: string; sku: string }>(sql`
    SELECT b.listing_sku AS "listingSku", s.sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY(${sql.param(listingSkus)}::text[]) AND ${isBundleCode('s')} ORDER BY b.id LIMIT 1`);
  return rows[0] ?? null;
}
