import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SaleLine } from '#connectors/connector.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { type Instant, instant } from '#domain/units.ts';
import { linesOf, unreadableOf } from '#tests/support/all-of.ts';
import { allOf, amazonAccount, type FakeAmazon, startFakeAmazon, US } from '#tests/support/fake-amazon.ts';

let fake: FakeAmazon;
let pages: unknown[][];
beforeEach(async () => {
  fake = await startFakeAmazon();
  pages = [[order()]];
  fake.service.on('GET', /^\/orders\/2026-01-01\/orders/, ({ query }) => {
    const at = Number(query.get('paginationToken') ?? 0);
    const isLast = at >= pages.length - 1;
    return { body: { orders: pages[at], pagination: isLast ? null : { nextToken: String(at + 1) } } };
  });
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const SINCE = instant(Date.parse('2026-11-18T00:00:00Z'));
async function* none(): AsyncGenerator<never[]> {
  yield [];
}
const pagesOf = () => fake.amazon.readSales?.(amazonAccount(), SINCE, never);
const read = () => linesOf(pagesOf());
const unreadable = () => unreadableOf(pagesOf());

const tokens = () => fake.calls(/^\/orders/).map(({ query }) => query.get('paginationToken'));
const lastAfter = () =>
  fake
    .calls(/^\/orders/)
    .at(-1)
    ?.query.get('lastUpdatedAfter');
const usd = (amount: unknown, currencyCode = 'USD') => ({ amount, currencyCode });

function line(given: Record<string, unknown> = {}) {
  return {
    orderItemId: '501',
    quantityOrdered: 2,
    product: { asin: 'B000000001', sellerSku: 'SKU-1', title: 'Kettle', price: { unitPrice: usd('29.90') } },
    proceeds: {
      proceedsTotal: usd('66.75'),
      breakdowns: [
        { type: 'ITEM', subtotal: usd('59.80') },
        { type: 'SHIPPING', subtotal: usd('3.00') },
        { type: 'TAX', subtotal: usd('3.95') },
      ],
    },
    fulfillment: { quantityFulfilled: 0, quantityUnfulfilled: 2 },
    ...given,
  };
}

function order(given: Record<string, unknown> = {}, lines: unknown[] = [line()]) {
  return {
    orderId: '900-1',
    createdTime: '2026-11-19T08:30:00Z',
    lastUpdatedTime: '2026-11-19T09:00:00Z',
    salesChannel: { channelName: 'AMAZON', marketplaceId: US, marketplaceName: 'Amazon.com' },
    fulfillment: { fulfillmentStatus: 'UNSHIPPED', fulfilledBy: 'MERCHANT' },
    orderItems: lines,
    ...given,
  };
}

describe('a line', () => {
  test('has what was paid for it and for shipping it, without tax', async () => {
    expect(await read()).toEqual([
      {
        externalId: '900-1:501',
        orderRef: '900-1',
        lineNumber: 1,
        sku: 'SKU-1',
        itemId: 'B000000001',
        quantity: 2,
        soldAt: Date.parse('2026-11-19T08:30:00Z'),
        unitPrice: 2_990,
        revenue: 5_980,
        shippingRevenue: 300,
        fees: null,
        isCancelled: false,
      },
    ]);
  });

  const breakdowns = (...all: unknown[]) => ({ proceeds: { breakdowns: all } });
  const items = { type: 'ITEM', subtotal: usd('59.80') };
  test.each<[string, Record<string, unknown>, object]>([
    ['with a discount', breakdowns(items, { type: 'DISCOUNT', subtotal: usd('9.80') }), { revenue: 5_000 }],
    [
      'with a discount below zero',
      breakdowns(items, { type: 'DISCOUNT', subtotal: usd('-9.80') }),
      { revenue: 5_000 },
    ],
    [
      'with a discount on shipping too',
      breakdowns(items, {
        type: 'DISCOUNT',
        subtotal: usd('12.80'),
        detailedBreakdowns: [
          { subtype: 'ITEM', value: usd('9.80') },
          { subtype: 'SHIPPING', value: usd('3.00') },
        ],
      }),
      { revenue: 5_000, shippingRevenue: 0 },
    ],
    [
      'with a discount on shipping alone',
      breakdowns(
        items,
        { type: 'SHIPPING', subtotal: usd('4.00') },
        {
          type: 'DISCOUNT',
          subtotal: usd('1.50'),
          detailedBreakdowns: [{ subtype: 'SHIPPING', value: usd('1.50') }],
        },
      ),
      { revenue: 5_980, shippingRevenue: 250 },
    ],
    ['without proceeds', { proceeds: undefined }, { revenue: 5_980, shippingRevenue: null }],
    ['without a SKU', { product: { price: { unitPrice: usd('29.90') } } }, { sku: null, itemId: null }],
    ['cancelled alone', { quantityOrdered: 0 }, { isCancelled: true, quantity: 1 }],
    [
      'cancelled before anything was sent',
      {
        cancellation: { cancellationExecution: { cancelledBy: 'BUYER' } },
        fulfillment: { quantityFulfilled: 0, quantityUnfulfilled: 0 },
      },
      { isCancelled: true },
    ],
    [
      'with a cancellation request',
      { cancellation: { cancellationRequest: { requester: 'BUYER' } } },
      { isCancelled: false },
    ],
  ])('%s', async (_, given, expected) => {
    pages = [[order({}, [line(given)])]];
    expect(await read()).toEqual([expect.objectContaining(expected)]);
  });

  test('of a canceled order is deleted, even without prices', async () => {
    const bare = line({ product: { sellerSku: 'SKU-1' }, proceeds: null });
    pages = [[order({ fulfillment: { fulfillmentStatus: 'CANCELLED' } }, [bare])]];
    expect(await read()).toMatchObject([{ isCancelled: true, revenue: 0, unitPrice: 0 }]);
  });

  test.each([
    ['a pending one, without prices', order({}, [line({ product: {}, proceeds: null })])],
    ['one that Amazon only ships', order({ salesChannel: { channelName: 'NON_AMAZON' } })],
    ['one of another store', order({ salesChannel: { channelName: 'AMAZON', marketplaceId: 'A1' } })],
  ])('is not there for %s', async (_, given) => {
    pages = [[given]];
    expect(await read()).toEqual([]);
  });

  test.each([
    ['a negative price', { product: { price: { unitPrice: usd('-1.00') } } }],
    ['a price of "N/A"', { product: { price: { unitPrice: usd('N/A') } } }],
    ['another currency', { proceeds: { breakdowns: [{ type: 'ITEM', subtotal: usd('59.80', 'CAD') }] } }],
    ['half a piece', { quantityOrdered: 1.5 }],
    ['fewer than none', { quantityOrdered: -1 }],
    ['no number', { orderItemId: null }],
  ])('with %s is passed over, and the others are read', async (_, given) => {
    pages = [[order(), order({ orderId: '900-2' }, [line(given)])]];
    expect((await unreadable()).map((row) => row.split(' ')[0])).toEqual(['900-2']);
    expect(await read()).toHaveLength(1);
  });

  test('identical duplicates count once; of different ones none is read', async () => {
    pages = [[order(), order()]];
    expect(await read()).toHaveLength(1);
    pages = [[order(), order({}, [line({ quantityOrdered: 3 })])]];
    expect(await read()).toEqual([]);
    expect(await unreadable()).toHaveLength(1);
  });
});

describe('orders', () => {
  test('are requested by their last change, without buyers', async () => {
    await read();
    const [requested] = fake.calls(/^\/orders/);
    expect(Object.fromEntries(requested?.query ?? [])).toEqual({
      lastUpdatedAfter: '2026-11-18T00:00:00.000Z',
      marketplaceIds: US,
      maxResultsPerPage: '100',
      includedData: 'PROCEEDS,FULFILLMENT,CANCELLATION',
    });
  });

  test('are read page by page', async () => {
    pages = Array.from({ length: 12 }, (_, at) => [order({ orderId: `900-${at}` })]);
    expect(await read()).toHaveLength(12);
    expect(tokens()).toEqual([null, ...Array.from({ length: 11 }, (_, at) => String(at + 1))]);
  });

  test('whose pages repeat fail', async () => {
    fake.service.on('GET', /^\/orders/, () => ({
      body: { orders: [order()], pagination: { nextToken: 'again' } },
    }));
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
    expect(fake.calls(/^\/orders/)).toHaveLength(2);
  });
});

describe('a sync that is interrupted', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => [order({ orderId: `900-${at}`, lastUpdatedTime: 'x' })]);
  const ids = (lines: readonly SaleLine[]) => lines.map(({ externalId }) => externalId.split(':')[0]);
  /** The result until the end or the error. */
  async function part(since = SINCE): Promise<[SaleLine[], unknown]> {
    const lines: SaleLine[] = [];
    try {
      for await (const page of fake.amazon.readSales?.(amazonAccount(), since, never) ?? none()) {
        lines.push(...readableOf(page));
      }
      return [lines, null];
    } catch (error) {
      return [lines, error];
    }
  }

  test("by Amazon's rate limit is continued by the next sync, without waiting", async () => {
    pages = many(18);
    const [first, error] = await part();
    expect(first).toHaveLength(16);
    expect(error).toMatchObject({ fault: 'busy' });
    expect(fake.waits).toEqual([]);
    fake.pass(10 * 60_000);
    // The caller's own start time moves with the clock.
    expect(ids((await part(instant(SINCE + 600_000)))[0])).toEqual(['900-16', '900-17']);
    expect(lastAfter()).toBe('2026-11-18T00:00:00.000Z');
  });

  test('by its consumer returns the same page again', async () => {
    pages = many(3);
    const sales = fake.amazon.readSales?.(amazonAccount(), SINCE, never) ?? none();
    const keep = async () => {
      for await (const [line] of sales)
        if (line !== undefined && ids(readableOf([line]))[0] === '900-1') throw new Error('full');
    };
    await expect(keep()).rejects.toThrow('full');
    expect(ids((await part())[0])).toEqual(['900-1', '900-2']);
  });

  test.each<[string, () => Promise<unknown>, Instant]>([
    ['an earlier beginning', async () => undefined, instant(SINCE - 1)],
    ['half a day', async () => fake.pass(12 * 3_600_000 + 1), SINCE],
    ['a clock that was set back', async () => fake.pass(-1), SINCE],
  ])('is begun anew after %s', async (_, happens, since) => {
    pages = many(3);
    fake.service.on('GET', /paginationToken=1/, () => ({ body: '<html>' }));
    await part();
    fake.service.on('GET', /^\/orders/, () => ({ body: { orders: [order()] } }));
    await happens();
    expect(ids((await part(since))[0])).toEqual(['900-1']);
    expect(tokens().at(-1)).toBeNull();
  });

  test('at a position that Amazon no longer knows is restarted by the one after', async () => {
    pages = many(3);
    fake.service.on('GET', /paginationToken=1/, () => ({ status: 400, body: { errors: [] } }));
    expect((await part())[1]).toMatchObject({ fault: 'refused' });
    await part();
    expect(tokens()).toEqual([null, '1', null, '1']);
  });
});

describe('a complete sync', () => {
  test('is not repeated: only later changes are read, with an hour of overlap', async () => {
    fake.service.on('GET', /^\/orders/, () => ({
      body: { orders: [order()], lastUpdatedBefore: '2026-11-20T11:58:00Z' },
    }));
    await read();
    await read();
    expect(lastAfter()).toBe('2026-11-20T10:58:00.000Z');
    await read();
    expect(lastAfter()).toBe('2026-11-20T10:58:00.000Z');
  });

  test('counts for its own start time, store and clock', async () => {
    await read();
    await allOf(fake.amazon.readSales?.(amazonAccount(), instant(SINCE - 1), never) ?? none());
    expect(lastAfter()).toBe('2026-11-17T23:59:59.999Z');
    await allOf(fake.amazon.readSales?.(amazonAccount({ sellerId: 'A9SHOP' }), SINCE, never) ?? none());
    expect(lastAfter()).toBe('2026-11-18T00:00:00.000Z');
    fake.pass(-24 * 3_600_000);
    await read();
    expect(lastAfter()).toBe('2026-11-18T00:00:00.000Z');
  });
});
