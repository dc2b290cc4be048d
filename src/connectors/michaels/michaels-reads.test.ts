import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { linesOf, unreadableOf } from '#tests/support/all-of.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, aSent, never, type TestClock, testClock } from '#tests/support/connector-fixture.ts';
import { type FakeService, limitsFor, startFakeService } from '#tests/support/fake-service.ts';
import { createMichaels } from './michaels.ts';

let fake: FakeService;
let clock: TestClock;
beforeEach(async () => {
  fake = await startFakeService();
  clock = testClock();
});
afterEach(() => fake.close());

const account = anAccount({ apiKey: 'key-1' });
const michaels = () =>
  createMichaels({ baseUrl: fake.url, limits: limitsFor(fake.faults), now: clock.now, wait: clock.wait });

describe('prices read back', () => {
  const read = (count = 1) =>
    michaels().readPrices(
      account,
      Array.from({ length: count }, (_, at) => aSent(at + 1, 1250)),
      never,
    );
  const serve = (...data: object[]) => fake.on('POST', /batch-get$/, () => ({ body: { code: '200', data } }));

  test('are those that Michaels has; listings it omits are missing', async () => {
    serve({ sellerSkuNumber: 'SKU-1', price: 12.5 }, { sellerSkuNumber: 'SKU-2', price: null });
    expect(await read(3)).toEqual([
      { listingId: 1, kind: 'price', price: 1250, source: 'item', refusal: null },
      { listingId: 2, kind: 'unreadable', message: 'Michaels shows no price for this SKU.' },
      { listingId: 3, kind: 'missing' },
    ]);
    expect(fake.asked[0]?.json).toEqual({ sellerSkuNumbers: ['SKU-1', 'SKU-2', 'SKU-3'] });
  });

  test('are requested a hundred at a time', async () => {
    serve();
    await read(250);
    expect(fake.asked).toHaveLength(3);
  });

  test('an identical duplicate counts once; two prices for one SKU cannot be read', async () => {
    serve({ sellerSkuNumber: 'SKU-1', price: 12.5 }, { sellerSkuNumber: 'SKU-1', price: '12.50' });
    expect(await read()).toMatchObject([{ price: 1250 }]);
    serve({ sellerSkuNumber: 'SKU-1', price: 12.5 }, { sellerSkuNumber: 'SKU-1', price: 13 });
    expect(await read()).toMatchObject([{ kind: 'unreadable' }]);
  });

  test.each(NO_PRICES)('%j is not a price', async (price) => {
    serve({ sellerSkuNumber: 'SKU-1', price });
    expect(await read()).toMatchObject([{ kind: 'unreadable' }]);
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    serve({ sellerSkuNumber: 'SKU-1', price: 12.5 });
    fake.faults.push(fault());
    const result = read();
    if (reading === 'passes') expect(await result).toMatchObject([{ kind: 'price' }]);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });

  test('one SKU that is not found costs the others no reading', async () => {
    fake.on('POST', /batch-get$/, ({ text }) =>
      text.includes('"SKU-2"')
        ? { status: 404, body: { code: 'MCU_API_LISTING_NOT_FOUND', message: 'Unknown.' } }
        : {
            body: {
              code: '200',
              data: [1, 3]
                .filter((number) => text.includes(`"SKU-${number}"`))
                .map((number) => ({ sellerSkuNumber: `SKU-${number}`, price: 12.5 })),
            },
          },
    );
    expect(await read(3)).toMatchObject([{ kind: 'price' }, { kind: 'missing' }, { kind: 'price' }]);
  });

  test('a 404 that names no listing says nothing', async () => {
    fake.on('POST', /batch-get$/, () => ({ status: 404, body: '<html>404</html>' }));
    await expect(read(3)).rejects.toMatchObject({ fault: 'refused' });
    expect(fake.asked).toHaveLength(1);
  });
});

describe('sales', () => {
  const SOLD = Date.parse('2026-11-19T08:00:00Z');
  const SINCE = instant(Date.parse('2026-11-18T12:00:00Z'));
  const pagesOf = () => michaels().readSales?.(account, SINCE, never);
  const readSales = () => linesOf(pagesOf());
  const aSale = (orderNumber: string, line: object = {}, given: object = {}) => ({
    orderNumber,
    orderStatus: 'COMPLETED',
    createdTime: SOLD,
    orderLines: [
      { orderItemId: 'A', sellerSkuNumber: 'SKU-1', skuNumber: '601', quantity: 2, price: 12.5, ...line },
    ],
    ...given,
  });
  const serve = (data: unknown) => fake.on('GET', /order\/query/, () => ({ body: { code: '200', data } }));

  test.each([
    ['a list', (orders: object[]) => orders],
    ['a page', (orders: object[]) => ({ orders, total: 1 })],
    ['another page', (orders: object[]) => ({ list: orders })],
  ])('are the lines of orders in %s', async (_, wrap) => {
    serve(wrap([aSale('N1')]));
    expect(await readSales()).toEqual([
      {
        externalId: 'N1:A',
        orderRef: 'N1',
        lineNumber: 1,
        sku: 'SKU-1',
        itemId: '601',
        soldAt: SOLD,
        quantity: 2,
        unitPrice: 1250,
        revenue: 2500,
        shippingRevenue: null,
        fees: null,
        isCancelled: false,
      },
    ]);
    expect(Object.fromEntries(fake.asked[0]?.query ?? [])).toMatchObject({
      startTime: String(SINCE),
      endTime: String(clock.time),
      pageNumber: '1',
      pageSize: '200',
    });
  });

  test.each([
    [{}, { orderStatus: 'CANCELLED' }],
    [{ status: 'CANCELLED' }, {}],
  ])('%j %j is off', async (line, order) => {
    serve([aSale('N1', line, order)]);
    expect(await readSales()).toMatchObject([{ isCancelled: true }]);
  });

  test('are read to the last page, even if that is returned twice', async () => {
    serve(Array.from({ length: 200 }, (_, at) => aSale(`N${at}`)));
    expect(await readSales()).toHaveLength(200);
    expect(fake.asked).toHaveLength(2);
  });

  test('an identical duplicate counts once; of a different line with its ID none is read', async () => {
    const [line] = aSale('N1').orderLines;
    serve([aSale('N1', {}, { orderLines: [line, line] })]);
    expect(await readSales()).toHaveLength(1);
    serve([aSale('N1', {}, { orderLines: [line, { ...line, quantity: 7 }] })]);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('are empty without orders', async () => {
    serve(null);
    expect(await readSales()).toEqual([]);
  });

  test.each([...NO_PRICES, null])('a price of %j is passed over', async (price) => {
    serve([aSale('N1', { price })]);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test('another form fails the reading', async () => {
    serve({ pages: [] });
    await expect(readSales()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test.each([
    ['an order without a time', [aSale('N1', {}, { createdTime: undefined })]],
    ['an order without lines', [aSale('N1', {}, { orderLines: undefined })]],
    ['a line of no pieces', [aSale('N1', { quantity: 0 })]],
  ])('%s is passed over', async (_, data) => {
    serve(data);
    expect(await unreadableOf(pagesOf())).toHaveLength(1);
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    serve([aSale('N1')]);
    fake.faults.push(fault());
    const result = readSales();
    if (reading === 'passes') expect(await result).toHaveLength(1);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });
});
