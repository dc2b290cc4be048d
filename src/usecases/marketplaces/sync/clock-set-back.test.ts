import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { FeaturedPriceReading, MarketplaceConnector } from '#connectors/connector.ts';
import { writeFullSyncRequest } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { VALID_FEATURED_PRICE } from '#domain/competition/featured-price.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { addListing } from '#tests/support/seed.ts';
import { aFee, aListing, aMarketOffer } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';

/*
 * The clock of the machine was ahead while everything was read, and is right again. What is stored says the future; the real
 * time reaches it only after as long as the clock was ahead.
 */

const fixture = syncFixture('amazon');
const DAY = hours(24);
const YEAR = 366 * DAY;
let connector: MarketplaceConnector;

/** Reads what is due. @returns what was asked, what was asked several times once */
async function read(): Promise<readonly string[]> {
  fixture.shop.asked.splice(0);
  fixture.shop.moneyTimes.splice(0);
  await fixture.read({ ...fixture.shop.connection, connector });
  return [...new Set(fixture.shop.asked)];
}

beforeEach(async () => {
  const { shop } = fixture;
  for (const sku of ['A-1', 'A-2']) {
    await addListing(fixture.engine.db, sku, { marketplace: 'amazon' });
    shop.offers.set(sku, [aMarketOffer(1_900)]);
    shop.fees.set(sku, () => [aFee('commission', 300)]);
  }
  shop.catalog = [[aListing('A-1'), aListing('A-2')]];
  connector = {
    ...shop.connection.connector,
    async *readFeaturedPrices(_, refs) {
      shop.asked.push(`featured ${refs.map(({ sku }) => sku).join(',')}`);
      yield refs.map(({ listingId }): FeaturedPriceReading => {
        const [price, status, readAt] = [cents(1_900), VALID_FEATURED_PRICE, fixture.time];
        return { kind: 'featured_price', listingId, price, status, readAt };
      });
    },
  };
});

const ALL_KINDS = [
  'listings',
  'offers A-1,A-2',
  'sales',
  'figures',
  'fees A-1,A-2',
  'money',
  'featured A-1,A-2',
];

test.each([
  // After a day, the first reading of money need not be made anew.
  ['a day', DAY, 35],
  ['a year', YEAR, 60],
])(
  'after a clock that was ahead by %s each kind is read at once, and then as usual',
  async (_, ahead, moneyDays) => {
    fixture.pass(ahead);
    await read();
    fixture.pass(hours(1) - ahead);
    expect(await read()).toEqual(ALL_KINDS);
    const [stored] = await fixture.rows(sql`
    SELECT (SELECT max(read_at) FROM competition_readings) AS competitors, (SELECT max(read_at) FROM featured_prices) AS featured,
      (SELECT max(told_at) FROM fee_facts) AS told,
      max(offers_read_at) AS offers, max(figures_read_at) AS figures, max(fees_read_at) AS fees,
      max(featured_price_read_at) AS asked FROM marketplace_listings`);
    const times = Object.values(stored ?? {}).map((time) => Date.parse(String(time)));
    expect(new Set(times)).toEqual(new Set([fixture.time]));
    // Sales and money from before it was ahead.
    expect(fixture.shop.salesSince).toBe(fixture.time - 60 * DAY);
    expect(Math.min(...fixture.shop.moneyTimes.map(({ since }) => since))).toBe(
      fixture.time - moneyDays * DAY,
    );
    fixture.pass(hours(1));
    expect(await read()).toEqual(['listings', 'offers A-1,A-2', 'sales', 'money']);
    expect(fixture.shop.salesSince).toBe(fixture.time - hours(49));
    expect(fixture.shop.moneyTimes.map(({ since }) => since)).toEqual([fixture.time - hours(49)]);
  },
);

test('a full sync requested by a clock that was ahead does not read everything in every sync', async () => {
  await read();
  await writeFullSyncRequest(fixture.engine.db, 'amazon', instant(fixture.time + YEAR));
  fixture.pass(hours(1));
  expect(await read()).toEqual(['listings', 'offers A-1,A-2', 'sales', 'money']);
});

test('a sync under way does not ask again and again when the clock is set back', async () => {
  const { readFigures } = fixture.shop.connection.connector;
  fixture.pass(DAY);
  connector = {
    ...connector,
    async *readFigures(...asked) {
      if (fixture.time > fixture.engine.now) fixture.pass(-DAY);
      yield* readFigures?.apply(connector, asked) ?? [];
    },
  };
  await read();
  expect(fixture.shop.asked.filter((call) => call === 'figures')).toHaveLength(1);
});
