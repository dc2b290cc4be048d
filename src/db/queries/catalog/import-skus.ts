import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { analyzeGrown } from '#db/grown-tables.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

const TYPES = {
  id: 'bigint',
  sku: 'text',
  name: 'text',
  productCost: 'numeric',
  weight: 'real',
  packagingCost: 'numeric',
  miscCost: 'numeric',
  veeqoId: 'text',
  tags: 'text',
  brand: 'text',
  supplier: 'text',
  length: 'real',
  width: 'real',
  height: 'real',
  isHazardous: 'boolean',
} as const;

/**
 * The SKUs with these codes, every value as text, without deleted ones. @param lock locks them until the transaction
 * ends
 */
export async function findSkusByCode(db: Db, codes: readonly string[], lock: boolean): Promise<TextRow[]> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    SELECT id::text, sku, name, product_cost::text AS "productCost", weight_oz::text AS weight,
      packaging_cost::text AS "packagingCost", misc_cost::text AS "miscCost", veeqo_id AS "veeqoId",
      array_to_string(tags, '|') AS tags, brand, supplier,
      length_in::text AS length, width_in::text AS width, height_in::text AS height, is_hazardous::text AS "isHazardous"
    FROM skus WHERE sku = ANY(${sql.param(codes)}::text[]) AND deleted_at IS NULL ORDER BY id ${lock ? sql`FOR UPDATE` : sql``}`);
  return rows;
}

/** The codes of the SKUs whose costs these listings use: their own, and a bundle's components, deleted ones too. */
export async function findSkusOfListings(
  db: Db,
  listingIds: readonly number[],
): Promise<{ listingId: number; key: string }[]> {
  const { rows } = await db.execute<{ listingId: number; key: string }>(sql`
    SELECT l.id::float8 AS "listingId", l.sku AS key FROM listings l WHERE l.id = ANY(${sql.param([...listingIds])}::bigint[])
    UNION SELECT l.id::float8, s.sku FROM listings l JOIN bundle_components c ON c.listing_sku = l.sku
      JOIN skus s ON s.id = c.component_sku_id WHERE l.id = ANY(${sql.param([...listingIds])}::bigint[])`);
  return rows;
}

/** Adds SKUs. A deleted one gets the new values and is restored, so that its bundles find it. */
export async function insertSkus(db: Db, rows: readonly TextRow[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  const at = timestamptz(now);
  await db.execute(sql`
    INSERT INTO skus (sku, name, product_cost, weight_oz, packaging_cost, misc_cost, veeqo_id, tags, brand, supplier,
      length_in, width_in, height_in, is_hazardous, created_at, updated_at)
    SELECT sku, name, "productCost", weight, coalesce("packagingCost", 0), coalesce("miscCost", 0), "veeqoId",
      coalesce(string_to_array(tags, '|'), '{}'), brand, supplier, length, width, height,
      coalesce("isHazardous", (SELECT is_hazardous FROM skus deleted WHERE deleted.sku = r.sku), false), ${at}, ${at}
    FROM ${rowsTable('r', TYPES, rows)} ORDER BY sku
    ON CONFLICT (sku) ${REVIVE}`);
  await analyzeGrown(db, ['skus']);
}

/** Conflict clause that restores a deleted SKU when one with its code is added; a live one returns no row. */
export const REVIVE: SQL = sql`DO UPDATE SET name = excluded.name, product_cost = excluded.product_cost,
  weight_oz = excluded.weight_oz, packaging_cost = excluded.packaging_cost, misc_cost = excluded.misc_cost,
  veeqo_id = excluded.veeqo_id, tags = excluded.tags, brand = excluded.brand, supplier = excluded.supplier,
  length_in = excluded.length_in, width_in = excluded.width_in, height_in = excluded.height_in,
  is_hazardous = excluded.is_hazardous,
  created_at = excluded.created_at,
  updated_at = excluded.updated_at, deleted_at = NULL, version = skus.version + 1
  WHERE skus.deleted_at IS NOT NULL`;

export async function updateSkus(db: Db, rows: readonly TextRow[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    UPDATE skus SET name = r.name, product_cost = r."productCost", weight_oz = r.weight,
      packaging_cost = coalesce(r."packagingCost", 0), misc_cost = coalesce(r."miscCost", 0),
      veeqo_id = r."veeqoId", tags = coalesce(string_to_array(r.tags, '|'), '{}'), brand = r.brand, supplier = r.supplier,
      length_in = r.length, width_in = r.width, height_in = r.height, is_hazardous = r."isHazardous",
      version = version + 1, updated_at = ${timestamptz(now)}
    FROM ${rowsTable('r', TYPES, rows)} WHERE skus.id = r.id`);
}
