import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { usd } from '#tests/builders/facts.ts';
import { importDesk } from '#tests/support/import-file.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing, addSku } from '#tests/support/seed.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const NEW = { sku: 'NEW', name: 'Mug', productCost: '4.20', weightOz: 12.5 };
const create = (payload: object) => shop.send('POST', '/api/skus', payload);
const edit = (id: number | string, payload: object) => shop.send('PUT', `/api/skus/${id}`, payload);
const impact = async (id: number, fields: object) =>
  (await shop.send('POST', `/api/skus/${id}/impact`, fields)).json();
const list = async (query = '') => (await shop.get(`/api/skus${query}`)).json();
const idOf = async (sku: string): Promise<number> =>
  (await shop.app.db.select().from(skus).where(eq(skus.sku, sku)))[0]?.id ?? 0;
const remove = (ids: readonly number[]) =>
  shop.send('POST', '/api/skus/delete', { selection: { ids: ids.map(String) } });
const costsOf = async (id: number) => (await shop.get(`/api/listings/${id}/costs`)).json();

/** A bundle BOX of two A-1 and one B-1, for $50.00; its components cost $24.00. */
async function addBundle(): Promise<number> {
  const b1 = await addSku(shop.app.db, 'B-1', { productCost: usd(4) });
  await shop.app.db.insert(bundleComponents).values([
    { listingSku: 'BOX', componentSkuId: await idOf('A-1'), quantity: 2 },
    { listingSku: 'BOX', componentSkuId: b1, quantity: 1 },
  ]);
  return addListing(shop.app.db, 'BOX', { currentPrice: usd(50) });
}

describe('adding a SKU', () => {
  test('stores what was typed, with 0.00 for omitted fields, and its listings are due', async () => {
    await addListing(shop.app.db, 'NEW');
    await forgetDue(shop.app.db);
    const answer = await create({ ...NEW, sku: '  NEW ', veeqoId: '' });
    expect(answer.statusCode).toBe(201);
    const at = new Date(shop.app.deps.now()).toISOString();
    expect(answer.json()).toEqual({
      ...NEW,
      id: String(await idOf('NEW')),
      packagingCost: '0.00',
      miscCost: '0.00',
      lengthIn: null,
      widthIn: null,
      heightIn: null,
      isHazardous: false,
      veeqoId: null,
      tags: [],
      brand: null,
      supplier: null,
      createdAt: at,
      updatedAt: at,
      version: 1,
      similar: [],
    });
    expect(await dueSkus(shop.app.db)).toEqual(['walmart NEW: cost']);
    expect(await auditOf(shop.app.db, 'sku.created')).toMatchObject([{ actor: 'boss@example.com' }]);
  });

  test('lists in one sentence what is missing, by its labels', async () => {
    const answer = await create({ sku: '', veeqoId: 7 });
    expect(answer.json()).toMatchObject({
      message: 'SKU: Enter the code of the SKU; Name is missing; Product cost is missing...',
      fields: { weightOz: 'Weight (oz) is missing', veeqoId: 'Veeqo ID must be text' },
    });
  });

  test('lists the SKUs it could be mistaken for, before and after', async () => {
    await addSku(shop.app.db, 'a-1 ');
    await addSku(shop.app.db, 'A-10');
    const requested = await shop.get(`/api/skus/similar?sku=${encodeURIComponent("'A-1")}`);
    expect(requested.json()).toEqual({ similar: ['A-1', 'a-1 '] });
    const answer = await create({ ...NEW, sku: "'A-1" });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().similar).toEqual(['A-1', 'a-1 ']);
    expect((await shop.get('/api/skus/similar?sku=A-10')).json()).toEqual({ similar: [] });
  });

  test('that exists is refused at its field with a link to the existing one', async () => {
    const answer = await create({ ...NEW, sku: 'A-1' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().fields).toEqual({
      sku: 'SKU A-1 already exists.',
      existing: String(await idOf('A-1')),
    });
    expect((await list('?q=A-1')).skus[0]).toMatchObject({ name: 'Product A-1' });
  });

  test('twice at the same time creates one', async () => {
    const answers = await Promise.all([create(NEW), create(NEW)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });

  test('an invalid value is refused at its field', async () => {
    for (const [field, over] of [
      ['sku', { sku: ' ' }],
      ['name', { name: '' }],
      ['productCost', { productCost: '1.005' }],
      ['productCost', { productCost: undefined }],
      ['weightOz', { weightOz: -1 }],
      ['weightOz', { weightOz: 1e-50 }],
      ['weightOz', { weightOz: '12' }],
      ['packagingCost', { packagingCost: '-1' }],
      ['packagingCost', { packagingCost: '-0' }],
      ['tags', { tags: ['a|b'] }],
      ['brand', { brand: 'a|b' }],
      ['supplier', { supplier: 'x'.repeat(201) }],
    ] as const) {
      const answer = await create({ ...NEW, ...over });
      expect(answer.statusCode, JSON.stringify(over)).toBe(400);
      expect(Object.keys(answer.json().fields)[0], JSON.stringify(over)).toMatch(new RegExp(`^${field}`));
    }
  });
});

describe('editing a SKU', () => {
  test('changes edited fields only, and its listings and bundles are due', async () => {
    await addBundle();
    await forgetDue(shop.app.db);
    const id = await idOf('A-1');
    const answer = await edit(id, { version: 1, productCost: '11.00', veeqoId: 'V-1' });
    expect(answer.json()).toMatchObject({
      sku: { name: 'Product A-1', productCost: '11.00', weightOz: 8, veeqoId: 'V-1', version: 2 },
      belowMarginFloorCount: 0,
      belowMarginFloor: [],
    });
    expect(await dueSkus(shop.app.db)).toEqual(['walmart A-1: cost', 'walmart BOX: cost']);
    expect(await auditOf(shop.app.db, 'sku.edited')).toMatchObject([
      {
        before: { productCost: '10.00', veeqoId: null },
        after: { productCost: '11.00', veeqoId: 'V-1' },
      },
    ]);
  });

  test('is refused when another user saved after that, and when it was deleted', async () => {
    const id = await idOf('A-1');
    await edit(id, { version: 1, name: 'Cup' });
    const stale = await edit(id, { version: 1, name: 'Bowl' });
    expect(stale.statusCode).toBe(409);
    expect(stale.json().message).toContain(
      'A-1 was changed after you opened it (boss@example.com, just now)',
    );
    expect((await list('?q=A-1')).skus[0].name).toBe('Cup');
    await remove([id]);
    expect((await edit(id, { version: 3, name: 'Bowl' })).statusCode).toBe(404);
  });

  test('does not rename it: listings refer to its code', async () => {
    const answer = await edit(await idOf('A-1'), { version: 1, sku: 'A-2' });
    expect(answer.statusCode).toBe(400);
  });

  test('lists the listings that are then below their margin floor', async () => {
    const saved = (await edit(await idOf('A-1'), { version: 1, productCost: '18.00' })).json();
    expect(saved).toMatchObject({
      belowMarginFloorCount: 1,
      belowMarginFloor: [{ sku: 'A-1', currentPrice: '20.00', marginFloor: '25.72' }],
    });
  });
});

describe('before an edit is saved', () => {
  test('it shows how many listings and bundles it affects, and which would fall below the margin floor', async () => {
    const box = await addBundle();
    await addListing(shop.app.db, 'A-1', { marketplace: 'ebay', currentPrice: usd(60) });
    const reported = await impact(await idOf('A-1'), { productCost: '18.00' });
    expect(reported).toMatchObject({ listings: 3, bundles: 1, unknownCount: 0, fallingCount: 2 });
    expect(
      reported.falling.map(({ sku, marginFloor }: Record<string, string>) => [sku, marginFloor]),
    ).toEqual([
      ['BOX', '57.15'],
      ['A-1', '25.72'],
    ]);
    // As saving reports it, and nothing was written.
    expect((await list('?q=A-1')).skus[0]).toMatchObject({ productCost: '10.00', version: 1 });
    const saved = (await edit(await idOf('A-1'), { version: 1, productCost: '18.00' })).json();
    expect(saved.belowMarginFloor).toEqual(reported.falling);
    expect((await costsOf(box)).totalCost).toBe('40.00');
  });

  test('a listing that is already below the margin floor does not fall', async () => {
    await shop.app.db.update(skus).set({ productCost: usd(19) });
    expect(await impact(await idOf('A-1'), { productCost: '19.50' })).toMatchObject({ fallingCount: 0 });
  });

  test('a cost that becomes unknown blocks', async () => {
    expect(await impact(await idOf('A-1'), { productCost: null })).toEqual({
      listings: 1,
      bundles: 0,
      unknownCount: 1,
      fallingCount: 0,
      falling: [],
      sales: { changed: 0, profitChange: '0.00', isMore: false },
    });
  });

  test('a weight counts by its shipping tier', async () => {
    await shop.app.db.update(listings).set({ shippingCost: null });
    const tier = { marketplace: 'walmart', fulfillmentType: 'FBM' };
    const add = (minWeightOz: number, maxWeightOz: number, cost: string) =>
      shop.send('POST', '/api/shipping-tiers', { ...tier, minWeightOz, maxWeightOz, cost });
    await add(0, 16, '1.00');
    await add(16, 48, '9.00');
    const id = await idOf('A-1');
    expect(await impact(id, { weightOz: 20 })).toMatchObject({ fallingCount: 1 });
    expect(await impact(id, { weightOz: 15 })).toMatchObject({ fallingCount: 0 });
    expect(await impact(id, { weightOz: 99 })).toMatchObject({ unknownCount: 1 });
  });

  test('a name affects no cost', async () => {
    expect(await impact(await idOf('A-1'), { name: 'Cup' })).toMatchObject({ listings: 1, fallingCount: 0 });
  });
});

describe('deleting SKUs', () => {
  const uses = async (selection: object) => (await shop.send('POST', '/api/skus/uses', { selection })).json();

  test('is previewed with what it leaves without a cost', async () => {
    await addBundle();
    await addListing(shop.app.db, 'A-1', { marketplace: 'ebay' });
    expect(await uses({ ids: [String(await idOf('A-1')), '999'] })).toEqual({
      skus: 1,
      named: ['A-1'],
      listings: 3,
      bundles: 1,
    });
  });

  test('makes their cost unknown: the listing and the bundle wait, with the reason', async () => {
    const box = await addBundle();
    await forgetDue(shop.app.db);
    const id = await idOf('A-1');
    expect((await remove([id])).json()).toEqual({ ids: [String(id)] });
    expect((await list('?q=A-1')).total).toBe(0);
    expect(await dueSkus(shop.app.db)).toEqual(['walmart A-1: cost', 'walmart BOX: cost']);
    expect(await costsOf(shop.id)).toMatchObject({ totalCost: null, skuVersion: null });
    const bundle = await costsOf(box);
    expect(bundle.totalCost).toBeNull();
    expect(bundle.missing).toEqual(['Add SKU A-1, a component of bundle BOX, under SKUs.']);
    await shop.engineRuns();
    expect((await shop.get(`/api/listings/${box}`)).json()).toMatchObject({ outcome: 'blocked' });
    expect((await shop.get('/api/stats')).json().overall.totalSkus).toBe(1);
  });

  test('is undone completely', async () => {
    const box = await addBundle();
    const before = await costsOf(box);
    const id = await idOf('A-1');
    await remove([id]);
    await forgetDue(shop.app.db);
    const back = await shop.send('POST', '/api/skus/undelete', { ids: [String(id), '999'] });
    expect(back.json()).toEqual({ ids: [String(id)] });
    expect(await costsOf(box)).toEqual(before);
    expect(await dueSkus(shop.app.db)).toEqual(['walmart A-1: cost', 'walmart BOX: cost']);
    expect(await auditOf(shop.app.db, 'sku.deleted')).toHaveLength(1);
    expect(await auditOf(shop.app.db, 'sku.undeleted')).toHaveLength(1);
  });

  test('and adding the same code again restores it in its bundles', async () => {
    const box = await addBundle();
    await remove([await idOf('A-1')]);
    const again = await create({ ...NEW, sku: 'A-1', productCost: '7.00' });
    expect(again.statusCode).toBe(201);
    expect((await costsOf(box)).totalCost).toBe('18.00');
    const undo = await shop.send('POST', '/api/skus/undelete', { ids: [again.json().id] });
    expect(undo.json()).toEqual({ ids: [] });
    expect((await list('?q=A-1')).skus[0].productCost).toBe('7.00');
  });

  test('affects everything that a search shows, unless it shows another number now', async () => {
    for (const sku of ['OLD-1', 'OLD-2']) await addSku(shop.app.db, sku);
    const everyOld = (expected: number) => ({ selection: { filter: { q: 'old-' }, expected } });
    const drifted = await shop.send('POST', '/api/skus/delete', everyOld(3));
    expect(drifted.statusCode).toBe(409);
    expect(drifted.json()).toMatchObject({
      message: '2 SKUs match now, not 3. Review the selection, then try again.',
      fields: { expected: '2' },
    });
    expect((await shop.send('POST', '/api/skus/delete', everyOld(2))).json().ids).toHaveLength(2);
    expect((await list()).skus.map(({ sku }: { sku: string }) => sku)).toEqual(['A-1']);
  });
});

test('the export has the columns of the template in the order of the list, and imports again unchanged', async () => {
  await create({
    sku: '00123',
    name: '=Mug, "blue"',
    productCost: '4.20',
    weightOz: 16.3,
    packagingCost: '0.35',
    miscCost: '0.05',
    veeqoId: '0009',
    tags: ["'=kitchen", 'a, b', '"5" pipe'],
    brand: '=Acme',
    supplier: 'Midwest, Inc.',
    isHazardous: true,
  });
  await addSku(shop.app.db, 'PLAIN', { productCost: null, weightOz: null });
  const file = await shop.get('/api/skus/export.csv?sort=-productCost');
  expect(file.headers['content-disposition']).toBe('attachment; filename="skus.csv"');
  const [header, ...rows] = file.body.trim().split(/\r?\n/);
  const [template] = (await shop.get('/api/imports/template/skus.csv')).body.split(/\r?\n/);
  expect(header).toContain(template);
  expect(rows.map((row) => row.split(',')[0])).toEqual(['A-1', '00123', 'PLAIN']);
  expect(rows.map((row) => row.split(',').at(-1))).toEqual(['false', 'true', 'false']);
  const desk = importDesk(shop.app, shop.cookie);
  expect((await desk.check('skus', file.rawPayload)).counts).toMatchObject({ rows: 3, unchanged: 3 });
  const chosen = await shop.get(`/api/skus/export.csv?ids=${await idOf('00123')}`);
  expect(chosen.body).not.toContain('A-1');
  // What no form could save again is not imported from a file either.
  const long = await desk.check('skus', `sku,tags\nPLAIN,${'x'.repeat(256)}\nA-1,a|b\n`);
  expect(long.counts).toMatchObject({ update: 1, rejected: 1 });
  expect(long.problems).toMatchObject([{ column: 'tags', firstLines: [2] }]);
});

test('a file restores a deleted SKU with its values, also in its bundles', async () => {
  const box = await addBundle();
  await remove([await idOf('A-1')]);
  const desk = importDesk(shop.app, shop.cookie);
  const bundles = await desk.check('bundles', 'listing_sku,component_sku,quantity\nBOX,A-1,1\n');
  expect(bundles.counts).toMatchObject({ rejected: 1 });
  const done = await desk.bringIn(
    'skus',
    'sku,name,productCost,weight,packagingCost,miscCost\nA-1,Cup,7.00,8,0,0\n',
  );
  expect(done.counts).toMatchObject({ create: 1, rejected: 0 });
  expect((await list('?q=A-1')).skus[0]).toMatchObject({ name: 'Cup', productCost: '7.00', version: 3 });
  expect((await costsOf(box)).totalCost).toBe('18.00');
});

describe('marking SKUs as hazardous', () => {
  const mark = (isHazardous: boolean, selection: object) =>
    shop.send('POST', '/api/skus/hazardous', { selection, isHazardous });

  test('changes those that are not yet, with their listings and bundles, and undoes it', async () => {
    await addBundle();
    const ids = [await idOf('A-1'), await idOf('B-1')].map(String);
    await forgetDue(shop.app.db);
    expect((await mark(true, { ids: ids.slice(0, 1) })).json()).toEqual({ ids: ids.slice(0, 1) });
    expect(await dueSkus(shop.app.db)).toEqual(['walmart A-1: cost', 'walmart BOX: cost']);
    const rest = await mark(true, { ids: [...ids, '999'] });
    expect(rest.json()).toEqual({ ids: ids.slice(1) });
    const marks = async () =>
      (await list()).skus.map((sku: { isHazardous: boolean; version: number }) => [
        sku.isHazardous,
        sku.version,
      ]);
    expect(await marks()).toEqual([
      [true, 2],
      [true, 2],
    ]);
    const marked = {
      actor: 'boss@example.com',
      before: { isHazardous: false },
      after: { isHazardous: true },
    };
    expect(await auditOf(shop.app.db, 'sku.edited')).toEqual([marked, marked]);
    expect((await mark(false, { ids })).json()).toEqual({ ids });
    expect(await marks()).toEqual([
      [false, 3],
      [false, 3],
    ]);
  });

  test('affects everything that a search shows, unless it shows another number now', async () => {
    for (const sku of ['OLD-1', 'OLD-2']) await addSku(shop.app.db, sku);
    const everyOld = (expected: number) => ({ filter: { q: 'old-' }, expected });
    expect((await mark(true, everyOld(3))).statusCode).toBe(409);
    expect((await mark(true, everyOld(2))).json().ids).toHaveLength(2);
    expect((await list('?q=A-1')).skus[0].isHazardous).toBe(false);
  });
});
