import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { hours } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { addRule, declareSeller, setLive } from './seed.ts';

/** Rows of the ledger that do not follow from each other, or do not end at the price in force. */
export const BROKEN_LEDGERS_TEXT = `SELECT l.id FROM listings l
  LEFT JOIN (SELECT listing_id, id, old_price, new_price,
      lag(new_price) OVER w AS before, lead(id) OVER w IS NULL AS is_last
    FROM price_history WINDOW w AS (PARTITION BY listing_id ORDER BY id)) h ON h.listing_id = l.id
  WHERE h.id IS NULL OR h.old_price IS DISTINCT FROM h.before
    OR (h.is_last AND (h.new_price <> l.current_price OR h.id <> l.current_price_id))`;
export const BROKEN_LEDGERS = sql.raw(BROKEN_LEDGERS_TEXT);

/**
 * A live Walmart store: each listing costs $10.00, has a price of its own from $20.01 on, and a competitor fifty cents
 * below. The rule beats that by a cent, so that every price changes once, by less than 3 %.
 */
export async function seedEngineShop(db: Db, listings: number): Promise<void> {
  await addRule(db);
  await declareSeller(db, 'walmart');
  await db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz)
    SELECT 'A-' || n, 'Product ' || n, 10, 8 FROM generate_series(1, ${listings}::int) n`);
  // The database's own clock must not date anything: the stories happen at a moment of their own.
  await db.execute(sql`INSERT INTO listings (sku, title, fulfillment_type, shipping_cost, current_price, anchor_price, created_at)
    SELECT 'A-' || n, 'Product ' || n, 'FBM', 0, 20 + n / 100.0, 20 + n / 100.0, ${new Date(NOW - hours(2)).toISOString()}::timestamptz
    FROM generate_series(1, ${listings}::int) n ORDER BY n`);
  await db.execute(sql`INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
    SELECT id, 'Corner Store', 'corner store', current_price - 0.5, 'FBM', ${new Date(NOW).toISOString()}::timestamptz FROM listings`);
  await setLive(db, 'walmart');
}

/** How many rows the engine has written for each listing: all of them once, when nothing went wrong. */
export async function countMoves(db: Db): Promise<{ listings: number; moves: number; most: number }> {
  const { rows } = await db.execute<{ listings: number; moves: number; most: number }>(sql`
    SELECT count(*)::int AS listings, coalesce(sum(moves), 0)::int AS moves, coalesce(max(moves), 0)::int AS most
    FROM (SELECT count(*) AS moves FROM price_history WHERE source = 'rule' GROUP BY listing_id) moved`);
  const [row] = rows;
  if (row === undefined) throw new Error('A statement without GROUP BY answered no row.');
  return row;
}

/** What a listing of {@link seedEngineShop} costs after one run, by its number. */
export const beatenPrice = (n: number) => usd(20 + n / 100 - 0.51);
