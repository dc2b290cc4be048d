import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable } from '#db/queries/catalog/import-rows.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import type { FeaturedPrice } from '#domain/competition/featured-price.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';

/**
 * Stores what was read; of a listing the newest reading stays, unless it is in the future by a clock that was ahead. What
 * changed is to be decided again.
 */
export async function writeFeaturedPrices(
  tx: Db,
  readings: readonly (FeaturedPrice & { readonly listingId: number })[],
  now: Instant,
): Promise<void> {
  if (readings.length === 0) return;
  const table = rowsTable(
    'r',
    { id: 'bigint', price: 'numeric', status: 'text', at: 'timestamptz' },
    readings.map(({ listingId, price, status, readAt }) => ({
      id: String(listingId),
      price: price === null ? null : decimalFromCents(price),
      status,
      at: isoTime(readAt),
    })),
  );
  await tx.execute(sql`
    WITH before AS (
      SELECT f.listing_id, f.price, f.status FROM featured_prices f JOIN ${table} ON r.id = f.listing_id),
    written AS (
      INSERT INTO featured_prices AS f (listing_id, price, status, read_at)
      SELECT r.id, r.price, r.status, r.at FROM ${table} ORDER BY r.id
      ON CONFLICT (listing_id) DO UPDATE SET price = excluded.price, status = excluded.status, read_at = excluded.read_at
        WHERE f.read_at <= excluded.read_at OR f.read_at > ${timestamptz(now)}
      RETURNING f.listing_id, f.price, f.status)
    SELECT mark_due(array_agg(w.listing_id), 'offers') FROM written w LEFT JOIN before b USING (listing_id)
    WHERE (w.price, w.status) IS DISTINCT FROM (b.price, b.status)`);
}
