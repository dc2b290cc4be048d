import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { CatalogEnd, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { hours, instant } from '#domain/units.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';

const fixture = syncFixture('amazon');
const { rows } = fixture;

/** Syncs a catalog with these SKUs, an hour after the last sync. */
async function readWith(...skus: string[]): Promise<void> {
  fixture.shop.catalog = [skus.map((sku) => aListing(sku))];
  fixture.pass(hours(1));
  await fixture.read();
}
const skus = (count: number, prefix = 'A'): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at + 1}`);
const missing = async () =>
  (await rows(sql`SELECT sku FROM listings WHERE missing_since IS NOT NULL ORDER BY sku`)).map(
    ({ sku }) => sku,
  );
const lastRead = async () => (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings');
const audits = () =>
  rows(
    sql`SELECT action, actor, target_id AS id FROM audit_log WHERE action LIKE 'listing.%' ORDER BY audit_log.id`,
  );

describe('a listing that disappears from its marketplace', () => {
  test('is missing after two syncs without it, since the first of them, with an audit entry', async () => {
    await readWith('A-1', 'A-2');
    await readWith('A-1');
    const since = fixture.time;
    expect(await missing()).toEqual([]);
    await readWith('A-1');
    expect(await missing()).toEqual(['A-2']);
    const [row] = await rows(
      sql`SELECT date_part('epoch', missing_since) * 1000 AS since FROM listings WHERE sku = 'A-2'`,
    );
    expect(row).toEqual({ since });
    expect(await lastRead()).toMatchObject({ problem: null, counts: { gone: 1, foundAgain: 0 } });
    expect(await audits()).toEqual([
      { action: 'listing.gone', actor: 'Pricewright', id: expect.any(String) },
    ]);
    await readWith('A-1');
    expect(await lastRead()).toMatchObject({ counts: { gone: 0 } });
  });

  test('is found again automatically, also where it can only be skipped now', async () => {
    await readWith('A-1', 'A-2', 'A-3');
    await readWith('A-1');
    await readWith('A-1');
    expect(await missing()).toEqual(['A-2', 'A-3']);
    fixture.shop.catalog = [
      [aListing('A-1'), aListing('A-2')],
      [{ kind: 'passed_over', what: 'A-3', why: 'other_currency' }],
    ];
    fixture.pass(hours(1));
    await fixture.read();
    expect(await missing()).toEqual([]);
    expect(await lastRead()).toMatchObject({ counts: { foundAgain: 2 } });
    expect((await audits()).map(({ action }) => action)).toEqual([
      ...['listing.gone', 'listing.gone', 'listing.found_again', 'listing.found_again'],
    ]);
  });

  test('needs two syncs again after it was seen once', async () => {
    await readWith('A-1', 'A-2');
    await readWith('A-1');
    await readWith('A-1', 'A-2');
    await readWith('A-1');
    expect(await missing()).toEqual([]);
  });

  test('is detected in complete syncs only', async () => {
    await readWith('A-1', 'A-2');
    await readWith('A-1');
    const { connector } = fixture.shop.connection;
    async function* broken(): AsyncGenerator<CatalogPage, CatalogEnd> {
      yield { asOf: fixture.time, source: 'list', entries: [aListing('A-1')] };
      throw new ConnectorError('unreadable', 'It is not JSON.');
    }
    fixture.pass(hours(1));
    await fixture.read({ ...fixture.shop.connection, connector: { ...connector, readListings: broken } });
    expect(await missing()).toEqual([]);
  });

  test('is detected where the credentials show the whole catalog, not a part of it', async () => {
    await readWith('A-1', 'A-2');
    const { connector } = fixture.shop.connection;
    async function* part(): AsyncGenerator<CatalogPage, CatalogEnd> {
      yield { asOf: fixture.time, source: 'list', entries: [aListing('A-1')] };
      return { total: null, unavailable: [], isPart: true };
    }
    for (const _ of [1, 2, 3]) {
      fixture.pass(hours(1));
      await fixture.read({ ...fixture.shop.connection, connector: { ...connector, readListings: part } });
    }
    expect(await missing()).toEqual([]);
    expect(await lastRead()).toMatchObject({ problem: null, succeededAt: fixture.time });
  });

  test('is compared by the sync that contained it, whatever the clock shows', async () => {
    await readWith(...skus(3));
    const { connector } = fixture.shop.connection;
    async function* setBack(): AsyncGenerator<CatalogPage, CatalogEnd> {
      fixture.pass(-hours(30));
      yield { asOf: fixture.time, source: 'list', entries: skus(3).map((sku) => aListing(sku)) };
      return { total: null, unavailable: [] };
    }
    const slow = { ...fixture.shop.connection, connector: { ...connector, readListings: setBack } };
    for (const passed of [hours(40), hours(40)]) {
      fixture.pass(passed);
      await fixture.read(slow);
    }
    expect(await missing()).toEqual([]);
  });

  test('is neither repriced nor read until it is found again', async () => {
    const { db } = fixture.engine;
    await db.execute(sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'amazon'`);
    for (const sku of ['A-1', 'A-2']) {
      await addSku(db, sku);
      await addListing(db, sku, { marketplace: 'amazon' });
    }
    await addRule(db);
    const reasons = async () => {
      await fixture.engine.untilIdle();
      return (
        await rows(sql`SELECT m.reason_code AS reason FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
          ORDER BY l.sku`)
      ).map(({ reason }) => reason);
    };
    await readWith('A-1', 'A-2');
    await readWith('A-1');
    expect(await reasons()).not.toContain('gone');
    await readWith('A-1');
    expect(await reasons()).toEqual([expect.not.stringMatching('gone'), 'gone']);
    fixture.shop.asked.splice(0);
    await readWith('A-1');
    expect(fixture.shop.asked.filter((call) => call.startsWith('offers'))).toEqual(['offers A-1']);
    await readWith('A-1', 'A-2');
    expect(await reasons()).not.toContain('gone');
  });
});

describe('a catalog that is considered incomplete', () => {
  test('that lacks a large share changes nothing and reports it', async () => {
    await readWith(...skus(50));
    for (const _ of [1, 2, 3]) await readWith(...skus(39));
    expect(await missing()).toEqual([]);
    expect(await lastRead()).toMatchObject({
      problem: expect.stringContaining(
        "Amazon's catalog did not include 11 of 50 known listings. They are kept",
      ),
      counts: { read: 39, missing: 11, gone: 0 },
      succeededAt: fixture.time,
    });
    await readWith(...skus(50));
    expect(await lastRead()).toMatchObject({ problem: null });
  });

  test.each([
    ['not more than ten', 20, 10],
    ['not more than a fifth', 60, 48],
  ])('is none where %s are missing', async (_, before, after) => {
    await readWith(...skus(before));
    for (const __ of [1, 2]) await readWith(...skus(after));
    expect(await missing()).toHaveLength(before - after);
  });

  test('that is empty, also in a small store', async () => {
    await readWith('A-1', 'A-2');
    for (const _ of [1, 2]) await readWith();
    expect(await missing()).toEqual([]);
    expect(await lastRead()).toMatchObject({
      problem: expect.stringContaining('2 of 2 known listings'),
    });
  });

  test('between two others does not count', async () => {
    await readWith(...skus(50));
    await readWith(...skus(49));
    await readWith(...skus(20));
    expect(await missing()).toEqual([]);
    await readWith(...skus(49));
    expect(await missing()).toEqual(['A-50']);
  });
});

test('listings that no sync ever contained are only counted', async () => {
  for (const sku of skus(3, 'FILE')) await addListing(fixture.engine.db, sku, { marketplace: 'amazon' });
  await addListing(fixture.engine.db, 'FILE-9', { marketplace: 'ebay' });
  for (const _ of [1, 2, 3]) await readWith('A-1');
  expect(await missing()).toEqual([]);
  expect(await lastRead()).toMatchObject({ problem: null, counts: { neverFound: 3, gone: 0 } });
});

test('a listing that was deleted here is not detected as missing', async () => {
  await readWith('A-1', 'A-2');
  await fixture.engine.db.execute(
    sql`UPDATE listings SET deleted_at = ${new Date(instant(fixture.time)).toISOString()} WHERE sku = 'A-2'`,
  );
  for (const _ of [1, 2]) await readWith('A-1');
  expect(await missing()).toEqual([]);
});
