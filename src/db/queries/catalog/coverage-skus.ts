import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eachBatch } from '#db/row-batches.ts';

/** What may be missing from a SKU. */
export type SkuProblem = 'no_sku' | 'no_product_cost' | 'no_weight';

/** The columns of a SKUs file, as text. */
export type SkuFileRow = {
  readonly sku: string;
  readonly name: string | null;
  readonly productCost: string | null;
  readonly weight: string | null;
  readonly packagingCost: string | null;
  readonly miscCost: string | null;
  readonly veeqoId: string | null;
  readonly tags: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly length: string | null;
  readonly width: string | null;
  readonly height: string | null;
  readonly isHazardous: string | null;
};

/** A cost or a weight of 0 is unknown, as for every decision. */
const MISSING: Readonly<Record<SkuProblem, SQL>> = {
  no_sku: sql`s.id IS NULL`,
  no_product_cost: sql`s.id IS NOT NULL AND coalesce(s.product_cost, 0) = 0`,
  no_weight: sql`s.id IS NOT NULL AND coalesce(s.weight_oz, 0) = 0`,
};

/**
 * Passes on the SKUs that block listings for this reason, each once, by their codes. For a bundle these are its
 * components. A SKU that does not exist gets the title of a listing as its name.
 */
export async function eachSkuToComplete(
  db: Db,
  problem: SkuProblem,
  onRows: (rows: SkuFileRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<SkuFileRow>(
    db,
    async () => sql`
      WITH wanted AS (
        SELECT coalesce(part.sku, l.sku) AS sku, min(l.title) AS title
        FROM listing_keys k JOIN listings l ON l.id = k.listing_id
          LEFT JOIN bundle_components b ON b.listing_sku = l.sku LEFT JOIN skus part ON part.id = b.component_sku_id
        WHERE k.is_live AND k.problems <> '{}' AND k.problems @> ARRAY[${problem}]::text[] GROUP BY 1
      )
      SELECT w.sku, coalesce(s.name, w.title) AS name, s.product_cost::text AS "productCost",
        s.weight_oz::text AS weight, s.packaging_cost::text AS "packagingCost", s.misc_cost::text AS "miscCost",
        s.veeqo_id AS "veeqoId", array_to_string(s.tags, '|') AS tags, s.brand, s.supplier,
        s.length_in::text AS length, s.width_in::text AS width, s.height_in::text AS height, s.is_hazardous::text AS "isHazardous"
      FROM wanted w LEFT JOIN skus s ON s.sku = w.sku AND s.deleted_at IS NULL WHERE ${MISSING[problem]} ORDER BY w.sku`,
    onRows,
  );
}
