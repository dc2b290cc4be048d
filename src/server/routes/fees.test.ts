import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FeeScheduleView, Fees } from '#contract/fees.ts';
import { readFeePlans } from '#db/queries/catalog/fee-terms.ts';
import { readSalesTax } from '#db/queries/repricing/pricing-context.ts';
import { feeFacts } from '#db/schema/fee-facts.ts';
import { feeTerms } from '#db/schema/fees.ts';
import { moneyReads } from '#db/schema/money.ts';
import { profitTotals } from '#db/schema/profit.ts';
import { setupFlags } from '#db/schema/settings.ts';
import { bps, cents, hours, instant } from '#domain/units.ts';
import { readCategoryMap } from '#files/read-category-map.ts';
import { readShippedFees, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { loadCategoryMap } from '#usecases/catalog/fees/load-category-map.ts';
import { loadShippedFees } from '#usecases/catalog/fees/load-shipped-fees.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const band = (percent: string, over: object = {}) => ({
  upTo: null,
  percent,
  percentTaxed: '0.00',
  fixed: '0.00',
  perUnit: '0.00',
  minimum: '0.00',
  ...over,
});
const APPAREL = {
  marketplace: 'walmart',
  category: 'Apparel',
  effectiveFrom: null,
  kind: 'whole',
  bands: [band('5.00', { upTo: '15.00' }), band('10.00', { upTo: '20.00' }), band('15.00')],
};
const create = (payload: object) => shop.post('/api/fees', payload, { headers: { cookie } });
const edit = (id: string, payload: object) =>
  shop.post(`/api/fees/${id}`, payload, { method: 'PUT', headers: { cookie } });
const remove = (id: string, query = '') =>
  shop.post(`/api/fees/${id}${query}`, undefined, { method: 'DELETE', headers: { cookie } });
const list = async (): Promise<Fees> => (await shop.get('/api/fees', cookie)).json();
const find = async (marketplace: string, category: string | null = null): Promise<FeeScheduleView> => {
  const { schedules } = await list();
  const found = schedules.find((each) => each.marketplace === marketplace && each.category === category);
  if (found === undefined) throw new Error('no such schedule');
  return found;
};

describe('reading', () => {
  test('a new installation has a current default for each of the six', async () => {
    const { schedules, uncovered, checked } = await list();
    expect(schedules.map(({ marketplace, state }) => `${marketplace} ${state}`)).toEqual(
      ['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'].map((name) => `${name} in_force`),
    );
    expect(schedules.find(({ marketplace }) => marketplace === 'ebay')?.bands).toEqual([
      band('13.60', { upTo: '10.00', fixed: '0.30' }),
      band('13.60', { fixed: '0.40' }),
    ]);
    expect(uncovered).toEqual([]);
    expect(checked).toBeNull();
  });

  test('counts listings by category in any spelling, and lists those without a fee', async () => {
    await create(APPAREL);
    await addListing(shop.db, 'A-1');
    await addListing(shop.db, 'A-2', { feeCategory: 'Apparel' });
    await addListing(shop.db, 'A-3', { feeCategory: ' apparel ' });
    await addListing(shop.db, 'A-4', { feeCategory: 'Shoes' });
    await addListing(shop.db, 'A-5', { feeCategory: 'SHOES' });
    await addListing(shop.db, 'A-6', { deletedAt: instant(0) });
    expect((await find('walmart')).listings).toBe(1);
    expect((await find('walmart', 'Apparel')).listings).toBe(2);
    expect((await list()).uncovered).toEqual([
      { marketplace: 'walmart', category: expect.stringMatching(/^shoes$/i), listings: 2 },
    ]);
  });

  test('a later date is upcoming until it applies, and then the older one is past', async () => {
    await addListing(shop.db, 'A-1');
    await create({ ...APPAREL, category: null, effectiveFrom: '2026-02-01T00:00:00.000Z' });
    const states = async () =>
      (await list()).schedules
        .filter(({ marketplace }) => marketplace === 'walmart')
        .map(({ state, listings }) => `${state} ${listings}`);
    expect(await states()).toEqual(['in_force 1', 'coming 0']);
    shop.advance(31 * 86_400_000);
    cookie = await shop.logIn('boss@example.com');
    expect(await states()).toEqual(['past 0', 'in_force 1']);
  });

  test('shows who confirmed the fees', async () => {
    await shop.db
      .insert(setupFlags)
      .values({ name: 'fees_checked', reachedAt: instant(0), reachedBy: 'boss@example.com' });
    expect((await list()).checked).toEqual({ at: '1970-01-01T00:00:00.000Z', by: 'boss@example.com' });
  });
});

describe('saving', () => {
  test('keeps bands in order and makes the listings of the marketplace due', async () => {
    await addListing(shop.db, 'A-1');
    await addListing(shop.db, 'A-1', { marketplace: 'etsy' });
    await forgetDue(shop.db);
    const answer = await create({ ...APPAREL, category: '  Apparel ' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ ...APPAREL, state: 'in_force', createdBy: 'boss@example.com' });
    expect((await find('walmart', 'Apparel')).bands).toEqual(APPAREL.bands);
    expect(await dueSkus(shop.db)).toEqual(['walmart A-1: fees']);
    expect(await auditOf(shop.db, 'fees.created')).toHaveLength(1);
  });

  test('parts on the total with sales tax and per unit are kept, and 0 where a caller leaves them out', async () => {
    const taxed = { percentTaxed: '13.60', perUnit: '0.20' };
    const bands = [band('0.00', { ...taxed, upTo: '10.00' }), band('0.00', taxed)];
    const answer = await create({ ...APPAREL, edgeBase: 'with_tax', bands });
    expect(answer.json()).toMatchObject({ edgeBase: 'with_tax', bands });
    const { percentTaxed, perUnit, ...plain } = band('9.00');
    const second = await create({ ...APPAREL, category: 'Plain', bands: [plain] });
    expect(second.json()).toMatchObject({ edgeBase: 'revenue', bands: [band('9.00')] });
  });

  test('an edit replaces the schedule under a new ID; a stale page finds the old one deleted', async () => {
    const { id } = await find('walmart');
    const wanted = { ...APPAREL, category: null, bands: [band('12.00', { minimum: '0.50' })] };
    const answer = await edit(id, wanted);
    expect(answer.json()).toMatchObject(wanted);
    expect(answer.json().id).not.toBe(id);
    expect((await list()).schedules).toHaveLength(6);
    expect((await edit(id, wanted)).statusCode).toBe(404);
    expect(await auditOf(shop.db, 'fees.edited')).toMatchObject([{ before: { id: Number(id) } }]);
  });

  test('an edit to another marketplace makes the listings of both due', async () => {
    const { id } = (await create(APPAREL)).json();
    await addListing(shop.db, 'A-1');
    await addListing(shop.db, 'A-1', { marketplace: 'etsy' });
    await forgetDue(shop.db);
    await edit(id, { ...APPAREL, marketplace: 'etsy' });
    expect(await dueSkus(shop.db)).toEqual(['etsy A-1: fees', 'walmart A-1: fees']);
  });

  test('a marketplace and category has one schedule per day, in any spelling', async () => {
    await create(APPAREL);
    const again = await create({ ...APPAREL, category: 'APPAREL' });
    expect(again.statusCode).toBe(409);
    expect(again.json().message).toContain('Walmart Apparel');
    expect((await create({ ...APPAREL, effectiveFrom: '2026-02-01T00:00:00.000Z' })).statusCode).toBe(201);
  });

  test.each([
    ['no last band', [band('5.00', { upTo: '15.00' })], /last band/],
    [
      'bands that fall',
      [band('5.00', { upTo: '15.00' }), band('6.00', { upTo: '9.00' }), band('7.00')],
      /above/,
    ],
    ['an end in the middle', [band('5.00'), band('6.00')], /only the last band/],
  ])('%s is refused in the words of the domain', async (_, bands, message) => {
    const answer = await create({ ...APPAREL, bands });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(message);
    expect((await list()).schedules).toHaveLength(6);
  });

  test('invalid parts, bands and categories are refused', async () => {
    for (const over of [
      { bands: [band('100.01')] },
      { bands: [band('1.005')] },
      { bands: [band('1.00', { fixed: '-0.30' })] },
      { bands: [] },
      { category: '  ' },
    ])
      expect((await create({ ...APPAREL, ...over })).statusCode, JSON.stringify(over)).toBe(400);
  });
});

describe('the plan and the sales tax of a marketplace', () => {
  const saveTerms = (marketplace: string, payload: object) =>
    shop.post(`/api/fee-terms/${marketplace}`, payload, { method: 'PUT', headers: { cookie } });
  const STORE = 'Basic store or above';

  test('another plan replaces its published fees, never those of a user, and a restart keeps it', async () => {
    await loadShippedFees(shop.deps, schedulesOfPlans(await readShippedFees()));
    const { id, bands } = await find('ebay', 'Guitars & Basses');
    await edit(id, {
      ...APPAREL,
      marketplace: 'ebay',
      category: 'Guitars & Basses',
      kind: 'marginal',
      bands,
    });
    await remove((await find('ebay', 'Bullion')).id);
    const before = await list();
    expect(before.terms.find(({ marketplace }) => marketplace === 'ebay')).toEqual({
      marketplace: 'ebay',
      plan: 'No store or Starter',
      plans: ['No store or Starter', STORE],
      salesTax: null,
      countedSalesTax: '8.00',
      salesTaxSource: 'assumed',
      learnedSalesTax: null,
      learnedFromOrders: null,
      adShare: null,
      returnShare: null,
      learned: null,
    });
    const answer = await saveTerms('ebay', { plan: STORE, salesTax: null });
    expect(answer.statusCode).toBe(200);
    expect((await find('ebay')).bands[0]).toMatchObject({ percentTaxed: '12.70', fixed: '0.30' });
    expect((await find('ebay', 'Guitars & Basses')).bands).toEqual(bands);
    const after = await list();
    expect(after.schedules).toHaveLength(before.schedules.length);
    expect(await auditOf(shop.db, 'fees.terms_saved')).toMatchObject([{ after: { plan: STORE } }]);
    await loadShippedFees(shop.deps, schedulesOfPlans(await readShippedFees(), await readFeePlans(shop.db)));
    expect((await list()).schedules).toEqual(after.schedules);
  });

  test('another sales tax makes the listings of the marketplace due and moves their margin floors', async () => {
    await loadShippedFees(shop.deps, schedulesOfPlans(await readShippedFees()));
    await addSku(shop.db, 'A-1');
    await addRule(shop.db);
    await addListing(shop.db, 'A-1', { marketplace: 'etsy' });
    await addListing(shop.db, 'A-2', { marketplace: 'ebay' });
    await forgetDue(shop.db);
    const { id } = await find('etsy');
    const floorAfterDeletion = async () => {
      const draft = { ...APPAREL, marketplace: 'etsy', category: null, bands: [band('80.00')] };
      const impact = await shop.post('/api/fees/impact', { id, schedule: draft }, { headers: { cookie } });
      return impact.json().worst[0].marginBefore;
    };
    // 20.00 - 9.74% - 0.45 - 10.00, and with 9.5%.
    expect(await floorAfterDeletion()).toBe('38.01');
    await saveTerms('etsy', { plan: null, salesTax: '0' });
    expect(await dueSkus(shop.db)).toEqual(['etsy A-1: fees']);
    expect(await floorAfterDeletion()).toBe('38.25');
  });

  test('an entered 8% counts before what the orders report, and a blank one does not', async () => {
    const learned = { learnedSalesTax: bps(950), learnedFromOrders: 41 };
    await shop.db.update(feeTerms).set(learned).where(eq(feeTerms.marketplace, 'etsy'));
    const termsOf = async () => (await list()).terms.find(({ marketplace }) => marketplace === 'etsy');
    await saveTerms('etsy', { plan: null, salesTax: '8' });
    expect([await termsOf(), (await readSalesTax(shop.db)).etsy]).toMatchObject([
      { salesTax: '8.00', countedSalesTax: '8.00', salesTaxSource: 'entered', learnedSalesTax: '9.50' },
      bps(800),
    ]);
    await saveTerms('etsy', { plan: null, salesTax: null });
    expect([await termsOf(), (await readSalesTax(shop.db)).etsy]).toMatchObject([
      { salesTax: null, countedSalesTax: '9.50', salesTaxSource: 'learned', learnedFromOrders: 41 },
      bps(950),
    ]);
  });

  test('shares for advertising and returns are kept where they are omitted, next to those of 90 days', async () => {
    const termsOf = async () =>
      (await list()).terms.find(({ marketplace }) => marketplace === 'etsy') ??
      expect.fail('Etsy has no terms.');
    await saveTerms('etsy', { plan: null, salesTax: '8', adShare: '4.5', returnShare: '0' });
    await saveTerms('etsy', { plan: null, salesTax: '7', adShare: null });
    expect(await termsOf()).toMatchObject({
      salesTax: '7.00',
      adShare: null,
      returnShare: '0.00',
      learned: null,
    });
    const known = { marketplace: 'etsy', sums: 1, salesKnown: 0, salesTold: 0, profitSums: 0 } as const;
    const none = { feesSums: 0, costSums: 0, shippingSums: 0, adsSums: 1, refundsSums: 1 };
    const zero = { fees: '0', cost: '0', shipping: '0', profit: '0', revenueKnown: '0' };
    const day = new Date(shop.deps.now() - 24 * 3_600_000).toISOString().slice(0, 10);
    await shop.db.insert(profitTotals).values({
      ...known,
      ...none,
      ...zero,
      day,
      sales: 30,
      units: 30,
      revenue: '1000',
      ads: '40.01',
      refunds: '25',
    });
    expect((await termsOf()).learned).toBeNull();
    const at = (days: number) => instant(shop.deps.now() - hours(24 * days));
    const was = { readFrom: at(91), readUntil: at(1), backTo: at(91), rereadAt: at(1) };
    await shop.db.insert(moneyReads).values({ marketplace: 'etsy', ...was });
    expect((await termsOf()).learned).toEqual({ adShare: '4.01', returnShare: '2.50' });
    for (const gap of [{ readFrom: at(89) }, { readUntil: at(8) }]) {
      await shop.db.update(moneyReads).set({ ...was, ...gap });
      expect((await termsOf()).learned).toBeNull();
    }
    await shop.db.update(moneyReads).set(was);
    await shop.db.update(profitTotals).set({ adsSums: 0 });
    expect((await termsOf()).learned).toEqual({ adShare: null, returnShare: '2.50' });
    await shop.db.update(profitTotals).set({ sales: 29 });
    expect((await termsOf()).learned).toBeNull();
  });

  test('a plan that it does not have, any plan where there are none, and a wrong sales tax are rejected', async () => {
    const before = await list();
    for (const [marketplace, payload] of [
      ['ebay', { plan: 'Gold', salesTax: '8' }],
      ['etsy', { plan: 'Basic', salesTax: '8' }],
      ['etsy', { plan: null, salesTax: '30.01' }],
      ['etsy', { plan: null }],
    ] as const)
      expect((await saveTerms(marketplace, payload)).statusCode, JSON.stringify(payload)).toBe(400);
    expect(await list()).toEqual(before);
  });
});

describe('deleting', () => {
  test('one that applies to no listing is deleted without confirmation', async () => {
    const { id } = (await create(APPAREL)).json();
    expect((await remove(id)).statusCode).toBe(204);
    expect((await list()).schedules).toHaveLength(6);
    expect(await auditOf(shop.db, 'fees.deleted')).toHaveLength(1);
  });

  test('the last default reports what it blocks, and is deleted only when that is confirmed', async () => {
    await addListing(shop.db, 'A-1');
    await addListing(shop.db, 'A-2');
    const { id } = await find('walmart');
    expect((await find('walmart')).deletionBlocks).toBe(2);
    const refused = await remove(id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toContain('2 listings would be blocked');
    await addListing(shop.db, 'A-3');
    expect((await remove(id, '?blocking=2')).statusCode).toBe(409);
    expect((await remove(id, '?blocking=3')).statusCode).toBe(204);
    expect((await list()).uncovered).toEqual([{ marketplace: 'walmart', category: null, listings: 3 }]);
  });

  test('the last default of a marketplace without listings needs confirmation too', async () => {
    const { id } = await find('etsy');
    expect((await remove(id)).json().message).toContain('0 listings would be blocked');
    expect((await remove(id, '?blocking=0')).statusCode).toBe(204);
  });

  test('one with an older schedule before it blocks nothing', async () => {
    await addListing(shop.db, 'A-1');
    const newer = await create({ ...APPAREL, category: null, effectiveFrom: '2026-01-01T00:00:00.000Z' });
    expect(newer.json().deletionBlocks).toBeNull();
    expect((await remove(newer.json().id)).statusCode).toBe(204);
    expect((await find('walmart')).listings).toBe(1);
  });
});

test('the impact of a draft is returned as decimals, and nothing is saved', async () => {
  await addSku(shop.db, 'A-1');
  await addRule(shop.db);
  const listingId = await addListing(shop.db, 'A-1', { currentPrice: cents(1_600) });
  const { id } = await find('walmart');
  const draft = { ...APPAREL, category: null, bands: [band('30.00')] };
  const answer = await shop.post('/api/fees/impact', { id, schedule: draft }, { headers: { cookie } });
  expect(answer.json()).toEqual({
    affected: 1,
    underMargin: 1,
    blocked: 0,
    recovered: 0,
    worst: [
      {
        listingId: String(listingId),
        marketplace: 'walmart',
        sku: 'A-1',
        title: 'Product A-1',
        currentPrice: '16.00',
        marginBefore: '22.50',
        marginAfter: '7.50',
        marginFloorAfter: '18.19',
      },
    ],
  });
  expect((await find('walmart')).id).toBe(id);
  const nothing = await shop.post('/api/fees/impact', { id: null, schedule: null }, { headers: { cookie } });
  expect(nothing.statusCode).toBe(400);
});

describe('categories found by product type', () => {
  const suggestions = async () => (await shop.get('/api/fee-categories', cookie)).json().suggestions;
  const accept = (payload: object) =>
    shop.post('/api/fee-categories/accept', payload, { headers: { cookie } });
  const feeOf = async (id: number): Promise<string> =>
    (await shop.get(`/api/listings/${id}/explanation`, cookie)).json().fees.text;
  let soundBar: number;
  beforeEach(async () => {
    await loadShippedFees(shop.deps, schedulesOfPlans(await readShippedFees()));
    await loadCategoryMap(shop.db, await readCategoryMap());
    soundBar = await addListing(shop.db, 'A-1', { productType: 'Sound Bars' });
  });

  test('wait with their listings until an administrator accepts them, and lower the fee then', async () => {
    await addListing(shop.db, 'A-2', { productType: 'Cell Phones' });
    await addListing(shop.db, 'A-3', { productType: 'Sound Bars', feeCategory: 'Everything Else' });
    await addListing(shop.db, 'A-4', { productType: 'Unheard of' });
    await addListing(shop.db, 'A-5', { productType: 'Coffee', deletedAt: instant(0) });
    const shown = (id: number, sku: string) => ({
      listingId: String(id),
      sku,
      title: `Product ${sku}`,
      currentPrice: '20.00',
    });
    expect(await suggestions()).toEqual([
      {
        marketplace: 'walmart',
        category: 'Consumer Electronics',
        listings: 2,
        shown: [shown(soundBar, 'A-1'), shown(soundBar + 1, 'A-2')],
      },
    ]);
    expect((await find('walmart', 'Consumer Electronics')).listings).toBe(2);
    const before = await feeOf(soundBar);
    await forgetDue(shop.db);
    const accepted = { marketplace: 'walmart', category: 'Consumer Electronics', listings: 2 };
    expect((await accept(accepted)).json()).toEqual({ suggestions: [] });
    expect(await dueSkus(shop.db)).toEqual(['walmart A-1: listing', 'walmart A-2: listing']);
    expect(await feeOf(soundBar)).not.toBe(before);
    expect(await feeOf(soundBar)).toMatch(/^Consumer Electronics, .*: 8%/);
    expect(await auditOf(shop.db, 'fees.category_accepted')).toMatchObject([{ after: accepted }]);
  });

  test('are not accepted for another number of listings than was seen', async () => {
    const accepted = { marketplace: 'walmart', category: 'Consumer Electronics', listings: 2 };
    const answer = await accept(accepted);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict']);
    expect(await suggestions()).toMatchObject([{ listings: 1 }]);
    expect((await accept({ ...accepted, category: 'Books' })).statusCode).toBe(409);
    expect(await auditOf(shop.db, 'fees.category_accepted')).toEqual([]);
  });

  test('do not wait for a listing whose fee was reported', async () => {
    const listingId = await addListing(shop.db, 'B-1', { marketplace: 'amazon', productType: 'AV_RECEIVER' });
    expect((await suggestions()).map(({ marketplace }: FeeScheduleView) => marketplace)).toEqual(
      expect.arrayContaining(['amazon']),
    );
    await shop.db.insert(feeFacts).values({
      listingId,
      source: 'estimate',
      fulfillmentType: 'FBM',
      kind: 'commission',
      askedPrice: cents(2_000),
      askedShipping: cents(0),
      amount: cents(300),
      toldAt: shop.deps.now(),
    });
    expect(await suggestions()).toMatchObject([{ marketplace: 'walmart' }]);
  });

  test('a deleted schedule or default leaves no listing with a fee of a category that no user entered', async () => {
    const electronics = await find('walmart', 'Consumer Electronics');
    expect(electronics.deletionBlocks).toBeNull();
    const usual = await find('walmart');
    expect((await remove(usual.id, `?blocking=${usual.deletionBlocks}`)).statusCode).toBe(204);
    expect((await list()).uncovered).toEqual([{ marketplace: 'walmart', category: null, listings: 1 }]);
  });
});
