import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import { isoText } from '#db/sql-values.ts';
import { type LabelFilter, skuLabelConditions } from './label-filter.ts';
import { containsPattern } from './listing-filter.ts';

/** The columns behind the sort keys. */
const SORT_COLUMNS = {
  sku: 'sku_key',
  name: 'name_key',
  productCost: 'product_cost',
  weightOz: 'weight_oz',
  packagingCost: 'packaging_cost',
  miscCost: 'misc_cost',
  veeqoId: 'veeqo_id',
} as const;

const NULLABLE: ReadonlySet<string> = new Set(['productCost', 'weightOz', 'veeqoId']);

export interface SkuOrder {
  readonly by: keyof typeof SORT_COLUMNS;
  readonly descending: boolean;
}

/** Which SKUs; all conditions apply together. Without any, all that are not deleted. */
export interface SkuFilter extends LabelFilter {
  /** Part of SKU or name, ignoring case. */
  readonly q?: string | undefined;
}

export interface SkusQuery extends SkuFilter {
  readonly sort: SkuOrder;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A SKU in the format of the API: decimals as text, times as ISO 8601. */
export type SkuListRow = {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly productCost: string | null;
  readonly weightOz: number | null;
  readonly packagingCost: string;
  readonly miscCost: string;
  readonly lengthIn: number | null;
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly isHazardous: boolean;
  readonly veeqoId: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly tags: string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
};

/** One page of the SKUs and their total, from one snapshot. A page after the last one is empty. */
export async function readSkus(
  db: Db,
  { sort, page, pageSize, ...filter }: SkusQuery,
): Promise<{ skus: SkuListRow[]; total: number }> {
  const condition = skuCondition(filter);
  return readingList(db, async (snapshot) => {
    const total = await readNumber(snapshot, sql`SELECT count(*) AS number FROM skus s WHERE ${condition}`);
    const offset = (page - 1) * pageSize;
    const limit = Math.min(pageSize, total - offset);
    if (limit <= 0) return { skus: [], total };
    // Nearer to the end the page is counted from there: the last one is as fast as the first.
    const behind = total - offset - limit;
    const isReversed = behind < offset;
    const skip = isReversed ? behind : offset;
    // The narrow IDs first: only the rows of this page are read in full.
    const { rows } = await snapshot.execute<SkuListRow>(sql`
      SELECT ${COLUMNS} FROM (
        SELECT s.id FROM skus s WHERE ${condition} ORDER BY ${skuOrderBy(sort, isReversed)} LIMIT ${limit} OFFSET ${skip}
      ) chosen JOIN skus s ON s.id = chosen.id ORDER BY ${skuOrderBy(sort)}`);
    return { skus: rows, total };
  });
}

/** One SKU; null when there is none or it is deleted. */
export async function readSku(db: Db, id: string): Promise<SkuListRow | null> {
  const { rows } = await db.execute<SkuListRow>(
    sql`SELECT ${COLUMNS} FROM skus s WHERE s.id = ${id}::bigint AND s.deleted_at IS NULL`,
  );
  return rows[0] ?? null;
}

const COLUMNS = sql`s.id::text, s.sku, s.name, s.product_cost::text AS "productCost", s.weight_oz AS "weightOz",
  s.packaging_cost::text AS "packagingCost", s.misc_cost::text AS "miscCost",
  s.length_in AS "lengthIn", s.width_in AS "widthIn", s.height_in AS "heightIn", s.is_hazardous AS "isHazardous", s.veeqo_id AS "veeqoId", s.brand, s.supplier, s.tags,
  ${isoText(sql`s.created_at`)} AS "createdAt", ${isoText(sql`s.updated_at`)} AS "updatedAt", s.version`;

/** The condition of a filter over `skus s`. Deleted ones never match. */
export function skuCondition({ q, ...labels }: SkuFilter): SQL {
  const parts = [sql`s.deleted_at IS NULL`, ...skuLabelConditions(labels)];
  const pattern = q ? containsPattern(q) : null;
  if (pattern !== null) parts.push(sql`(s.sku_key LIKE ${pattern} OR s.name_key LIKE ${pattern})`);
  return sql.join(parts, sql` AND `);
}

/**
 * SKUs without a value are last in both directions; equal ones by ID, so that pages never overlap. Each is an index
 * order.
 */
export function skuOrderBy({ by, descending }: SkuOrder, isReversed = false): SQL {
  const column = sql.raw(`s.${SORT_COLUMNS[by]}`);
  const direction = descending === isReversed ? sql`ASC` : sql`DESC`;
  if (!NULLABLE.has(by)) return sql`${column} ${direction}, s.id ${direction}`;
  const nulls = isReversed ? sql`NULLS FIRST` : sql`NULLS LAST`;
  return sql`${column} ${direction} ${nulls}, s.id ${direction} ${nulls}`;
}
