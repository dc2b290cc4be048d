import { afterEach, beforeEach, expect, test } from 'vitest';
import { allOf, endOf, entriesOf } from '#tests/support/all-of.ts';
import {
  amazonAccount,
  amazonItem,
  type FakeAmazon,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';

let fake: FakeAmazon;
let pages: unknown[][];
/** The total that Amazon reports; null for the number on the pages. */
let total: number | null;
beforeEach(async () => {
  fake = await startFakeAmazon();
  pages = [[amazonItem(1)]];
  total = null;
  fake.service.on('GET', /^\/listings/, ({ query }) => {
    const at = Number(query.get('pageToken') ?? 0);
    const isLast = at >= pages.length - 1;
    return {
      body: {
        numberOfResults: total ?? pages.flat().length,
        items: pages[at],
        ...(isLast ? {} : { pagination: { nextToken: String(at + 1) } }),
      },
    };
  });
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const read = () => allOf(entriesOf(fake.connector({ limits: {} }).readListings(amazonAccount({}), never)));

test('pages are read to the last one', async () => {
  pages = [[amazonItem(1)], [amazonItem(2)], [amazonItem(3)]];
  expect(await read()).toHaveLength(3);
  const requested = fake.calls(/^\/listings/);
  expect(requested.map(({ query }) => query.get('pageToken'))).toEqual([null, '1', '2']);
  expect(requested[0]?.query.get('includedData')).toBe('summaries,attributes,offers,fulfillmentAvailability');
});

test('repeated pages fail', async () => {
  fake.service.on('GET', /^\/listings/, () => ({
    body: { numberOfResults: 2, items: [amazonItem(1)], pagination: { nextToken: 'again' } },
  }));
  await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  expect(fake.calls(/^\/listings/).length).toBeLessThan(4);
});

test('pages end with an empty one', async () => {
  pages = [[amazonItem(1)], [], [amazonItem(2)]];
  total = 1;
  expect(await read()).toHaveLength(1);
});

test('pages with fewer listings than the reported total are not the complete catalog', async () => {
  pages = [[amazonItem(1)], [amazonItem(3)]];
  total = 3;
  const end = await endOf(fake.connector({ limits: {} }).readListings(amazonAccount({}), never));
  expect(end).toEqual({ total: { told: 3, came: 2 }, unavailable: [] });
});

test('an identical duplicate counts once, a different listing with its SKU is named', async () => {
  const offers = [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount: '9.00' } }];
  pages = [[amazonItem(1)], [amazonItem(1), amazonItem(1, { offers })]];
  total = 2;
  expect(await read()).toEqual([
    expect.objectContaining({ sku: 'SKU-1', price: 3_100 }),
    { kind: 'passed_over', what: 'SKU-1', why: 'repeated' },
  ]);
});
