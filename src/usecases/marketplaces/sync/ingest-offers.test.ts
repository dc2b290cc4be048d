import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MarketOffer } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { competitorOffers } from '#db/schema/offers.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { type ConcurrentAction, startConcurrent } from '#tests/support/concurrent-action.ts';
import { addListing } from '#tests/support/seed.ts';
import { aListing, aMarketOffer } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { watchedDatabase } from '#tests/support/watched-database.ts';
import { ingestOffers } from './ingest-offers.ts';

const fixture = syncFixture('amazon');
const SECOND = 1_000;

test.each([
  ['a second later than the answer', SECOND, 0],
  ['at the same moment', 0, 1],
  ['later than any clock may be ahead', hours(1), 1],
])('an answer against offers that are kept from %s', async (_, ahead, taken) => {
  fixture.shop.catalog = [[aListing('A-1')]];
  await fixture.read();
  fixture.pass(hours(2));
  const seenAt = new Date(instant(fixture.time + ahead)).toISOString();
  await fixture.engine.db.execute(sql`
    UPDATE competition_readings SET read_at = ${seenAt}, coverage = 'all', source = 'sync'`);
  fixture.shop.offers.set('A-1', [aMarketOffer(1_900)]);
  await fixture.read();
  expect(await fixture.rows(sql`SELECT price FROM competitor_offers`)).toHaveLength(taken);
  // It counts as synced either way.
  const [turn] = await fixture.rows(
    sql`SELECT (extract(epoch FROM offers_read_at) * 1000)::float8 AS at FROM marketplace_listings`,
  );
  expect(turn?.at).toBe(fixture.time);
});

test('a notification during the write of an older response waits for it and is the one kept', async () => {
  fixture.shop.catalog = [[aListing('A-1')]];
  await fixture.read();
  const [listing] = await fixture.rows(sql`SELECT id::float8 AS id FROM listings`);
  const take = (db: Db, price: number, seenAt: Instant) =>
    db.transaction((tx) =>
      ingestOffers(
        tx,
        'amazon',
        [
          {
            kind: 'offers',
            listingId: Number(listing?.id),
            seenAt,
            offers: [aMarketOffer(price)],
            coverage: 'all',
          },
        ],
        'event',
        fixture.time,
      ),
    );
  const messages: ConcurrentAction[] = [];
  const before = async (statement: string): Promise<void> => {
    if (!statement.includes('DELETE FROM competitor_offers') || messages.length > 0) return;
    messages.push(
      await startConcurrent(fixture.engine.db, () =>
        take(fixture.engine.db, 1_800, instant(fixture.time + SECOND)),
      ),
    );
  };
  await take(watchedDatabase(fixture.engine.open.pool, { before }), 1_900, fixture.time);
  expect(messages).toMatchObject([{ cameThrough: false }]);
  await messages[0]?.end;
  expect(await fixture.rows(sql`SELECT price FROM competitor_offers`)).toEqual([{ price: '18.00' }]);
});

const MINUTE = 60 * SECOND;
const DAY = hours(24);

describe('offers that are read again', () => {
  let listingId: number;
  beforeEach(async () => {
    listingId = await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    await decided();
  });

  const decided = () => fixture.engine.db.execute(sql`DELETE FROM due_listings`);
  const read = (offers: readonly MarketOffer[], seenAt = fixture.time) =>
    ingestOffers(
      fixture.engine.db,
      'amazon',
      [{ kind: 'offers', listingId, seenAt, offers, coverage: 'all' }],
      'sync',
      fixture.time,
    );
  const records = () =>
    fixture.rows(sql`SELECT (extract(epoch FROM timestamp) * 1000)::float8 AS first,
      (extract(epoch FROM last_seen_at) * 1000)::float8 AS last,
      (SELECT count(*)::int FROM offer_sets s WHERE s.recorded_at = p.timestamp) AS sets
      FROM competitor_prices p ORDER BY id`);
  const COMPETITORS = [
    aMarketOffer(1_900),
    aMarketOffer(1_900),
    aMarketOffer(2_100, { sellerName: 'Other' }),
  ];

  test('unchanged: only the time is updated, and no listing is repriced', async () => {
    const first = fixture.time;
    await read(COMPETITORS);
    await decided();
    for (let reading = 0; reading < 3; reading++) {
      fixture.pass(15 * MINUTE);
      // A marketplace may name them in another order every time.
      await read(COMPETITORS.toReversed());
    }
    expect(await records()).toEqual([{ first, last: fixture.time, sets: 1 }]);
    const seen = await fixture.engine.db.select({ at: competitorOffers.seenAt }).from(competitorOffers);
    expect(seen).toEqual(COMPETITORS.map(() => ({ at: fixture.time })));
    expect(await fixture.engine.due()).toEqual([]);
  });

  test.each<[string, readonly MarketOffer[]]>([
    ['a price', [...COMPETITORS.slice(0, 2), aMarketOffer(2_099, { sellerName: 'Other' })]],
    ['one of two alike', COMPETITORS.slice(1)],
    [
      "what only a rule's filter reads",
      [...COMPETITORS.slice(0, 2), { ...aMarketOffer(2_100), ratingCount: 9 }],
    ],
    ['no offers left', []],
  ])('changed (%s): a set of its own, and the listing is due', async (_, offers) => {
    await read(COMPETITORS);
    await decided();
    fixture.pass(15 * MINUTE);
    await read(offers);
    expect(await records()).toMatchObject([{ last: null }, { first: fixture.time, last: null, sets: 1 }]);
    expect(await fixture.engine.due()).toEqual([listingId]);
  });

  test('read for the first time and empty is a record, and the next empty reading is none', async () => {
    await read([]);
    fixture.pass(MINUTE);
    await read([]);
    expect(await records()).toMatchObject([{ last: fixture.time, sets: 1 }]);
  });

  test('unchanged after they had run out: they count again, so the listing is due and the gap stays', async () => {
    await read(COMPETITORS);
    await decided();
    fixture.pass(DAY + 1);
    await read(COMPETITORS);
    expect(await records()).toMatchObject([{ last: null }, { first: fixture.time, last: null }]);
    expect(await fixture.engine.due()).toEqual([listingId]);
  });

  test('a time that was ahead of the clock did not count before, and does now', async () => {
    await read(COMPETITORS, instant(fixture.time + SECOND));
    await decided();
    fixture.pass(15 * MINUTE);
    await read(COMPETITORS);
    expect(await fixture.engine.due()).toEqual([listingId]);
    await decided();
    fixture.pass(15 * MINUTE);
    await read(COMPETITORS, instant(fixture.time + SECOND));
    expect(await fixture.engine.due()).toEqual([listingId]);
  });

  test('a manual SQL update marks listings as due when it changes more than a later time', async () => {
    await read(COMPETITORS);
    const marksDue = async (statement: ReturnType<typeof sql>): Promise<boolean> => {
      await decided();
      await fixture.engine.db.execute(statement);
      return (await fixture.engine.due()).length > 0;
    };
    expect(await marksDue(sql`UPDATE competitor_offers SET seen_at = seen_at + interval '1 hour'`)).toBe(
      false,
    );
    expect(await marksDue(sql`UPDATE competitor_offers SET seen_at = seen_at - interval '1 hour'`)).toBe(
      true,
    );
    expect(await marksDue(sql`UPDATE competitor_offers SET seen_at = seen_at + interval '25 hours'`)).toBe(
      true,
    );
    expect(await marksDue(sql`UPDATE competitor_offers SET seen_at = NULL`)).toBe(true);
    expect(await marksDue(sql`UPDATE competitor_offers SET price = price + 1`)).toBe(true);
  });

  test('where nothing is due, every offer counts just as at the last decision', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('read' as const),
        offers: fc.subarray([...COMPETITORS]),
        late: fc.constantFrom(-30 * MINUTE, 0, SECOND, 20 * hours(1)),
      }),
      fc.record({
        kind: fc.constant('pass' as const),
        by: fc.constantFrom(SECOND, 15 * MINUTE, DAY - SECOND, DAY + SECOND),
      }),
      fc.record({ kind: fc.constant('decide' as const) }),
    );
    const statuses = async () =>
      (
        await fixture.rows(sql`SELECT price::text, seller_name, seen_at <= ${now()} AND seen_at >= ${now()} - interval '1 day'
          AS counts FROM competitor_offers ORDER BY price, seller_name, counts`)
      ).map((row) => JSON.stringify(row));
    const now = () => sql`${new Date(fixture.time).toISOString()}::timestamptz`;
    let newest = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        let atDecision = await statuses();
        await decided();
        for (const next of steps) {
          if (next.kind === 'pass') fixture.pass(next.by);
          else if (next.kind === 'decide') {
            atDecision = await statuses();
            await decided();
          } else {
            const at = instant(fixture.time - next.late);
            await read(next.offers, at);
            // A reading that is not newer changes nothing, and what time alone changes is for the full check.
            const isNews = at > newest;
            newest = Math.max(newest, at);
            if (isNews && (await fixture.engine.due()).length === 0)
              expect(await statuses()).toEqual(atDecision);
          }
        }
      }),
      { numRuns: asMany(10, 25) },
    );
  });
});
