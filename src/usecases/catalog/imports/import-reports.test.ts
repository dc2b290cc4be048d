import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImportDesk, importDesk, under } from '#tests/support/import-file.ts';
import { dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
});
afterEach(() => shop.close());

const listed = async () =>
  (
    await shop.db.execute(
      `SELECT marketplace, sku, title, current_price AS price, fulfillment_type AS by, marketplace_item_id AS item, image_url AS image
       FROM listings ORDER BY id`,
    )
  ).rows;

test("Amazon's active listings: tabs, quotes that are plain text, and who ships", async () => {
  const header =
    'item-name\titem-description\tlisting-id\tseller-sku\tprice\tquantity\topen-date\timage-url\titem-is-marketplace\tproduct-id-type\tzshop-shipping-fee\titem-note\titem-condition\tzshop-category1\tzshop-browse-path\tzshop-storefront-feature\tasin1\tasin2\tasin3\twill-ship-internationally\texpedited-shipping\tzshop-boldface\tproduct-id\tbid-for-featured-placement\tadd-delete\tpending-quantity\tfulfillment-channel\tmerchant-shipping-group';
  const row = (cells: Record<string, string>) => under(header, '\t', cells);
  const file = [
    header,
    row({
      'item-name': '"Blue" mug 12" tall',
      'seller-sku': '0042',
      price: '19.99',
      asin1: 'B000000001',
      'fulfillment-channel': 'DEFAULT',
    }),
    row({
      'item-name': '"Unclosed',
      'seller-sku': 'F-1',
      price: '5',
      asin1: 'B000000002',
      'fulfillment-channel': 'AMAZON_NA',
    }),
    row({ 'item-name': 'No "price', 'seller-sku': 'F-2', 'fulfillment-channel': 'AMAZON_NA' }),
    '',
  ].join('\r\n');
  const done = await desk.bringIn('listings', file);
  expect(done).toMatchObject({
    source: 'amazon',
    missingColumns: [],
    defaults: { marketplace: 'amazon' },
    counts: { rows: 3, create: 2, rejected: 1 },
  });
  expect(await listed()).toEqual([
    {
      marketplace: 'amazon',
      sku: '0042',
      title: '"Blue" mug 12" tall',
      price: '19.99',
      by: 'FBM',
      item: 'B000000001',
      image: null,
    },
    {
      marketplace: 'amazon',
      sku: 'F-1',
      title: '"Unclosed',
      price: '5.00',
      by: 'FBA/WFS',
      item: 'B000000002',
      image: null,
    },
  ]);
  // The rejected row is returned with commas and proper quotes, and is recognized again.
  const fixed = (await desk.rejected(done.id)).replace(',F-2,,', ',F-2,7.50,');
  expect(await desk.bringIn('listings', fixed)).toMatchObject({
    source: 'amazon',
    counts: { create: 1, rejected: 0 },
  });
  expect((await listed())[2]).toMatchObject({ title: 'No "price', price: '7.50' });
});

test("Walmart's item report", async () => {
  const header =
    'SKU,Item ID,Product Name,Lifecycle Status,Publish Status,Status Change Reason,Product Category,Price,Currency,Buy Box Item Price,Buy Box Shipping Price,Buy Box Eligible,MSRP,Product Tax Code,Ship Methods,Shipping Weight,Shipping Weight Unit,Fulfillment Lag Time,Fulfillment Type,WFS Sales Restriction,WPID,GTIN,UPC,Primary Image URL';
  const row = (sku: string, type: string) =>
    under(header, ',', {
      SKU: sku,
      'Item ID': '10315162',
      'Product Name': 'Mug',
      Price: '12.34',
      'Fulfillment Type': type,
      'Primary Image URL': 'https://i5.example/mug.jpg',
    });
  const file = [
    header,
    row('W-1', 'Seller Fulfilled'),
    row('W-2', 'Walmart Fulfilled'),
    row('W-3', 'WFS Eligible'),
    '',
  ].join('\n');
  expect(await desk.bringIn('listings', file)).toMatchObject({
    source: 'walmart',
    counts: { create: 3, rejected: 0 },
  });
  expect((await listed()).map(({ sku, by }) => `${sku} ${by}`)).toEqual([
    'W-1 FBM',
    'W-2 FBA/WFS',
    'W-3 FBM',
  ]);
  expect((await listed())[0]).toMatchObject({
    marketplace: 'walmart',
    item: '10315162',
    image: 'https://i5.example/mug.jpg',
  });
});

test("eBay's active listings: prices that can be set, variations, no auctions", async () => {
  const header =
    'Item number,Title,Variation details,Custom label (SKU),Available quantity,Format,Currency,Start price,Auction Buy It Now price,Reserve price,Current price,Sold quantity';
  const row = (cells: Record<string, string>) => under(header, ',', cells);
  const file = [
    `\ufeff${header}`,
    row({
      'Item number': '"327123456789"',
      Title: 'Mug',
      'Custom label (SKU)': 'E-1',
      Format: 'FIXED_PRICE',
      'Current price': '123.53',
    }),
    row({ 'Item number': '"327123456790"', Title: 'Shirt', Format: 'FIXED_PRICE' }),
    row({
      'Item number': '"327123456790"',
      Title: 'Shirt',
      'Variation details': 'Color=Red',
      'Custom label (SKU)': 'E-2',
      Format: 'FIXED_PRICE',
      'Current price': '$15.00',
    }),
    row({
      'Item number': '"327123456791"',
      Title: 'Vase',
      'Custom label (SKU)': 'E-3',
      Format: 'AUCTION',
      'Current price': '1.00',
    }),
    '',
  ].join('\n');
  const requested = (await desk.upload('listings', file)).json();
  expect(requested).toMatchObject({
    source: 'ebay',
    missingColumns: ['fulfillmentType'],
    defaults: { marketplace: 'ebay' },
  });
  const checked = await desk.map(requested.id, requested.mapping, {
    ...requested.defaults,
    fulfillmentType: 'FBM',
  });
  const done = await desk.run(checked.id);
  expect(done.counts).toMatchObject({ rows: 3, create: 2, rejected: 1 });
  expect(done.problems).toMatchObject([{ column: 'Format', problem: 'is an auction' }]);
  expect((await listed()).map(({ sku, price, item }) => [sku, price, item])).toEqual([
    ['E-1', '123.53', '327123456789'],
    ['E-2', '15.00', '327123456790'],
  ]);
});

test('brand, supplier and tags of a SKUs file: a blank clears them, a missing column keeps them, and rules are chosen anew', async () => {
  const facts = async () => (await shop.db.execute('SELECT brand, supplier, tags FROM skus')).rows;
  await desk.bringIn('skus', 'sku,brand,supplier,tags\nA-1,Acme, Midwest ,a|b\n');
  expect(await facts()).toEqual([{ brand: 'Acme', supplier: 'Midwest', tags: ['a', 'b'] }]);
  await addListing(shop.db, 'A-1');
  await forgetDue(shop.db);
  await desk.bringIn('skus', 'sku,brand\nA-1,\n');
  expect(await facts()).toEqual([{ brand: null, supplier: 'Midwest', tags: ['a', 'b'] }]);
  expect(await dueSkus(shop.db)).toEqual(['walmart A-1: cost']);
  const { problems } = await desk.check('skus', 'sku,supplier\nA-1,a|b\n');
  expect(problems).toMatchObject([{ column: 'supplier', firstLines: [2] }]);
});
