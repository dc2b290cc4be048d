import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, anOrder, aSent, never } from '#tests/support/connector-fixture.ts';
import {
  aGraphqlError,
  aVariant,
  type FakeShopify,
  SHOP_KEY,
  startFakeShopify,
} from '#tests/support/fake-shopify.ts';

let fake: FakeShopify;
beforeEach(async () => {
  fake = await startFakeShopify();
});
afterEach(() => fake.close());

const variantOf = (number: number) => `gid://shopify/ProductVariant/${number}`;
const productOf = (number: number) => `gid://shopify/Product/${number}`;
const keys = (variant: number, product: number) => ({
  keys: { variant: variantOf(variant), product: productOf(product) },
});
const order = (id: number, price: number, product = 1) => anOrder(id, price, keys(id, product));

const account = anAccount(SHOP_KEY);
/** The prices of the variants are read first: faults apply to the calls after that. */
async function send(orders = [order(1, 1999)], error?: FakeShopify['faults'][number], signal = never) {
  if (error !== undefined) {
    const read = { shop: { currencyCode: 'USD' }, nodes: orders.map(() => null) };
    fake.faults.push({ body: { data: read } }, error);
  }
  return fake.connect().sendPrices(account, orders, signal);
}
const updates = () => fake.askedFor('productVariantsBulkUpdate').map(({ variables }) => variables);

describe('prices', () => {
  test('are sent product by product, as texts with two decimals, and confirmed by the response', async () => {
    const outcomes = await send([order(1, 1999, 1), order(2, 500, 2), order(3, 2000, 1)]);
    expect(outcomes).toEqual([
      { listingId: 1, kind: 'live', price: 1999 },
      { listingId: 2, kind: 'live', price: 500 },
      { listingId: 3, kind: 'live', price: 2000 },
    ]);
    expect(updates()).toEqual([
      {
        product: productOf(1),
        variants: [
          { id: variantOf(1), price: '19.99' },
          { id: variantOf(3), price: '20.00' },
        ],
      },
      { product: productOf(2), variants: [{ id: variantOf(2), price: '5.00' }] },
    ]);
    expect(fake.askedFor('productVariantsBulkUpdate')[0]?.query).toContain('allowPartialUpdates: true');
  });

  test.each([
    ['price', { price: '-1', compareAtPrice: null }],
    ['compareAtPrice', { price: '19.99', compareAtPrice: 'soon' }],
  ])('are sent but for one whose %s cannot be read right before', async (_, odd) => {
    fake.faults.push({
      body: {
        data: {
          shop: { currencyCode: 'USD' },
          nodes: [
            { id: variantOf(1), ...odd },
            { id: variantOf(2), price: '19.99', compareAtPrice: null },
          ],
        },
      },
    });
    const orders = [order(1, 1899), order(2, 1899)].map((one) => ({ ...one, currentPrice: cents(1999) }));
    expect(await send(orders)).toMatchObject([
      { kind: 'not_sent', othersMayGo: true },
      { kind: 'live', price: 1899 },
    ]);
    expect(updates()).toMatchObject([{ variants: [{ id: variantOf(2) }] }]);
  });

  test('of a product with many variants are sent in parts', async () => {
    const outcomes = await send(Array.from({ length: 250 }, (_, at) => order(at + 1, 1999)));
    expect(outcomes.every(({ kind }) => kind === 'live')).toBe(true);
    expect(updates().map(({ variants }) => (variants as unknown[]).length)).toEqual([100, 100, 50]);
  });

  test('that one variant refuses are confirmed for the others; a different price in the response is an error', async () => {
    fake.answer('productVariantsBulkUpdate', () => ({
      productVariantsBulkUpdate: {
        productVariants: [
          { id: variantOf(1), price: '19.99' },
          { id: variantOf(3), price: '18.00' },
        ],
        userErrors: [
          { field: ['variants', '1', 'price'], message: 'Too low.', code: 'NEGATIVE_PRICE_VALUE' },
        ],
      },
    }));
    expect(await send([1, 2, 3, 4].map((id) => order(id, 1999)))).toMatchObject([
      { kind: 'live', price: 1999 },
      { kind: 'rejected', code: 'NEGATIVE_PRICE_VALUE', message: 'Shopify rejected the price: Too low.' },
      { kind: 'live', price: 1800 },
      { kind: 'unknown' },
    ]);
  });

  test('of a removed product are refused for all its variants, and the next product follows', async () => {
    fake.answer('productVariantsBulkUpdate', ({ product, variants }) => ({
      productVariantsBulkUpdate:
        product === productOf(1)
          ? {
              productVariants: null,
              userErrors: [{ field: ['productId'], message: 'Not found.', code: 'PRODUCT_DOES_NOT_EXIST' }],
            }
          : { productVariants: variants, userErrors: [] },
    }));
    const outcomes = await send([order(1, 1999, 1), order(2, 1999, 1), order(3, 1999, 2)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'rejected', 'live']);
  });

  // A refusal would last until the listing or its price changed, also in a store that sells in dollars by then.
  test('are not sent in a store of another currency, and are not refused for that', async () => {
    fake.currency = 'CAD';
    expect(await send()).toMatchObject([
      { kind: 'stopped', message: expect.stringContaining('CAD'), found: { kind: 'not_repriceable' } },
    ]);
    expect(updates()).toEqual([]);
    fake.currency = 'USD';
    expect(await send()).toMatchObject([{ kind: 'live', price: 1999 }]);
  });

  describe('whose answer says that it was throttled and has results, too', () => {
    const throttled = (result: unknown) => ({
      body: {
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
        data: { productVariantsBulkUpdate: result },
      },
    });
    const refusal = { field: ['variants', '1', 'price'], message: 'Too low.', code: 'NEGATIVE_PRICE_VALUE' };

    test('are what the results say, and the call is not repeated', async () => {
      const result = { productVariants: [{ id: variantOf(1), price: '19.99' }], userErrors: [refusal] };
      const outcomes = await send(
        [1, 2, 3].map((id) => order(id, 1999)),
        throttled(result),
      );
      expect(outcomes).toMatchObject([
        { kind: 'live', price: 1999 },
        { kind: 'rejected', code: 'NEGATIVE_PRICE_VALUE' },
        { kind: 'unknown' },
      ]);
      expect(updates()).toHaveLength(1);
    });

    test('are sent again where the result is empty: nothing was done', async () => {
      expect(await send(undefined, throttled(null))).toMatchObject([{ kind: 'live', price: 1999 }]);
      expect(updates()).toHaveLength(2);
    });
  });

  test.each([
    ['about all of them', null],
    ['about the variant', ['variants', '0', 'price']],
  ])(
    'that the answer shows in force, with an error %s, are read back: the two contradict',
    async (_, field) => {
      const result = {
        productVariants: [{ id: variantOf(1), price: '19.99' }],
        userErrors: [{ field, message: 'Something is odd.', code: 'INVALID_INPUT' }],
      };
      fake.answer('productVariantsBulkUpdate', () => ({ productVariantsBulkUpdate: result }));
      expect(await send([order(1, 1999), order(2, 1999)])).toMatchObject([
        { kind: 'unknown', message: expect.stringContaining('Something is odd.') },
        field === null ? { kind: 'rejected', code: 'INVALID_INPUT' } : { kind: 'unknown' },
      ]);
    },
  );

  describe('of a variant on sale (C14)', () => {
    const onSale = () => {
      fake.variants.push(aVariant(1, { price: '79.00', compareAtPrice: '99.00' }), aVariant(2));
      return [order(1, 8200), order(2, 1999, 2)];
    };
    const reprice = anAccount({ ...SHOP_KEY, repriceOnSale: 'yes' });

    test('are not sent, and the others go', async () => {
      expect(await send(onSale())).toEqual([
        {
          listingId: 1,
          kind: 'stopped',
          message: 'On sale in Shopify: $79.00, before $99.00.',
          found: { kind: 'not_repriceable' },
        },
        { listingId: 2, kind: 'live', price: 1999 },
      ]);
      expect(updates()).toHaveLength(1);
    });

    test('move by the setting, below the compare-at price, which is not sent', async () => {
      const [wanted, other] = onSale().map((one) => ({ ...one, ownPrices: [cents(7900)] }));
      if (wanted === undefined || other === undefined) throw new Error('There are two.');
      const { sendPrices } = fake.connect();
      expect(await sendPrices(reprice, [wanted, other], never)).toMatchObject([
        { kind: 'live' },
        { kind: 'live' },
      ]);
      expect(updates()[0]?.variants).toEqual([{ id: variantOf(1), price: '82.00' }]);
      expect(await sendPrices(reprice, [{ ...wanted, price: cents(9900) }], never)).toMatchObject([
        { kind: 'stopped', found: { kind: 'outside_limits', limits: { min: null, max: 9899, map: null } } },
      ]);
      expect(updates()).toHaveLength(2);
    });
  });

  test('do not go over a price that was changed there; one of ours that lags is none', async () => {
    fake.variants.push(aVariant(1, { price: '13.37' }), aVariant(2, { price: '11.00' }));
    const lagging = { ...order(2, 1999, 2), ownPrices: [cents(1100)] };
    expect(await send([order(1, 1999), lagging])).toEqual([
      {
        listingId: 1,
        kind: 'stopped',
        message: 'Shopify shows $13.37 instead of $12.50: the price was changed there.',
        found: { kind: 'other_price', price: 1337, readAt: fake.clock.time, source: 'item' },
      },
      { listingId: 2, kind: 'live', price: 1999 },
    ]);
  });

  test('of a listing without IDs are refused', async () => {
    expect(await send([anOrder(1, 1999)])).toMatchObject([{ kind: 'rejected' }]);
    expect(updates()).toEqual([]);
  });

  test('of two listings of one variant the first is sent', async () => {
    const outcomes = await send([order(1, 1999), anOrder(2, 2100, keys(1, 1))]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['live', 'not_sent']);
  });

  test('past their deadline are not sent', async () => {
    fake.clock.time = instant(Date.parse('2026-11-20T13:00:01Z'));
    expect(await send()).toMatchObject([{ kind: 'not_sent' }]);
    expect(updates()).toEqual([]);
  });

  test.each(CALL_ERRORS)('$name: $sending', async ({ fault, sending }) => {
    const [outcome] = await send(undefined, fault());
    expect(outcome?.kind).toBe(sending === 'passes' ? 'live' : sending);
    expect(updates()).toHaveLength(sending === 'passes' ? 2 : 1);
  });

  test.each([
    ['THROTTLED', {}, 'live'],
    ['ACCESS_DENIED', {}, 'not_sent'],
    ['INTERNAL_SERVER_ERROR', {}, 'unknown'],
    ['BAD_USER_INPUT', {}, 'rejected'],
    ['BAD_USER_INPUT', { data: { productVariantsBulkUpdate: null } }, 'unknown'],
  ])('an error %s inside a 200 with %j: %s', async (code, more, kind) => {
    expect(await send(undefined, aGraphqlError(code, more))).toMatchObject([{ kind }]);
  });

  test.each([...NO_PRICES, null])('an answer with a price of %j has an unknown outcome', async (price) => {
    const answer = { productVariants: [{ id: variantOf(1), price }], userErrors: [] };
    expect(await send(undefined, { body: { data: { productVariantsBulkUpdate: answer } } })).toMatchObject([
      { kind: 'unknown' },
    ]);
  });

  test('a refused key ends it for all: no further call is made', async () => {
    const outcomes = await send([order(1, 1999, 1), order(2, 1999, 2)], { status: 401, body: {} });
    expect(outcomes).toMatchObject([{ kind: 'not_sent' }, { kind: 'not_sent' }]);
    expect(updates()).toHaveLength(1);
  });

  test('an aborted call reports what is unknown and what was not sent', async () => {
    const stop = new AbortController();
    const outcomes = await send([order(1, 1999, 1), order(2, 1999, 2)], () => stop.abort(), stop.signal);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'not_sent']);
  });
});

describe('points', () => {
  const cost = (requestedQueryCost: number, currentlyAvailable: number) => ({
    requestedQueryCost,
    throttleStatus: { maximumAvailable: 1000, currentlyAvailable, restoreRate: 50 },
  });
  const shop = { shop: { name: 'My shop', currencyCode: 'USD' } };

  test('that are used up are waited for, a fifth more than the call needs', async () => {
    fake.faults.push({
      body: {
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
        extensions: { cost: cost(300, 100) },
      },
    });
    await fake.connect().check(account, never);
    // 300 for the call and 200 for others, less the 100 available, at 50 per second.
    expect(fake.clock.waits).toEqual([8_000]);
  });

  test('are limited before they are used up', async () => {
    fake.on('POST', /graphql/, () => ({ body: { data: shop, extensions: { cost: cost(10, 150) } } }));
    const connector = fake.connect();
    await connector.check(account, never);
    expect(fake.clock.waits).toEqual([1_000]);
  });

  test('that never recover end the call after several attempts', async () => {
    fake.on('POST', /graphql/, () => aGraphqlError('THROTTLED'));
    await expect(fake.connect().check(account, never)).rejects.toMatchObject({ fault: 'busy' });
    expect(fake.asked).toHaveLength(5);
  });

  test('that take longer than allowed are not waited for', async () => {
    fake.on('POST', /graphql/, () => aGraphqlError('THROTTLED', { extensions: { cost: cost(900, 0) } }));
    const slow = { throttleStatus: { maximumAvailable: 1000, currentlyAvailable: 0, restoreRate: 0.5 } };
    fake.faults.push(
      aGraphqlError('THROTTLED', { extensions: { cost: { requestedQueryCost: 900, ...slow } } }),
    );
    await expect(fake.connect().check(account, never)).rejects.toMatchObject({
      fault: 'busy',
      retryAfter: 60_000,
    });
  });
});

describe('prices read back', () => {
  const read = (sent: Parameters<ReturnType<FakeShopify['connect']>['readPrices']>[1]) =>
    fake.connect().readPrices(account, sent, never);
  const sent = (id: number) => aSent(id, 1250, null, keys(id, 1));

  test('are those of the variants; removed ones are missing', async () => {
    fake.variants.push(aVariant(1), aVariant(3, { price: '0.00' }));
    expect(await read([sent(1), sent(2), sent(3), aSent(4, 1)])).toEqual([
      { listingId: 1, kind: 'price', price: 1250, source: 'item', refusal: null },
      { listingId: 2, kind: 'missing' },
      { listingId: 3, kind: 'unreadable', message: 'Shopify shows no price for this variant.' },
      { listingId: 4, kind: 'unreadable', message: 'Its number at Shopify is not known.' },
    ]);
  });

  test('are requested a hundred at a time', async () => {
    for (let number = 1; number <= 150; number++) fake.variants.push(aVariant(number));
    const readings = await read(Array.from({ length: 150 }, (_, at) => sent(at + 1)));
    expect(readings.every(({ kind }) => kind === 'price')).toBe(true);
    expect(fake.asked).toHaveLength(2);
  });

  test('that are odd concern their variant alone', async () => {
    fake.faults.push({
      body: {
        data: {
          shop: { currencyCode: 'USD' },
          nodes: [
            { id: variantOf(1), price: 'soon', compareAtPrice: null },
            { id: variantOf(2), price: '19.99', compareAtPrice: null },
          ],
        },
      },
    });
    expect(await read([sent(1), sent(2)])).toMatchObject([
      { kind: 'unreadable', message: expect.stringContaining('price is "soon"') },
      { kind: 'price', price: 1999 },
    ]);
  });

  test('in another currency are unreadable', async () => {
    fake.currency = 'CAD';
    fake.variants.push(aVariant(1));
    expect(await read([sent(1)])).toMatchObject([{ kind: 'unreadable' }]);
  });

  test.each([
    ['fewer', []],
    ['others', [{ id: variantOf(9), price: '1.00' }]],
  ])('%s than asked for fail the reading', async (_, nodes) => {
    fake.answer('nodes(ids', () => ({ shop: { currencyCode: 'USD' }, nodes }));
    await expect(read([sent(1)])).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.variants.push(aVariant(1));
    fake.faults.push(fault());
    const result = read([sent(1)]);
    if (reading === 'passes') expect(await result).toMatchObject([{ kind: 'price' }]);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });
});
