import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { readSales } from '#db/queries/catalog/sales-list.ts';
import { readSettlements } from '#db/queries/marketplaces/money/money-lists.ts';
import { hours } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { seedDemo } from './seed-demo.ts';

const WEAK = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });

let database: RecycledDatabase;
let db: Db;
beforeAll(async () => {
  database = await borrowDatabase();
  db = database.open.db;
  expect(await seedDemo(db, WEAK, NOW)).toBe(true);
  // Ninety days of data: a limit for a busy machine, not a wait.
});
afterAll(async () => {
  await database.giveBack();
});

async function count(from: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql.raw(`SELECT count(*)::int AS count FROM ${from}`));
  return rows[0]?.count ?? -1;
}

/** Filling it takes as long as two hundred other tests: the end-to-end tests start with it every time. */
describe.runIf(IS_ALL)('the sample store', () => {
  test('has 600 listings on six marketplaces, all set to recommend only', async () => {
    expect(await count('listings')).toBe(600);
    expect(await count('(SELECT DISTINCT marketplace FROM listings) m')).toBe(6);
    expect(await count(`marketplace_modes WHERE mode = 'recommend_only'`)).toBe(6);
    expect(await count('listings WHERE awaiting_upload_since IS NOT NULL')).toBe(0);
  });

  test('shows a listing for every cause that can block one', async () => {
    const { rows } = await db.execute<{ cause: string; listings: number }>(sql`
      SELECT cause, count(*)::int AS listings FROM listing_metrics m,
        unnest(CASE WHEN cardinality(m.missing_facts) > 0 THEN m.missing_facts ELSE ARRAY[m.reason_code] END) cause
      WHERE outcome = 'blocked' GROUP BY cause ORDER BY cause`);
    expect(rows.map(({ cause }) => cause)).toEqual([
      'bundle_unconfirmed',
      'floor_above_maximum',
      'minimum_above_ceiling',
      'no_fee_schedule',
      'no_fulfillment_cost',
      'no_product_cost',
      'no_sku',
      'no_tier',
      'no_weight',
    ]);
  });

  test('has exactly one listing below its floor, and one in a price war', async () => {
    const { rows: below } = await db.execute(sql`
      SELECT sku FROM listings l JOIN listing_metrics m ON m.listing_id = l.id
      WHERE l.current_price < m.margin_floor`);
    expect(below).toEqual([{ sku: 'LOSS-1' }]);
    const { rows: wars } = await db.execute(sql`
      SELECT sku FROM listings l JOIN listing_metrics m ON m.listing_id = l.id WHERE m.reason_code = 'price_war'`);
    expect(wars).toEqual([{ sku: 'WAR-1' }]);
  });

  test('has recommendations and 90 days of prices and sales from the engine and its buyers', async () => {
    expect(await count('listings WHERE recommended_price IS NOT NULL')).toBeGreaterThan(50);
    expect(await count(`price_history WHERE source = 'rule'`)).toBeGreaterThan(500);
    expect(await count('sales_history')).toBeGreaterThan(2_000);
    expect(await count(`sales_history WHERE sale_date > '${new Date(NOW).toISOString()}'`)).toBe(0);
    expect(await count(`price_history WHERE source = 'rule' AND new_price < margin_floor`)).toBe(0);
  });

  test('earns its minimum margin with all sales but those of the listing below its margin floor', async () => {
    const { rows, total } = await readSales(db, { page: 1, size: 100, below: true });
    expect(rows.filter(({ sku }) => sku !== 'LOSS-1')).toEqual([]);
    expect(total).toBeLessThanOrEqual(20);
  });

  test('has booked money: settlements in each state, refunds, charges of no order, and one that was refused', async () => {
    const { rows: settlements } = await readSettlements(db, { page: 1, size: 100 });
    expect(settlements.filter(({ state }) => state === 'balanced')).toHaveLength(13);
    expect(settlements.filter(({ state }) => state === 'open')).toMatchObject([{ marketplace: 'amazon' }]);
    expect(settlements.filter(({ state }) => state === 'off')).toMatchObject([{ difference: '3.85' }]);
    expect(await count(`money_events WHERE kind = 'refund_principal' AND matched_by = 'marketplace'`)).toBe(
      0,
    );
    expect(await count(`money_events WHERE kind = 'ad' AND matched_by = 'marketplace'`)).toBeGreaterThan(30);
    expect(await count('refused_money')).toBe(1);
    expect(await count('sales_history WHERE restocked > 0')).toBe(1);
  });

  test('was charged by Amazon, Walmart and Shopify what was estimated; recent sales stay estimated', async () => {
    expect(await count(`sales_history WHERE money_state = 'told'`)).toBeGreaterThan(3_000);
    expect(await count(`sales_history WHERE money_state = 'estimated'`)).toBeGreaterThan(1_000);
    expect(await count('sales_history WHERE adjustment IS NOT NULL')).toBe(0);
    expect(
      await count(`sales_history s JOIN listings l ON l.id = s.listing_id WHERE s.money_state = 'told'
        AND l.marketplace IN ('amazon', 'walmart', 'shopify') AND s.marketplace_fees <> s.fees_estimated`),
    ).toBe(0);
  });

  test('fills every tab of the analytics panel, and leaves listings for each empty one', async () => {
    const without = (table: string, where = 'true') =>
      count(`listings l WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.listing_id = l.id AND ${where})`);
    const month = `sale_date > timestamptz '${new Date(NOW - hours(24 * 30)).toISOString()}'`;
    for (const [table, where] of [
      ['sales_history', month],
      ['listing_analytics'],
      ['competitor_prices'],
    ] as const) {
      expect(await without(table, where), table).toBeGreaterThan(20);
      expect(await without(table, where), table).toBeLessThan(400);
    }
    expect(await count('sales_history WHERE total_margin IS NOT NULL')).toBeGreaterThan(2_000);
    expect(await count('sales_history WHERE total_cost IS NULL AND total_margin IS NOT NULL')).toBe(0);
    expect(await count('listing_analytics WHERE average_rating IS NULL AND review_count > 0')).toBe(0);
    expect(await count('listing_analytics WHERE sales_rank IS NULL')).toBeGreaterThan(0);
    expect(await count('competitor_prices WHERE buy_box_price IS NULL')).toBeGreaterThan(0);
  });

  test('recorded offers reach over all 90 days, up to those in force', async () => {
    const { rows } = await db.execute<{ first: string; last: string }>(
      sql`SELECT min(recorded_at)::text AS first, max(recorded_at)::text AS last FROM offer_sets`,
    );
    expect(Date.parse(rows[0]?.first ?? '')).toBe(NOW - hours(24 * 90));
    expect(Date.parse(rows[0]?.last ?? '')).toBe(NOW);
    expect(await count(`(SELECT DISTINCT listing_id FROM competitor_offers) o`)).toBe(
      await count(`offer_sets WHERE recorded_at = '${new Date(NOW).toISOString()}'`),
    );
  });

  test('is seeded once', async () => {
    expect(await seedDemo(db, WEAK, NOW)).toBe(false);
    expect(await count('listings')).toBe(600);
  });
});
