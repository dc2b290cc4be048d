import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NAMELESS, unreadableRow } from '#connectors/passed-over.ts';
import { listPassedOver, listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { cents, hours } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { anAccount } from '#tests/support/connector-fixture.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import { addListing } from '#tests/support/seed.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';

const fixture = syncFixture('walmart');
const { rows } = fixture;
const lastRead = async () => (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings');
const passedOver = () => listPassedOver(fixture.engine.db, 'walmart');

function anItem(sku: string): Record<string, unknown> {
  return {
    sku,
    wpid: `wp-${sku}`,
    productName: `Product ${sku}`,
    price: { currency: 'USD', amount: 19.99 },
    publishedStatus: 'PUBLISHED',
    lifecycleStatus: 'ACTIVE',
  };
}

const priced = (amount: unknown) => ({ price: { currency: 'USD', amount } });

/** What Walmart may send in place of an item, and how it is named. */
const ODD: readonly (readonly [why: string, member: string | null, of: (sku: string) => unknown])[] = [
  ['unreadable', 'price.amount', () => priced(-1)],
  ['unreadable', 'price.amount', () => priced('USD 5')],
  ['unreadable', 'price.amount', () => priced('12,99')],
  ['unreadable', 'price.amount', () => priced({ value: 5 })],
  ['unreadable', 'price.amount', () => priced(true)],
  ['unreadable', 'price.amount', () => priced(1e12)],
  ['unreadable', 'price', () => ({ price: 19.99 })],
  ['unreadable', 'price.currency', () => ({ price: { currency: 7, amount: 5 } })],
  ['unreadable', 'productName', () => ({ productName: 5 })],
  ['unreadable', 'productType', () => ({ productType: ['Paints'] })],
  ['unreadable', 'publishedStatus', () => ({ publishedStatus: 1 })],
  ['unreadable', 'lifecycleStatus', () => ({ lifecycleStatus: {} })],
  ['unreadable', 'wpid', () => ({ wpid: 5 })],
  ['unreadable', 'sku', (sku) => ({ sku: { code: sku } })],
  ['unreadable', 'row', () => null],
  ['no_sku', null, () => ({ sku: null })],
  ['no_sku', null, (sku) => ({ sku: sku.repeat(60) })],
  ['other_currency', null, () => ({ price: { currency: 'CAD', amount: 19.99 } })],
  ['price_not_in_cents', 'price', () => priced(19.995)],
  ['repeated', null, () => ({ sku: 'W-0', ...priced(12) })],
];

describe('a catalog with odd rows among many', () => {
  let walmart: FakeWalmart;
  beforeEach(async () => {
    walmart = await startFakeWalmart();
  });
  afterEach(() => walmart.close());

  test('is taken but for these, and each of them is named', async () => {
    const count = asMany(1_000, 10_000);
    const each = asMany(1, 5);
    const odd = ODD.flatMap((way) => Array.from({ length: each }, () => way));
    for (let at = 0; at < count; at++) {
      const sku = `W-${at}`;
      // Spread over the pages, from the second row on.
      const way = at % 49 === 1 ? odd[(at - 1) / 49] : undefined;
      const change = way?.[2](sku);
      walmart.items.push(
        change === null ? (null as never) : { ...anItem(sku), ...(change as object | undefined) },
      );
      walmart.catalog.push({ sku, itemId: `item-${sku}`, fulfillmentType: 'Seller Fulfilled' });
    }
    const connection = {
      marketplace: 'walmart' as const,
      connector: walmart.connect(),
      generation: 0,
      account: anAccount(WALMART_PAIR),
    };
    fixture.pass(hours(1));
    await fixture.read(connection);
    const taken = count - odd.length;
    expect(await rows(sql`SELECT count(*)::int AS count FROM listings`)).toEqual([{ count: taken }]);
    const named = (await passedOver()).filter(({ kind }) => kind === 'listings');
    const inOrder = (one: string, other: string): number => (one < other ? -1 : 1);
    expect(named.map(({ why, member }) => `${why} ${member}`).toSorted(inOrder)).toEqual(
      odd.map(([why, member]) => `${why} ${member}`).toSorted(inOrder),
    );
    for (const { what } of named) expect(what).not.toBe('');
    expect(await lastRead()).toMatchObject({
      problem: null,
      counts: { read: count, added: taken, passedOver: odd.length - each, withoutPrice: each },
    });
  });
});

describe('a price that is finer than a cent', () => {
  const held = () =>
    rows(sql`SELECT l.current_price::text AS price, l.held_by AS "heldBy", m.price_not_in_cents AS told
      FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id ORDER BY l.id`);

  test('is not taken: the listing is not repriced until its marketplace shows another', async () => {
    await addListing(fixture.engine.db, 'W-1', { marketplace: 'walmart' });
    const fine = aListing('W-1', { price: null, priceNotInCents: '19.995', notRepriceableReason: undefined });
    fixture.shop.catalog = [[fine]];
    fixture.pass(hours(1));
    await fixture.read();
    expect(await held()).toEqual([{ price: '20.00', heldBy: 'Walmart', told: '19.995' }]);
    expect(await lastRead()).toMatchObject({ counts: { read: 1, passedOver: 0, withoutPrice: 1 } });
    fixture.shop.catalog = [[aListing('W-1', { notRepriceableReason: undefined })]];
    fixture.pass(hours(1));
    await fixture.read();
    expect(await held()).toEqual([{ price: '20.00', heldBy: null, told: null }]);
    expect(await passedOver()).toEqual([]);
  });
});

describe('a row that cannot be read', () => {
  const missing = async () =>
    (await rows(sql`SELECT sku FROM listings WHERE missing_since IS NOT NULL ORDER BY sku`)).map(
      ({ sku }) => sku,
    );
  async function readTwice(...entries: Parameters<typeof unreadableRow>[0][]): Promise<void> {
    fixture.shop.catalog = [entries.map((what) => unreadableRow(what, 'price.amount', 'USD 5'))];
    for (const _ of [1, 2, 3]) {
      fixture.pass(hours(1));
      await fixture.read();
    }
  }

  test('still says that its listing exists, by SKU or by number', async () => {
    fixture.shop.catalog = [[aListing('W-1'), aListing('W-2'), aListing('W-3')]];
    await fixture.read();
    await readTwice('W-1', 'item-W-2');
    expect(await missing()).toEqual(['W-3']);
    expect(
      await rows(sql`SELECT count(*)::int AS moves FROM price_history WHERE old_price IS NOT NULL`),
    ).toEqual([{ moves: 0 }]);
  });

  test('and names no listing may be any of ours: none counts as missing', async () => {
    fixture.shop.catalog = [[aListing('W-1'), aListing('W-2')]];
    await fixture.read();
    await readTwice('W-1', NAMELESS);
    expect(await missing()).toEqual([]);
  });
});

// C26
test('a reading in another format is not used at all', async () => {
  const listings = Array.from({ length: 42 }, (_, at) => aListing(`W-${at}`));
  const odd = Array.from({ length: 18 }, (_, at) => unreadableRow(`V-${at}`, 'price.amount', 'USD 5'));
  fixture.shop.catalog = [listings, odd];
  fixture.pass(hours(1));
  await fixture.read();
  expect(await rows(sql`SELECT sku FROM listings`)).toEqual([]);
  expect(await lastRead()).toMatchObject({
    problem: expect.stringContaining('price.amount'),
    succeededAt: null,
  });
});

test('offers, figures and orders are read but for the rows that cannot be read', async () => {
  await addListing(fixture.engine.db, 'W-1', { marketplace: 'walmart' });
  fixture.shop.catalog = [[aListing('W-1', { price: cents(2_000) })]];
  fixture.shop.sales = [[unreadableRow('PO-1', 'orderLines', 'none')]];
  const { connector } = fixture.shop.connection;
  const row = unreadableRow('W-1', 'buyBoxTotalPrice', 'cheap');
  async function* unread(_: unknown, refs: readonly { listingId: number }[]) {
    yield refs.map(({ listingId }) => ({ kind: 'unread' as const, listingId, why: 'Odd.', row }));
  }
  fixture.pass(hours(1));
  await fixture.read({
    ...fixture.shop.connection,
    connector: { ...connector, readOffers: unread, readFigures: unread },
  });
  const found = (await passedOver()).map(({ kind, what, member }) => `${kind} ${what} ${member}`);
  expect(found).toEqual([
    'figures W-1 buyBoxTotalPrice',
    'offers W-1 buyBoxTotalPrice',
    'sales PO-1 orderLines',
  ]);
  const counts = Object.fromEntries(
    (await listSyncs(fixture.engine.db)).map(({ kind, counts: of }) => [kind, of]),
  );
  expect(counts).toMatchObject({
    offers: { read: 1, passedOver: 1, unread: 0 },
    figures: { read: 1, passedOver: 1, unread: 0 },
    sales: { read: 1, passedOver: 1, recorded: 0 },
  });
});
