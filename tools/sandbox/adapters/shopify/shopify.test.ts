import { afterEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { callerOf, pass } from '#tests/support/sandbox-shop.ts';

const PATH = '/admin/api/2026-10/graphql.json';
const PRODUCT = 'gid://shopify/Product/77';
const UPDATE = `mutation ($product: ID!, $variants: [ProductVariantsBulkInput!]!, $partly: Boolean) {
  productVariantsBulkUpdate(productId: $product, variants: $variants, allowPartialUpdates: $partly) {
    productVariants { id price } userErrors { field code } } }`;
const BULK = '{ productVariants { edges { node { id sku product { id } } } } }';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** A product with two variants, and one with a single variant. */
function planOf(sku: string, itemId: string, productId: string): ItemPlan {
  return {
    marketplace: 'shopify',
    sku,
    title: `Mug ${sku}`,
    price: cents(1_999),
    fulfillmentType: 'FBM',
    itemId,
    keys: { productId },
    viewsPerDay: 0,
  };
}

async function open(
  more: readonly ItemPlan[] = [],
  keepsLimits = false,
): Promise<ReturnType<typeof callerOf>> {
  const items = [planOf('A', '1', '77'), planOf('B', '2', '77'), planOf('C', '3', '88'), ...more];
  const startsAt = instant(Date.parse('2026-03-02T08:00:00Z'));
  const world = createWorld({ seed: 'shopify', startsAt, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0, keepsLimits });
  const token = sandbox.credentials.shopify.apiKey ?? '';
  return callerOf(sandbox.addresses.shopify, { 'x-shopify-access-token': token });
}

const ask = (call: ReturnType<typeof callerOf>, query: string, variables = {}) =>
  call('POST', PATH, { query, variables });

const variantOf = (number: number, price: string) => ({
  id: `gid://shopify/ProductVariant/${number}`,
  price,
});

describe('prices', () => {
  test('one invalid variant rejects all of them, unless the call allows partial updates', async () => {
    const call = await open();
    const variants = [variantOf(1, '14.75'), variantOf(3, '14.75'), variantOf(2, '-1')];
    const userErrors = [
      { field: ['variants', '1', 'id'], code: 'PRODUCT_VARIANT_DOES_NOT_EXIST' },
      { field: ['variants', '2', 'price'], code: 'NEGATIVE_PRICE_VALUE' },
    ];
    expect(await ask(call, UPDATE, { product: PRODUCT, variants })).toMatchObject({
      data: { productVariantsBulkUpdate: { productVariants: null, userErrors } },
    });
    const prices = () =>
      sandbox.world
        .market('shopify')
        .items()
        .map(({ price }) => price);
    expect(prices()).toEqual([1_999, 1_999, 1_999]);
    const taken = [{ id: variantOf(1, '').id, price: '14.75' }];
    expect(await ask(call, UPDATE, { product: PRODUCT, variants, partly: true })).toMatchObject({
      data: { productVariantsBulkUpdate: { productVariants: taken, userErrors } },
    });
    expect(prices()).toEqual([1_475, 1_999, 1_999]);
    const received = sandbox.world.receivedPrices().map(({ sku, outcome }) => `${sku} ${outcome}`);
    expect(received).toEqual(['A refused', 'C refused', 'B refused', 'A applied', 'C refused', 'B refused']);
  });

  test('a price that is never applied is confirmed like any other, and reads return the old price', async () => {
    const call = await open();
    sandbox.faults.add({ service: 'shopify', kind: 'never_applied', operation: 'productVariantsBulkUpdate' });
    await ask(call, '{ shop { name } }');
    expect(sandbox.faults.list()).toHaveLength(1);
    const variants = [variantOf(1, '14.75')];
    expect(await ask(call, UPDATE, { product: PRODUCT, variants })).toMatchObject({
      data: { productVariantsBulkUpdate: { productVariants: [{ price: '14.75' }], userErrors: [] } },
    });
    const query = '{ productVariant(id: "gid://shopify/ProductVariant/1") { price } }';
    expect(await ask(call, query)).toMatchObject({ data: { productVariant: { price: '19.99' } } });
  });
});

describe('points', () => {
  test('are reported, run out and are refilled over time', async () => {
    const call = await open([], true);
    const query =
      '{ productVariants(first: 100) { nodes { id product { variants(first: 50) { nodes { id product { id } } } } } } }';
    const first = (await ask(call, query)) as { extensions: { cost: Record<string, unknown> } };
    expect(first.extensions.cost).toMatchObject({
      requestedQueryCost: 727,
      throttleStatus: { maximumAvailable: 2_000, currentlyAvailable: 1_273, restoreRate: 100 },
    });
    await ask(call, query);
    expect(await ask(call, query)).toMatchObject({ errors: [{ extensions: { code: 'THROTTLED' } }] });
    pass(sandbox, 5_000);
    expect(await ask(call, query)).toMatchObject({ data: { productVariants: { nodes: [{}, {}, {}] } } });
  });

  test('a query of more than 1,000 points is rejected', async () => {
    const call = await open();
    const query =
      '{ productVariants(first: 250) { nodes { product { variants(first: 250) { nodes { product { id } } } } } } }';
    expect(await ask(call, query)).toMatchObject({ errors: [{ extensions: { code: 'MAX_COST_EXCEEDED' } }] });
  });
});

describe('queries', () => {
  test('a page continues after the last cursor, and needs a size', async () => {
    const call = await open();
    const page =
      'query ($after: String) { productVariants(first: 2, after: $after) { nodes { sku } pageInfo { hasNextPage endCursor } } }';
    const first = (await ask(call, page)) as {
      data: { productVariants: { pageInfo: { hasNextPage: boolean; endCursor: string } } };
    };
    const { hasNextPage, endCursor } = first.data.productVariants.pageInfo;
    expect(hasNextPage).toBe(true);
    expect(await ask(call, page, { after: endCursor })).toMatchObject({
      data: { productVariants: { nodes: [{ sku: 'C' }], pageInfo: { hasNextPage: false } } },
    });
    expect(await ask(call, '{ productVariants { nodes { sku } } }')).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  test.each([
    ['sku:\'A B\' title:"Mug A B"', 1],
    ['sku:C', 1],
    ['sku:C title:nothing', 0],
    ['vendor:unknown', 4],
    ['', 4],
  ])('the search %j finds %i', async (query, count) => {
    const call = await open([planOf('A B', '4', '99')]);
    const counted = 'query ($query: String) { productVariantsCount(query: $query) { count precision } }';
    expect(await ask(call, counted, { query })).toMatchObject({
      data: { productVariantsCount: { count, precision: 'EXACT' } },
    });
  });

  test('price lists count the fixed prices that variants have in them', async () => {
    const terms = (...priceLists: string[]) => ({ terms: { priceLists } });
    const call = await open([
      { ...planOf('D', '4', '99'), ...terms('Wholesale', 'EU') },
      { ...planOf('E', '5', '99'), ...terms('Wholesale') },
    ]);
    const query = 'query { priceLists(first: 5) { nodes { name fixedPricesCount } } }';
    expect(await ask(call, query)).toMatchObject({
      data: {
        priceLists: {
          nodes: [
            { name: 'EU', fixedPricesCount: 1 },
            { name: 'Wholesale', fixedPricesCount: 2 },
          ],
        },
      },
    });
  });

  test('an invalid query and an unknown field are errors in a 200', async () => {
    const call = await open();
    for (const query of ['{ shop { name', '{ shop { nickname } }']) {
      expect(await ask(call, query)).toMatchObject({ errors: [{ message: expect.any(String) }] });
    }
  });
});

describe('bulk operations', () => {
  test('write one object per line with nested lists as separate lines, and run one at a time', async () => {
    const call = await open();
    const query =
      '{ productVariants { edges { node { id product { id variants { edges { node { sku } } } } } } } }';
    const start =
      'mutation ($query: String!) { bulkOperationRunQuery(query: $query) { bulkOperation { id } userErrors { code } } }';
    await ask(call, start, { query: BULK });
    expect(await ask(call, start, { query })).toMatchObject({
      data: { bulkOperationRunQuery: { userErrors: [{ code: 'OPERATION_IN_PROGRESS' }] } },
    });
    pass(sandbox, 120_000);
    const look = '{ currentBulkOperation { status url rootObjectCount } }';
    const { data } = (await ask(call, look)) as { data: { currentBulkOperation: Record<string, string> } };
    expect(data.currentBulkOperation).toMatchObject({ status: 'COMPLETED', rootObjectCount: '3' });
    const text = await (await fetch(data.currentBulkOperation.url ?? '')).text();
    expect(text.split('\n')[0]).toBe(
      '{"id":"gid://shopify/ProductVariant/1","sku":"A","product":{"id":"gid://shopify/Product/77"}}',
    );
    expect(await ask(call, start, { query: '{ nothing { edges } }' })).toMatchObject({
      data: { bulkOperationRunQuery: { userErrors: [{ code: 'INVALID' }] } },
    });
  });
});
