import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endOf, entriesOf } from '#tests/support/all-of.ts';
import { anAccount, collect, never } from '#tests/support/connector-fixture.ts';
import { anItem, type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

let fake: FakeWalmart;
beforeEach(async () => {
  fake = await startFakeWalmart();
  fake.items.push(anItem(1));
});
afterEach(() => fake.close());

const readAll = () => collect(entriesOf(fake.connect().readListings(anAccount(WALMART_PAIR), never)));
const sku = 'SKU-1';
const forbid = (path: RegExp) => fake.on('POST', path, () => ({ status: 403, body: {} }));

describe('the fulfillment type of an item of Walmart', () => {
  test.each<[string, Partial<Record<'catalog' | 'quality' | 'insights', object>>, string | null]>([
    ['nothing says', {}, null],
    ['the catalog search does not have', { catalog: { itemId: '551' } }, null],
    ['the catalog search has a blank for', { catalog: { fulfillmentType: '' } }, null],
    ['the catalog search has an unknown value for', { catalog: { fulfillmentType: 'S2H' } }, null],
    [
      'the catalog search calls seller fulfilled',
      { catalog: { fulfillmentType: 'Seller Fulfilled' } },
      'FBM',
    ],
    ['the catalog search calls WFS', { catalog: { fulfillmentType: 'WFS' } }, 'FBA/WFS'],
    ['listing quality has not in WFS', { quality: { wfsEnabled: 'NO' } }, 'FBM'],
    ['listing quality counts as not in WFS', { quality: { wfsEnabled: 0 } }, 'FBM'],
    ['listing quality counts as in WFS', { quality: { wfsEnabled: 1 } }, 'FBA/WFS'],
    ['listing quality has another word for', { quality: { wfsEnabled: 'N/A' } }, null],
    ['insights call seller fulfilled', { insights: { fulfillment: 'Seller fulfilled' } }, 'FBM'],
    ['insights call Walmart fulfilled', { insights: { fulfillment: 'Walmart fulfilled' } }, 'FBA/WFS'],
    [
      'one answer calls WFS and others do not',
      {
        catalog: { fulfillmentType: 'WFS' },
        quality: { wfsEnabled: 'NO' },
        insights: { fulfillment: 'Seller fulfilled' },
      },
      'FBA/WFS',
    ],
  ])('which %s', async (_, said, fulfillmentType) => {
    for (const list of ['catalog', 'quality', 'insights'] as const) {
      if (said[list] !== undefined) fake[list].push({ sku, ...said[list] });
    }
    expect(await readAll()).toMatchObject([{ sku, fulfillmentType }]);
  });

  test('is unknown without permissions for quality and insights where the search does not have it', async () => {
    fake.catalog.push({ sku, itemId: '551' });
    forbid(/listingQuality/);
    forbid(/getPricingInsights/);
    expect(await readAll()).toMatchObject([{ sku, itemId: '551', fulfillmentType: null }]);
  });

  test.each([
    ['Walmart Fulfilled', 'FBA/WFS'],
    ['Seller Fulfilled', 'FBM'],
    ['', null],
    ['Other', null],
  ])('is in the report %j', async (cell, fulfillmentType) => {
    fake.on('GET', /^\/v3\/items\?/, () => ({ body: { ItemResponse: [anItem(1)], totalItems: 10_001 } }));
    const head = 'SKU,Item ID,Product Name,Price,Publish Status,Fulfillment Type';
    fake.serveReport(`${head}\nSKU-1,551,Mug,12.50,PUBLISHED,${cell}\n`);
    expect(await readAll()).toMatchObject([{ sku, fulfillmentType }]);
  });
});

describe('the catalog search', () => {
  const row = (number: number) => ({ sku: `SKU-${number}`, itemId: `55${number}`, fulfillmentType: 'WFS' });
  const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => row(from + at));

  test('with a lost page says so, and "by the seller" of other answers does not count', async () => {
    fake.items.length = 0;
    for (const number of [1, 300]) fake.items.push(anItem(number));
    const pages = [rows(1, 200), 'broken off', rows(401, 450)];
    fake.on('POST', /catalog\/search/, () => {
      const payload = pages.shift();
      if (payload === 'broken off') return (response) => response.destroy();
      return { body: { payload, totalItems: 450, ...(pages.length > 0 ? { nextCursor: 'on' } : {}) } };
    });
    for (const number of [1, 300]) {
      fake.insights.push({ sku: `SKU-${number}`, currentPrice: 12.5, fulfillment: 'Seller fulfilled' });
    }
    const pagesOfItems = fake.connect().readListings(anAccount(WALMART_PAIR), never);
    const { value } = await pagesOfItems.next();
    expect(value).toMatchObject({
      entries: [
        { sku: 'SKU-1', itemId: '551', fulfillmentType: 'FBA/WFS' },
        { sku: 'SKU-300', itemId: null, fulfillmentType: null },
      ],
    });
    expect(await endOf(pagesOfItems)).toMatchObject({
      unavailable: [{ what: expect.stringContaining('catalog search') }],
    });
  });
});
