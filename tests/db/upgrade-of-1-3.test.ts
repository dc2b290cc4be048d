import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_ALL } from '#tests/support/breadth.ts';
import { createOldDatabase, type OldDatabase } from '#tests/support/old-database.ts';
import { execute } from '#tests/support/test-cluster.ts';

/** The newest migration of release 1.3.0. */
const SCHEMA = 45;
const LISTINGS = 600;

/** A store of that release: rows in its tables, in one statement after the other. */
const FILLED = `
  INSERT INTO users (id, username, password, full_name, email, phone_number)
    VALUES ('ann', 'ann', 'x', 'Ann', 'ann@example.com', '1');
  INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at, proved_at)
    VALUES ('t', 'ann', now(), now(), now() + interval '1 hour', now());
  INSERT INTO audit_log (at, action, target_kind, target_id, before, after)
    SELECT now(), 'price.typed', 'listing', n::text, '{"price": 1}', '{"price": 2}' FROM generate_series(1, 200) n;
  INSERT INTO data_keys (id, wrapped, created_at) VALUES ('k1', 'wrapped', now());
  UPDATE app_settings SET walmart_enabled = true, walmart_client_id = 'id', walmart_client_secret = 'sealed secret',
    veeqo_api_key = 'sealed key';
  INSERT INTO skus (sku, name, product_cost, weight_oz, tags)
    SELECT 'SKU-' || n, 'Product ' || n, 5 + n % 7, 8 + n % 20, ARRAY['mugs'] FROM generate_series(1, ${LISTINGS}) n;
  INSERT INTO shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost)
    SELECT marketplace, 'FBM', 0, 100, 4 FROM fee_schedules;
  INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin, competitor_offset, ask_first)
    SELECT 'Rule ' || n, 'All', (ARRAY['Match Competitor', 'Beat Competitor', 'Fixed Margin', 'Dynamic Pricing'])[1 + n % 4],
      10 + n, 0.01, n % 2 = 0 FROM generate_series(1, 8) n;
  INSERT INTO listings (marketplace, marketplace_item_id, sku, title, current_price, anchor_price, fulfillment_type, rule_id)
    SELECT (ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'])[1 + n % 6], 'I-' || n, 'SKU-' || n,
      'Product ' || n, 30, 30, CASE WHEN n % 6 < 2 AND n % 4 = 0 THEN 'FBA/WFS' ELSE 'FBM' END, 1 + n % 8
    FROM generate_series(1, ${LISTINGS}) n;
  INSERT INTO bundle_components (listing_sku, component_sku_id, quantity) SELECT 'SKU-9', id, 2 FROM skus WHERE sku = 'SKU-10';
  INSERT INTO repricing_runs (trigger, state, started_at, ended_at, may_change, on_floor, same_price)
    SELECT 'sweep', 'done', now() - n * interval '1 hour', now() - n * interval '1 hour', 100, n, n FROM generate_series(1, 5) n;
  INSERT INTO price_history (listing_id, old_price, new_price, reason, source, lowest_legal_price, run_id, rule_id, facts)
    SELECT l.id, 30, 25, 'Beats Mug_House''s $25.01.', 'rule', 14, 1, l.rule_id, '{"form": 1}' FROM listings l;
  INSERT INTO price_history (listing_id, old_price, new_price, reason, source, lowest_legal_price, actor)
    SELECT id, 25, 26, 'Set by Ann', 'person', 14, 'Ann' FROM listings WHERE id % 3 = 0;
  INSERT INTO listing_metrics (listing_id, lowest_legal_price, outcome, reason_code, gate, gaps, decided_price, decided_at)
    SELECT id, 14, 'recommend', 'matched', 'observe', '{}', 18, now() FROM listings;
  INSERT INTO run_items (run_id, listing_id, at, outcome, reason_code, gate, bound, price, lowest_legal_price)
    SELECT 1, id, now(), 'recommend', 'matched', 'observe', 'drift', 18, 14 FROM listings;
  INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, lowest_legal_price, reason, source,
      idempotency_key, created_at, expires_at)
    SELECT id, marketplace, 1, 'queued', 24, 25, 14, 'Beat', 'rule', 'k' || id, now(), now() + interval '9 minutes'
    FROM listings WHERE id % 10 = 0;
  INSERT INTO own_sellers (marketplace, name, seller_key) VALUES ('ebay', 'Our_Shop', 'our_shop');
  INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, seen_at)
    SELECT id, 'Mug_House', 'mug_house', 25.01, now() FROM listings;
  INSERT INTO competitor_prices (listing_id, marketplace, buy_box_seller, timestamp)
    SELECT id, marketplace, 'Mug_House', now() FROM listings;
  INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue)
    SELECT id, 'line-' || id || '-' || d, now() - d * interval '1 day', 1, 25, 25 FROM listings, generate_series(1, 5) d;
  INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at) SELECT id, '{}', true, now() FROM listings;
  INSERT INTO notices (kind, subject, message, link, began_at) VALUES ('halted', 'engine', 'x', '/', now());
  INSERT INTO installation (name, number, beat_at, written_by)
    VALUES ('n', 7, now(), pg_current_xact_id()::xid::text);
  UPDATE engine_states SET mode = 'armed', changed_by = 'Ann' WHERE marketplace IN ('walmart', 'amazon');`;

/** What no upgrade changes of the ledger, hashed in order. The names of eBay's sellers are removed from reasons. */
const ledgerHash = (floor: string): string => `
  SELECT count(*)::int AS rows, md5(string_agg(concat_ws('|', h.id, listing_id, old_price, new_price, h.${floor}, source,
    actor, run_id, h.rule_id, extract(epoch FROM timestamp),
    CASE WHEN l.marketplace <> 'ebay' THEN reason END), chr(10) ORDER BY listing_id, h.id)) AS hash
  FROM price_history h JOIN listings l ON l.id = h.listing_id`;
const PRICES = `SELECT md5(string_agg(concat_ws('|', id, sku, current_price, current_price_id, anchor_price, rule_id), chr(10)
  ORDER BY id)) AS hash FROM listings`;
const SECRETS = `SELECT walmart_client_id, walmart_client_secret, veeqo_api_key, (SELECT wrapped FROM data_keys) FROM app_settings`;
const COUNTS = `SELECT (SELECT count(*)::int FROM skus) AS skus, (SELECT count(*)::int FROM sales_history) AS sales,
  (SELECT count(*)::int FROM audit_log WHERE action = 'price.typed') AS audited,
  (SELECT count(*)::int FROM competitor_offers) AS offers, (SELECT count(*)::int FROM price_intents) AS intents,
  (SELECT array_agg(name || minimum_margin ORDER BY id) FROM repricing_rules) AS rules,
  (SELECT count(*)::int FROM bundle_components) AS components`;

let old: OldDatabase;
beforeAll(async () => {
  if (IS_ALL) old = await createOldDatabase(SCHEMA);
});
afterAll(() => old?.drop());

test.runIf(IS_ALL)(
  'a filled store of 1.3.0 is upgraded in one transaction, with its ledger, prices and secrets',
  async () => {
    await execute(old.ownerUrl, FILLED);
    const read = async (floor: string) => [
      await execute(old.ownerUrl, ledgerHash(floor)),
      await execute(old.ownerUrl, PRICES),
      await execute(old.ownerUrl, SECRETS),
      await execute(old.ownerUrl, COUNTS),
    ];
    const before = await read('lowest_legal_price');
    expect(before[0]).toEqual([{ rows: LISTINGS * 2 + LISTINGS / 3, hash: expect.any(String) }]);
    await old.upgrade();
    expect(await read('margin_floor')).toEqual(before);
    // The heartbeat's own mark is as its transaction wrote it, or the next start takes the upgrade for a restore.
    expect(await execute(old.ownerUrl, 'SELECT xmin::text = written_by AS same FROM installation')).toEqual([
      { same: true },
    ]);
  },
);
