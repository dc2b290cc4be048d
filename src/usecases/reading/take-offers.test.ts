import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { type Meanwhile, meanwhile } from '#tests/support/meanwhile.ts';
import { readingRig } from '#tests/support/reading-rig.ts';
import { aListing, aMarketOffer } from '#tests/support/shop-connector.ts';
import { watchedDatabase } from '#tests/support/watched-database.ts';
import { takeOffers } from './take-offers.ts';

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

test('a message that comes while an older answer is written waits for it and is the one that is kept', async () => {
  rig.shop.catalogue = [[aListing('A-1')]];
  await rig.read();
  const [listing] = await rig.rows(sql`SELECT id::float8 AS id FROM listings`);
  const take = (db: Db, price: number, seenAt: Instant) =>
    db.transaction((tx) =>
      takeOffers(
        tx,
        [{ kind: 'offers', listingId: Number(listing?.id), seenAt, offers: [aMarketOffer(price)] }],
        rig.time,
      ),
    );
  const messages: Meanwhile[] = [];
  const before = async (statement: string): Promise<void> => {
    if (!statement.includes('DELETE FROM competitor_offers') || messages.length > 0) return;
    messages.push(
      await meanwhile(rig.engine.db, () => take(rig.engine.db, 1_800, instant(rig.time + SECOND))),
    );
  };
  await take(watchedDatabase(rig.engine.open.pool, { before }), 1_900, rig.time);
  expect(messages).toMatchObject([{ cameThrough: false }]);
  await messages[0]?.end;
  expect(await rig.rows(sql`SELECT price FROM competitor_offers`)).toEqual([{ price: '18.00' }]);
});
