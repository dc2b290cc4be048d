import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { skuCosts } from '#db/schema/catalog.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { DatedSkuCosts } from '#domain/sales/dated-costs.ts';
import type { Instant } from '#domain/units.ts';
import { SALE, type SaleRow } from './due-sales.ts';

/** Rows per statement: its parameters are limited. */
const ROWS = 1_000;

/** Adds costs of SKUs to those entered so far, in this order. A row is never changed. */
export async function addSkuCosts(
  tx: Db,
  costs: readonly (DatedSkuCosts & { readonly skuId: number })[],
  now: Instant,
): Promise<void> {
  for (let from = 0; from < costs.length; from += ROWS) {
    const rows = costs.slice(from, from + ROWS);
    await tx.insert(skuCosts).values(
      rows.map(({ skuId, weight, effectiveFrom, productCost, lengthIn, widthIn, heightIn, ...each }) => ({
        skuId,
        weightOz: weight,
        effectiveFrom,
        productCost,
        lengthIn,
        widthIn,
        heightIn,
        isHazardous: each.isHazardous,
        packagingCost: each.packagingCost,
        miscCost: each.miscCost,
        enteredAt: now,
      })),
    );
  }
}

/** The listings whose cost has this SKU in it, the bundles that have or had it and deleted listings included. */
export async function findListingsOfCost(db: Db, sku: string): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM listings WHERE sku IN (
      SELECT ${sku} UNION SELECT b.listing_sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
      WHERE s.sku = ${sku}
      UNION SELECT v.listing_sku FROM skus s JOIN bundle_versions v ON v.component_sku_ids @> ARRAY[s.id]
      WHERE s.sku = ${sku})`);
  return rows.map(({ id }) => id);
}

/** Whose sales are read. */
export type SalesOf =
  | { readonly listingIds: readonly number[] }
  | { readonly marketplaces: readonly Marketplace[] };

/** Sales since a moment, the newest row first. @param before of those with a lower ID; null: from the first */
export async function pageOfSales(
  db: Db,
  of: SalesOf,
  since: Instant,
  before: number | null,
  limit: number,
): Promise<SaleRow[]> {
  const { rows } = await db.execute<SaleRow>(sql`
    SELECT ${SALE} FROM sales_history h JOIN listings l ON l.id = h.listing_id
    WHERE ${
      'listingIds' in of
        ? sql`h.listing_id = ANY(${sql.param([...of.listingIds])}::bigint[])`
        : sql`l.marketplace = ANY(${sql.param([...of.marketplaces])}::text[])`
    } AND h.sale_date >= ${timestamptz(since)} AND (${before}::bigint IS NULL OR h.id < ${before})
    ORDER BY h.id DESC LIMIT ${limit}`);
  return rows;
}
