import { type SQL, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isoTime } from '#db/sql-values.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule } from '#tests/support/seed.ts';
import { limitFutureTimes } from './future-times.ts';

let database: RecycledDatabase;
beforeEach(async () => {
  database = await borrowDatabase();
});
afterEach(() => database.giveBack());

/** A wait of each kind that began then, with its usual length. */
async function begin(sku: string, at: Instant): Promise<void> {
  const { db } = database.open;
  const id = await addListing(db, sku, { marketplace: 'ebay' });
  const rule = await addRule(db, { name: sku });
  const after = (length: number): SQL => sql`${isoTime(at + hours(length))}::timestamptz`;
  const receiver = `whr_${sku}`;
  const statements = [
    sql`INSERT INTO send_pauses (listing_id, marketplace, why, until, allows_repairs, price, from_price, times)
      VALUES (${id}, 'ebay', 'unclear', ${after(24)}, false, 20, 21, 1)`,
    sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, reason_expires_at, raise_after)
      VALUES (${id}, '{}', true, ${after(0)}, ${after(1)}, ${after(24)})`,
    sql`INSERT INTO suspect_prices (listing_id, source, marketplace, price, read_at, open_since, stops_sending, next_read_at)
      VALUES (${id}, 'list', 'ebay', 20, ${after(0)}, ${after(0)}, true, ${after(0.25)})`,
    sql`INSERT INTO listing_migrations (marketplace, item_id, state, generation, asked_by, asked_at, next_at)
      VALUES ('ebay', ${sku}, 'waiting', 0, 'Ann', ${after(0)}, ${after(0.25)})`,
    sql`INSERT INTO account_findings (marketplace, name, value, generation, found_at, expires_at)
      VALUES ('ebay', ${`${sku} cached`}, '{}', 0, ${after(0)}, ${after(24 * 30)}), ('ebay', ${`${sku} kept`}, '{}', 0, ${after(0)}, NULL)`,
    sql`INSERT INTO line_memories (listing_id, rule_id, lines_hash, situation, situation_since, turns)
      VALUES (${id}, ${rule}, 'x', 'losing', ${after(0)}, '{}')`,
    sql`INSERT INTO webhook_receivers (id, name, address, events, created_at, created_by, secret_encrypted, failing_since, rests_until)
      VALUES (${receiver}, ${sku}, 'https://example.com', '{price.changed}', ${after(0)}, 'Ann', 'x', ${after(0)}, ${after(1)})`,
    sql`INSERT INTO webhook_deliveries (receiver_id, type, happened_at, next_at, data)
      VALUES (${receiver}, 'test', ${after(0)}, ${after(5)}, '{}')`,
    sql`INSERT INTO users (username, email, password, full_name, phone_number, weekly_summary_until)
      VALUES (${sku}, ${sku}, 'x', 'Ann', '1', date_trunc('week', ${after(0)})::date)`,
  ];
  for (const statement of statements) await db.execute(statement);
}

/** When each wait of a SKU ends or began, in hours from `NOW`, and its findings. */
async function waits(sku: string): Promise<Record<string, unknown> | undefined> {
  const from = (time: SQL): SQL =>
    sql`(extract(epoch FROM ${time} - ${isoTime(NOW)}::timestamptz) / 3600)::float8`;
  const { rows } = await database.open.db.execute<Record<string, unknown>>(sql`
    SELECT ${from(sql`p.until`)} AS pause, ${from(sql`m.reason_expires_at`)} AS reason, ${from(sql`m.raise_after`)} AS raise,
      ${from(sql`s.open_since`)} AS suspect, ${from(sql`s.next_read_at`)} AS read, ${from(sql`g.next_at`)} AS migration,
      ${from(sql`x.situation_since`)} AS situation, ${from(sql`r.failing_since`)} AS failing, ${from(sql`r.rests_until`)} AS rest,
      ${from(sql`d.next_at`)} AS delivery, u.weekly_summary_until::text AS summary,
      (SELECT array_agg(substr(f.name, length(l.sku) + 2) ORDER BY f.name) FROM account_findings f WHERE starts_with(f.name, l.sku)) AS findings
    FROM listings l JOIN send_pauses p ON p.listing_id = l.id JOIN marketplace_listings m ON m.listing_id = l.id
    JOIN suspect_prices s ON s.listing_id = l.id JOIN listing_migrations g ON g.item_id = l.sku
    JOIN line_memories x ON x.listing_id = l.id JOIN webhook_receivers r ON r.name = l.sku
    JOIN webhook_deliveries d ON d.receiver_id = r.id JOIN users u ON u.username = l.sku WHERE l.sku = ${sku}`);
  return rows[0];
}

test('what a clock that was ahead has begun ends once it is set back, and nothing else', async () => {
  await begin('RIGHT', NOW);
  await begin('AHEAD', instant(NOW + hours(24 * 366)));
  await limitFutureTimes(database.open.db, NOW);
  expect(await waits('RIGHT')).toEqual({
    ...{ pause: 24, reason: 1, raise: 24, suspect: 0, read: 0.25, migration: 0.25, situation: 0 },
    ...{ failing: 0, rest: 1, delivery: 5, summary: '2026-11-16', findings: ['cached', 'kept'] },
  });
  expect(await waits('AHEAD')).toEqual({
    ...{ pause: 0, reason: 0, raise: null, suspect: 0, read: 0, migration: 0, situation: 0 },
    ...{ failing: 0, rest: 0, delivery: 0, summary: '2026-11-16', findings: ['kept'] },
  });
});
