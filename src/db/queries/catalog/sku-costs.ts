import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { skuCosts } from '#db/schema/catalog.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import type { DatedSkuCosts } from '#domain/sales/dated-costs.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** Adds costs of a SKU to those entered so far, in this order. A row is never changed. */
export async function addSkuCosts(
  tx: Db,
  skuId: number,
  costs: readonly DatedSkuCosts[],
  now: Instant,
): Promise<void> {
  if (costs.length === 0) return;
  await tx
    .insert(skuCosts)
    .values(costs.map(({ weight, ...cost }) => ({ ...cost, skuId, weightOz: weight, enteredAt: now })));
}

/** The listings whose cost has this SKU in it, its bundles and deleted listings included. */
export async function findListingsOfCost(db: Db, sku: string): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM listings WHERE sku IN (
      SELECT ${sku} UNION SELECT b.listing_sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
      WHERE s.sku = ${sku})`);
  return rows.map(({ id }) => id);
}

/** What was reported of a sale and charged for it. */
export type ChargedSale = {
  readonly id: number;
  readonly listingId: number;
  readonly soldAt: Instant;
  readonly quantity: number;
  readonly revenue: Cents;
  readonly shippingRevenue: Cents | null;
  readonly fees: Cents | null;
  /** Received beyond what the order reported. */
  readonly adjustment: Cents;
  readonly ads: Cents | null;
  /** What the parcel cost by its reported label; null without one. */
  readonly label: Cents | null;
  /** What returns cost, less what came back for them, with goods that did. */
  readonly refunds: Cents;
  /** Units that came back into stock. */
  readonly restocked: number;
};

const LABEL = `(SELECT greatest(0, -(p->>'told')::numeric) FROM jsonb_array_elements(parts) p
  WHERE p->>'kind' = 'label' AND p->>'told' IS NOT NULL LIMIT 1)`;

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
      ${cents('marketplace_fees')} AS fees, ${cents('coalesce(adjustment, 0)')} AS adjustment, ${cents('ads')} AS ads,
      ${cents(LABEL)} AS label, ${cents('coalesce(refunds, 0)')} AS refunds, restocked
    FROM sales_history WHERE listing_id = ANY(${sql.param([...listingIds])}::bigint[])
      AND sale_date >= ${timestamptz(since)} AND id > ${after}
    ORDER BY id LIMIT ${limit}`);
  return rows;
}
