import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sku, SkusPage } from '#contract/skus.ts';
import { cents, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  await addSku(shop.db, '00123', {
    name: 'Mug, "blue"',
    productCost: cents(420),
    weightOz: ounces(16.3),
    packagingCost: cents(35),
    miscCost: cents(5),
    veeqoId: '9001',
    brand: 'Acme',
    supplier: 'Ko',
    tags: ['kitchen', 'blue'],
  });
  await addSku(shop.db, 'PLAIN', { name: 'Plate 50% off', productCost: null, weightOz: null });
  for (let number = 10; number < 40; number++) {
    await addSku(shop.db, `ROW-${number}`, { name: `Row ${number % 3}`, productCost: usd((number % 4) + 1) });
  }
  await addSku(shop.db, 'DELETED', { deletedAt: shop.deps.now() });
});
afterAll(() => shop.close());

const list = async (query = ''): Promise<SkusPage> => (await shop.get(`/api/skus${query}`, cookie)).json();
const codes = ({ skus }: SkusPage) => skus.map(({ sku }) => sku);

describe('the list of SKUs', () => {
  test('has money as decimal strings, ounces as a number, and unknown values as null', async () => {
    const { skus, total } = await list('?q=00123');
    expect(total).toBe(1);
    expect(skus[0]).toMatchObject({
      sku: '00123',
      name: 'Mug, "blue"',
      productCost: '4.20',
      weightOz: 16.3,
      packagingCost: '0.35',
      miscCost: '0.05',
      veeqoId: '9001',
      tags: ['kitchen', 'blue'],
      version: 1,
      brand: 'Acme',
      supplier: 'Ko',
    });
    expect((await list('?q=plain')).skus[0]).toMatchObject({
      productCost: null,
      weightOz: null,
      packagingCost: '0.00',
      miscCost: '0.00',
      veeqoId: null,
      tags: [],
    });
  });

  test('one SKU has the same shape, and a deleted one is not found', async () => {
    const [mug] = (await list('?q=00123')).skus;
    expect((await shop.get(`/api/skus/${mug?.id}`, cookie)).json()).toEqual(mug);
    expect((await list('?q=deleted')).total).toBe(0);
    expect((await shop.get('/api/skus/999', cookie)).statusCode).toBe(404);
  });

  test('has 25 rows a page by SKU, with the total of all pages', async () => {
    const { skus, total } = await list();
    expect({ rows: skus.length, total }).toEqual({ rows: 25, total: 32 });
    expect(codes(await list('?page=2&pageSize=25'))).toHaveLength(7);
    expect(await list('?page=9')).toEqual({ skus: [], total: 32 });
  });

  test.each([
    ['a part of the SKU, in whatever case', 'row-1', 10],
    ['a part of the name', 'BLUE"', 1],
    ['a sign that means itself', '50%', 1],
    ['leading zeros', '00', 1],
    ['nothing of it', 'zzz', 0],
  ])('finds %s', async (_, q, found) => {
    expect((await list(`?q=${encodeURIComponent(q)}`)).total).toBe(found);
  });

  test.each(['productCost', 'weightOz', 'veeqoId'])(
    'by %s has those without a value last either way',
    async (by) => {
      for (const sort of [by, `-${by}`]) {
        const { skus } = await list(`?sort=${sort}&pageSize=100`);
        const values = skus.map((sku) => sku[by as keyof Sku]);
        const first = values.indexOf(null);
        expect(values.slice(first).every((value) => value === null)).toBe(true);
      }
    },
  );

  test.each([
    ['pageSize=26', 'pageSize'],
    ['page=0', 'page'],
    ['sort=tags', 'sort'],
  ])('refuses %s at its field', async (query, field) => {
    const answer = await shop.get(`/api/skus?${query}`, cookie);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json().fields)).toEqual([field]);
  });

  test('in any order its pages make up the whole list, each SKU once', async () => {
    const sorts = ['sku', 'name', 'productCost', 'weightOz', 'packagingCost', 'miscCost', 'veeqoId'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sorts), fc.boolean(), async (by, descending) => {
        const sort = descending ? `-${by}` : by;
        const whole = codes(await list(`?sort=${sort}&pageSize=100`));
        const pages: string[] = [];
        for (const page of [1, 2, 3, 4]) {
          pages.push(...codes(await list(`?sort=${sort}&pageSize=10&page=${page}`)));
        }
        expect(pages).toEqual(whole);
        expect(new Set(whole).size).toBe(32);
      }),
      { numRuns: asMany(5, 14) },
    );
  });
});

test.each([
  ['brand=Acme', ['00123']],
  ['tag=kitchen', ['00123']],
  ['supplier=Ko', ['00123']],
  ['tag=blue&supplier=Other', []],
])('a filter by %s is that of the list, and of what is done with all that match', async (filter, found) => {
  expect(codes(await list(`?${filter}`))).toEqual(found);
  const selected = (expected: number) =>
    shop.post(
      '/api/skus/uses',
      { selection: { filter: Object.fromEntries(new URLSearchParams(filter)), expected } },
      { headers: { cookie } },
    );
  expect((await selected(found.length)).json()).toMatchObject({ skus: found.length, named: found });
  expect((await selected(found.length + 1)).statusCode).toBe(409);
});

test('labels of SKUs are counted, and how many have none', async () => {
  const answer = await shop.get('/api/skus/labels?of=tag', cookie);
  const { labels, isCut, none } = answer.json();
  expect({ labels, isCut }).toEqual({
    labels: [
      { label: 'blue', count: 1 },
      { label: 'kitchen', count: 1 },
    ],
    isCut: false,
  });
  expect(none).toBeGreaterThanOrEqual(31);
  expect((await shop.get('/api/skus/labels?of=color', cookie)).statusCode).toBe(400);
});
