import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eachBatch } from '#db/row-batches.ts';
import type { SkuFileRow } from './coverage-skus.ts';
import { type SkuFilter, type SkuOrder, skuCondition, skuOrderBy } from './skus.ts';

export interface ChosenSkus extends SkuFilter {
  readonly sort: SkuOrder;
  /** Of what the filter shows only these. */
  readonly ids?: readonly string[] | undefined;
}

/** Hands over the SKUs of a filter in its order, batch by batch. */
export async function eachSku(
  db: Db,
  { sort, ids, ...filter }: ChosenSkus,
  onRows: (rows: SkuFileRow[]) => Promise<void>,
): Promise<void> {
  const chosen = ids === undefined ? sql`true` : sql`s.id = ANY(${sql.param(ids)}::bigint[])`;
  await eachBatch<SkuFileRow>(
    db,
    async () => sql`
      SELECT s.sku, s.name, s.product_cost::text AS "productCost", s.weight_oz::text AS weight,
        s.packaging_cost::text AS "packagingCost", s.misc_cost::text AS "miscCost", s.veeqo_id AS "veeqoId",
        array_to_string(s.tags, '|') AS tags, s.brand, s.supplier,
        s.length_in::text AS length, s.width_in::text AS width, s.height_in::text AS height, s.is_hazardous::text AS "isHazardous"
      FROM skus s WHERE ${skuCondition(filter)} AND ${chosen} ORDER BY ${skuOrderBy(sort)}`,
    onRows,
  );
}
