import { afterEach, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf } from '#tests/support/sandbox-shop.ts';

const STOCK = [
  { sku: 'MUG', name: 'Mug', cost: cents(412), weightOunces: 9 },
  { sku: 'TEA', name: 'Tea', cost: null, weightOunces: null },
  { sku: 'SET', name: 'Mug and tea', cost: cents(900), weightOunces: 18, isKit: true },
];

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function open(): Promise<Record<string, string>> {
  const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
  const world = createWorld({ seed: 'veeqo', startsAt, items: [], stock: STOCK });
  sandbox = await startSandbox({ world, port: 0 });
  return { 'x-api-key': sandbox.credentials.veeqo.apiKey ?? '' };
}

test('products show cost and weight where they are set', async () => {
  const headers = await open();
  const call = callerOf(sandbox.addresses.veeqo, headers);
  expect(await call('GET', '/products')).toMatchObject([
    { sellables: [{ sku_code: 'MUG', cost_price: 4.12, weight_grams: 255.15, type: 'ProductVariant' }] },
    { sellables: [{ sku_code: 'TEA', cost_price: null, weight_grams: null }] },
    { sellables: [{ sku_code: 'SET', type: 'Kit' }] },
  ]);
  expect(await call('GET', '/products?query=tea&page_size=1')).toMatchObject([{ title: 'Tea' }]);
  expect(await call('GET', '/products?updated_at_min=2026-03-02%2008:00:01')).toEqual([]);
});

test('calls need the API key, and a page holds up to 100 products', async () => {
  const headers = await open();
  const stranger = callerOf(sandbox.addresses.veeqo, { 'x-api-key': 'made up' });
  expect(await stranger('GET', '/products')).toEqual({ error: 'Unauthorized' });
  const call = callerOf(sandbox.addresses.veeqo, headers);
  expect(await call('GET', '/products?page_size=101')).toEqual({ error: 'Bad request' });
});

test('headers describe the pages, and the page after the last one is empty', async () => {
  const headers = await open();
  const page = async (number: number) => {
    const answer = await fetch(`${sandbox.addresses.veeqo}/products?page=${number}&page_size=2`, { headers });
    const names = ['x-total-count', 'x-total-pages-count', 'x-page-index', 'x-per-page'];
    const products = (await answer.json()) as readonly unknown[];
    return [products.length, ...names.map((name) => answer.headers.get(name))];
  };
  expect(await page(1)).toEqual([2, '3', '2', '1', '2']);
  expect(await page(2)).toEqual([1, '3', '2', '2', '2']);
  expect(await page(3)).toEqual([0, '3', '2', '3', '2']);
});
