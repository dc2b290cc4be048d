import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Import, ImportKind } from '#contract/imports.ts';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/*
 * Files as sellers have them, in the manner of marketplaces, suppliers and spreadsheets, from the upload to the import: no
 * spreadsheet in between, and at most three clicks.
 */

let shop: TestApp;
let desk: ImportDesk;
beforeAll(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
});
afterAll(() => shop.close());

interface Expected {
  /** Besides what the file answers itself; each is one click. */
  readonly answers?: { readonly defaults?: object; readonly readings?: object };
  readonly rows: readonly string[];
  /** Of rows that are stored already, in the order of the files. */
  readonly updates?: readonly string[];
  /** Line, heading and problem. */
  readonly rejected?: readonly string[];
  readonly layout?: Partial<Import['layout']>;
}

const FILES: readonly (readonly [string, ImportKind, Expected])[] = [
  [
    'walmart-item-report.csv',
    'listings',
    {
      rows: [
        'walmart WM-MUG-01: currentPrice 19.99, fulfillmentType FBM',
        'walmart WM-PAN-10: currentPrice 44.00, fulfillmentType FBA/WFS',
        'walmart 00042: currentPrice 24.50, fulfillmentType FBM',
        'walmart WM-SET-4: currentPrice 1299.00, fulfillmentType FBM',
      ],
    },
  ],
  [
    'amazon-all-listings.txt',
    'listings',
    {
      layout: { encoding: 'windows-1252', separator: '\t' },
      rows: [
        'amazon AMZ-PRESS: currentPrice 34.95, fulfillmentType FBM',
        'amazon 0007: currentPrice 12.50, fulfillmentType FBA/WFS',
      ],
      rejected: ['4 price is blank'],
    },
  ],
  [
    'amazon-fba-inventory.txt',
    'listings',
    {
      rows: [
        'amazon FBA-TIN: currentPrice 12.50, fulfillmentType FBA/WFS',
        'amazon FBA-CUP: currentPrice 9.00, fulfillmentType FBA/WFS',
      ],
    },
  ],
  [
    'ebay-active-listings.csv',
    'listings',
    {
      answers: { defaults: { fulfillmentType: 'FBM' } },
      rows: [
        'ebay EB-MUG: currentPrice 18.95, fulfillmentType FBM',
        'ebay EB-SHIRT-M: currentPrice 15.00, fulfillmentType FBM',
      ],
      rejected: ['5 Format is an auction'],
    },
  ],
  [
    'etsy-listings.csv',
    'listings',
    {
      rows: [
        'etsy ET-MUG: currentPrice 28.00, fulfillmentType FBM',
        'etsy ET-BOARD: currentPrice 64.00, fulfillmentType FBM',
      ],
      rejected: ['4 SKU has the codes of several variations'],
    },
  ],
  [
    'shopify-products.csv',
    'listings',
    {
      answers: { defaults: { fulfillmentType: 'FBM' } },
      rows: [
        'shopify SH-MUG-B: currentPrice 21.00, fulfillmentType FBM',
        'shopify 00017: currentPrice 21.00, fulfillmentType FBM',
        'shopify SH-BOARD: currentPrice 59.00, fulfillmentType FBM',
      ],
    },
  ],
  [
    'shopify-products.csv',
    'skus',
    {
      rows: [
        'SH-MUG-B: productCost 6.10, weight 14.1096',
        '00017: productCost 6.30, weight 14.1096',
        'SH-BOARD: weight 48.0079',
      ],
    },
  ],
  [
    'supplier-price-list.csv',
    'skus',
    {
      layout: { titleLines: 3, totalLines: [9], rows: 3 },
      rows: [
        'NW-1001: productCost 6.10, weight 14.4',
        'NW-1002: productCost 14.20, weight 70.4',
        'NW-2000: productCost 1062.50, weight 608',
      ],
    },
  ],
  [
    'german-supplier.csv',
    'skus',
    {
      layout: { separator: ';', encoding: 'windows-1252' },
      rows: [
        'DE-100: productCost 12.50, weight 29.9829',
        'DE-101: productCost 1234.56, weight 74.0753',
        'DE-102: productCost 3.90, weight 1.7637',
      ],
    },
  ],
  [
    'google-sheet-costs.csv',
    'skus',
    {
      rows: [
        'GS-1: productCost 6.10, weight 14, packagingCost 0.40',
        'GS-2: productCost 14.20, weight 70, packagingCost 1.10',
        'GS-3: weight 31.7466, packagingCost 0.65',
        'GS-4: productCost 3.05, weight 8.8185, packagingCost 0.00',
      ],
    },
  ],
  [
    'excel-unicode-text.txt',
    'skus',
    {
      layout: { separator: '\t', encoding: 'utf-8' },
      rows: ['00815: productCost 24.75, weight 52', '00816: productCost 6.00, weight 16'],
    },
  ],
  [
    'distributor-feed.txt',
    'skus',
    {
      layout: { separator: '|' },
      rows: [
        'D-77: productCost 18.40, weight 42',
        'D-78: productCost 1020.00, weight 181.5',
        'D-79: productCost 2.15, weight 3',
      ],
    },
  ],
  [
    'accounting-inventory.csv',
    'skus',
    {
      layout: { titleLines: 3, totalLines: [8] },
      rows: ['MUG-1: productCost 6.10', 'PAN-1: productCost 14.20', 'TRAY-1: '],
    },
  ],
  [
    'repricer-limits.csv',
    'listings',
    {
      rows: [],
      updates: [
        'amazon AMZ-PRESS: title Coffee press, minPrice 24.00, maxPrice 49.00',
        'amazon FBA-TIN: title Tea tin, autoRepricingEnabled false',
      ],
    },
  ],
  [
    'walmart-price-sheet.csv',
    'listings',
    {
      rows: [
        'walmart WS-1: currentPrice 18.95, fulfillmentType FBM',
        'walmart WS-2: currentPrice 1044.00, fulfillmentType FBA/WFS',
      ],
    },
  ],
  [
    'price-tracker-offers.csv',
    'offers',
    {
      rows: [
        'amazon AMZ-PRESS: Amazon.com: price 33.10, shipping 0.00, isFeatured true, seenAt 2026-11-28T14:02:00.000Z',
        'amazon AMZ-PRESS: Kitchen Corner: price 32.00, shipping 3.99, isFeatured false, seenAt 2026-11-28T14:02:00.000Z',
        'walmart WM-MUG-01: Kitchen Corner: price 18.49, shipping 0.00, isFeatured true, seenAt 2026-11-28T14:05:00.000Z',
      ],
      rejected: ['5 Offer Price means unknown'],
    },
  ],
];

test.each(FILES)('%s as %s', async (name, kind, expected) => {
  const { answers, rows, updates = [], rejected = [], layout = {} } = expected;
  const uploaded = await desk.upload(kind, readFileSync(`tests/real-files/${name}`), name);
  expect(uploaded.statusCode).toBe(201);
  const requested: Import = uploaded.json();
  expect(requested.layout).toMatchObject(layout);
  // Every answer is a choice in one field, and "Check file" sends them; a file that is clear is checked at once.
  let clicks = 0;
  if (requested.state === 'uploaded') {
    const { mapping, defaults, readings } = requested;
    const choice = {
      mapping,
      defaults: { ...defaults, ...answers?.defaults },
      readings: { ...readings, ...answers?.readings },
    };
    const answer = await shop.post(`/api/imports/${requested.id}/mapping`, choice, {
      method: 'PUT',
      ...desk.signed,
    });
    expect(answer.statusCode).toBe(200);
    clicks += Object.keys({ ...answers?.defaults, ...answers?.readings }).length + 1;
  } else expect(answers).toBeUndefined();
  await desk.work();
  const checked = await desk.read(requested.id);
  expect(checked).toMatchObject({ state: 'checked', missingColumns: [], questions: [] });
  const textsOf = async (status: string): Promise<string[]> => {
    const { lines } = await desk.lines(requested.id, status);
    return (lines as { label: string; changes: { field: string; to: string }[] }[]).map(
      ({ label, changes }) => `${label}: ${changes.map(({ field, to }) => `${field} ${to}`).join(', ')}`,
    );
  };
  expect(await textsOf('create')).toEqual(rows);
  expect(await textsOf('update')).toEqual(updates);
  const { problems } = await desk.lines(requested.id, 'rejected');
  expect(
    (problems as { line: number; column: string; problem: string }[]).map(
      ({ line, column, problem }) => `${line} ${column} ${problem}`,
    ),
  ).toEqual(rejected);
  const done = await desk.run(requested.id);
  clicks += 1;
  expect(done.state).toBe('done');
  expect(clicks).toBeLessThanOrEqual(3);
});
