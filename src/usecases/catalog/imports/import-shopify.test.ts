import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cents } from '#domain/units.ts';
import { type ImportDesk, importDesk, under } from '#tests/support/import-file.ts';
import { addSku } from '#tests/support/seed.ts';
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

const costs = async () =>
  (await shop.db.execute('SELECT sku, product_cost AS cost, weight_oz AS oz FROM skus ORDER BY id')).rows;

test("Shopify's product export: variants by their options, pictures skipped, the fulfillment type is asked for", async () => {
  const header =
    'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Price,Image Src,Status';
  const row = (cells: Record<string, string>) => under(header, ',', cells);
  const file = [
    header,
    row({
      Handle: 'shirt',
      Title: 'Shirt',
      'Option1 Value': 'Red',
      'Option2 Value': 'M',
      'Variant SKU': 'S-RM',
      'Variant Price': '20.00',
      'Image Src': 'https://cdn.example/1.jpg',
    }),
    row({
      Handle: 'shirt',
      'Option1 Value': 'Red',
      'Option2 Value': 'L',
      'Variant SKU': 'S-RL',
      'Variant Price': '21.00',
    }),
    row({ Handle: 'shirt', 'Image Src': 'https://cdn.example/2.jpg' }),
    row({
      Handle: 'mug',
      Title: 'Mug',
      'Option1 Value': 'Default Title',
      'Variant SKU': 'M-1',
      'Variant Price': '9.00',
    }),
    row({ Handle: 'mug', 'Option1 Value': 'Blue', 'Variant Price': '9.00' }),
    '',
  ].join('\n');
  const requested = (await desk.upload('listings', file)).json();
  expect(requested).toMatchObject({
    source: 'shopify',
    state: 'uploaded',
    missingColumns: ['fulfillmentType'],
  });
  // Answering just the question still creates listings on Shopify.
  const checked = await desk.map(requested.id, requested.mapping, { fulfillmentType: 'FBM' });
  expect(checked).toMatchObject({ state: 'checked', counts: { rows: 4, create: 3, rejected: 1 } });
  await desk.run(checked.id);
  expect((await listed()).map(({ marketplace, sku, title, by }) => [marketplace, sku, title, by])).toEqual([
    ['shopify', 'S-RM', 'Shirt - Red / M', 'FBM'],
    ['shopify', 'S-RL', 'Shirt - Red / L', 'FBM'],
    ['shopify', 'M-1', 'Mug', 'FBM'],
  ]);
});

describe("Shopify's export of today and of before", () => {
  const OLD =
    'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position,Gift Card,Variant Image,Variant Weight Unit,Cost per item,Status';
  const NEW =
    'Title,URL handle,Description,Vendor,Type,Tags,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Cost per item,Inventory quantity,Weight value (grams),Weight unit for display,Product image URL,Image position,Variant image URL,Gift card';
  /** The names in today's header for those of before. */
  const TODAY: Readonly<Record<string, string>> = {
    Handle: 'URL handle',
    'Option1 Value': 'Option1 value',
    'Variant SKU': 'SKU',
    'Variant Price': 'Price',
    'Variant Grams': 'Weight value (grams)',
    'Image Src': 'Product image URL',
    'Variant Image': 'Variant image URL',
  };
  const picture = (name: string) => `https://cdn.example/${name}.jpg`;
  const ROWS: readonly Readonly<Record<string, string>>[] = [
    {
      Handle: 'mug',
      Title: 'Mug',
      'Option1 Value': 'Blue',
      'Variant SKU': "'00001",
      'Variant Price': '9.00',
      'Variant Grams': '250.0',
      'Cost per item': '3.10',
      'Image Src': picture('mug-1'),
      Vendor: 'Acme | Sons',
      Tags: '"sale, kitchen"',
    },
    {
      Handle: 'mug',
      'Option1 Value': 'Red',
      'Variant SKU': 'MUG-R',
      'Variant Price': '9.50',
      'Variant Grams': '0.0',
      'Image Src': picture('mug-2'),
      'Variant Image': picture('red'),
    },
    {
      Handle: 'mug',
      'Option1 Value': 'Tall',
      'Variant SKU': 'mug-r',
      'Variant Price': '9.90',
      'Variant Grams': '300',
      'Cost per item': '4',
      'Image Src': picture('mug-3'),
    },
    { Handle: 'mug', 'Image Src': picture('mug-4') },
  ];
  const files = [
    ['of before', [OLD, ...ROWS.map((row) => under(OLD, ',', row))].join('\n')],
    [
      'of today',
      [
        NEW,
        ...ROWS.map((row) =>
          under(
            NEW,
            ',',
            Object.fromEntries(Object.entries(row).map(([name, cell]) => [TODAY[name] ?? name, cell])),
          ),
        ),
      ].join('\n'),
    ],
  ] as const;

  test.each(files)(
    '%s: codes without the guard, pictures of variants, and costs and weights as SKUs',
    async (_, file) => {
      await addSku(shop.db, '00001', { productCost: cents(295), weightOz: null });
      const requested = (await desk.upload('listings', file)).json();
      const listings = await desk.map(requested.id, requested.mapping, { fulfillmentType: 'FBM' });
      expect(listings).toMatchObject({ saysCosts: true, counts: { create: 3, rejected: 0 } });
      expect(listings.notes).toEqual([expect.stringContaining('"mug-r" and "MUG-R"')]);
      await desk.run(listings.id);
      expect((await listed()).map(({ sku, title, image }) => [sku, title, image])).toEqual([
        ['00001', 'Mug - Blue', picture('mug-1')],
        ['MUG-R', 'Mug - Red', picture('red')],
        ['mug-r', 'Mug - Tall', picture('mug-1')],
      ]);

      const brands = await shop.db.execute('SELECT brand FROM listings ORDER BY id');
      expect(brands.rows).toEqual(Array(3).fill({ brand: 'Acme / Sons' }));

      const again = await shop.post(
        `/api/imports?kind=skus&name=any.csv&from=${listings.id}`,
        undefined,
        desk.signed,
      );
      expect(again.json()).toMatchObject({
        kind: 'skus',
        source: 'shopify',
        missingColumns: [],
        fileName: 'listings.csv',
        readings: { weightUnit: 'g', known: 'keep' },
      });
      await desk.work();
      const skus = (await shop.get(`/api/imports/${again.json().id}`, desk.cookie)).json();
      expect(skus.counts).toMatchObject({ create: 2, update: 1, rejected: 0 });
      // A known cost is kept, with a note; an unknown weight is filled in; a weight of 0 stays unknown.
      expect(skus.notes.some((note: string) => note.includes('keep their cost or weight'))).toBe(true);
      await desk.run(skus.id);
      expect(await costs()).toEqual([
        { sku: '00001', cost: '2.95', oz: 8.8185 },
        { sku: 'MUG-R', cost: null, oz: null },
        { sku: 'mug-r', cost: '4.00', oz: 10.5822 },
      ]);

      const facts = (await shop.db.execute('SELECT brand, tags FROM skus')).rows;
      expect(facts).toEqual(Array(3).fill({ brand: 'Acme / Sons', tags: ['sale', 'kitchen'] }));

      const replacing = {
        mapping: skus.mapping,
        defaults: {},
        readings: { weightUnit: 'g', known: 'replace' },
      };
      const second = await desk.check('skus', file);
      await shop.post(`/api/imports/${second.id}/mapping`, replacing, { method: 'PUT', ...desk.signed });
      await desk.work();
      const [line] = (await desk.lines(second.id, 'update')).lines as { changes: unknown[] }[];
      expect(line?.changes).toContainEqual({ field: 'productCost', from: '2.95', to: '3.10' });
    },
  );
});
