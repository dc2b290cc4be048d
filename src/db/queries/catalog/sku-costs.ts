import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** Lets the present costs of a SKU apply since a moment: they replace every later one. A row is never changed. */
export async function backdateSkuCosts(tx: Db, skuId: number, since: Instant, now: Instant): Promise<void> {
  await tx.execute(sql`
    INSERT INTO sku_costs (sku_id, effective_from, product_cost, weight_oz, packaging_cost, misc_cost, entered_at)
    SELECT s.id, m.at, s.product_cost, s.weight_oz, s.packaging_cost, s.misc_cost, ${timestamptz(now)}
    FROM skus s CROSS JOIN (
      SELECT ${timestamptz(since)} AS at
      UNION SELECT effective_from FROM sku_costs WHERE sku_id = ${skuId} AND effective_from > ${timestamptz(since)}) m
    WHERE s.id = ${skuId} ORDER BY m.at`);
}

/** The listings whose cost has this SKU in it, its bundles and deleted listings included. */
export async function findListingsOfCost(db: Db, sku: string): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM listings WHERE sku IN (
      SELECT ${sku} UNION SELECT b.listing_sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
      WHERE s.sku = ${sku})`);
  return rows.map(({ id }) => id);
}

/** What was told of a sale and charged for it. */
export type ChargedSale = {
  readonly id: number;
  readonly listingId: number;
  readonly soldAt: Instant;
  readonly quantity: number;
  readonly revenue: Cents;
  readonly shippingRevenue: Cents | null;
  readonly fees: Cents | null;
};

/** Sales of these listings since a moment, by ID, after an ID. */
export async function pageOfSales(
  db: Db,
  listingIds: readonly number[],
  since: Instant,
  after: number,
  limit: number,
): Promise<ChargedSale[]> {
  const { rows } = await db.execute<ChargedSale>(sql`
    SELECT id::float8 AS id, listing_id::float8 AS "listingId", ${millis('sale_date')} AS "soldAt",
      quantity_sold AS quantity, ${cents('total_revenue')} AS revenue, ${cents('shipping_revenue')} AS "shippingRevenue",
      ${cents('marketplace_fees')} AS fees
    FROM sales_history WHERE listing_id = ANY(${sql.param([...listingIds])}::bigint[])
      AND sale_date >= ${timestamptz(since)} AND id > ${after}
    ORDER BY id LIMIT ${limit}`);
  return rows;
}
