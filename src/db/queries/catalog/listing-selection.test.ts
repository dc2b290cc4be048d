import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { cents, instant } from '#domain/units.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { readListingLabels, readSkuLabels } from './label-counts.ts';
import type { ListingFilter } from './listing-filter.ts';
import { readSelection } from './listing-selection.ts';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
const HOUR = 3_600_000;
let database: TestDatabase;
let open: Database;
const ids = new Map<string, number>();

async function add(sku: string, over: Partial<typeof listings.$inferInsert> = {}): Promise<number> {
  const price = over.currentPrice ?? cents(10_00);
  const [row] = await open.db
    .insert(listings)
    .values({
      sku,
      title: `Title of ${sku}`,
      fulfillmentType: 'FBM',
      currentPrice: price,
      anchorPrice: price,
      ...over,
    })
    .returning({ id: listings.id });
  if (!row) throw new Error('no row');
  ids.set(sku, row.id);
  return row.id;
}

async function decided(sku: string, over: Partial<typeof listingMetrics.$inferInsert>): Promise<void> {
  const id = ids.get(sku);
  if (id === undefined) throw new Error(sku);
  await open.db
    .insert(listingMetrics)
    .values({ listingId: id, decidedAt: NOW, outcome: 'keep', reasonCode: 'already_there', ...over });
}

beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
  await add('PLAIN');
  await add('BELOW');
  await decided('BELOW', { marginFloor: cents(10_01), outcome: 'change', reasonCode: 'repair' });
  await add('AT', { marketplace: 'amazon' });
  await decided('AT', { marginFloor: cents(10_00) });
  await add('ABOVE', { fulfillmentType: 'FBA/WFS' });
  await decided('ABOVE', { marginFloor: cents(9_99) });
  await add('NO-COST');
  await decided('NO-COST', {
    outcome: 'blocked',
    reasonCode: 'unknown_cost',
    missingFacts: ['no_product_cost', 'no_weight'],
  });
  await add('NO-FEES');
  await decided('NO-FEES', { outcome: 'blocked', reasonCode: 'no_fee_schedule' });
  await add('UNRULED');
  await decided('UNRULED', { reasonCode: 'own_rule_paused' });
  await add('WAITS', { recommendedPrice: cents(9_00), recommendedPriceReason: 'Beat Amazon' });
  await add('HELD', { heldBy: 'Ann', holdReason: 'Sale' });
  await add('HELD-ON', { heldBy: 'Ann', holdReason: 'Sale', heldUntil: instant(NOW + HOUR) });
  await add('HELD-OUT', { heldBy: 'Ann', holdReason: 'Sale', heldUntil: NOW });
  await add('UPLOAD', { awaitingUploadSince: NOW });
  await add('OFF', { autoRepricingEnabled: false });
  await add('DELETED', { deletedAt: NOW });
  await add('100%_\\', { title: `${'x'.repeat(950)} Émail MUG at the end` });
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

async function shown(filter: ListingFilter): Promise<string[]> {
  const { ids: found } = await readSelection(open.db, { filter, expected: 0 }, NOW);
  const names = new Map([...ids].map(([sku, id]) => [id, sku]));
  return found.map((id) => names.get(id) ?? 'unknown');
}

test.each([
  [{ state: 'repriceable' }, ['BELOW', 'AT', 'ABOVE']],
  [{ state: 'blocked' }, ['NO-COST', 'NO-FEES', 'UNRULED']],
  [{ state: 'below_floor' }, ['BELOW']],
  [{ state: 'at_floor' }, ['AT']],
  [{ state: 'recommended' }, ['WAITS']],
  [{ state: 'held' }, ['HELD', 'HELD-ON']],
  [{ state: 'to_upload' }, ['UPLOAD']],
  [{ state: 'off' }, ['OFF']],
  [{ problem: 'no_weight' }, ['NO-COST']],
  [{ problem: 'no_fee_schedule' }, ['NO-FEES']],
  [{ problem: 'no_rule' }, ['UNRULED']],
  [{ marketplace: 'amazon' }, ['AT']],
  [{ fulfillment: 'FBA/WFS' }, ['ABOVE']],
  [{ marketplace: 'amazon', fulfillment: 'FBA/WFS' }, []],
] satisfies [ListingFilter, string[]][])('the filter %o shows %j', async (filter, skus) => {
  expect(await shown(filter)).toEqual(skus);
});

test.each([
  ['no-fees', ['NO-FEES']],
  ['TITLE OF AT', ['AT']],
  ['hel', ['HELD', 'HELD-ON', 'HELD-OUT']],
  ['BE', ['BELOW']],
  ['%', ['100%_\\']],
  ['_', ['100%_\\']],
  ['\\', ['100%_\\']],
  ['%_\\', ['100%_\\']],
  ['É', ['100%_\\']],
  ['émail mug', ['100%_\\']],
  ['deleted', []],
  ["' or true", []],
])('searching %s finds %j', async (q, skus) => {
  expect(await shown({ q })).toEqual(skus);
});

test('filters by brand, supplier and tags of the listing, else of its SKU, ignoring case, or by their absence', async () => {
  await open.db.insert(skus).values([
    { sku: 'OFF', name: 'Off', brand: 'Acme', supplier: 'Midwest', tags: ['Sale', 'new'] },
    { sku: 'HELD', name: 'Held', brand: 'ACME', tags: ['old'] },
    { sku: 'UPLOAD', name: 'Upload', brand: 'Acme', tags: ['sale'], deletedAt: NOW },
  ]);
  await open.db.update(listings).set({ brand: 'Bluebird' }).where(eq(listings.sku, 'HELD'));
  await open.db.update(listings).set({ supplier: 'midwest' }).where(eq(listings.sku, 'WAITS'));
  expect(await shown({ brand: 'acme' })).toEqual(['OFF']);
  expect(await shown({ brand: 'ACME| bluebird' })).toEqual(['HELD', 'OFF']);
  expect(await shown({ supplier: 'MIDWEST' })).toEqual(['WAITS', 'OFF']);
  expect(await shown({ tag: 'old|SALE' })).toEqual(['HELD', 'OFF']);
  expect(await shown({ tag: 'old|', q: 'held' })).toEqual(['HELD', 'HELD-ON', 'HELD-OUT']);
  expect(await shown({ brand: '|', state: 'off' })).toEqual([]);
  expect(await shown({ brand: 'acme', supplier: '|' })).toEqual([]);
  const all = (await shown({})).length;
  expect(await shown({ supplier: '|' })).toHaveLength(all - 2);
  expect(await readListingLabels(open.db, 'brand', undefined)).toEqual({
    labels: [
      { label: 'Acme', count: 1 },
      { label: 'Bluebird', count: 1 },
    ],
    isCut: false,
    none: all - 2,
  });
  expect(await readListingLabels(open.db, 'tag', 'A')).toMatchObject({
    labels: [{ label: 'Sale', count: 1 }],
  });
  expect(await readSkuLabels(open.db, 'brand', undefined)).toMatchObject({
    labels: [{ label: expect.stringMatching(/^acme$/i), count: 2 }],
    none: 0,
  });
});

test('a selection by filter reports when its number has changed, and a selection by ID excludes deleted listings', async () => {
  const filter: ListingFilter = { state: 'off' };
  expect(await readSelection(open.db, { filter, expected: 1 }, NOW)).toEqual({
    ids: [ids.get('OFF')],
    isAsShown: true,
  });
  expect((await readSelection(open.db, { filter, expected: 2 }, NOW)).isAsShown).toBe(false);
  const named = ['OFF', 'DELETED', 'AT', 'OFF'].map((sku) => String(ids.get(sku)));
  expect((await readSelection(open.db, { ids: named }, NOW)).ids).toEqual([ids.get('AT'), ids.get('OFF')]);
});

test('every change of price, listing and decision updates the keys', async () => {
  const id = await add('MOVES', { marketplace: 'etsy' });
  const key = async () =>
    (
      await open.db.execute(sql`SELECT current_price, is_live, is_off, title_key, margin, floor_side
      FROM listing_keys WHERE listing_id = ${id}`)
    ).rows[0];
  await decided('MOVES', { marginFloor: cents(10_00) });
  await open.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source)
    VALUES (${id}, 10, 9, 'Seen', 'observed')`);
  expect(await key()).toMatchObject({ current_price: '9.00', floor_side: -1, is_off: false });
  await open.db.execute(
    sql`UPDATE listing_metrics SET margin = 5, margin_floor = 8 WHERE listing_id = ${id}`,
  );
  expect(await key()).toMatchObject({ margin: '5.00', floor_side: 1 });
  await open.db.execute(
    sql`UPDATE listings SET title = 'NEW', auto_repricing_enabled = false WHERE id = ${id}`,
  );
  expect(await key()).toMatchObject({ title_key: 'new', is_off: true, margin: '5.00' });
  await open.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${id}`);
  expect(await shown({ marketplace: 'etsy' })).toEqual([]);
  await open.db.execute(sql`UPDATE listing_metrics SET margin = 6 WHERE listing_id = ${id}`);
  await open.db.execute(sql`UPDATE listings SET deleted_at = null WHERE id = ${id}`);
  expect(await key()).toMatchObject({ is_live: true, margin: '6.00' });
});
