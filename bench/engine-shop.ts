import type pg from 'pg';

const CHUNK = 10_000;

/**
 * Fills an empty database with a shop whose prices are right: every rule, cost and offer is there, so that the engine
 * keeps what it finds until an offer changes. One in eleven has no cost and is blocked; Etsy and Shopify only observe, and
 * half of their listings have a recommendation. Three offers each. The same on every machine.
 */
export async function fillEngineShop(pool: pg.Pool, listings: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    for (const statement of SWITCHES) await client.query(statement);
    for (let from = 1; from <= listings; from += CHUNK) {
      const bounds = [from, Math.min(listings, from + CHUNK - 1)];
      for (const statement of [SKUS, LISTINGS, OFFERS]) await client.query(statement, bounds);
      await client.query('DELETE FROM due_listings');
    }
    // As autovacuum does within a minute of an import.
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
  }
}

/**
 * The lowest offer of every so many listings falls by a hundredth of our price.
 * @returns how many listings that concerns
 */
export async function changeOffers(pool: pg.Pool, every: number, which: number): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    const changed = await client.query(CHANGED, [every, which]);
    // As after every file of offers; outdated statistics are not what is measured.
    await client.query('ANALYZE competitor_offers, due_listings');
    return changed.rowCount ?? 0;
  } finally {
    client.release();
  }
}

const SWITCHES = [
  `INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin)
   VALUES ('Beat everybody', 'All', 'Beat Competitor', 15)`,
  `INSERT INTO own_sellers (marketplace, name, seller_key) SELECT marketplace, 'Our Shop', 'our shop' FROM marketplace_modes`,
  `UPDATE marketplace_modes SET mode = 'live' WHERE marketplace NOT IN ('etsy', 'shopify')`,
];

const NUMBERS = `FROM (SELECT n, 10 + (hashint8extended(n, 1) & 1048575) % 20000 / 100.0 AS price
  FROM generate_series($1::bigint, $2::bigint) n) numbers`;

const SKUS = `INSERT INTO skus (sku, name, product_cost, weight_oz)
  SELECT 'KT-' || lpad(n::text, 8, '0'), 'Product ' || n, CASE WHEN n % 11 > 0 THEN round(price * 0.5, 2) END, 8 ${NUMBERS}`;

const LISTINGS = `INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price,
    shipping_cost, created_at)
  SELECT (ARRAY['walmart','walmart','walmart','amazon','amazon','ebay','etsy','shopify'])[1 + n / 7 % 8],
    'KT-' || lpad(n::text, 8, '0'), 'Steel Water Bottle, Navy, 18 oz, model ' || n, 'FBM', price, price, 0,
    now() - interval '90 days' ${NUMBERS}`;

/** Ours is a cent under the lowest, or half a dollar above what it could be. */
const OFFERS = `INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, shipping, fulfillment_type, seen_at)
  SELECT l.id, 'Competitor ' || k, 'competitor ' || k, l.current_price + 0.01 + k * 0.35
      - CASE WHEN l.marketplace IN ('etsy', 'shopify') AND l.id % 13 < 6 THEN 0.51 ELSE 0 END, 0, 'FBM', now()
  FROM listings l CROSS JOIN generate_series(0, 2) k WHERE l.id BETWEEN $1 AND $2 ORDER BY l.id, k`;

const CHANGED = `WITH removed AS (
    DELETE FROM competitor_offers o USING listings l
    WHERE o.listing_id = l.id AND l.id % $1 = $2 AND o.seller_key = 'competitor 0'
    RETURNING o.listing_id, o.price - round(l.current_price / 100, 2) AS price)
  INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, shipping, fulfillment_type, seen_at)
  SELECT listing_id, 'Competitor 0', 'competitor 0', price, 0, 'FBM', now() FROM removed ORDER BY listing_id`;
