import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { cents, hours, type Millis } from '#domain/units.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';

const fixture = syncFixture('walmart');
const { rows } = fixture;
const skus = (count: number): string[] => Array.from({ length: count }, (_, at) => `W-${at + 1}`);

/** A catalog of these SKUs, of which Walmart counts another number. */
function shows(told: number, listed: readonly string[]): void {
  fixture.shop.catalog = [listed.map((sku) => aListing(sku))];
  fixture.shop.catalogEnd = { total: { told, came: listed.length }, unavailable: [] };
}
async function readAfter(milliseconds: Millis): Promise<void> {
  fixture.pass(milliseconds);
  await fixture.read();
}
const catalogReads = (): number => fixture.shop.asked.filter((name) => name === 'listings').length;
const lastRead = async () => (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings');
const missing = async () =>
  (await rows(sql`SELECT sku FROM listings WHERE missing_since IS NOT NULL ORDER BY sku`)).map(
    ({ sku }) => sku,
  );
const MINUTES = 60_000;

// C22
describe('a catalog of which the marketplace counts more than it shows', () => {
  test('is taken at once, makes nothing missing, and is read again after 1, 6 and 24 hours', async () => {
    shows(9, skus(8));
    await readAfter(hours(1));
    expect(await lastRead()).toMatchObject({
      problem: null,
      succeededAt: fixture.time,
      counts: { read: 8, added: 8 },
      notes: [expect.stringContaining('counts 9 listings and shows 8')],
    });
    shows(9, skus(7));
    await readAfter((hours(1) - MINUTES) as Millis);
    expect(catalogReads()).toBe(1);
    await readAfter(MINUTES as Millis);
    expect(catalogReads()).toBe(2);
    shows(9, skus(6));
    await readAfter((hours(6) - MINUTES) as Millis);
    expect(catalogReads()).toBe(2);
    await readAfter(MINUTES as Millis);
    expect(catalogReads()).toBe(3);
    shows(9, skus(5));
    await readAfter((hours(24) - MINUTES) as Millis);
    expect(catalogReads()).toBe(3);
    await readAfter(MINUTES as Millis);
    expect(catalogReads()).toBe(4);
    expect(await missing()).toEqual([]);
  });

  test('is the catalog when it comes like that twice, in whichever order', async () => {
    shows(9, skus(8));
    await readAfter(hours(1));
    shows(9, skus(8).toReversed());
    await readAfter(hours(1));
    expect(await lastRead()).toMatchObject({
      notes: [expect.stringContaining('two syncs in a row')],
      partial: { told: 9, came: 8, readings: 2, isBelieved: true },
    });
    // Then it is read at the usual times.
    await readAfter(hours(1));
    expect(catalogReads()).toBe(3);
    expect(fixture.shop.asked.filter((name) => name.startsWith('prices'))).toEqual([]);
  });

  test('is whole again as soon as everything comes', async () => {
    shows(9, skus(8));
    await readAfter(hours(1));
    shows(9, skus(9));
    await readAfter(hours(1));
    expect(await lastRead()).toMatchObject({ notes: [], partial: null, counts: { read: 9 } });
  });
});

// C23
describe('a listing that such a catalog lacks twice', () => {
  /** @param last how the catalog is read for the second time without it */
  async function isLackedTwice(...last: Parameters<typeof fixture.read>): Promise<void> {
    for (const listed of [skus(8), skus(8), skus(8).filter((sku) => sku !== 'W-3')]) {
      shows(9, listed);
      await readAfter(hours(1));
    }
    expect(await missing()).toEqual([]);
    expect(fixture.shop.asked.filter((name) => name.startsWith('prices'))).toEqual([]);
    fixture.pass(hours(1));
    await fixture.read(...last);
  }
  const singleReads = () => fixture.shop.asked.filter((name) => name.startsWith('prices'));

  test('is missing when it does not exist alone either: asked for once', async () => {
    await isLackedTwice();
    expect(singleReads()).toEqual(['prices W-3']);
    expect(await missing()).toEqual(['W-3']);
    expect(await rows(sql`SELECT target_id FROM audit_log WHERE action LIKE 'listing.%'`)).toHaveLength(1);
  });

  test('stays when the call for it was interrupted, whatever that read', async () => {
    const stopping = new AbortController();
    const { connector } = fixture.shop.connection;
    const readPrices: typeof connector.readPrices = async (...given) => {
      const readings = await connector.readPrices(...given);
      stopping.abort();
      return readings;
    };
    await isLackedTwice(
      { ...fixture.shop.connection, connector: { ...connector, readPrices } },
      stopping.signal,
    );
    expect(singleReads()).toEqual(['prices W-3']);
    expect(await missing()).toEqual([]);
    expect((await lastRead())?.succeededAt).toBe(fixture.time - hours(1));
  });

  test('stays when it exists alone', async () => {
    fixture.shop.shown.set('W-3', cents(2_000));
    await isLackedTwice();
    expect(singleReads()).toEqual(['prices W-3']);
    expect(await missing()).toEqual([]);
    expect(await lastRead()).toMatchObject({ partial: { isBelieved: true } });
  });
});

// C24
test('a store without a listing is connected and empty', async () => {
  await readAfter(hours(1));
  expect(await lastRead()).toMatchObject({ problem: null, counts: { read: 0 }, succeededAt: fixture.time });
});

// C25
test('a further call that failed is named, and what it reported before stays', async () => {
  fixture.shop.catalog = [[aListing('W-1', { quantity: 7 })]];
  await readAfter(hours(1));
  fixture.shop.catalog = [[aListing('W-1', { quantity: undefined, notRepriceableReason: undefined })]];
  fixture.shop.catalogEnd = {
    total: null,
    unavailable: [{ what: 'the pricing insights', why: 'Walmart answered with an error (500).' }],
  };
  await readAfter(hours(1));
  expect(await lastRead()).toMatchObject({
    problem: null,
    counts: { read: 1 },
    notes: [expect.stringContaining('the pricing insights')],
  });
  expect(await rows(sql`SELECT quantity FROM marketplace_listings ORDER BY listing_id`)).toEqual([
    { quantity: 7 },
  ]);
});
