import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allOf, endOf, entriesOf } from '#tests/support/all-of.ts';
import { type EbayShop, ebayOffer, slowCalls, startEbayShop, tradingItem } from '#tests/support/fake-ebay.ts';

let shop: EbayShop;
let inventory: unknown[];
let offers: Record<string, unknown[]>;
beforeEach(async () => {
  shop = await startEbayShop();
  inventory = [];
  offers = {};
  shop.service.on('GET', /\/inventory_item\?/, ({ query }) => {
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const items = inventory.slice(offset, offset + limit);
    const next = `/sell/inventory/v1/inventory_item?limit=${limit}&offset=${offset + limit}`;
    return {
      body: {
        total: inventory.length,
        ...(items.length > 0 && { inventoryItems: items }),
        ...(offset + limit < inventory.length && { next }),
      },
    };
  });
  shop.service.on('GET', /\/offer\?/, ({ query }) => {
    const of = offers[query.get('sku') ?? ''];
    return of === undefined ? neverOffered(25_713) : { body: { total: of.length, offers: of } };
  });
});
afterEach(() => shop.service.close());

const neverOffered = (errorId: number) => ({
  status: 404,
  body: { errors: [{ errorId, domain: 'API_INVENTORY', message: 'Not available.' }] },
});
const never = new AbortController().signal;
const read = () => allOf(entriesOf(shop.connector.readListings(shop.account, never)));

function item(number: number, changes: Record<string, unknown> = {}, offer: Record<string, unknown> = {}) {
  const sku = `MUG-${number}`;
  inventory.push({
    sku,
    product: {
      title: ` Mug ${number} `,
      imageUrls: ['https://i.example/mug.jpg'],
      upc: ['Does not apply', '012345678905'],
      ean: ['4006381333931'],
      epid: '7788',
    },
    availability: { shipToLocationAvailability: { quantity: 9 } },
    ...changes,
  });
  offers[sku] = [ebayOffer(number, offer)];
}

/** A store whose list of active listings is too long to be read each time. */
function largeStore() {
  const counts =
    '<TotalNumberOfPages>101</TotalNumberOfPages><TotalNumberOfEntries>20200</TotalNumberOfEntries>';
  const list = `<ActiveList><PaginationResult>${counts}</PaginationResult></ActiveList>`;
  shop.trade('GetMyeBaySelling', () => `<Ack>Success</Ack>${list}`);
}

describe('the categories', () => {
  const TREE = {
    rootCategoryNode: {
      childCategoryTreeNodes: [
        {
          category: { categoryId: '11700' },
          childCategoryTreeNodes: [
            {
              category: { categoryId: '20625' },
              childCategoryTreeNodes: [{ category: { categoryId: '7' } }],
            },
          ],
        },
        { category: { categoryId: '267' } },
      ],
    },
  };
  const serve = (version: string, tree: object = TREE) => {
    shop.service.on('GET', /get_default_category_tree_id/, () => ({
      body: { categoryTreeId: '0', categoryTreeVersion: version },
    }));
    shop.service.on('GET', /category_tree\/0$/, () => ({ body: tree }));
  };
  const paths = async () => (await read()).map((row) => ('categoryPath' in row ? row.categoryPath : null));
  const trees = () => shop.asked().filter((call) => call.endsWith('category_tree/0')).length;

  test('come with their ancestors, from a tree that is read once for each of its versions', async () => {
    item(1, {}, { categoryId: '7' });
    item(2, {}, { categoryId: '267' });
    item(3, {}, { categoryId: '999' });
    item(4);
    serve('1');
    expect(await paths()).toEqual(['11700/20625/7', '267', null, null]);
    await read();
    expect(trees()).toBe(1);
    serve('2', { rootCategoryNode: { childCategoryTreeNodes: [{ category: { categoryId: '7' } }] } });
    expect(await paths()).toEqual(['7', null, null, null]);
    expect(trees()).toBe(2);
  });

  test.each([
    ['no tree', {}],
    ['a tree of something else', { rootCategoryNode: { childCategoryTreeNodes: [{ category: 'Mugs' }] } }],
  ])('are skipped, not the listings, with %s', async (_, tree) => {
    item(1, {}, { categoryId: '7' });
    serve('1', tree);
    expect(await paths()).toEqual([null]);
  });
});

describe('the inventory', () => {
  test('becomes listings', async () => {
    item(1);
    expect(await read()).toEqual([
      {
        kind: 'listing',
        sku: 'MUG-1',
        itemId: '110001',
        title: 'Mug 1',
        imageUrl: 'https://i.example/mug.jpg',
        price: 2_450,
        fulfillmentType: 'FBM',
        quantity: 4,
        isActive: true,
        notRepriceableReason: null,
        channel: 'inventory',
        priceLimits: null,
        autoAcceptPrice: null,
        keys: { offerId: '901', listingId: '110001', epid: '7788', gtin: '012345678905' },
      },
    ]);
  });

  const listing = (listingStatus: string) => ({ listing: { listingId: '110001', listingStatus } });
  test.each([
    ['an auction', { format: 'AUCTION' }, { isActive: false, channel: 'read_only', readOnly: 'auction' }],
    [
      'an offer that is not published',
      { status: 'UNPUBLISHED', listing: undefined },
      { isActive: false, itemId: null, notRepriceableReason: expect.stringContaining('not published') },
    ],
    ['a listing that ended', listing('ENDED'), { isActive: false }],
    [
      'a listing out of stock',
      { ...listing('OUT_OF_STOCK'), availableQuantity: 0 },
      { isActive: true, quantity: 0 },
    ],
    ['no quantity of its own', { availableQuantity: undefined }, { quantity: 9 }],
    ['no price', { pricingSummary: undefined }, { price: null }],
    ['a price of nothing', { pricingSummary: { price: { value: '0.0', currency: 'USD' } } }, { price: null }],
    [
      'pounds',
      { pricingSummary: { price: { value: '9.00', currency: 'GBP' } } },
      { kind: 'passed_over', what: 'MUG-1', why: 'other_currency' },
    ],
    [
      'another country',
      { marketplaceId: 'EBAY_GB' },
      { kind: 'passed_over', what: 'MUG-1', why: 'not_ours_to_price' },
    ],
  ])('with %s', async (_, offer, expected) => {
    item(1, {}, offer);
    expect(await read()).toEqual([expect.objectContaining(expected)]);
  });

  test.each([
    ['no product', { product: undefined }, { title: 'MUG-1', imageUrl: null }],
    [
      'a picture that is not safe',
      { product: { imageUrls: ['http://i.example/a.jpg'] } },
      { imageUrl: null },
    ],
    ['no numbers', { product: { title: 'Mug' } }, { keys: { offerId: '901', listingId: '110001' } }],
    [
      'a European number',
      { product: { ean: ['4006381333931'] } },
      { keys: expect.objectContaining({ gtin: '4006381333931' }) },
    ],
  ])('with %s', async (_, changes, expected) => {
    item(1, changes);
    expect(await read()).toEqual([expect.objectContaining(expected)]);
  });

  test.each([25_702, 25_710, 25_713])(
    'that eBay says it never offered (%i) is not a listing',
    async (errorId) => {
      item(1);
      shop.service.on('GET', /\/offer\?/, () => neverOffered(errorId));
      expect(await read()).toEqual([]);
    },
  );

  test.each([
    ['2002', { errors: [{ errorId: 2002, domain: 'ACCESS', message: 'Resource not found' }] }],
    ['HTML', '<html>404</html>'],
  ])('whose offers are at an address that eBay does not have (404, %s) is passed over', async (_, body) => {
    item(1);
    shop.service.on('GET', /\/offer\?/, () => ({ status: 404, body }));
    expect(await read()).toMatchObject([{ what: 'MUG-1', why: 'unreadable' }]);
  });

  test('that is not offered is not a listing', async () => {
    item(1);
    offers = {};
    expect(await read()).toEqual([]);
  });

  test('in an auction and at a fixed price has the fixed price', async () => {
    item(1);
    offers['MUG-1']?.unshift(ebayOffer(2, { format: 'AUCTION' }));
    expect(await read()).toMatchObject([{ keys: { offerId: '901' }, isActive: true }]);
  });

  test('identical duplicates count once; a different one is skipped', async () => {
    item(1);
    item(1);
    item(2, { sku: 'MUG-1 ' });
    offers['MUG-1 '] = [ebayOffer(2)];
    expect(await read()).toMatchObject([
      { kind: 'listing', sku: 'MUG-1' },
      { kind: 'passed_over', what: 'MUG-1', why: 'repeated' },
    ]);
  });

  test('are requested four at once; entries stay in order, and a repeated SKU counts once', async () => {
    for (let number = 1; number <= 24; number++) item(number);
    item(25, { sku: 'MUG-3 ' });
    offers['MUG-3 '] = [ebayOffer(25)];
    let left = inventory.length;
    const slow = slowCalls(shop, 600, () => Math.min(4, left));
    shop.service.on('GET', /\/offer\?/, ({ query }) => {
      const of = offers[query.get('sku') ?? ''] ?? [];
      return slow.answer({ total: of.length, offers: of }, () => {
        left -= 1;
      });
    });
    const started = shop.clock.now;
    const entries = await read();
    expect(entries.map((entry) => ('sku' in entry ? entry.sku : entry.what))).toEqual(
      Array.from({ length: 24 }, (_, at) => `MUG-${at + 1}`).concat('MUG-3'),
    );
    expect(entries.at(-1)).toMatchObject({ kind: 'passed_over', why: 'repeated' });
    expect(slow.most()).toBe(4);
    expect(shop.clock.now - started).toBeLessThan(25 * 600);
  });

  test('three failures in a row, in the order of the items, end the reading', async () => {
    for (let number = 1; number <= 30; number++) item(number);
    const failing = new Set(['MUG-2', 'MUG-3', 'MUG-5', 'MUG-6', 'MUG-7']);
    const body = { errors: [{ errorId: 25_001, category: 'SYSTEM', message: 'A system error.' }] };
    const known = offers;
    let requested = 0;
    shop.service.on('GET', /\/offer\?/, ({ query }) => {
      requested += 1;
      const sku = query.get('sku') ?? '';
      if (failing.has(sku)) return { status: 400, body };
      return { body: { total: 1, offers: known[sku] ?? [] } };
    });
    await expect(read()).rejects.toThrow('A system error.');
    expect(requested).toBeGreaterThanOrEqual(7);
    // Four are under way when the third failure is taken.
    expect(requested).toBeLessThanOrEqual(11);
  });

  test.each(['-1.00', 'N/A', 'NaN', '1,50'])('with a price of %s is passed over', async (value) => {
    item(1, {}, { pricingSummary: { price: { value, currency: 'USD' } } });
    expect(await read()).toMatchObject([{ what: 'MUG-1', why: 'unreadable', value }]);
  });

  test("is read page by page, by eBay's page numbers", async () => {
    for (let number = 1; number <= 230; number++) item(number);
    expect(await read()).toHaveLength(230);
    const pages = shop.asked().filter((line) => line.includes('inventory_item'));
    expect(pages.map((line) => line.split('offset=')[1])).toEqual(['0', '100', '200']);
  });

  test('is reported as incomplete without the permission for the report of a large store', async () => {
    item(1);
    largeStore();
    shop.service.on('POST', /\/inventory_task$/, () => ({ status: 403, body: {} }));
    const pages = entriesOf(shop.connector.readListings(shop.account, never));
    expect(await pages.next()).toMatchObject({ done: false, value: [{ sku: 'MUG-1' }] });
    expect(await pages.next()).toMatchObject({ done: true, value: { isPart: true, unavailable: [] } });
  });

  test("with fewer items than eBay's total is incomplete", async () => {
    for (let number = 1; number <= 3; number++) item(number);
    shop.service.on('GET', /\/inventory_item\?/, () => ({
      body: { total: 4, inventoryItems: inventory },
    }));
    expect(await endOf(shop.connector.readListings(shop.account, never))).toMatchObject({
      total: { told: 4, came: 3 },
    });
  });

  test("without any of the items of eBay's total is incomplete, and what is outside of it is taken", async () => {
    shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 1 } }));
    shop.trade('GetMyeBaySelling', () => {
      const counts =
        '<PaginationResult><TotalNumberOfPages>1</TotalNumberOfPages><TotalNumberOfEntries>1</TotalNumberOfEntries></PaginationResult>';
      const list = `<ItemArray>${tradingItem('110', '24.99')}</ItemArray>${counts}`;
      return `<Ack>Success</Ack><ActiveList>${list}</ActiveList>`;
    });
    expect(await read()).toMatchObject([{ sku: 'ebay-110' }]);
    const end = await endOf(shop.connector.readListings(shop.account, never));
    expect(end).toMatchObject({ total: { told: 2, came: 1 } });
  });

  test('with repeated pages fails', async () => {
    item(1);
    shop.service.on('GET', /\/inventory_item\?/, () => ({
      body: { total: 9, inventoryItems: inventory, next: 'https://elsewhere.example/x?offset=0' },
    }));
    await expect(read()).rejects.toMatchObject({ fault: 'unreadable' });
  });
});

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<BulkDataExchangeResponses xmlns="urn:ebay:apis:eBLBaseComponents">
  <ActiveInventoryReport><Ack>Success</Ack>
    <SKUDetails><SKU>MUG-1</SKU><Price currencyID="USD">1.00</Price><Quantity>1</Quantity><ItemID>110001</ItemID></SKUDetails>
    <SKUDetails><SKU> Old &amp; good </SKU><Price currencyID="USD">12.50</Price><Quantity>3</Quantity><ItemID>220001</ItemID></SKUDetails>
    <SKUDetails><SKU>MUG-1</SKU><Price currencyID="USD">2.00</Price><Quantity>1</Quantity><ItemID>220009</ItemID></SKUDetails>
    <SKUDetails><Price currencyID="USD">12.50</Price><Quantity>3</Quantity><ItemID>220002</ItemID></SKUDetails>
    <SKUDetails><SKU>POUND</SKU><Price currencyID="GBP">12.50</Price><Quantity>3</Quantity><ItemID>220003</ItemID></SKUDetails>
    <SKUDetails><ItemID>220004</ItemID><Variations>
      <Variation><SKU><![CDATA[RED<1>]]></SKU><Price currencyID="USD">5.0</Price><Quantity>2</Quantity></Variation>
      <Variation><SKU>BLUE</SKU><Quantity>2</Quantity></Variation>
      <Variation><SKU>RED&lt;1&#62;</SKU><Price currencyID="USD">6.0</Price><Quantity>2</Quantity></Variation>
    </Variations></SKUDetails>
  </ActiveInventoryReport>
</BulkDataExchangeResponses>`;

describe('the report of active listings', () => {
  let states: string[];
  let report: Buffer | Uint8Array;
  beforeEach(() => {
    item(1);
    largeStore();
    states = ['QUEUED', 'IN_PROCESS', 'COMPLETED'];
    report = Buffer.from(XML);
    shop.service.on('POST', /\/inventory_task$/, () => ({
      status: 202,
      body: '',
      headers: { location: 'https://api.ebay.com/sell/feed/v1/inventory_task/task-7-1' },
    }));
    shop.service.on('GET', /\/inventory_task\/task-7-1$/, () => ({ body: { status: states.shift() } }));
    shop.service.on('GET', /\/task\/task-7-1\/download_result_file$/, () => (response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.end(report);
    });
  });

  const old = async () => (await read()).slice(1);

  test('adds what was listed outside of the inventory', async () => {
    expect(await old()).toEqual([
      {
        kind: 'listing',
        sku: 'Old & good',
        itemId: '220001',
        title: 'Old & good',
        imageUrl: null,
        price: 1_250,
        fulfillmentType: 'FBM',
        quantity: 3,
        isActive: true,
        channel: 'trading',
        notRepriceableReason: null,
        keys: { listingId: '220001' },
      },
      { kind: 'passed_over', what: 'MUG-1', why: 'repeated' },
      expect.objectContaining({ kind: 'listing', sku: 'ebay-220002', price: 1_250 }),
      expect.objectContaining({ kind: 'listing', sku: 'POUND', channel: 'read_only', price: null }),
      expect.objectContaining({ kind: 'listing', sku: 'RED<1>', itemId: '220004', price: 500 }),
      expect.objectContaining({ kind: 'listing', sku: 'BLUE', itemId: '220004', price: null }),
      { kind: 'passed_over', what: 'RED<1>', why: 'repeated' },
    ]);
    expect(shop.waits).toEqual([10_000, 10_000]);
  });

  test.each([
    ['gzip', () => gzipSync(XML)],
    ['zip', () => zipSync({ 'report.xml': strToU8(XML) })],
  ])('may come as %s', async (_, pack) => {
    report = pack();
    expect(await old()).toHaveLength(7);
  });

  const part = (price: string, id = '9') =>
    `<a><SKUDetails><SKU>X</SKU><Price currencyID="USD">${price}</Price><ItemID>${id}</ItemID></SKUDetails></a>`;
  test.each([
    ['nothing', ''],
    ['a page for people', '<html><br></html>'],
    ['cut short', XML.slice(0, 900)],
    ['cut short behind a listing', XML.slice(0, XML.indexOf('</ActiveInventoryReport>'))],
    ['packed and cut short', gzipSync(XML).subarray(0, 200)],
    ['with references of its own', `<!DOCTYPE a [<!ENTITY b "c">]>${part('1.00')}`],
    ['with a reference to nothing', part('&b;')],
  ])('%s leaves the catalog a part, and says so', async (_, content) => {
    report = Buffer.from(content);
    expect(await endOf(shop.connector.readListings(shop.account, never))).toMatchObject({
      isPart: true,
      unavailable: [{ what: 'the report of active listings' }],
    });
    expect(await read()).toEqual(expect.arrayContaining([expect.objectContaining({ sku: 'MUG-1' })]));
  });

  test.each([
    ['less than nothing', part('-1.00'), { what: 'X', member: 'Price', value: '-1.00' }],
    ['no amount', part('N/A'), { what: 'X', member: 'Price', value: 'N/A' }],
    ['no number of the listing', part('1.00', ''), { what: 'X', member: 'ItemID', value: '' }],
  ])('with a row of %s is read but for that', async (_, content, expected) => {
    report = Buffer.from(content);
    expect(await old()).toEqual([{ kind: 'passed_over', why: 'unreadable', ...expected }]);
  });

  test.each([['FAILED'], ['ABORTED']])('that is %s leaves the catalog a part', async (state) => {
    states = [state];
    expect(await endOf(shop.connector.readListings(shop.account, never))).toMatchObject({ isPart: true });
  });

  test('that never comes times out', async () => {
    shop.service.on('GET', /\/inventory_task\/task-7-1$/, () => ({ body: { status: 'QUEUED' } }));
    expect(await endOf(shop.connector.readListings(shop.account, never))).toMatchObject({ isPart: true });
    expect(shop.waits.filter((wait) => wait === 10_000)).toHaveLength(60);
  });
});
