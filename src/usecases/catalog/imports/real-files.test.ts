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
];

test.each(FILES)('%s as %s', async (name, kind, { answers, rows, rejected = [], layout = {} }) => {
  const uploaded = await desk.upload(kind, readFileSync(`tests/real-files/${name}`), name);
  expect(uploaded.statusCode).toBe(201);
  const asked: Import = uploaded.json();
  expect(asked.layout).toMatchObject(layout);
  // Every answer is a choice in one field, and "Check file" sends them; a file that is clear is checked at once.
  let clicks = 0;
  if (asked.state === 'uploaded') {
    const { mapping, defaults, readings } = asked;
    const choice = {
      mapping,
      defaults: { ...defaults, ...answers?.defaults },
      readings: { ...readings, ...answers?.readings },
    };
    const answer = await shop.post(`/api/imports/${asked.id}/mapping`, choice, {
      method: 'PUT',
      ...desk.signed,
    });
    expect(answer.statusCode).toBe(200);
    clicks += Object.keys({ ...answers?.defaults, ...answers?.readings }).length + 1;
  } else expect(answers).toBeUndefined();
  await desk.work();
  const checked = await desk.read(asked.id);
  expect(checked).toMatchObject({ state: 'checked', missingColumns: [], questions: [] });
  const { lines } = await desk.lines(asked.id, 'create');
  const created = lines as { label: string; changes: { field: string; to: string }[] }[];
  expect(
    created.map(
      ({ label, changes }) => `${label}: ${changes.map(({ field, to }) => `${field} ${to}`).join(', ')}`,
    ),
  ).toEqual(rows);
  const { problems } = await desk.lines(asked.id, 'rejected');
  expect(
    (problems as { line: number; column: string; problem: string }[]).map(
      ({ line, column, problem }) => `${line} ${column} ${problem}`,
    ),
  ).toEqual(rejected);
  const done = await desk.run(asked.id);
  clicks += 1;
  expect(done.state).toBe('done');
  expect(clicks).toBeLessThanOrEqual(3);
});
