import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList } from '#db/list-reading.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { ListTotals, Total } from './list-totals.ts';
import { containsPattern } from './listing-filter.ts';
import { type ListingRow, readListingRows } from './listing-rows.ts';
import { readListings } from './listings.ts';

/** A listing in the results. The price is a decimal string. */
export type ListingHit = {
  readonly id: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: string;
};

export type SkuHit = { readonly id: string; readonly sku: string; readonly name: string };

export type Hits<Hit> = Total & { readonly rows: Hit[] };

/**
 * Listings with this text in SKU or title: those whose SKU starts with it, then all others, both by SKU.
 * @param max rows in the result; the total counts all
 */
export async function findListings(
  db: Db,
  totals: ListTotals,
  text: string,
  max: number,
  now: Instant,
): Promise<Hits<ListingHit>> {
  const beginning = await readingList(db, async (snapshot) => {
    const { rows } = await snapshot.execute<{ id: string }>(sql`
      SELECT k.listing_id AS id FROM listing_keys k WHERE k.is_live AND k.sku_key LIKE ${startsPattern(text)}
      ORDER BY k.sku_key, k.listing_id LIMIT ${max}`);
    return readListingRows(
      snapshot,
      rows.map(({ id }) => Number(id)),
      now,
    );
  });
  const order = { by: 'sku', descending: false } as const;
  const page = await readListings(db, totals, { q: text, sort: order, page: 1, size: max }, now);
  const known = new Set(beginning.map(({ id }) => id));
  const rows = [...beginning, ...page.rows.filter(({ id }) => !known.has(id))].slice(0, max);
  return { rows: rows.map(hitOf), total: page.total, isTotalExact: page.isTotalExact };
}

/** SKUs with this text in code or name: codes that start with it, then all others, both by code. */
export async function findSkus(db: Db, text: string, max: number): Promise<Hits<SkuHit>> {
  return readingList(db, async (snapshot) => {
    const contains = containsPattern(text);
    const { rows } = await snapshot.execute<SkuHit & { total: string }>(sql`
      WITH hits AS MATERIALIZED (
        SELECT id, sku, name, sku_key AS key FROM skus
        WHERE deleted_at IS NULL AND (sku_key LIKE ${contains} OR name_key LIKE ${contains})
      )
      SELECT id, sku, name, (SELECT count(*) FROM hits) AS total FROM hits
      ORDER BY key LIKE ${startsPattern(text)} DESC, key, id LIMIT ${max}`);
    return {
      rows: rows.map(({ id, sku, name }) => ({ id, sku, name })),
      total: Number(rows[0]?.total ?? 0),
      isTotalExact: true,
    };
  });
}

/** A LIKE pattern for "starts with", in which `%`, `_` and `\` are literal. Compare it with lower case. */
function startsPattern(text: string): SQL {
  return sql`lower(${`${text.replaceAll(/[\\%_]/g, '\\$&')}%`}::text)`;
}

function hitOf({ id, marketplace, sku, title, currentPrice }: ListingRow): ListingHit {
  return { id, marketplace, sku, title, currentPrice };
}
