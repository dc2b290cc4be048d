import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** So many listings have to be charged by one category, and none by another, before it is that of their product type. */
const FEWEST_LISTINGS = 5;
const COUNTED_DAYS = 180;
/** The first key of the advisory lock of who counts; "prwc" in ASCII. */
const PAIRS_LOCK = 0x70727763;

/** Product types whose listings were all last charged by one category. */
export async function listCategoriesOfTypes(
  db: Db,
  now: Instant,
): Promise<
  {
    readonly marketplace: Marketplace;
    readonly productType: string;
    readonly fulfillmentType: FulfillmentType;
    readonly category: string;
  }[]
> {
  const { rows } = await db.execute<{
    marketplace: Marketplace;
    productType: string;
    fulfillmentType: FulfillmentType;
    category: string;
  }>(sql`
    SELECT marketplace, product_type AS "productType", fulfillment_type AS "fulfillmentType", min(category) AS category
    FROM category_pairs WHERE newest > ${timestamptz(now)} - make_interval(days => ${COUNTED_DAYS})
    GROUP BY marketplace, product_type, fulfillment_type
    HAVING count(*) = 1 AND sum(listings) >= ${FEWEST_LISTINGS} ORDER BY 1, 2, 3`);
  return rows;
}

/**
 * Counts again by which categories the listings of the product types of these were last charged, where one of these is charged by
 * another one now.
 * @param firstId the first of the fees that were just added
 */
export async function countCategoryPairs(
  tx: Db,
  listingIds: readonly number[],
  firstId: number,
): Promise<void> {
  if (listingIds.length === 0) return;
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${PAIRS_LOCK}, 0)`);
  const { rows: charged } = await tx.execute<{ id: number; isNew: boolean }>(sql`
    SELECT w.id::float8 AS id, b.category IS DISTINCT FROM n.category AS "isNew"
    FROM unnest(${sql.param([...new Set(listingIds)])}::bigint[]) w (id)
    CROSS JOIN LATERAL ${lastCategory(sql`w.id`, sql`true`)} n
    LEFT JOIN LATERAL ${lastCategory(sql`w.id`, sql`s.id < ${firstId}`)} b ON true`);
  const idsOf = (isNew: boolean) => charged.filter((each) => each.isNew === isNew).map(({ id }) => id);
  await tx.execute(sql`
    UPDATE category_pairs p SET newest = c.newest
    FROM (SELECT l.marketplace, l.product_type, l.fulfillment_type, n.category, max(n.told_at) AS newest
      FROM listings l CROSS JOIN LATERAL ${lastCategory(sql`l.id`, sql`true`)} n
      WHERE l.id = ANY(${sql.param(idsOf(false))}::bigint[]) GROUP BY 1, 2, 3, 4) c
    WHERE (p.marketplace, p.product_type, p.fulfillment_type, p.category)
      = (c.marketplace, c.product_type, c.fulfillment_type, c.category) AND p.newest < c.newest`);
  const changed = idsOf(true);
  if (changed.length === 0) return;
  const types = sql`(SELECT DISTINCT marketplace, product_type, fulfillment_type FROM listings
    WHERE id = ANY(${sql.param(changed)}::bigint[]) AND product_type IS NOT NULL) t`;
  await tx.execute(sql`DELETE FROM category_pairs p USING ${types}
    WHERE (p.marketplace, p.product_type, p.fulfillment_type) = (t.marketplace, t.product_type, t.fulfillment_type)`);
  await tx.execute(sql`
    INSERT INTO category_pairs (marketplace, product_type, fulfillment_type, category, listings, newest)
    SELECT t.marketplace, t.product_type, t.fulfillment_type, n.category, count(*), max(n.told_at) FROM ${types}
    JOIN listings l ON (l.marketplace, l.product_type, l.fulfillment_type) = (t.marketplace, t.product_type, t.fulfillment_type)
      AND l.deleted_at IS NULL
    CROSS JOIN LATERAL ${lastCategory(sql`l.id`, sql`true`)} n
    GROUP BY 1, 2, 3, 4`);
}

/** The category by which a listing was last charged. */
function lastCategory(listingId: SQL, among: SQL): SQL {
  return sql`(SELECT s.category_told AS category, s.told_at FROM fee_facts s
    WHERE s.listing_id = ${listingId} AND s.category_told IS NOT NULL AND s.refused_because IS NULL AND ${among}
    ORDER BY s.told_at DESC, s.id DESC LIMIT 1)`;
}
