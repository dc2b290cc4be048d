import type { Client } from 'pg';

/** How large a store is and how much its prices move. */
export interface YearShop {
  readonly listings: number;
  /** Price changes of each listing in the year, an even number: the last one ends at the first price. */
  readonly changes: number;
}

/** Listings per statement where triggers run. */
const CHUNK = 10_000;

/*
 * What a year leaves behind of each listing, by docs/data-model.md and the purges:
 *   for good      price history with the facts of each decision, runs, sales and their sums, booked money, audit log,
 *                 stock as it changed, and a row for each day on which Amazon or Walmart was asked who has the buy box
 *   for 90 days   decisions (run_items), and hours with changed offers; days with changed offers after that
 *   for 30 days   every change of offers, and prices that were sent
 * Offers change six times in 30 days, and there are eight sales a year with three amounts each: two million sales of
 * 250,000 listings, as the benchmark of the Profit page has.
 */
const OFFER_CHANGES_A_MONTH = 6;
const SALES = 8;
const BOOKED = ['principal', 'commission', 'tax'];
const DAYS = 365;
const STOCK_CHANGES = 12;
const RUNS_A_DAY = 96;
const ACTS = 100_000;

/** Tables that only grow: filled in the order of time, with their indexes built afterwards. */
const GROWN = [
  'price_history',
  'run_items',
  'price_intents',
  'offer_sets',
  'competitor_prices',
  'competitor_price_periods',
  'listing_days',
  'stock_levels',
  'sales_history',
  'profit_days',
  'profit_months',
  'money_events',
  'audit_log',
];

/**
 * Fills a migrated, empty database with a store and a year of its past. Rows look random and are the same every time, but for
 * the clock.
 * @param client of a superuser: the past is written with triggers turned off, since it did not happen now
 */
export async function fillYearShop(client: Client, { listings, changes }: YearShop): Promise<void> {
  await client.query(`SET statement_timeout = 0`);
  await client.query(`SET maintenance_work_mem = '256MB'`);
  await client.query(PIECE);
  await client.query(RULES);
  for (let from = 1; from <= listings; from += CHUNK) {
    const bounds = [from, Math.min(listings, from + CHUNK - 1)];
    for (const statement of [SKUS, LISTINGS, METRICS]) await client.query(statement, bounds);
    await client.query('DELETE FROM due_listings');
  }
  await client.query('SET session_replication_role = replica');
  const rebuild = await dropIndexes(client);
  await client.query(RUNS, [DAYS * RUNS_A_DAY]);
  for (let move = 1; move <= changes; move += 1) await client.query(MOVES, [move, changes]);
  await client.query(NEWEST_MOVES);
  await client.query(DECISIONS);
  await client.query(INTENTS);
  await client.query(READ_LISTINGS);
  await client.query(OFFERS);
  await client.query(READINGS);
  for (let change = 1; change <= OFFER_CHANGES_A_MONTH; change += 1)
    for (const statement of [OFFER_SETS, OFFER_RECORDS])
      await client.query(statement, [change, OFFER_CHANGES_A_MONTH]);
  const [hours, days] = [2 * OFFER_CHANGES_A_MONTH, Math.floor((OFFER_CHANGES_A_MONTH * (DAYS - 90)) / 30)];
  for (let period = 1; period <= days; period += 1)
    await client.query(PERIODS, ['day', period, days, DAYS, DAYS - 90]);
  for (let period = 1; period <= hours; period += 1)
    await client.query(PERIODS, ['hour', period, hours, 90, 60]);
  for (let day = DAYS; day >= 1; day -= 1) await client.query(LISTING_DAYS, [day]);
  for (let change = 1; change <= STOCK_CHANGES; change += 1)
    await client.query(STOCK, [change, STOCK_CHANGES]);
  for (let sale = 1; sale <= SALES; sale += 1) {
    await client.query(SOLD, [sale, SALES]);
    await client.query(MONEY, [sale, SALES, BOOKED]);
  }
  await client.query(PROFIT_DAYS);
  await client.query(PROFIT_MONTHS);
  await client.query(AUDIT, [ACTS]);
  for (const statement of rebuild) await client.query(statement);
  await client.query('SET session_replication_role = origin');
  // As autovacuum does in a year.
  await client.query('VACUUM ANALYZE');
}

/** Indexes and keys that no other table refers to. @returns the statements that build them again */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
     FROM pg_constraint c WHERE contype IN ('p', 'u') AND conrelid::regclass::text = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = c.conindid)
     UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid) FROM pg_index
     WHERE indrelid::regclass::text = ANY($1) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [GROWN],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}

/** A number from 0 to below \`most\`, of a row and a purpose. */
const PIECE = `CREATE FUNCTION pg_temp.piece(n bigint, purpose bigint, most int) RETURNS int LANGUAGE sql IMMUTABLE
  AS $$ SELECT ((hashint8extended(n, purpose) & 2147483647) % most)::int $$`;

const RULES = `INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin)
  SELECT 'Rule ' || n, 'All', 'Beat Competitor', 15 FROM generate_series(1, 20) n`;

const SKUS = `INSERT INTO skus (sku, name, product_cost, weight_oz, packaging_cost)
  SELECT 'KT-' || lpad(n::text, 8, '0'), 'Steel Water Bottle, Navy, 18 oz, model ' || upper(substr(md5(n::text), 1, 6)),
    CASE WHEN n % 11 > 0 THEN 4 + pg_temp.piece(n, 1, 2000) / 100.0 END, 4 + pg_temp.piece(n, 2, 600) / 10.0,
    pg_temp.piece(n, 3, 100) / 100.0
  FROM generate_series($1::bigint, $2::bigint) n ORDER BY n`;

const LISTINGS = `INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price,
    marketplace_item_id, shipping_cost, image_url, created_at)
  SELECT (ARRAY['walmart','walmart','walmart','amazon','amazon','ebay','etsy','shopify'])[1 + n % 8],
    'KT-' || lpad(n::text, 8, '0'), 'Steel Water Bottle, Navy, 18 oz, model ' || upper(substr(md5(n::text), 1, 6)),
    CASE WHEN n % 3 = 0 THEN 'FBA/WFS' ELSE 'FBM' END, price, price, 'B0' || n, 0,
    'https://images.example.com/' || n || '.jpg', now() - interval '366 days'
  FROM (SELECT n, 10 + pg_temp.piece(n, 4, 20000) / 100.0 AS price FROM generate_series($1::bigint, $2::bigint) n) numbers
  ORDER BY n`;

const METRICS = `INSERT INTO listing_metrics (listing_id, product_cost, total_cost, margin, margin_floor, amazon_walmart_price,
    third_party_fbm_price, outcome, reason_code, rule_id, missing_facts, decided_at)
  SELECT id, CASE WHEN id % 11 > 0 THEN current_price * 0.4 END, CASE WHEN id % 11 > 0 THEN current_price * 0.6 END,
    CASE WHEN id % 11 > 0 THEN 15 + pg_temp.piece(id, 5, 3000) / 100.0 END,
    CASE WHEN id % 11 > 0 THEN round(current_price * 0.7, 2) END, current_price + 1, current_price + 0.01,
    CASE WHEN id % 11 > 0 THEN 'keep' ELSE 'blocked' END, CASE WHEN id % 11 > 0 THEN 'already_there' ELSE 'unknown_cost' END,
    1 + id % 20, CASE WHEN id % 11 > 0 THEN '{}' ELSE ARRAY['no_product_cost'] END, now()
  FROM listings WHERE id BETWEEN $1 AND $2`;

/** A full check every quarter of an hour. */
const RUNS = `INSERT INTO repricing_runs (trigger, state, started_at, ended_at, planned, evaluated, changed, kept)
  SELECT 'full_check', 'done', at, at + interval '40 seconds', 1000, 1000, 10, 990
  FROM (SELECT now() - interval '365 days' + n * interval '15 minutes' AS at FROM generate_series(1, $1::int) n) times`;

/**
 * What the decision of a rule stores: as long and as varied as one with three offers and a fee of one band. %1 SKU, %2 price
 * in cents, %3 milliseconds since 1970, %4 rule, %5 marketplace, %6 cents of the cost.
 */
const FACTS = `{"form": 5, "fees": {"basis": {"source": {"kind": "schedule", "category": "none", "schedule": {"bands": [{"upTo": null, "fixed": 0, "minimum": 0, "perUnit": 0, "percent": 1500, "percentTaxed": 0}], "bandKind": "whole", "category": null, "edgeBase": "revenue", "marketplace": "%5$s", "effectiveFrom": null}}, "adShare": 0, "salesTax": 800, "fulfillment": [], "returnShare": 0, "shippingCharge": 0}, "pieces": [{"to": 19999999998, "from": 0, "added": 0, "other": 0, "carried": 0, "minimum": 0, "percent": 1500}], "version": "%5$s/default@always whole up:1500+0>0"}, "facts": {"sku": "%1$s", "cost": {"gaps": [], "misc": 0, "total": %6$s, "weight": 8, "product": %6$s, "estimate": null, "shipping": 0, "packaging": 0, "fulfillment": 0}, "hold": null, "group": null, "readAt": %3$s, "signals": null, "coverage": "all", "maxPrice": null, "minPrice": null, "elsewhere": [], "isMissing": false, "ownPrices": [%2$s], "sendPause": null, "salesCount": 0, "anchorPrice": %2$s, "marketplace": "%5$s", "priceDayAgo": %2$s, "currentPrice": %2$s, "pendingPrice": null, "autoRepricing": true, "featuredPrice": null, "lastChangedAt": null, "refusedPrices": [], "awaitingUpload": false, "priceWarStreak": null, "shippingCharge": 0, "fulfillmentType": "FBM", "greatestDiscount": 0, "isPriceUnverified": false, "marketplaceLimits": null}, "choice": {"kind": "matched", "rule": {"id": "%4$s", "name": "Rule %4$s", "lines": null, "order": %4$s, "filter": null, "segment": {"cost": null, "tags": [], "stock": null, "brands": [], "ownPrice": null, "suppliers": [], "categories": [], "listedDays": null, "marketplaces": [], "stockAgeDays": null}, "isActive": true, "priority": null, "schedule": null, "strategy": "Beat Competitor", "winShare": 5000, "belowFloor": "floor", "marketplace": null, "noCompetitor": "keep", "targetMargin": null, "minimumMargin": 1500, "otherChannels": false, "requiresReview": false, "fulfillmentType": "All", "competitorOffset": null, "ignoreUnderFloor": null, "onlySameShipping": true, "marketplaceMargins": {}, "marketplaceTargets": {}, "refuseCrossChannel": false}, "minimumMargin": 1500}, "offers": [["Competitor 1", "competitor 1", %2$s, 0, %3$s, "%5$s", "FBM", 0, null, null, null], ["Competitor 2", "competitor 2", %2$s, 0, %3$s, "%5$s", "FBM", 0, null, null, null], ["Competitor 0", "competitor 0", %2$s, 0, %3$s, "%5$s", "FBM", 0, null, null, null]], "policy": {"now": %3$s, "mode": "live", "local": null, "halted": false, "maxStep": 1500, "minStep": 1, "cooldown": 0, "ownSellers": ["our shop"], "maxOfferAge": 86400000, "autoRepricing": true, "priceWarPause": 21600000, "avoidBandEdges": true, "maxDailyChange": 3000, "otherOfferAges": {}, "priceWarThreshold": 6, "areOwnSellersKnown": true, "areFeeEstimatesAccepted": false}, "against": "competitor 0"}`;

/** Cents below the first price: even and odd by turns, so that every change is one, and none at the end. */
const below = (move: string) =>
  `CASE WHEN ${move} IN (0, $2::int) THEN 0 ELSE 2 * pg_temp.piece(l.id, ${move}, 100) + ${move} % 2 END`;

/** A change of each listing, in the order of time within its part of the year. One in fifty is a user's. */
const MOVES = `INSERT INTO price_history (listing_id, old_price, new_price, reason, margin_impact, timestamp, source, actor,
    run_id, rule_id, competitor_price, margin_floor, fee_version, facts)
  SELECT id, anchor_price - was / 100.0, anchor_price - will / 100.0,
    'Beat Competitor 0''s $' || (anchor_price - will / 100.0 + 0.01)::numeric(10, 2) || ' by $0.01.', -0.25, at,
    CASE WHEN is_user THEN 'person' ELSE 'rule' END, CASE WHEN is_user THEN 'Ann Arbor' END,
    CASE WHEN NOT is_user THEN greatest(1, least(${DAYS * RUNS_A_DAY}, (extract(epoch FROM at - (now() - interval '365 days')) / 900)::int)) END,
    CASE WHEN NOT is_user THEN 1 + id % 20 END, anchor_price - will / 100.0 + 0.01, round(anchor_price * 0.7, 2),
    marketplace || '/default@always whole up:1500+0>0',
    format($facts$${FACTS}$facts$, sku, (anchor_price * 100)::int - was, (extract(epoch FROM at) * 1000)::bigint,
      1 + id % 20, marketplace, (anchor_price * 40)::int)::jsonb
  FROM (SELECT l.id, l.sku, l.marketplace, l.anchor_price, ${below('($1::int - 1)')} AS was, ${below('$1::int')} AS will,
      pg_temp.piece(l.id, 100 + $1::int, 50) = 0 AS is_user,
      now() - interval '365 days' + (interval '364 days' / $2::int)
        * ($1::int - 1 + pg_temp.piece(l.id, 200 + $1::int, 86400) / 86400.0) AS at
    FROM listings l) moves
  ORDER BY at`;

const NEWEST_MOVES = `UPDATE listings l SET current_price_id = h.id, last_repriced = h.timestamp
  FROM (SELECT listing_id, max(id) AS id, max(timestamp) AS timestamp FROM price_history GROUP BY listing_id) h
  WHERE l.id = h.listing_id`;

/** Kept for 90 days, with their facts. */
const DECISIONS = `INSERT INTO run_items (run_id, listing_id, at, outcome, reason_code, old_price, price, margin_floor, reference,
    margin_before, margin_after, rule_id, fee_version, facts)
  SELECT DISTINCT ON (run_id, listing_id) run_id, listing_id, timestamp, 'change', 'beaten', old_price, new_price, margin_floor,
    competitor_price, 15.25, 15, rule_id, fee_version, facts
  FROM price_history WHERE run_id IS NOT NULL AND timestamp > now() - interval '90 days'`;

/** Kept for 30 days. */
const INTENTS = `INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, margin_floor,
    competitor_price, margin_impact, reason, source, run_id, rule_id, fee_version, facts, idempotency_key, created_at,
    expires_at, sent_at, settled_at, reads)
  SELECT h.listing_id, l.marketplace, row_number() OVER (PARTITION BY h.listing_id ORDER BY h.id), 'confirmed', h.new_price,
    h.old_price, h.margin_floor, h.competitor_price, h.margin_impact, h.reason, h.source, h.run_id, h.rule_id, h.fee_version,
    h.facts, md5(h.id::text), h.timestamp, h.timestamp + interval '10 minutes', h.timestamp, h.timestamp + interval '9 minutes', 1
  FROM price_history h JOIN listings l ON l.id = h.listing_id
  WHERE h.source = 'rule' AND h.timestamp > now() - interval '30 days' ORDER BY h.timestamp`;

const READ_LISTINGS = `INSERT INTO marketplace_listings (listing_id, keys, is_active, quantity, seen_at, seen_in, offers_read_at)
  SELECT id, jsonb_build_object('productType', 'WATER_BOTTLE', 'offerId', 'O-' || id), true, pg_temp.piece(id, 6, 50),
    now(), now(), now() FROM listings ORDER BY id`;

const OFFERS = `INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, shipping, fulfillment_type, is_featured, seen_at)
  SELECT l.id, 'Competitor ' || k, 'competitor ' || k, l.current_price + 0.01 + k * 0.35, 0, 'FBM', k = 0, now()
  FROM listings l CROSS JOIN generate_series(0, 2) k ORDER BY l.id, k`;

const READINGS = `INSERT INTO competition_readings (listing_id, read_at, coverage, source)
  SELECT id, now(), 'all', 'sync' FROM listings ORDER BY id`;

/** Of the last 30 days. */
const changedAt = `now() - interval '30 days' + (interval '30 days' / $2::int)
  * ($1::int - 1 + pg_temp.piece(l.id, 300 + $1::int, 86400) / 86400.0)`;

const OFFER_SETS = `INSERT INTO offer_sets (listing_id, recorded_at, offers)
  SELECT l.id, ${changedAt}, (SELECT jsonb_agg(jsonb_build_object('seller', 'competitor ' || k, 'price',
      (l.current_price * 100)::int + 35 * k + pg_temp.piece(l.id, 400 + $1::int, 200), 'shipping', 0, 'by', 'FBM',
      'at', (extract(epoch FROM ${changedAt}) * 1000)::bigint)) FROM generate_series(0, 2) k)
  FROM listings l ORDER BY 2`;

const OFFER_RECORDS = `INSERT INTO competitor_prices (listing_id, marketplace, third_party_min_price, third_party_max_price,
    third_party_avg_price, third_party_seller_count, buy_box_price, buy_box_seller, timestamp, last_seen_at)
  SELECT l.id, l.marketplace, l.current_price, l.current_price + 0.71, l.current_price + 0.35, 3, l.current_price,
    'competitor 0', ${changedAt}, ${changedAt} + interval '5 hours'
  FROM listings l ORDER BY 9`;

/** $1 grain, $2 of $3 periods with a change, from $4 days ago for $5 days. */
const PERIODS = `INSERT INTO competitor_price_periods (listing_id, marketplace, grain, timestamp, last_seen_at, third_party_min_price,
    third_party_max_price, third_party_avg_price, third_party_seller_count, buy_box_price, buy_box_seller)
  SELECT id, marketplace, $1, at, at + interval '50 minutes', current_price, current_price + 0.71, current_price + 0.35, 3,
    current_price, 'competitor 0'
  FROM (SELECT l.id, l.marketplace, l.current_price, now() - $4::int * interval '1 day' + (interval '1 day' * $5::int / $3::int)
      * ($2::int - 1 + pg_temp.piece(l.id, 500 + $2::int, 86400) / 86400.0) AS at
    FROM listings l) periods
  ORDER BY at`;

/** Where the buy box is read, asked once an hour. */
const LISTING_DAYS = `INSERT INTO listing_days (listing_id, day, buy_box_polls, buy_box_wins)
  SELECT id, current_date - $1::int, 24, pg_temp.piece(id, 600 + $1::int, 25)
  FROM listings WHERE marketplace IN ('amazon', 'walmart') ORDER BY id`;

const STOCK = `INSERT INTO stock_levels (listing_id, at, marketplace, quantity)
  SELECT l.id, now() - interval '365 days' + (interval '365 days' / $2::int)
      * ($1::int - 1 + pg_temp.piece(l.id, 1000 + $1::int, 86400) / 86400.0), l.marketplace, pg_temp.piece(l.id, 1100 + $1::int, 50)
  FROM listings l ORDER BY 2`;

const soldAt = `now() - interval '365 days' + (interval '365 days' / $2::int)
  * ($1::int - 1 + pg_temp.piece(l.id, 1200 + $1::int, 86400) / 86400.0)`;

const SOLD = `INSERT INTO sales_history (listing_id, external_id, order_ref, line_number, sale_date, quantity_sold, unit_price,
    total_revenue, shipping_revenue, unit_cost, total_cost, marketplace_fees, fees_told, shipping_cost, total_margin,
    margin_per_unit, money_state, is_about, price_source, rule_id, parts, computed_at)
  SELECT l.id, 'line-' || l.id || '-' || $1::int, 'O-' || l.id || '-' || $1::int, 1, ${soldAt}, 1, l.current_price,
    l.current_price, 0, round(l.current_price * 0.4, 2), round(l.current_price * 0.4, 2), round(l.current_price * 0.15, 2),
    round(l.current_price * 0.15, 2), 0, round(l.current_price * 0.45, 2), round(l.current_price * 0.45, 2), 'told', false, 'rule', 1 + l.id % 20,
    '[{"kind": "commission", "told": "-1.00", "estimated": "-1.00"}]', now()
  FROM listings l ORDER BY 5`;

const MONEY = `INSERT INTO money_events (marketplace, external_id, version, kind, raw_type, amount, order_ref, sku, quantity, posted_at,
    released_at, settlement_ref, read_at, matched_by)
  SELECT l.marketplace, 't-' || l.id || '-' || $1::int || ':' || kind, 1, kind, 'Order ' || kind,
    CASE WHEN kind = 'principal' THEN l.current_price ELSE -round(l.current_price * 0.15, 2) END, 'O-' || l.id || '-' || $1::int,
    l.sku, 1, ${soldAt}, ${soldAt} + interval '7 days', 'S-' || (extract(epoch FROM ${soldAt}) / 1209600)::int, now(), 'line'
  FROM listings l CROSS JOIN unnest($3::text[]) kind ORDER BY 10`;

const PROFIT_DAYS = `INSERT INTO profit_days (listing_id, day, marketplace, price_source, rule_id, sales, sales_known, sales_told, units,
    revenue, revenue_known, fees, cost, shipping, profit)
  SELECT h.listing_id, (h.sale_date AT TIME ZONE 'UTC')::date, l.marketplace, 'rule', h.rule_id, count(*), count(*), count(*),
    sum(h.quantity_sold), sum(h.total_revenue), sum(h.total_revenue), sum(h.marketplace_fees), sum(h.total_cost),
    sum(h.shipping_cost), sum(h.total_margin)
  FROM sales_history h JOIN listings l ON l.id = h.listing_id GROUP BY 1, 2, 3, 5 ORDER BY 2, 1`;

const PROFIT_MONTHS = `INSERT INTO profit_months (month, listing_id, sums, profit_sums, sales, units, revenue, revenue_known, profit)
  SELECT date_trunc('month', day)::date, listing_id, count(*), count(profit), sum(sales), sum(units), sum(revenue),
    sum(revenue_known), sum(profit)
  FROM profit_days GROUP BY 1, 2 ORDER BY 1, 2`;

const AUDIT = `INSERT INTO audit_log (at, actor_id, actor, action, target_kind, target_id, before, after, address, request_id)
  SELECT now() - interval '365 days' + n * (interval '365 days' / $1::int), 'ann', 'Ann Arbor', 'listing.edited', 'listing', n::text,
    '{"minPrice": "9.99"}', '{"minPrice": "10.49"}', '127.0.0.1', md5(n::text)
  FROM generate_series(1, $1::int) n`;
