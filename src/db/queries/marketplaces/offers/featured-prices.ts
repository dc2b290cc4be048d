import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable } from '#db/queries/catalog/import-rows.ts';
import { isoTime } from '#db/sql-values.ts';
import type { FeaturedPrice } from '#domain/competition/featured-price.ts';
import { decimalFromCents } from '#domain/decimal.ts';

/** Stores what was read; of a listing the newest reading stays. */
export async function writeFeaturedPrices(
  tx: Db,
  readings: readonly (FeaturedPrice & { readonly listingId: number })[],
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
    INSERT INTO featured_prices AS f (listing_id, price, status, read_at)
    SELECT r.id, r.price, r.status, r.at FROM ${table} ORDER BY r.id
    ON CONFLICT (listing_id) DO UPDATE SET price = excluded.price, status = excluded.status, read_at = excluded.read_at
      WHERE f.read_at <= excluded.read_at`);
}
