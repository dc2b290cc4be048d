import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import { eachBatch } from '#db/row-batches.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { IS_BUNDLE_CODE } from './bundle-codes.ts';
import { containsPattern } from './listing-filter.ts';

export interface BundleListRow extends Record<string, unknown> {
  readonly listingSku: string;
  readonly title: string | null;
  readonly marketplaces: Marketplace[];
  readonly components: number;
  readonly units: number;
  readonly state: 'removed' | 'incomplete' | null;
}

export interface BundleFilter {
  /** A part of the listing SKU, of a title, or of the SKU of a component; "" for all. */
  readonly q: string;
  readonly state: 'removed' | 'incomplete' | undefined;
}

/**
 * Bundles, and former ones without confirmation. A cost or weight of 0, a deleted SKU and a nested bundle count as
 * missing.
 */
const FOUND = sql`
  SELECT b.listing_sku, count(*)::int AS components, sum(b.quantity)::float8 AS units,
    CASE WHEN bool_or(s.deleted_at IS NOT NULL OR coalesce(s.product_cost, 0) = 0 OR coalesce(s.weight_oz, 0) = 0 OR ${IS_BUNDLE_CODE})
      THEN 'incomplete' END AS state
  FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id GROUP BY b.listing_sku
  UNION ALL
  SELECT l.sku, 0, 0, 'removed' FROM listings l
  WHERE l.bundle_unconfirmed AND l.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM bundle_components b WHERE b.listing_sku = l.sku)
  GROUP BY l.sku`;

/** One page by listing SKU, unconfirmed ones first; and how many there are on all pages. */
export async function listBundles(
  db: Db,
  filter: BundleFilter,
  limit: number,
  offset: number,
): Promise<{ rows: BundleListRow[]; total: number }> {
  return readingList(db, async (snapshot) => {
    const matching = conditionOf(filter);
    const { rows } = await snapshot.execute<BundleListRow>(sql`
      SELECT f.listing_sku AS "listingSku", f.components, f.units, f.state,
        (SELECT title FROM listings WHERE sku = f.listing_sku AND deleted_at IS NULL ORDER BY id LIMIT 1) AS title,
        ARRAY(SELECT marketplace FROM listings WHERE sku = f.listing_sku AND deleted_at IS NULL ORDER BY id) AS marketplaces
      FROM (SELECT * FROM (${FOUND}) f WHERE ${matching}
        ORDER BY f.state = 'removed' DESC NULLS LAST, f.listing_sku LIMIT ${limit} OFFSET ${offset}) f
      ORDER BY f.state = 'removed' DESC NULLS LAST, f.listing_sku`);
    const total = await readNumber(
      snapshot,
      sql`SELECT count(*) AS number FROM (${FOUND}) f WHERE ${matching}`,
    );
    return { rows, total };
  });
}

/** A component in the columns of the bundles file. */
export type BundleFileRow = {
  readonly listing_sku: string;
  readonly component_sku: string;
  readonly quantity: string;
};

/** Passes on the components of the bundles of a filter, batch by batch, by listing SKU and in stored order. */
export async function eachBundleRow(
  db: Db,
  filter: BundleFilter,
  onRows: (rows: BundleFileRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<BundleFileRow>(
    db,
    async () => sql`
      SELECT b.listing_sku, s.sku AS component_sku, b.quantity::text AS quantity
      FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
      WHERE b.listing_sku IN (SELECT f.listing_sku FROM (${FOUND}) f WHERE ${conditionOf(filter)})
      ORDER BY b.listing_sku, b.id`,
    onRows,
  );
}

function conditionOf({ q, state }: BundleFilter): SQL {
  const parts: SQL[] = [sql`true`];
  if (state !== undefined) parts.push(sql`f.state = ${state}`);
  if (q !== '') {
    const pattern = containsPattern(q);
    parts.push(sql`(lower(f.listing_sku) LIKE ${pattern}
      OR EXISTS (SELECT FROM listings l WHERE l.sku = f.listing_sku AND l.deleted_at IS NULL AND lower(l.title) LIKE ${pattern})
      OR EXISTS (SELECT FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
        WHERE b.listing_sku = f.listing_sku AND lower(s.sku) LIKE ${pattern}))`);
  }
  return sql.join(parts, sql` AND `);
}
