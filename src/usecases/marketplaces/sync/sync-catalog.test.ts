import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { CatalogEnd, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { bps, cents, hours, instant } from '#domain/units.ts';
import { addListing } from '#tests/support/seed.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';

const fixture = syncFixture('amazon');
const { read, pass, rows } = fixture;

const stored = () =>
  rows(sql`SELECT sku, title, current_price AS price, marketplace_item_id AS item, held_by AS "heldBy"
    FROM listings WHERE deleted_at IS NULL ORDER BY sku`);

const suspects = () =>
  rows(sql`SELECT l.sku, s.price, s.source, s.next_read_at IS NOT NULL AS "isToBeRead"
    FROM suspect_prices s JOIN listings l ON l.id = s.listing_id WHERE s.open_since IS NOT NULL ORDER BY l.sku`);
const catalogCounts = async () =>
  (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')?.counts;

const shippers = () => rows(sql`SELECT sku, fulfillment_type AS type FROM listings ORDER BY sku`);

describe('the catalog', () => {
  test('brings new listings in, with the price that buyers see and the names that calls need', async () => {
    fixture.shop.catalog = [
      [aListing('A-1', { keys: { productType: 'MUG' } })],
      [aListing('A-2', { quantity: null })],
    ];
    await read();
    expect(await stored()).toEqual([
      { sku: 'A-1', title: 'Product A-1', price: '20.00', item: 'item-A-1', heldBy: null },
      { sku: 'A-2', title: 'Product A-2', price: '20.00', item: 'item-A-2', heldBy: null },
    ]);
    expect(
      await rows(sql`SELECT keys, is_active AS active, quantity FROM marketplace_listings ORDER BY 3`),
    ).toEqual([
      { keys: { productType: 'MUG' }, active: true, quantity: 5 },
      { keys: {}, active: true, quantity: null },
    ]);
    expect(await rows(sql`SELECT source, new_price FROM price_history`)).toHaveLength(2);
  });

  test('product type and category follow the marketplace, and stay where it reports none', async () => {
    const types = () =>
      rows(sql`SELECT product_type AS type, external_category AS path FROM listings ORDER BY sku`);
    fixture.shop.catalog = [[aListing('A-1', { productType: 'MUG' }), aListing('A-2')]];
    await read();
    expect(await types()).toEqual([
      { type: 'MUG', path: null },
      { type: null, path: null },
    ]);
    fixture.shop.catalog = [
      [aListing('A-1'), aListing('A-2', { productType: 'TEAPOT', categoryPath: '11700/20625' })],
    ];
    pass(hours(2));
    await read();
    expect(await types()).toEqual([
      { type: 'MUG', path: null },
      { type: 'TEAPOT', path: '11700/20625' },
    ]);
  });

  test('fixed prices in other price lists are noted with their share', async () => {
    fixture.shop.catalog = [[aListing('A-1')]];
    const fixedPriceLists = [{ name: 'EU', fixed: 1_200, of: 4_000 }];
    fixture.shop.catalogEnd = { total: null, unavailable: [], fixedPriceLists };
    await read();
    const [sync] = (await listSyncs(fixture.engine.db)).filter(({ kind }) => kind === 'listings');
    expect(sync?.notes).toEqual([expect.stringMatching(/EU .*1,200 of 4,000.*\(30%\)/)]);
    expect(sync?.problem).toBeNull();
  });

  test('business prices follow the marketplace, and stay where it reports nothing about them', async () => {
    const offers = () =>
      rows(sql`SELECT l.sku, b.price, b.tiers, b.lowest_price AS lowest
        FROM business_offers b JOIN listings l ON l.id = b.listing_id ORDER BY l.sku`);
    const tiers = [{ from: 10, discount: bps(1_000) }];
    fixture.shop.catalog = [
      [
        aListing('A-1', { businessOffer: { price: cents(1_900), tiers } }),
        aListing('A-2', { businessOffer: { price: null, tiers } }),
        aListing('A-3', { businessOffer: null }),
      ],
    ];
    await read();
    const first = { sku: 'A-1', price: '19.00', tiers, lowest: '17.10' };
    expect(await offers()).toEqual([first, { sku: 'A-2', price: null, tiers, lowest: '18.00' }]);
    fixture.shop.catalog = [[aListing('A-1'), aListing('A-2', { businessOffer: null }), aListing('A-3')]];
    pass(hours(2));
    await read();
    expect(await offers()).toEqual([first]);
    fixture.shop.catalog = [[aListing('A-1', { businessOffer: { price: cents(1_850), tiers: [] } })]];
    pass(hours(2));
    await read();
    expect(await offers()).toEqual([{ sku: 'A-1', price: '18.50', tiers: [], lowest: '18.50' }]);
  });

  test('a listing without a price, or not for sale, is only counted', async () => {
    fixture.shop.catalog = [[aListing('A-1', { price: null }), aListing('A-2', { isActive: false })]];
    await read();
    expect(await stored()).toEqual([]);
    expect(
      (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')?.counts,
    ).toMatchObject({
      read: 2,
      added: 0,
      leftOut: 2,
    });
  });

  test('a new listing with an unknown fulfillment type is only counted, separately', async () => {
    fixture.shop.catalog = [[aListing('A-1', { fulfillmentType: null }), aListing('A-2', { price: null })]];
    await read();
    expect(await stored()).toEqual([]);
    const counts = async () =>
      (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')?.counts;
    expect(await counts()).toMatchObject({ read: 2, added: 0, leftOut: 1, withoutShipper: 1 });
    // It is added once the marketplace reports the type.
    fixture.shop.catalog = [[aListing('A-1', { fulfillmentType: 'FBA/WFS' })]];
    pass(hours(2));
    await read();
    expect(await shippers()).toEqual([{ sku: 'A-1', type: 'FBA/WFS' }]);
    expect(await counts()).toMatchObject({ added: 1, withoutShipper: 0 });
  });

  test('a known listing keeps its fulfillment type until the marketplace reports one', async () => {
    for (const [sku, fulfillmentType] of [
      ['A-1', 'FBA/WFS'],
      ['A-2', 'FBM'],
      ['A-3', 'FBA/WFS'],
    ] as const) {
      await addListing(fixture.engine.db, sku, { marketplace: 'amazon', fulfillmentType });
    }
    fixture.shop.catalog = [
      [
        aListing('A-1', { fulfillmentType: null, title: 'New name' }),
        aListing('A-2', { fulfillmentType: null }),
      ],
      [aListing('A-3', { fulfillmentType: 'FBM' })],
    ];
    await read();
    expect(await shippers()).toEqual([
      { sku: 'A-1', type: 'FBA/WFS' },
      { sku: 'A-2', type: 'FBM' },
      { sku: 'A-3', type: 'FBM' },
    ]);
    expect(await stored()).toMatchObject([{ title: 'New name' }, {}, {}]);
  });

  test('one that a user deleted stays deleted', async () => {
    const id = await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    await fixture.engine.db.execute(
      sql`UPDATE listings SET deleted_at = created_at + interval '1 minute' WHERE id = ${id}`,
    );
    fixture.shop.catalog = [[aListing('A-1')]];
    await read();
    expect(await stored()).toEqual([]);
  });

  test('known ones follow the title; a report without pictures takes none away', async () => {
    await addListing(fixture.engine.db, 'A-1', {
      marketplace: 'amazon',
      imageUrl: 'https://img.example/a.png',
    });
    fixture.shop.catalog = [[aListing('A-1', { title: 'New name' })]];
    await read();
    expect(await rows(sql`SELECT title, image_url AS image FROM listings`)).toEqual([
      { title: 'New name', image: 'https://img.example/a.png' },
    ]);
  });

  test('a title that is only the SKU takes none away; a new listing has it until there is a better one', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon', title: 'Coffee mug' });
    fixture.shop.catalog = [[aListing('A-1', { title: 'A-1' }), aListing('A-2', { title: 'A-2' })]];
    await read();
    expect(await stored()).toMatchObject([{ title: 'Coffee mug' }, { title: 'A-2' }]);
    fixture.shop.catalog = [[aListing('A-2', { title: 'Tea pot' })]];
    pass(hours(2));
    await read();
    expect(await stored()).toMatchObject([{ title: 'Coffee mug' }, { title: 'Tea pot' }]);
  });

  test('another price is checked once the catalog was read: nothing is adopted and nothing held', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    fixture.shop.catalogSource = 'document';
    fixture.shop.catalog = [[aListing('A-1', { price: cents(2_100) })]];
    await read();
    expect(await stored()).toMatchObject([{ price: '20.00', heldBy: null }]);
    expect(await suspects()).toEqual([{ sku: 'A-1', price: '21.00', source: 'document', isToBeRead: true }]);
    expect(await catalogCounts()).toMatchObject({ suspects: 1, stale: 0 });
  });

  test('another price is checked also when the catalog breaks off', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    const { connector } = fixture.shop.connection;
    async function* failing(): AsyncGenerator<CatalogPage, CatalogEnd> {
      const entries = [aListing('A-1', { price: cents(2_100) })];
      yield { asOf: fixture.time, source: 'list', entries };
      throw new ConnectorError('unreadable', 'Unexpected response from Amazon: not JSON.');
    }
    await read({ ...fixture.shop.connection, connector: { ...connector, readListings: failing } });
    expect(await suspects()).toMatchObject([{ sku: 'A-1', source: 'list', isToBeRead: true }]);
  });

  test('a price of ours that went live while the document was written is no edit, whichever page it is on', async () => {
    const { db } = fixture.engine;
    for (const sku of ['A-1', 'A-2']) await addListing(db, sku, { marketplace: 'amazon' });
    const { connector } = fixture.shop.connection;
    async function* written(): AsyncGenerator<CatalogPage, CatalogEnd> {
      const asOf = fixture.time;
      pass(hours(0.05));
      await db.execute(sql`
        INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
        SELECT id, 20, 19, 'Moved', 'rule', 10, ${new Date(fixture.time).toISOString()}::timestamptz
        FROM listings WHERE sku = 'A-2'`);
      pass(hours(0.05));
      for (const sku of ['A-1', 'A-2']) yield { asOf, source: 'document', entries: [aListing(sku)] };
      return { total: null, unavailable: [] };
    }
    const slow = { ...fixture.shop.connection, connector: { ...connector, readListings: written } };
    await read(slow);
    expect(await stored()).toMatchObject([
      { sku: 'A-1', price: '20.00', heldBy: null },
      { sku: 'A-2', price: '19.00', heldBy: null },
    ]);
    // With the next document it is compared again: this one was begun after our price was live.
    pass(hours(1));
    fixture.shop.catalog = [[aListing('A-1')], [aListing('A-2', { price: cents(2_100) })]];
    await read();
    expect(await suspects()).toMatchObject([{ sku: 'A-2', price: '21.00' }]);
  });

  test('a listing priced by another program is on hold until it no longer is', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    fixture.shop.catalog = [[aListing('A-1', { notRepriceableReason: 'A promotion runs.' })]];
    await read();
    expect(await stored()).toMatchObject([{ heldBy: 'Amazon' }]);
    fixture.shop.catalog = [[aListing('A-1')]];
    pass(hours(2));
    await read();
    expect(await stored()).toMatchObject([{ heldBy: null }]);
  });

  test("a user's hold stays", async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon', heldBy: 'Ann', holdReason: 'Sale' });
    fixture.shop.catalog = [[aListing('A-1', { notRepriceableReason: 'A promotion runs.' })]];
    await read();
    pass(hours(2));
    fixture.shop.catalog = [[aListing('A-1')]];
    await read();
    expect(await stored()).toMatchObject([{ heldBy: 'Ann' }]);
  });

  test('the same listing on two pages is one', async () => {
    fixture.shop.catalog = [[aListing('A-1')], [aListing('A-1', { title: 'Again' })]];
    await read();
    expect(await stored()).toMatchObject([{ title: 'Product A-1' }]);
  });

  test('a failure half way keeps what was read, and says what went wrong', async () => {
    fixture.shop.catalog = [[aListing('A-1')]];
    await read();
    const { connector } = fixture.shop.connection;
    const broken = { ...fixture.shop.connection, connector: { ...connector, readListings: failing } };
    async function* failing(): AsyncGenerator<CatalogPage, CatalogEnd> {
      yield { asOf: fixture.time, source: 'list', entries: [aListing('A-2')] };
      throw new ConnectorError('unreadable', 'Unexpected response from Amazon: not JSON.');
    }
    pass(hours(2));
    await read(broken);
    expect(await stored()).toHaveLength(2);
    expect((await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')).toMatchObject({
      problem: 'Unexpected response from Amazon: not JSON.',
      startedAt: fixture.time,
      succeededAt: instant(fixture.time - hours(2)),
    });
  });
});
