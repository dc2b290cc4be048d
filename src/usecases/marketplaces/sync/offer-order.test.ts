import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { putOffersFirst } from '#db/queries/marketplaces/connections/received-events.ts';
import { markSynced } from '#db/queries/marketplaces/sync/sync-queue.ts';
import { hours, type Instant, minutes } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { addListing } from '#tests/support/seed.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { OfferOrder } from './offer-order.ts';
import { syncCompetitorOffers } from './sync-competitor-offers.ts';
import { PassedOverList } from './sync-deps.ts';

const fixture = syncFixture('amazon');
const text = (at: number) => new Date(at).toISOString();
const deps = () => ({ db: fixture.engine.db, now: () => fixture.time });

/** Listings that are contested and sell, the first read longest ago. */
async function hot(count: number): Promise<void> {
  const { db } = fixture.engine;
  for (let place = 0; place < count; place++) {
    const sku = `A-${place}`;
    const id = await addListing(db, sku, { marketplace: 'amazon', competitorPrice: usd(19.5) });
    await db.execute(sql`
      INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue)
      VALUES (${id}, ${sku}, ${text(fixture.time)}, 1, 20, 20)`);
    await db.execute(sql`
      INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, offers_read_at)
      VALUES (${id}, '{}', true, ${text(fixture.time)}, ${text(fixture.time - hours(5) + minutes(place))})`);
  }
}

describe('the order of one sync', () => {
  let order: OfferOrder;
  beforeEach(async () => {
    await hot(5);
    const syncedBefore = (fixture.time - minutes(1)) as Instant;
    const longest = minutes(60);
    order = new OfferOrder(deps(), { marketplace: 'amazon', syncedBefore, maxAge: hours(24), longest });
  });

  /** Reads a batch of two. @param takes how long */
  const batch = async (takes = minutes(20)): Promise<string[]> => {
    const listings = await order.next(2);
    fixture.pass(takes);
    await markSynced(
      fixture.engine.db,
      'offers',
      listings.map(({ listingId }) => listingId),
      fixture.time,
    );
    return listings.map(({ sku }) => sku);
  };

  test('has each listing once, though those that were read first are due again by then', async () => {
    const read = [await batch(), await batch(), await batch(minutes(19)), await batch()];
    expect(read).toEqual([['A-0', 'A-1'], ['A-2', 'A-3'], ['A-4'], []]);
  });

  test('ends after its time, with the listings that are left', async () => {
    expect([await batch(minutes(60)), await batch()]).toEqual([['A-0', 'A-1'], []]);
  });

  test('has first what an event asks for after the ranking, in half of a batch, read before or not', async () => {
    await batch();
    for (const sku of ['A-1', 'A-4']) await putOffersFirst(fixture.engine.db, 'amazon', sku);
    const read = [await batch(minutes(1)), await batch(minutes(1)), await batch()];
    expect(read).toEqual([['A-1', 'A-2'], ['A-4', 'A-3'], []]);
  });

  test('has first a listing whose own price shows by then', async () => {
    await batch();
    await fixture.engine.db.execute(sql`
      INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
      SELECT id, current_price, current_price + 1, 'Changed', 'rule', 1, ${text(fixture.time - minutes(29))}
      FROM listings WHERE sku = 'A-1'`);
    expect(await batch(minutes(1))).toEqual(['A-2', 'A-3']);
    expect(await batch()).toEqual(['A-1', 'A-4']);
  });

  test('is without listings that ended since the ranking', async () => {
    await batch();
    await fixture.engine.db.execute(sql`UPDATE marketplace_listings SET is_active = false
      WHERE listing_id IN (SELECT id FROM listings WHERE sku IN ('A-2', 'A-3'))`);
    expect(await batch()).toEqual(['A-4']);
  });
});

/** One listing that sells and 210 that do not, read by a connector that takes a quarter of an hour for each call. */
async function readAll(listingsAtOnce: number | undefined) {
  await hot(1);
  await fixture.engine.db.execute(sql`
    WITH more AS (
      INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
      SELECT 'amazon', 'B-' || n, 'B', 'FBM', 20, 20 FROM generate_series(1, 210) n RETURNING id)
    INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at)
    SELECT id, '{}', true, ${text(fixture.time)} FROM more`);
  const { connection } = fixture.shop;
  const connector: typeof connection.connector = {
    ...connection.connector,
    ...(listingsAtOnce === undefined ? {} : { listingsAtOnce }),
    async *readOffers(_, refs) {
      fixture.pass(minutes(15));
      yield refs.map(({ listingId }) => ({ kind: 'unread', listingId, why: 'No such item.' }) as const);
    },
  };
  const run = {
    connection: { ...connection, connector },
    signal: new AbortController().signal,
    passedOver: new PassedOverList(),
  };
  return syncCompetitorOffers(deps(), run, fixture.time, () => undefined);
}

test('a sync that ends early counts the listings that wait for the next one', async () => {
  expect(await readAll(undefined)).toMatchObject({ unread: 200, waiting: 11 });
});

test('one call reads as many as the connector takes at once', async () => {
  expect(await readAll(211)).toMatchObject({ unread: 211, waiting: 0 });
});
