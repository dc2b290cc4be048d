import type pg from 'pg';

/** How large a catalog and its past are. */
export interface ListsShop {
  readonly listings: number;
  /** Price changes of each listing, its first price included. */
  readonly movesEach: number;
}

const CHUNK = 10_000;

/**
 * Fills an empty database with listings, what the engine knows of each, and their price history. Numbers look random
 * and are the same on every machine. There is a SKU for each listing. A tenth of the listings has never been decided, a tenth is blocked, and every
 * third has no offer of some kind.
 */
export async function fillShop(pool: pg.Pool, { listings, movesEach }: ListsShop): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`SET statement_timeout = 0`);
    await client.query(RULES);
    await client.query(PIECES);
    for (let from = 1; from <= listings; from += CHUNK) {
      const bounds = [from, Math.min(listings, from + CHUNK - 1)];
      await client.query(LISTINGS, bounds);
      await client.query(SKUS, bounds);
      await client.query(METRICS, bounds);
      for (let move = 1; move < movesEach; move++) await client.query(MOVES, [...bounds, move]);
      await client.query('DELETE FROM due_listings');
    }
    // As autovacuum does within a minute of an import.
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
  }
}

const RULES = `INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin)
  SELECT 'Rule ' || n, 'All', 'Beat Competitor', 15 FROM generate_series(1, 20) n`;

/** A number from 0 up to \`most\`, of a row and a purpose. */
const PIECES = `CREATE FUNCTION pg_temp.piece(n bigint, purpose int, most int) RETURNS int LANGUAGE sql IMMUTABLE
  AS $$ SELECT ((hashint8extended(n, purpose) & 2147483647) % most)::int $$`;

const WORDS = `ARRAY['Steel','Bamboo','Ceramic','Cotton','Glass','Copper','Walnut','Linen','Marble','Canvas','Leather','Silicone']`;
const THINGS = `ARRAY['Water Bottle','Cutting Board','Coffee Mug','Bath Towel','Mixing Bowl','Desk Lamp','Picture Frame','Storage Box','Garden Hose','Phone Stand','Wall Clock','Dog Leash','Yoga Mat','Tool Set','Night Light','Tea Kettle']`;
const COLORS = `ARRAY['Black','White','Navy','Sage','Rust','Sand','Plum','Teal']`;

const LISTINGS = `INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price,
    auto_repricing_enabled, marketplace_item_id, image_url, recommended_price, recommended_price_reason, held_by,
    hold_reason, awaiting_upload_since, created_at)
  SELECT (ARRAY['walmart','walmart','walmart','amazon','amazon','ebay','etsy','shopify'])[1 + pg_temp.piece(n, 1, 8)],
    (ARRAY['AB','KT','HM','GX'])[1 + pg_temp.piece(n, 2, 4)] || '-' || lpad(n::text, 7, '0'),
    (${WORDS})[1 + pg_temp.piece(n, 3, 12)] || ' ' || (${THINGS})[1 + pg_temp.piece(n, 4, 16)] || ', ' ||
      (${COLORS})[1 + pg_temp.piece(n, 5, 8)] || ', ' || (1 + pg_temp.piece(n, 6, 40)) || ' oz, model ' || upper(substr(md5(n::text), 1, 6)),
    CASE WHEN pg_temp.piece(n, 7, 3) = 0 THEN 'FBA/WFS' ELSE 'FBM' END, price, price, pg_temp.piece(n, 9, 12) <> 0, 'B0' || n,
    'https://images.example.com/' || n || '.jpg',
    CASE WHEN pg_temp.piece(n, 10, 20) = 0 THEN price - 0.5 END, CASE WHEN pg_temp.piece(n, 10, 20) = 0 THEN 'Beat Corner Store''s $9.99 by $0.01.' END,
    CASE WHEN pg_temp.piece(n, 11, 500) = 0 THEN 'Ann' END, CASE WHEN pg_temp.piece(n, 11, 500) = 0 THEN 'Sale' END,
    CASE WHEN pg_temp.piece(n, 12, 100) = 0 THEN now() END, now() - interval '90 days'
  FROM (SELECT n, 5 + pg_temp.piece(n, 8, 20000) / 100.0 AS price FROM generate_series($1::bigint, $2::bigint) n) numbers`;

const SKUS = `INSERT INTO skus (sku, name, product_cost, weight_oz, packaging_cost, veeqo_id)
  SELECT sku, title, CASE WHEN pg_temp.piece(id, 70, 10) > 0 THEN 1 + pg_temp.piece(id, 71, 5000) / 100.0 END,
    CASE WHEN pg_temp.piece(id, 72, 10) > 0 THEN pg_temp.piece(id, 73, 900) / 10.0 END,
    pg_temp.piece(id, 74, 100) / 100.0, CASE WHEN pg_temp.piece(id, 75, 3) > 0 THEN 'V' || id END
  FROM listings WHERE id BETWEEN $1 AND $2`;

const METRICS = `INSERT INTO listing_metrics (listing_id, total_cost, margin, margin_floor, amazon_walmart_price,
    third_party_fba_wfs_price, third_party_fbm_price, outcome, reason_code, rule_id, missing_facts, decided_at)
  SELECT id, CASE WHEN blocked THEN NULL ELSE current_price * 0.6 END,
    CASE WHEN blocked THEN NULL ELSE pg_temp.piece(id, 21, 6000) / 100.0 - 10 END,
    CASE WHEN blocked THEN NULL WHEN pg_temp.piece(id, 22, 50) = 0 THEN current_price + 1 ELSE current_price * 0.9 END,
    CASE WHEN pg_temp.piece(id, 23, 3) > 0 THEN 4 + pg_temp.piece(id, 24, 20000) / 100.0 END,
    CASE WHEN pg_temp.piece(id, 25, 3) > 0 THEN 4 + pg_temp.piece(id, 26, 20000) / 100.0 END,
    CASE WHEN pg_temp.piece(id, 27, 3) > 0 THEN 4 + pg_temp.piece(id, 28, 20000) / 100.0 END,
    CASE WHEN blocked THEN 'blocked' ELSE 'keep' END, CASE WHEN blocked THEN 'unknown_cost' ELSE 'already_there' END,
    1 + pg_temp.piece(id, 29, 20), CASE WHEN blocked THEN ARRAY[(ARRAY['no_product_cost','no_tier','no_weight'])[1 + pg_temp.piece(id, 30, 3)]]
      ELSE '{}' END, now()
  FROM (SELECT id, current_price, pg_temp.piece(id, 20, 10) = 0 AS blocked FROM listings WHERE id BETWEEN $1 AND $2) l
  WHERE pg_temp.piece(id, 31, 10) > 0`;

const MOVES = `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, actor, rule_id,
    margin_floor, competitor_price, margin_impact, facts)
  SELECT id, current_price, current_price + 0.01, 'Beat Corner Store''s $9.99 by $0.01.', source,
    now() - interval '90 days' / ($3::int + 1) - pg_temp.piece(id, 40 + $3::int, 86400) * interval '1 second',
    CASE WHEN source = 'person' THEN (ARRAY['Ann Arbor','Bob Bay','Cid Cove'])[1 + pg_temp.piece(id, 50, 3)] END,
    CASE WHEN source = 'rule' THEN 1 + pg_temp.piece(id, 29, 20) END, 0.01, 9.99, -0.5,
    json_build_object('facts', repeat('x', 400))
  FROM (SELECT id, current_price,
      CASE WHEN pg_temp.piece(id, 60 + $3::int, 50) = 0 THEN 'person' ELSE 'rule' END AS source
    FROM listings WHERE id BETWEEN $1 AND $2) l
  ORDER BY id`;
