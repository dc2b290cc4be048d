import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MarketOffer, OfferReading } from '#connectors/connector.ts';
import { hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { addListing, addRule, declareSeller, setLive } from '#tests/support/seed.ts';
import { aMarketOffer } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { ingestOffers, ingestSyncedOffers } from './ingest-offers.ts';

const fixture = syncFixture('walmart');
const MINUTE = 60_000;
const UNNAMED = { sellerName: null, isFeatured: true };

let listingId: number;
beforeEach(async () => {
  listingId = await addListing(fixture.engine.db, 'W-1', {
    currentPrice: usd(20),
    createdAt: (fixture.time - hours(100)) as Instant,
  });
  await addRule(fixture.engine.db);
  await setLive(fixture.engine.db, 'walmart');
  await declareSeller(fixture.engine.db, 'walmart');
});

const reading = (offers: readonly MarketOffer[], over: Partial<OfferReading> = {}): OfferReading => ({
  kind: 'offers',
  listingId,
  seenAt: fixture.time,
  offers,
  coverage: 'box',
  ...over,
});
const box = (price: number, over: Partial<OfferReading> = {}) =>
  ingestSyncedOffers(
    fixture.engine.db,
    'walmart',
    [reading([aMarketOffer(price, UNNAMED), aMarketOffer(2_000, { sellerName: null, isOurs: true })], over)],
    fixture.time,
  );
const event = (offers: readonly MarketOffer[], seenAt: Instant = fixture.time) =>
  ingestOffers(
    fixture.engine.db,
    'walmart',
    [reading(offers, { coverage: 'top', seenAt })],
    'event',
    fixture.time,
  );
const stored = () =>
  fixture.rows(sql`SELECT coalesce(seller_name, '-') AS seller, price::text, is_featured AS featured,
    (extract(epoch FROM seen_at) * 1000)::float8 AS at FROM competitor_offers WHERE NOT is_ours ORDER BY price`);
const readings = () =>
  fixture.rows(sql`SELECT (extract(epoch FROM read_at) * 1000)::float8 AS at, coverage, source, unread_reason AS unread
    FROM competition_readings`);
const facts = async () => {
  const context = await loadPricingContext(fixture.engine.db, fixture.time);
  const [input] = await loadPricingInputs(fixture.engine.db, context, [listingId]);
  return input?.facts;
};
const FIVE = [
  aMarketOffer(1_849, { sellerName: 'Walmart.com', isMarketplace: true, isFeatured: true }),
  aMarketOffer(2_050, { sellerName: 'Competitor A' }),
];

describe('a buy box next to another price of ours', () => {
  test('is not used, and the former reading stays with its age (C7)', async () => {
    const before = fixture.time;
    await box(1_900, { ourPrice: usd(20) });
    fixture.pass(hours(1));
    await box(1_940, { ourPrice: usd(19.5) });
    expect(await readings()).toEqual([
      { at: before, coverage: 'box', source: 'sync', unread: expect.stringContaining('$19.50') },
    ]);
    expect(await stored()).toMatchObject([{ price: '19.00', at: before }]);
    fixture.pass(15 * MINUTE);
    await box(1_940, { ourPrice: usd(20) });
    expect(await readings()).toMatchObject([{ at: fixture.time, unread: null }]);
    expect(await stored()).toMatchObject([{ price: '19.40' }]);
  });
});

describe('the offers of an event', () => {
  test('stay while the box is as the event reported it, and are replaced once it moved', async () => {
    const reported = fixture.time;
    await event(FIVE);
    fixture.pass(15 * MINUTE);
    await box(1_849);
    expect(await stored()).toEqual([
      { seller: 'Walmart.com', price: '18.49', featured: true, at: fixture.time },
      { seller: 'Competitor A', price: '20.50', featured: false, at: reported },
    ]);
    expect(await readings()).toMatchObject([{ at: reported, coverage: 'top', source: 'event' }]);
    fixture.pass(15 * MINUTE);
    await box(1_830);
    expect(await stored()).toMatchObject([{ seller: '-', price: '18.30', at: fixture.time }]);
    expect(await readings()).toMatchObject([{ at: fixture.time, coverage: 'box', source: 'sync' }]);
  });

  test('end a day after the event, though the box has not moved', async () => {
    await event(FIVE);
    fixture.pass(hours(25));
    await box(1_849);
    expect(await stored()).toMatchObject([{ seller: '-', price: '18.49' }]);
  });

  test('of an older event are dropped, and so is one that is older than the stored offers (C38)', async () => {
    await event(FIVE);
    await event([aMarketOffer(1_500, { sellerName: 'Older' })], (fixture.time - MINUTE) as Instant);
    expect(await stored()).toHaveLength(2);
    await event(FIVE);
    expect(await stored()).toHaveLength(2);
  });
});

test('a reading that shows nothing makes the listing due once, and then counts as one', async () => {
  await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
  expect(await facts()).toMatchObject({ readAt: null });
  const empty = () =>
    ingestSyncedOffers(fixture.engine.db, 'walmart', [reading([], { coverage: 'all' })], fixture.time);
  await empty();
  expect(await facts()).toMatchObject({ readAt: fixture.time, coverage: 'all', offers: [] });
  expect(await fixture.engine.due()).toEqual([listingId]);
  await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
  fixture.pass(15 * MINUTE);
  await empty();
  expect(await fixture.engine.due()).toEqual([]);
  fixture.pass(hours(25));
  await empty();
  expect(await fixture.engine.due()).toEqual([listingId]);
});

test('a reading counts for as long as the maximum age of its marketplace says', async () => {
  await fixture.engine.db.execute(
    sql`UPDATE marketplace_modes SET max_offer_age_minutes = 30 * 60 WHERE marketplace = 'walmart'`,
  );
  const due = async (passed: number) => {
    await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
    fixture.pass(passed);
    await ingestSyncedOffers(fixture.engine.db, 'walmart', [reading([], { coverage: 'all' })], fixture.time);
    return fixture.engine.due();
  };
  expect(await due(0)).toEqual([listingId]);
  expect(await due(hours(25))).toEqual([]);
  expect(await due(hours(31))).toEqual([listingId]);
  await event(FIVE);
  fixture.pass(hours(25));
  await box(1_849);
  expect(await stored()).toHaveLength(2);
});

test('a response without offers is kept with its reason, and makes nothing due', async () => {
  await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
  const unread = { kind: 'unread', listingId, why: 'Walmart says nothing.' } as const;
  await ingestSyncedOffers(fixture.engine.db, 'walmart', [unread], fixture.time);
  expect(await readings()).toEqual([
    { at: null, coverage: null, source: null, unread: 'Walmart says nothing.' },
  ]);
  expect(await fixture.engine.due()).toEqual([]);
});

test('own prices are those in force or sent within 24 hours, the one before the first included', async () => {
  const { db } = fixture.engine;
  await box(1_900);
  const move = (from: number, to: number, hoursAgo: number, source = 'observed') =>
    db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      VALUES (${listingId}, ${from}, ${to}, 'A test.', ${source}, ${new Date(fixture.time - hours(hoursAgo)).toISOString()})`);
  await move(20, 21, 30);
  await move(21, 22, 23);
  await move(22, 25, 1);
  const sent = (price: number, hoursAgo: number, sequence: number) =>
    db.execute(sql`INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, margin_floor, reason,
        source, idempotency_key, created_at, expires_at, sent_at, settled_at)
      SELECT ${listingId}, 'walmart', ${sequence}, 'rejected', ${price}, 22, 1, 'A test.', 'rule', ${`key ${sequence}`}, at, at, at, at
      FROM (SELECT ${new Date(fixture.time - hours(hoursAgo)).toISOString()}::timestamptz AS at) t`);
  await sent(18, 25, 1);
  await sent(24, 2, 2);
  expect((await facts())?.ownPrices.toSorted()).toEqual([21, 22, 24, 25].map((price) => usd(price)));
});
