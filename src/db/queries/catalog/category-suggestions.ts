import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { CategoryFacts } from '#domain/fees/fee-category.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { CategoryUse } from './fees.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

/** Live listings whose fee category can only be found by what the marketplace calls them: not entered, and no fee was reported. */
const IS_OPEN = sql`l.deleted_at IS NULL AND l.fee_category IS NULL
  AND (l.product_type IS NOT NULL OR l.external_category IS NOT NULL)
  AND NOT EXISTS (SELECT FROM fee_facts f
    WHERE f.listing_id = l.id AND f.kind = 'commission' AND f.refused_because IS NULL)`;

/** Number of such listings, by what the marketplace calls them and what was accepted. */
export async function countOpenCategories(db: Db): Promise<CategoryUse[]> {
  const { rows } = await db.execute<CategoryUse & Record<string, unknown>>(sql`
    SELECT l.marketplace, NULL AS "feeCategory", l.product_type AS "productType",
      l.external_category AS "externalCategory", l.accepted_category AS "acceptedCategory", count(*)::int AS listings
    FROM listings l WHERE ${IS_OPEN}
    GROUP BY l.marketplace, l.product_type, l.external_category, l.accepted_category
    ORDER BY listings DESC, l.marketplace, l.product_type, l.external_category`);
  return rows;
}

const GROUP_TYPES = {
  marketplace: 'text',
  productType: 'text',
  externalCategory: 'text',
  acceptedCategory: 'text',
} as const;

/** Such listings of some groups. */
const OF_GROUPS = sql`l.marketplace = g.marketplace AND l.product_type IS NOT DISTINCT FROM g."productType"
  AND l.external_category IS NOT DISTINCT FROM g."externalCategory"
  AND l.accepted_category IS NOT DISTINCT FROM g."acceptedCategory" AND ${IS_OPEN}`;

export type CategoryListing = {
  readonly id: number;
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: Cents;
};

/** The first listings of these groups, by SKU. */
export async function listOpenCategories(
  db: Db,
  groups: readonly CategoryFacts[],
  limit: number,
): Promise<CategoryListing[]> {
  const { rows } = await db.execute<CategoryListing>(sql`
    SELECT l.id::float8 AS id, l.sku, l.title, ${cents('l.current_price')} AS "currentPrice"
    FROM ${rowsTable('g', GROUP_TYPES, groups.map(rowOf))} JOIN listings l ON ${OF_GROUPS}
    ORDER BY l.sku, l.id LIMIT ${limit}`);
  return rows;
}

/** Accepts a category for the listings of these groups. @returns how many they were */
export async function acceptOpenCategories(
  tx: Db,
  groups: readonly CategoryFacts[],
  category: string,
  now: Instant,
): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    UPDATE listings SET accepted_category = ${category}, updated_at = ${timestamptz(now)}
    WHERE id IN (
      SELECT l.id FROM ${rowsTable('g', GROUP_TYPES, groups.map(rowOf))} JOIN listings l ON ${OF_GROUPS}
      ORDER BY l.id FOR NO KEY UPDATE OF l)`);
  return rowCount ?? 0;
}

function rowOf({ marketplace, productType, externalCategory, acceptedCategory }: CategoryFacts): TextRow {
  return { marketplace, productType, externalCategory, acceptedCategory };
}
