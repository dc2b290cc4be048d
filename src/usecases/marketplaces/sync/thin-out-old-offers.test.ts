import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { MarketOffer } from '#connectors/connector.ts';
import { recordOfferSets } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { groupBy } from '#domain/group-by.ts';
import { cents, type Instant, instant } from '#domain/units.ts';
import { addListing } from '#tests/support/seed.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { ingestOffers } from './ingest-offers.ts';
import { thinOutOldOffers } from './thin-out-old-offers.ts';

const fixture = syncFixture('amazon');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LISTINGS = 50;
/** Three a day, two of them within an hour. */
const READINGS = [10 * MINUTE, 8 * HOUR, 8 * HOUR + 20 * MINUTE];

/** Listing 8 changes with every ninth reading, listing 0 with every one; every eleventh set of it is empty. */
function offersAt(listing: number, reading: number): readonly RecordedOffer[] {
  const set = Math.floor(reading / (1 + (listing % 9)));
  if (set % 11 === 10) return [];
  const price = 1_000 + (((listing * 7 + set) * 37) % 500);
  const first = { seller: `First ${set % 2}`, price, shipping: 0, at: null, featured: true as const };
  const others = Array.from({ length: set % 3 }, (_, n) => ({
    seller: `R${n}`,
    price: price + 150 * n + 100,
    shipping: 0,
    at: null,
  }));
  return [first, ...others];
}

interface Figures {
  readonly at: number;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly average: number | null;
  readonly sellers: number;
  readonly buyBox: number | null;
}

/** What the records of a listing say, put together from the story itself, minute by minute. */
function storyOf(listing: number, times: readonly Instant[]): Figures[] {
  const records: Figures[] = [];
  let before = '';
  for (const [reading, at] of times.entries()) {
    const prices = offersAt(listing, reading).map(({ price }) => price);
    const now = JSON.stringify(offersAt(listing, reading));
    if (now === before) continue;
    before = now;
    const sum = prices.reduce((total, price) => total + price, 0);
    const isEmpty = prices.length === 0;
    records.push({
      at,
      lowest: isEmpty ? null : Math.min(...prices),
      highest: isEmpty ? null : Math.max(...prices),
      average: isEmpty ? null : Math.round(sum / prices.length),
      sellers: prices.length,
      buyBox: prices[0] ?? null,
    });
  }
  return records;
}

function put(together: readonly Figures[], length: number): Figures[] {
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
  const periods = groupBy(together, ({ at }) => Math.floor(at / length));
  return [...periods].map(([period, records]) => {
    const end = (period + 1) * length;
    const held = records.map(({ at }, n) => (records[n + 1]?.at ?? end) - at);
    const parts = records.flatMap(({ average }, n) =>
      average === null ? [] : [[average, held[n] ?? 0] as const],
    );
    const weight = parts.reduce((total, [, time]) => total + time, 0);
    const lows = known(records.map(({ lowest }) => lowest));
    const highs = known(records.map(({ highest }) => highest));
    return {
      at: records[0]?.at ?? 0,
      lowest: lows.length === 0 ? null : Math.min(...lows),
      highest: highs.length === 0 ? null : Math.max(...highs),
      average:
        weight === 0
          ? null
          : Math.round(parts.reduce((sum, [price, time]) => sum + price * time, 0) / weight),
      sellers: Math.max(...records.map(({ sellers }) => sellers)),
      buyBox: records.at(-1)?.buyBox ?? null,
    };
  });
}

/** Whole periods behind the one in which what was in force at the moment began; and what is left. */
function cut(records: readonly Figures[], before: number, length: number): [Figures[], Figures[]] {
  const inForce = records.findLast(({ at }) => at < before);
  const edge = inForce === undefined ? 0 : Math.floor(inForce.at / length) * length;
  return [records.filter(({ at }) => at < edge), records.filter(({ at }) => at >= edge)];
}

test('45 days of 50 listings: every set for 30 days, then hours, and days after 90; nothing else is lost', async () => {
  const ids: number[] = [];
  for (let n = 0; n < LISTINGS; n++)
    ids.push(await addListing(fixture.engine.db, `A-${n}`, { marketplace: 'amazon' }));
  const start = Math.floor(fixture.time / DAY) * DAY;
  const times = Array.from({ length: 45 }, (_, day) =>
    READINGS.map((at) => instant(start + day * DAY + at)),
  ).flat();
  const stories = ids.map((_, n) => storyOf(n, times));
  await recordOfferSets(
    fixture.engine.db,
    stories.flatMap((story, n) =>
      story.map(({ at }) => ({
        listingId: String(ids[n]),
        at: instant(at),
        offers: offersAt(n, times.indexOf(instant(at))),
      })),
    ),
  );
  const stored = async (from: ReturnType<typeof sql>) => {
    const rows =
      await fixture.rows(sql`SELECT listing_id::int AS id, (extract(epoch FROM timestamp) * 1000)::float8 AS at,
      (third_party_min_price * 100)::int AS lowest, (third_party_max_price * 100)::int AS highest,
      round(third_party_avg_price * 100)::int AS average, third_party_seller_count AS sellers,
      (buy_box_price * 100)::int AS "buyBox" FROM ${from} ORDER BY timestamp`);
    return ids.map((id) => rows.filter((row) => row.id === id).map(({ id: _, ...figures }) => figures));
  };
  const [raw, hour, day] = [
    () => stored(sql`competitor_prices`),
    () => stored(sql`(SELECT * FROM competitor_price_periods WHERE grain = 'hour') p`),
    () => stored(sql`(SELECT * FROM competitor_price_periods WHERE grain = 'day') p`),
  ];
  const sets = async () =>
    Number((await fixture.rows(sql`SELECT count(*)::int AS count FROM offer_sets`))[0]?.count);
  expect(await raw()).toEqual(stories);

  // In pages of seven, to meet their edges; the second time there is nothing left to do.
  let now = start + 45 * DAY;
  const first = await thinOutOldOffers(fixture.engine.db, instant(now), 7);
  expect(await thinOutOldOffers(fixture.engine.db, instant(now))).toEqual({ records: 0, hours: 0 });
  const old = stories.map((story) => cut(story, now - 30 * DAY, HOUR));
  expect(first).toEqual({ records: old.reduce((sum, [gone]) => sum + gone.length, 0), hours: 0 });
  expect(first.records).toBeGreaterThan(500);
  expect(await raw()).toEqual(old.map(([, left]) => left));
  expect(await hour()).toEqual(old.map(([gone]) => put(gone, HOUR)));
  expect(await sets()).toBe(old.reduce((sum, [, left]) => sum + left.length, 0));

  now = start + 130 * DAY;
  await thinOutOldOffers(fixture.engine.db, instant(now));
  const older = stories.map((story) =>
    cut(put(cut(story, now - 30 * DAY, HOUR)[0], HOUR), now - 90 * DAY, DAY),
  );
  expect(await day()).toEqual(older.map(([gone]) => put(gone, DAY)));
  expect(await hour()).toEqual(older.map(([, left]) => left));
  // The last record stays, with its offers: nothing was synced after it.
  expect(await sets()).toBe((await raw()).flat().length);
  expect((await raw()).map((records) => records.at(-1))).toEqual(stories.map((story) => story.at(-1)));
});

/** Five offers, as a marketplace reports them. */
const offersFrom = (lowest: number): MarketOffer[] =>
  Array.from({ length: 5 }, (_, n) => ({
    sellerName: `Competitor ${n + 1}`,
    isMarketplace: false,
    isOurs: false,
    price: cents(lowest + n * 75),
    shipping: cents(0),
    fulfillmentType: n % 2 === 0 ? ('FBM' as const) : ('FBA/WFS' as const),
    isFeatured: n === 0,
    rating: null,
    ratingCount: null,
    handlingDays: null,
  }));

test('what a day of hourly readings takes up has a limit, for each age of it', async () => {
  const [listings, days, every] = [10, 4, 5];
  const ids: number[] = [];
  for (let n = 0; n < listings; n++)
    ids.push(await addListing(fixture.engine.db, `A-${n}`, { marketplace: 'amazon' }));
  const start = Math.floor(fixture.time / DAY) * DAY;
  for (let hour = 0; hour < days * 24; hour++) {
    const seenAt = instant(start + hour * HOUR);
    // One reading in five finds another lowest price.
    const readings = ids.map((listingId, n) => ({
      kind: 'offers' as const,
      listingId,
      seenAt,
      offers: offersFrom(2_000 + n + 10 * Math.floor((hour + n) / every)),
      coverage: 'all' as const,
    }));
    await fixture.engine.db.transaction((tx) => ingestOffers(tx, 'amazon', readings, 'sync', seenAt));
  }
  /** Bytes of rows, without pages and indexes, for one listing and day. */
  const bytes = async (): Promise<number> => {
    const [row] = await fixture.rows(sql`SELECT sum(size)::float8 AS bytes FROM (
      SELECT pg_column_size(t.*) AS size FROM offer_sets t
      UNION ALL SELECT pg_column_size(t.*) FROM competitor_prices t
      UNION ALL SELECT pg_column_size(t.*) FROM competitor_price_periods t) sizes`);
    return Number(row?.bytes) / listings / days;
  };
  // They took 3,889, 764 and 398 bytes when this was written; with every reading stored it would be five times the first.
  expect(await bytes()).toBeLessThan(5_000);
  for (const [age, limit] of [
    [31, 1_000],
    [95, 550],
  ] as const) {
    await thinOutOldOffers(fixture.engine.db, instant(start + (days + age) * DAY));
    expect(await bytes()).toBeLessThan(limit);
    expect(await bytes()).toBeGreaterThan(0);
  }
});
