import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hours, instant } from '#domain/units.ts';
import { readingRig } from '#tests/support/reading-rig.ts';
import { aListing, aMarketOffer } from '#tests/support/shop-connector.ts';

const rig = readingRig('amazon');
const SECOND = 1_000;

test.each([
  ['a second later than the answer', SECOND, 0],
  ['at the same moment', 0, 1],
  ['later than any clock may be ahead', hours(1), 1],
])('an answer against offers that are kept from %s', async (_, ahead, taken) => {
  rig.shop.catalogue = [[aListing('A-1')]];
  await rig.read();
  rig.pass(hours(2));
  const seenAt = new Date(instant(rig.time + ahead)).toISOString();
  await rig.engine.db.execute(sql`UPDATE marketplace_listings SET offers_seen_at = ${seenAt}`);
  rig.shop.offers.set('A-1', [aMarketOffer(1_900)]);
  await rig.read();
  expect(await rig.rows(sql`SELECT price FROM competitor_offers`)).toHaveLength(taken);
  // It has had its turn either way.
  const [turn] = await rig.rows(
    sql`SELECT (extract(epoch FROM offers_read_at) * 1000)::float8 AS at FROM marketplace_listings`,
  );
  expect(turn?.at).toBe(rig.time);
});
