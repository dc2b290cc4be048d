import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { createOldDatabase, type OldDatabase } from '#tests/support/old-database.ts';
import { openDatabase } from './client.ts';
import { migrationsFolder } from './migration-files.ts';
import { readSetup } from './queries/catalog/setup.ts';
import { listUsableFeeFacts } from './queries/marketplaces/money/fee-facts.ts';
import { lockOpenAlerts } from './queries/repricing/alerts.ts';
import { readPastShares, readSince } from './queries/repricing/breaker-past.ts';
import { readEngineSwitches } from './queries/repricing/engine.ts';
import { readCaseRows } from './queries/repricing/pricing-input-rows.ts';
import { readRepricingLimits } from './queries/repricing/repricing-limits.ts';
import { findOpenRun } from './queries/repricing/runs.ts';
import { transact } from './transact.ts';

/** Rows in the schema of migration 64, before its names followed the glossary. */
const FILLED = `
  UPDATE app_settings SET walmart_client_id = 'x', walmart_client_secret = 'x';
  UPDATE engine_states SET mode = 'armed', changed_by = 'Ann' WHERE marketplace IN ('walmart', 'ebay');
  UPDATE engine_states SET observes_because = 'account' WHERE marketplace = 'amazon';
  UPDATE engine_switch SET looked_plan = 'token', looked_at = '2026-03-01Z', looked_by = 'Ann', release = '0.9.0/64';
  INSERT INTO milestones (name, reached_at) VALUES ('looked', '2026-03-01Z'), ('demo', '2026-03-01Z');
  INSERT INTO notices (kind, subject, message, link, began_at) VALUES ('halted', 'engine', 'x', '/', '2026-03-01Z'),
    ('disarmed', 'engine', 'x', '/', '2026-03-01Z'), ('stuck', 'ebay', 'x', '/', '2026-03-01Z'),
    ('idle_rule', 'rule 1', 'x', '/', '2026-03-01Z');
  INSERT INTO repricing_runs (trigger, state, started_at, may_change, on_floor, same_price, plan) VALUES
    ('sweep', 'done', '2026-03-02 08:00Z', 100, 7, 5, '{"changed": 9, "onFloor": 7, "samePrice": 5, "isLookedAt": true}'),
    ('person', 'done', '2026-03-02 08:10Z', 100, 3, 2, '{"changed": 9, "onFloor": 3, "samePrice": 2, "isLookedAt": false}'),
    ('apply', 'done', '2026-03-02 08:20Z', 0, 0, 0, NULL),
    ('due', 'running', '2026-03-02 08:30Z', 0, 1, 0, NULL);
  UPDATE app_settings SET max_drift = 21, war_limit = 4, war_hold_minutes = 90, breaker_unusual_share = 33;
  INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin, ask_first)
    VALUES ('Careful', 'All', 'Match Competitor', 10, true);
  INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
    SELECT 'MUG-' || n, 'Mug', 'FBM', 20, 20 FROM generate_series(1, 4) n;
  INSERT INTO listing_metrics (listing_id, lowest_legal_price, outcome, reason_code, gate, gaps, decided_price, decided_at)
    VALUES (1, 14, 'recommend', 'repair', 'beyond_reach', '{}', 14, now()),
      (2, 14, 'recommend', 'matched', 'observe', '{}', 18, now()),
      (3, 14, 'recommend', 'matched', 'halted', '{}', 18, now()),
      (4, NULL, 'blocked', 'unknown_cost', NULL, '{no_weight}', NULL, now());
  INSERT INTO run_items (run_id, listing_id, at, outcome, reason_code, gate, bound, price, lowest_legal_price) VALUES
    (1, 1, now(), 'recommend', 'repair', 'beyond_reach', 'step', 14, 14),
    (1, 2, now(), 'recommend', 'matched', 'observe', 'drift', 18, 14),
    (2, 1, now(), 'change', 'matched', NULL, 'legal_gap', 18, 14),
    (2, 2, now(), 'recommend', 'matched', 'halted', 'floor', 18, 14);
  INSERT INTO price_history (listing_id, old_price, new_price, reason, source, lowest_legal_price)
    VALUES (1, 20, 18, 'Matched', 'rule', 14);
  INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
    SELECT 'LAMP-' || n, 'Lamp', 'FBA/WFS', 20, 20 FROM generate_series(5, 6) n;
  INSERT INTO listing_metrics (listing_id, outcome, reason_code, gaps, decided_at) VALUES
    (5, 'blocked', 'unknown_cost', '{no_tier}', now()), (6, 'blocked', 'unknown_cost', '{no_product_cost}', now());
  INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
    VALUES ('ebay', 'BAG-7', 'Bag', 'FBM', 20, 20);
  UPDATE listings SET recommended_price = 18, recommended_price_reason = 'Matches Mug_House''s $18.00.' WHERE id = 7;
  INSERT INTO own_sellers (marketplace, name, seller_key) VALUES ('ebay', 'Our_Shop', 'our_shop');
  INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, seen_at) VALUES
    (7, 'Mug_House', 'mug_house', 18, '2026-03-02Z'), (7, 'Our_Shop', 'our_shop', 20, '2026-03-02Z'),
    (1, 'Mug_Town', 'mug_town', 18, '2026-03-02Z');
  INSERT INTO offer_sets (listing_id, recorded_at, offers) VALUES (7, '2026-03-02Z',
    '[{"seller": "Mug_House", "price": 1800, "shipping": 0, "at": 1}, {"seller": "Our_Shop", "price": 2000, "shipping": 0, "at": 1}]');
  INSERT INTO competitor_prices (listing_id, marketplace, buy_box_seller, timestamp) VALUES (7, 'ebay', 'Mug_House', '2026-03-02Z');
  INSERT INTO price_history (listing_id, old_price, new_price, reason, source, lowest_legal_price, facts)
    VALUES (7, 20, 18, 'Matches Mug_House''s $18.00.', 'rule', 14, '{"form": 1, "against": "mug_house",
      "facts": {"lowered": {"against": "cup_house", "times": 2, "lastAt": 1}}, "policy": {"ownSellers": ["our_shop"]},
      "offers": [["Mug_House", "mug_house", 1800, 0, 1, "ebay", null, 0, null, null, null],
        ["Our_Shop", "our_shop", 2000, 0, 1, "ebay", null, 0, null, null, null],
        ["Mug_Town", "mug_town", 1900, 0, 1, "walmart", null, 0, null, null, null]]}');
  INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue)
    VALUES (1, 'line-1', '2026-02-10Z', 1, 20, 20);
  INSERT INTO marketplace_reads (marketplace, what, began_at, succeeded_at)
    SELECT marketplace, 'sales', '2026-03-02Z', '2026-03-02Z' FROM (VALUES ('walmart'), ('etsy')) m (marketplace);`;

let old: OldDatabase;
let client: pg.Client;
let open: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  old = await createOldDatabase(64);
  client = new pg.Client({ connectionString: old.ownerUrl });
  await client.connect();
  await client.query(FILLED);
  await old.upgrade();
  open = openDatabase(old.ownerUrl);
});
afterAll(async () => {
  await client.end();
  await open.close();
  await old.drop();
});

test('modes, the reviewed plan and the price channels are unchanged by an upgrade', async () => {
  const switches = await readEngineSwitches(open.db);
  expect(switches).toMatchObject({
    live: new Set(['ebay', 'walmart']),
    connected: new Set(['walmart']),
    reviewedPlan: 'token',
    reviewedBy: 'Ann',
    release: '0.9.0/64',
  });
  const { rows } = await client.query(
    `SELECT marketplace FROM marketplace_modes WHERE reset_reason = 'account'`,
  );
  expect(rows).toEqual([{ marketplace: 'amazon' }]);
  expect(await readSetup(open.db)).toMatchObject({ review: true, go_live: true, isDemo: true });
});

test('the settings still determine the price channels', async () => {
  await client.query('UPDATE app_settings SET walmart_client_secret = NULL, amazon_lwa_client_secret = $1', [
    'x',
  ]);
  const { connected, unready } = await readEngineSwitches(open.db);
  expect([connected, unready]).toEqual([new Set(), new Set(['amazon'])]);
});

test('runs keep what the circuit breaker compares, and the interrupted one is found', async () => {
  const since = Date.parse('2026-03-02T07:00Z') as Parameters<typeof readSince>[1];
  // The first had been reviewed: it does not count.
  expect(await readSince(open.db, since, null, 1_000 as Parameters<typeof readSince>[3])).toMatchObject({
    atMarginFloor: 4,
  });
  const past = await readPastShares(open.db, null, 100, 10);
  expect(past.map(({ atMarginFloor, atSamePrice }) => [atMarginFloor, atSamePrice])).toEqual([
    [3, 2],
    [7, 5],
  ]);
  const { rows } = await client.query(`SELECT plan FROM repricing_runs WHERE plan IS NOT NULL ORDER BY id`);
  expect(rows[0]?.plan).toEqual({ changed: 9, atMarginFloor: 7, atSamePrice: 5, isReviewed: true });
  expect(await findOpenRun(open.db)).toMatchObject({
    state: 'running',
    trigger: 'data_change',
    atMarginFloor: 1,
  });
  const triggers = await client.query('SELECT trigger FROM repricing_runs ORDER BY id');
  expect(triggers.rows.map(({ trigger }) => trigger)).toEqual([
    'full_check',
    'manual',
    'apply',
    'data_change',
  ]);
});

test('an alert that is open stays the same one', async () => {
  const kinds = (await transact(open.db, lockOpenAlerts)).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['halted', 'mode_reset', 'rule_inactive', 'sending_stuck']);
});

test('decisions keep their margin floor, and their reasons and limits get their new names', async () => {
  const { rows: items } = await client.query(
    'SELECT review_reason, binding_limit, margin_floor FROM run_items ORDER BY run_id, listing_id',
  );
  expect(items.map(Object.values)).toEqual([
    ['outside_move_range', 'step_limit', '14.00'],
    ['recommend_only', 'daily_limit', '14.00'],
    [null, 'fee_band_gap', '14.00'],
    ['halted', 'floor', '14.00'],
  ]);
  const listings = await readCaseRows(open.db, [1, 2, 3, 4], instant(0));
  expect(
    listings.map(({ metrics }) => [metrics?.reviewReason, metrics?.marginFloor, metrics?.missingFacts]),
  ).toEqual([
    ['outside_move_range', 1_400, []],
    ['recommend_only', 1_400, []],
    ['halted', 1_400, []],
    [null, null, ['no_weight']],
  ]);
  // Maintained by a trigger whose text names the columns.
  const { rows: keys } = await client.query(
    'SELECT is_held_back, margin_floor, problems FROM listing_keys WHERE listing_id < 7 ORDER BY listing_id',
  );
  expect(keys.map(Object.values)).toEqual([
    [true, '14.00', []],
    [false, '14.00', []],
    [false, '14.00', []],
    [false, null, ['no_weight', 'unknown_cost']],
    [false, null, ['no_tier', 'unknown_cost']],
    [false, null, ['no_product_cost', 'unknown_cost']],
  ]);
  await expect(
    client.query(`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor)
      VALUES (2, 20, 13.99, 'Too low', 'rule', 14)`),
  ).rejects.toMatchObject({ constraint: 'never_below_floor' });
});

test('warehouse listings that were blocked for a tier are decided again', async () => {
  // Other steps of the upgrade make every listing due: this one again, on its own.
  await client.query('DELETE FROM due_listings');
  await client.query(await readFile(join(migrationsFolder(), '0071_warehouse_shipping.sql'), 'utf8'));
  const { rows } = await client.query('SELECT listing_id::int AS id FROM due_listings');
  expect(rows).toEqual([{ id: 5 }]);
});

test('limits and rules are unchanged by an upgrade', async () => {
  expect(await readRepricingLimits(open.db)).toMatchObject({
    maxDailyChange: 2_100,
    priceWarThreshold: 4,
    priceWarPauseMinutes: 90,
    breakerSameOutcomeShare: 3_300,
  });
  const { rows } = await client.query('SELECT name, requires_review FROM repricing_rules');
  expect(rows).toEqual([{ name: 'Careful', requires_review: true }]);
});

test('other sellers on eBay have labels after an upgrade, and all others keep their names', async () => {
  const {
    rows: [label],
  } = await client.query(`SELECT ebay_seller_label(ebay_seller_hash('mug_house')) AS name,
    lower(ebay_seller_label(ebay_seller_hash('mug_house'))) AS key,
    lower(ebay_seller_label(ebay_seller_hash('cup_house'))) AS former`);
  const { rows: offers } = await client.query('SELECT seller_name FROM competitor_offers ORDER BY id');
  expect(offers.map(({ seller_name }) => seller_name)).toEqual([label.name, 'Our_Shop', 'Mug_Town']);
  const {
    rows: [move],
  } = await client.query('SELECT reason, facts FROM price_history WHERE facts IS NOT NULL');
  expect(move).toMatchObject({
    reason: `Matches ${label.name}'s $18.00.`,
    facts: { against: label.key, facts: { lowered: { against: label.former, times: 2 } } },
  });
  expect(move.facts.offers.map((offer: unknown[]) => offer.slice(0, 3))).toEqual([
    [label.name, label.key, 1800],
    ['Our_Shop', 'our_shop', 2000],
    ['Mug_Town', 'mug_town', 1900],
  ]);
  const { rows: texts } = await client.query(`
    SELECT l.recommended_price_reason AS text FROM listings l WHERE l.id = 7
    UNION ALL SELECT buy_box_seller FROM competitor_prices WHERE listing_id = 7
    UNION ALL SELECT offers ->> 0 FROM offer_sets UNION ALL SELECT offers ->> 1 FROM offer_sets`);
  expect(texts.map(({ text }) => text)).toEqual([
    `Matches ${label.name}'s $18.00.`,
    label.name,
    expect.stringContaining(`"${label.name}"`),
    expect.stringContaining('"Our_Shop"'),
  ]);
});

test('charges of fulfillment that an earlier release stored still count, with the units of their sale', async () => {
  const before = await createOldDatabase(178);
  const owner = new pg.Client({ connectionString: before.ownerUrl });
  await owner.connect();
  await owner.query(`
    INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
      VALUES ('walmart', 'MUG-1', 'Mug', 'FBA/WFS', 20, 20);
    INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue, money_state)
      VALUES (1, 'line-1', now() - interval '9 days', 3, 20, 60, 'told');
    INSERT INTO fee_facts (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping, amount, told_at, sale_id)
      VALUES (1, 'fulfillment', 'settled', 'FBA/WFS', 20, 0, 4.95, '2026-03-01Z', 1),
        (1, 'fulfillment', 'settled', 'FBA/WFS', 20, 0, 5.45, '2026-03-02Z', NULL);
    DELETE FROM sale_money_due; DELETE FROM sales_due;`);
  await before.upgrade();
  const upgraded = openDatabase(before.ownerUrl);
  const facts = await listUsableFeeFacts(upgraded.db, [1], instant(Date.UTC(2026, 2, 10)));
  expect(facts.map(({ amount, units }) => [amount, units])).toEqual([
    [545, 1],
    [495, 3],
  ]);
  // Of other sales the charge was not kept: what may count is calculated again.
  const { rows } = await owner.query('SELECT sale_id::int AS id FROM sale_money_due');
  expect(rows).toEqual([{ id: 1 }]);
  await upgraded.close();
  await owner.end();
  await before.drop();
});

test("every marketplace's sales are read once more, for orders of listings that were added later", async () => {
  const { rows } = await client.query(
    `SELECT marketplace FROM marketplace_syncs WHERE kind = 'sales' AND succeeded_at IS NULL ORDER BY 1`,
  );
  expect(rows).toEqual([{ marketplace: 'etsy' }, { marketplace: 'walmart' }]);
});
