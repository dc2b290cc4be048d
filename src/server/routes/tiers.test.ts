import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleComponents, shippingTiers, skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { cents, instant, ounces } from '#domain/units.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const tier = (min: number, max: number, over: object = {}) => ({
  marketplace: 'walmart',
  fulfillmentType: 'FBM',
  minWeightOz: min,
  maxWeightOz: max,
  cost: '3.99',
  ...over,
});
const create = (payload: object) => shop.post('/api/shipping-tiers', payload, { headers: { cookie } });
const edit = (id: string, payload: object) =>
  shop.post(`/api/shipping-tiers/${id}`, payload, { method: 'PUT', headers: { cookie } });
const list = async () => (await shop.get('/api/shipping-tiers', cookie)).json();
const created = async (payload: object): Promise<{ id: string }> => (await create(payload)).json().tiers[0];

describe('adding', () => {
  test('a tier is stored as typed, and its listings are due', async () => {
    await addListing(shop.db, 'A-1');
    await addListing(shop.db, 'A-2', { marketplace: 'ebay' });
    await forgetDue(shop.db);
    const answer = await create(tier(0, 16.3));
    expect(answer.statusCode).toBe(201);
    expect(await list()).toEqual({
      tiers: [{ id: answer.json().tiers[0].id, ...tier(0, 16.3) }],
      gaps: [],
      untiered: [],
    });
    expect(await dueSkus(shop.db)).toEqual(['walmart A-1: cost']);
    expect(await auditOf(shop.db, 'tiers.created')).toMatchObject([{ actor: 'boss@example.com' }]);
  });

  test('"all" creates one for each marketplace, in the order of every screen', async () => {
    await create(tier(0, 16, { marketplace: 'all' }));
    const { tiers } = await list();
    expect(tiers.map(({ marketplace }: { marketplace: string }) => marketplace)).toEqual([
      'walmart',
      'amazon',
      'michaels',
      'ebay',
      'etsy',
      'shopify',
    ]);
  });

  test('an overlap is refused with both tiers named, and nothing of it is stored', async () => {
    await create(tier(10, 20, { marketplace: 'etsy' }));
    const answer = await create(tier(0, 10.1, { marketplace: 'all' }));
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toBe(
      '0 to 10.1 oz overlaps the tier 10 to 20 oz of Etsy FBM. Let one tier end where the next one starts.',
    );
    expect(answer.json().fields).toHaveProperty('minWeightOz');
    expect((await list()).tiers).toHaveLength(1);
  });

  test('a tier may start where another ends', async () => {
    await create(tier(0, 16.3));
    expect((await create(tier(16.3, 48))).statusCode).toBe(201);
  });

  test('an invalid tier is refused at its field', async () => {
    for (const [what, payload, field] of [
      ['a maximum at the minimum', tier(16, 16), 'maxWeightOz'],
      ['weights that the database cannot tell apart', tier(16, 16.000_000_1), 'maxWeightOz'],
      ['a negative weight', tier(-1, 16), 'minWeightOz'],
      ['a weight finer than files have', tier(1e-50, 16), 'minWeightOz'],
      ['a negative cost', tier(0, 16, { cost: '-1.00' }), 'cost'],
      ['a third decimal', tier(0, 16, { cost: '1.005' }), 'cost'],
      ['a cost of minus nothing', tier(0, 16, { cost: '-0' }), 'cost'],
      ['an unknown fulfillment type', tier(0, 16, { fulfillmentType: 'Drone' }), 'fulfillmentType'],
    ] as const) {
      const answer = await create(payload);
      expect(answer.statusCode, what).toBe(400);
      expect(Object.keys(answer.json().fields), what).toEqual([field]);
    }
  });

  test('two at the same time cannot overlap each other', async () => {
    const answers = await Promise.all([create(tier(0, 16)), create(tier(8, 24))]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });
});

describe('editing', () => {
  test('a tier does not overlap itself, and keeps its ID', async () => {
    const { id } = await created(tier(0, 16));
    const answer = await edit(id, tier(0, 20, { cost: '0.00' }));
    expect(answer.json()).toEqual({ id, ...tier(0, 20, { cost: '0.00' }) });
    expect((await list()).tiers).toEqual([{ id, ...tier(0, 20, { cost: '0.00' }) }]);
  });

  test('one that moves to another marketplace makes the listings of both due', async () => {
    const { id } = await created(tier(0, 16));
    for (const marketplace of ['walmart', 'ebay', 'etsy'] as const) {
      await addListing(shop.db, 'A-1', { marketplace });
    }
    await forgetDue(shop.db);
    await edit(id, tier(0, 16, { marketplace: 'ebay' }));
    expect(await dueSkus(shop.db)).toEqual(['ebay A-1: cost', 'walmart A-1: cost']);
  });

  test('an overlap with another one is refused', async () => {
    await create(tier(16, 48));
    const { id } = await created(tier(0, 16));
    expect((await edit(id, tier(0, 17))).json().message).toContain('16 to 48 oz of Walmart FBM');
    expect((await list()).tiers[0]).toEqual({ id, ...tier(0, 16) });
  });

  test('a deleted one is reported as not found', async () => {
    expect((await edit('7', tier(0, 16))).statusCode).toBe(404);
  });
});

test('deleting removes those that still exist and returns how many', async () => {
  const first = await created(tier(0, 16));
  const second = await created(tier(16, 48));
  await created(tier(48, 80));
  const answer = await shop.post(
    '/api/shipping-tiers/delete',
    { ids: [first.id, second.id, '999'] },
    { headers: { cookie } },
  );
  expect(answer.json()).toEqual({ deleted: 2 });
  const one = (await list()).tiers[0];
  const alone = await shop.post(`/api/shipping-tiers/${one.id}`, undefined, {
    method: 'DELETE',
    headers: { cookie },
  });
  expect(alone.json()).toEqual({ deleted: 1 });
  expect((await list()).tiers).toEqual([]);
  expect(await auditOf(shop.db, 'tiers.deleted')).toHaveLength(2);
});

test('gaps between tiers, and listings that no tier covers, are reported', async () => {
  const stored = { marketplace: 'walmart', fulfillmentType: 'FBM', cost: cents(399) } as const;
  await shop.db.insert(shippingTiers).values([
    { ...stored, minWeightOz: ounces(0), maxWeightOz: ounces(16) },
    { ...stored, minWeightOz: ounces(20), maxWeightOz: ounces(48) },
  ]);
  const [plate] = await shop.db
    .insert(skus)
    .values([
      { sku: 'PLATE', name: 'Plate', weightOz: ounces(30.5) },
      { sku: 'HEAVY', name: 'Anvil', weightOz: ounces(90) },
      { sku: 'FINE', name: 'Mug', weightOz: ounces(10) },
    ])
    .returning();
  await shop.db
    .insert(bundleComponents)
    .values({ listingSku: 'SET', componentSkuId: plate?.id ?? 0, quantity: 2 });
  const decide = async (sku: string, missingFacts: string[]) =>
    shop.db.insert(listingMetrics).values({
      listingId: await addListing(shop.db, sku),
      missingFacts,
      decidedAt: instant(0),
    });
  await decide('SET', ['no_tier']);
  await decide('HEAVY', ['no_tier']);
  await decide('FINE', []);
  expect(await list()).toMatchObject({
    gaps: [{ marketplace: 'walmart', fulfillmentType: 'FBM', minWeightOz: 16, maxWeightOz: 20 }],
    untiered: [
      { marketplace: 'walmart', fulfillmentType: 'FBM', listings: 2, lightestOz: 61, heaviestOz: 90 },
    ],
  });
});
