import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRuleRecords } from '#db/queries/repricing/rules.ts';
import { WHOLE_CATALOG } from '#domain/rules/segment.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing, addSku, addTier } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
});
afterEach(() => shop.close());

const rows = async (query: string) => (await shop.db.execute(query)).rows;

describe('SKUs', () => {
  const HEADER = 'sku,name,productCost,weight,packagingCost,miscCost,veeqoId,tags';
  const SKUS =
    'SELECT sku, name, product_cost, weight_oz, packaging_cost, veeqo_id, tags FROM skus ORDER BY id';

  test('are created, changed by their code and unchanged when equal; a blank cost is unknown, not zero', async () => {
    const file = `${HEADER}\n0001,"Mug, blue",6.10,16.3,0.65,,V7,a|b\nA-2,,,,,,,\n`;
    expect((await desk.bringIn('skus', file)).counts).toMatchObject({ create: 2, rejected: 0 });
    expect(await rows(SKUS)).toEqual([
      {
        sku: '0001',
        name: 'Mug, blue',
        product_cost: '6.10',
        weight_oz: 16.3,
        packaging_cost: '0.65',
        veeqo_id: 'V7',
        tags: ['a', 'b'],
      },
      {
        sku: 'A-2',
        name: 'A-2',
        product_cost: null,
        weight_oz: null,
        packaging_cost: '0.00',
        veeqo_id: null,
        tags: [],
      },
    ]);
    expect((await desk.bringIn('skus', file)).counts).toMatchObject({ unchanged: 2, update: 0 });
    await addListing(shop.db, '0001');
    await forgetDue(shop.db);
    const changed = await desk.check('skus', `${HEADER}\n0001,,,16.3,0.65,,V7,a|b\nA-2,,,,,,,\n`);
    expect((await desk.lines(changed.id, 'update')).lines).toMatchObject([
      { line: 2, label: '0001', changes: [{ field: 'productCost', from: '6.10', to: null }] },
    ]);
    await desk.run(changed.id);
    expect(await dueSkus(shop.db)).toEqual(['walmart 0001: cost']);
  });

  test('have sides in inches, which a file without these columns keeps and a blank cell clears', async () => {
    const measured =
      'sku,productCost,weight,length,width,height\nA-1,5.00,8,12.5,10.1,6\nA-2,5.00,8,12 ells,,\n';
    const { counts } = await desk.bringIn('skus', measured);
    expect(counts).toMatchObject({ create: 1, rejected: 1 });
    expect((await desk.bringIn('skus', measured)).counts).toMatchObject({ unchanged: 1 });
    const SIDES = 'SELECT length_in, width_in, height_in FROM skus';
    await desk.bringIn('skus', 'sku,productCost\nA-1,6.00\n');
    expect(await rows(SIDES)).toEqual([{ length_in: 12.5, width_in: 10.1, height_in: 6 }]);
    await desk.bringIn('skus', 'sku,height\nA-1,\n');
    expect(await rows(SIDES)).toEqual([{ length_in: 12.5, width_in: 10.1, height_in: null }]);
  });

  test('are marked as hazardous, which a blank cell and a file without the column keep', async () => {
    const marks = () => rows('SELECT sku, is_hazardous FROM skus ORDER BY sku');
    const file = (...cells: string[]) =>
      `sku,productCost,weight,isHazardous\n${cells.map((cell, at) => `A-${at + 1},5.00,8,${cell}\n`).join('')}`;
    const { counts } = await desk.bringIn('skus', file('yes', '', 'hardly'));
    expect(counts).toMatchObject({ create: 2, rejected: 1 });
    const marked = [
      { sku: 'A-1', is_hazardous: true },
      { sku: 'A-2', is_hazardous: false },
    ];
    expect(await marks()).toEqual(marked);
    expect((await desk.bringIn('skus', file('', 'false'))).counts).toMatchObject({ unchanged: 2 });
    await desk.bringIn('skus', 'sku,productCost\nA-1,6.00\n');
    expect(await marks()).toEqual(marked);
    await addListing(shop.db, 'A-2');
    await forgetDue(shop.db);
    const changed = await desk.check('skus', file('false', 'true'));
    expect((await desk.lines(changed.id, 'update')).lines).toMatchObject([
      { changes: [{ field: 'productCost' }, { field: 'isHazardous', from: 'true', to: 'false' }] },
      { changes: [{ field: 'isHazardous', from: 'false', to: 'true' }] },
    ]);
    await desk.run(changed.id);
    expect(await marks()).toEqual([
      { sku: 'A-1', is_hazardous: false },
      { sku: 'A-2', is_hazardous: true },
    ]);
    expect(await dueSkus(shop.db)).toEqual(['walmart A-2: cost']);
  });

  test('keep a mark as hazardous when they were deleted and return, and a blank cell leaves the past as it was', async () => {
    await desk.bringIn('skus', 'sku,productCost,weight\nA-1,5.00,8\n');
    await desk.bringIn('skus', 'sku,isHazardous\nA-1,true\n');
    await desk.bringIn('skus', 'sku,productCost,isHazardous,effectiveFrom\nA-1,6.00,,2020-03-01\n');
    const backdated = await rows(
      "SELECT DISTINCT product_cost, is_hazardous FROM sku_costs WHERE effective_from < '2020-04-01'",
    );
    expect(backdated).toEqual([{ product_cost: '6.00', is_hazardous: false }]);
    await shop.db.execute(sql`UPDATE skus SET deleted_at = now()`);
    await desk.bringIn('skus', 'sku,productCost,weight\nA-1,5.00,8\n');
    expect(await rows('SELECT is_hazardous FROM skus WHERE deleted_at IS NULL')).toEqual([
      { is_hazardous: true },
    ]);
  });

  test('have sides under the names of the API as well', async () => {
    await desk.bringIn('skus', 'sku,productCost,lengthIn,widthIn,heightIn\nA-1,5.00,12,10,6\n');
    expect(await rows('SELECT length_in, width_in, height_in FROM skus')).toEqual([
      { length_in: 12, width_in: 10, height_in: 6 },
    ]);
  });

  test('a row may leave out empty cells at its end under columns without a name, and nothing else', async () => {
    const file = 'sku,productCost,weight,,\nA-1,5.00,8,,\nA-2,5.00,8\nA-3,5.00\nA-4,1,299.00,8,,\n';
    const checked = await desk.check('skus', file);
    expect(checked.counts).toMatchObject({ create: 2, rejected: 2 });
    // Grouped by their fix too.
    expect(checked.problems).toMatchObject([
      { problem: 'has 2 cells where the header has 5', fix: 'Add the missing cells.', firstLines: [4] },
      { problem: 'has 6 cells where the header has 5', firstLines: [5] },
    ]);
  });

  test('weights in pounds become ounces, and the check says so', async () => {
    await addSku(shop.db, 'A-1');
    const { id } = await desk.check('skus', 'Item,Weight (lb)\nA-1,2.55\n');
    const { readings, notes } = await desk.map(id, { sku: 0, weight: 1 });
    expect(readings).toEqual({ weightUnit: 'lb' });
    expect(notes).toEqual([expect.stringContaining('0.55 is 8.8 oz')]);
    expect((await desk.lines(id, 'update')).lines).toMatchObject([
      { changes: [{ field: 'weight', from: '8', to: '40.8' }] },
    ]);
  });

  test('a note shows codes that a spreadsheet has shortened, before they are created', async () => {
    const note = expect.stringContaining('such as 1.23457E+11');
    const file = (code: string) =>
      `sku,name,productCost,weight,packagingCost,miscCost\n${code},Mug,5,8,0,0\n`;
    expect((await desk.check('skus', file('4.06382E+12'))).notes).toEqual([note]);
    expect((await desk.check('skus', file('4063821E12'))).notes).toEqual([]);
  });

  test('a file with only costs changes only costs, and shows what new SKUs lack', async () => {
    await addSku(shop.db, 'A-1');
    const done = await desk.bringIn('skus', 'sku,productCost\nA-1,7.25\nA-2,3\n');
    expect(done.counts).toMatchObject({ create: 1, update: 1 });
    expect(done.notes).toEqual([
      'The file has no column name: the code is used as the name of new SKUs.',
      'The file has no column weight: it is unknown for new SKUs. Listings with these SKUs are not repriced until you enter it.',
      'The file has no column packagingCost: new SKUs get 0.00.',
      'The file has no column miscCost: new SKUs get 0.00.',
    ]);
    expect(await rows('SELECT product_cost, weight_oz, version FROM skus ORDER BY sku')).toEqual([
      { product_cost: '7.25', weight_oz: 8, version: 2 },
      { product_cost: '3.00', weight_oz: null, version: 1 },
    ]);
  });

  test('rejected rows show where and how to fix them, and import once fixed', async () => {
    const done = await desk.bringIn(
      'skus',
      `${HEADER}\nA-1,Mug,1e3,abc,-1,,,\n,No code,1,1,,,,\nA-3,Ok,1,1,,,,\nA-3,Twice,1,1,,,,\n`,
    );
    expect(done.counts).toMatchObject({ rows: 4, create: 1, rejected: 3 });
    expect(done.problems).toMatchObject([
      { column: 'productCost', count: 1, firstLines: [2] },
      { column: 'weight', fix: expect.stringContaining('ounces') },
      { column: 'packagingCost', problem: 'is negative' },
      { column: 'sku', problem: 'is blank', firstLines: [3] },
      { column: 'sku', problem: 'is already in this file', firstLines: [5] },
    ]);
    const rejected = await desk.rejected(done.id);
    expect(rejected).toContain('"productCost ""1e3"" is not an amount.');
    const fixed = rejected
      .replace('1e3,abc,-1', '1,2,3')
      .replace(',No code', 'A-2,No code')
      .replace('A-3,Twice', 'A-4,Twice');
    expect((await desk.bringIn('skus', fixed)).counts).toMatchObject({ create: 3, rejected: 0 });
  });
});

test('a problem names the column as the file does, and as ours where the file lacks it', async () => {
  const checked = await desk.check('skus', 'Item SKU,Title,COGS\nA-1,Mug,1e3\n,Lamp,2.00\n');
  const { id } = await desk.map(checked.id, { sku: 0, name: 1, productCost: 2 }, {});
  expect((await desk.read(id)).problems).toMatchObject([{ column: 'COGS' }, { column: 'Item SKU' }]);
  const done = await desk.run(id);
  expect(done.problems.map(({ column }) => column)).toEqual(['COGS', 'Item SKU']);
  expect(await desk.rejected(id)).toContain('"COGS ""1e3"" is not an amount.');
});

describe('costs that apply from an earlier day', () => {
  const SINCE = '2020-03-01T00:00:00.000Z';
  const changesOf = async (kind: 'skus' | 'listings' | 'tiers', file: string) => {
    const checked = await desk.check(kind, file);
    const { lines } = await desk.lines(checked.id, 'update');
    await desk.run(checked.id);
    return (lines[0] as { changes?: unknown } | undefined)?.changes;
  };

  test('of SKUs, listings and shipping tiers are those of the file since then; a second import changes nothing', async () => {
    await addSku(shop.db, 'A-1', { productCost: usd(8) });
    await addListing(shop.db, 'A-1', { shippingCost: usd(4.5) });
    await addTier(shop.db, 'walmart', 4.5, 16);
    const files = {
      skus: 'sku,productCost,effectiveFrom\nA-1,9.00,2020-03-01\n',
      listings:
        'sku,currentPrice,fulfillmentType,marketplace,shippingCost,feeRate,effectiveFrom\nA-1,20.00,FBM,walmart,5.50,17,2020-03-01\n',
      tiers:
        'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost,effectiveFrom\nwalmart,FBM,0,16,5.50,2020-03-01\n',
    };
    const dated = { field: 'effectiveFrom', from: null, to: SINCE };
    expect(await changesOf('skus', files.skus)).toEqual([
      { field: 'productCost', from: '8.00', to: '9.00' },
      dated,
    ]);
    expect(await changesOf('listings', files.listings)).toEqual([
      { field: 'shippingCost', from: '4.50', to: '5.50' },
      { field: 'feeRate', from: null, to: '17.00' },
      dated,
    ]);
    expect(await changesOf('tiers', files.tiers)).toEqual([
      { field: 'cost', from: '4.50', to: '5.50' },
      dated,
    ]);
    const at = `effective_from = '${SINCE}'`;
    expect(await rows(`SELECT product_cost FROM sku_costs WHERE ${at}`)).toEqual([{ product_cost: '9.00' }]);
    expect(await rows(`SELECT shipping, fee_rate FROM listing_costs WHERE ${at}`)).toEqual([
      { shipping: '5.50', fee_rate: '17.00' },
    ]);
    expect(await rows(`SELECT cost FROM shipping_tiers WHERE ${at}`)).toEqual([{ cost: '5.50' }]);
    for (const [kind, file] of Object.entries(files) as ['skus' | 'listings' | 'tiers', string][]) {
      expect((await desk.bringIn(kind, file)).counts).toMatchObject({ unchanged: 1, update: 0 });
    }
  });

  test('may be those entered before without a day, and never of a later day', async () => {
    const id = await addSku(shop.db, 'A-1', { productCost: usd(8) });
    await shop.db.execute(sql`UPDATE skus SET product_cost = 9 WHERE id = ${id}`);
    const file = (day: string) => `sku,productCost,effectiveFrom\nA-1,9.00,${day}\n`;
    expect(await changesOf('skus', file('2020-03-01'))).toEqual([
      { field: 'effectiveFrom', from: null, to: SINCE },
    ]);
    expect((await desk.bringIn('skus', file('2199-01-01'))).counts).toMatchObject({ rejected: 1 });
  });
});

describe('bundles', () => {
  const HEADER = 'listing_sku,component_sku,quantity';
  const STORED = `SELECT b.listing_sku, s.sku, b.quantity FROM bundle_components b
    JOIN skus s ON s.id = b.component_sku_id ORDER BY 1, 2`;
  beforeEach(async () => {
    for (const sku of ['A', 'B', 'C']) await addSku(shop.db, sku);
  });

  test('a file replaces the components of each bundle in it, and shows what it removes', async () => {
    await desk.bringIn('bundles', `${HEADER}\nSET,A,2\nSET,B,1\nOTHER,C,1\n`);
    await addListing(shop.db, 'SET', { bundleUnconfirmed: true });
    await forgetDue(shop.db);
    const file = `${HEADER}\nSET,A,3\nSET,C,1\n`;
    const checked = await desk.check('bundles', file);
    expect(checked.counts).toMatchObject({ update: 1, create: 1, rejected: 0 });
    expect((await desk.lines(checked.id, 'update')).lines).toMatchObject([
      {
        label: 'SET: A',
        changes: [
          { field: 'component', from: '1 x B', to: null },
          { field: 'quantity', from: '2', to: '3' },
        ],
      },
    ]);
    await desk.run(checked.id);
    expect(await rows(STORED)).toEqual([
      { listing_sku: 'OTHER', sku: 'C', quantity: 1 },
      { listing_sku: 'SET', sku: 'A', quantity: 3 },
      { listing_sku: 'SET', sku: 'C', quantity: 1 },
    ]);
    expect(await rows('SELECT bundle_unconfirmed FROM listings')).toEqual([{ bundle_unconfirmed: false }]);
    expect(await dueSkus(shop.db)).toEqual(['walmart SET: cost']);
    expect((await desk.bringIn('bundles', file)).counts).toMatchObject({
      unchanged: 2,
      update: 0,
      create: 0,
    });
  });

  test('a bundle in a bundle is rejected, stored or in the same file', async () => {
    await desk.bringIn('bundles', `${HEADER}\nA,B,2\nB,B,3\n`);
    const done = await desk.bringIn('bundles', `${HEADER}\nSET,A,2\nOTHER,C,1\nC,B,3\n`);
    expect((await desk.lines(done.id, 'rejected')).problems).toMatchObject([
      { line: 2, column: 'component_sku', value: 'A', problem: 'SKU "A" is itself a bundle' },
      { line: 3, column: 'component_sku', value: 'C', problem: 'SKU "C" is itself a bundle' },
    ]);
  });

  test('one bad row rejects its whole bundle: a part of it would cost too little', async () => {
    const done = await desk.bringIn('bundles', `${HEADER}\nSET,A,2\nOTHER,C,1\nSET,NOPE,1\nSET,B,0\n`);
    expect(done.counts).toMatchObject({ create: 1, rejected: 3 });
    expect((await desk.lines(done.id, 'rejected')).problems).toMatchObject([
      { line: 2, problem: 'is rejected with line 4: the rows of one bundle are imported together' },
      { line: 4, column: 'component_sku', value: 'NOPE', problem: 'SKU "NOPE" not found' },
      { line: 5, column: 'quantity', problem: 'Invalid quantity "0"' },
    ]);
    expect(await rows(STORED)).toEqual([{ listing_sku: 'OTHER', sku: 'C', quantity: 1 }]);
    expect(done.problems.map(({ isSecondary }) => isSecondary)).toEqual([true, false, false]);
    const rejected = await desk.rejected(done.id);
    expect(rejected).toContain(',"SKU ""NOPE"" not found. Import or create the SKU first');
    const fixed = rejected.replace('NOPE', 'C').replace('SET,B,0', 'SET,B,1');
    expect((await desk.bringIn('bundles', fixed)).counts).toMatchObject({ create: 3, rejected: 0 });
  });

  test.each([
    ['semicolons', 'listing_sku;component_sku;quantity\nSET;A;2\n'],
    ['tabs and a BOM', '\uFEFFlisting_sku\tcomponent_sku\tquantity\nSET\tA\t2\n'],
    [
      'quotes, other names and more columns',
      'Quantity,Note,Listing SKU,Component SKU\n"2","a, b","SET","A"\n',
    ],
  ])('%s are read', async (_, file) => {
    expect((await desk.bringIn('bundles', file, { allOrNothing: true })).counts).toMatchObject({ create: 1 });
    expect(await rows(STORED)).toEqual([{ listing_sku: 'SET', sku: 'A', quantity: 2 }]);
  });

  test.each([
    ['too few cells', 'SET,B', 'Missing required fields'],
    ['too many cells', 'SET,B,1,x', 'has 4 cells where the header has 3'],
    ['a quote in the middle of a cell', 'SET,B"x,1', 'has a quote in the middle of a cell'],
  ])('a row with %s rejects its bundle too', async (_, row, problem) => {
    const done = await desk.bringIn('bundles', `${HEADER}\nSET,A,2\n${row}\n`);
    expect((await desk.lines(done.id, 'rejected')).problems).toMatchObject([
      { line: 2, problem: expect.stringContaining('is rejected with line 3') },
      { line: 3, problem },
    ]);
    const first = await desk.bringIn('bundles', `${HEADER}\n${row}\nSET,A,2\n`);
    expect((await desk.lines(first.id, 'rejected')).problems).toMatchObject([
      { line: 2, problem },
      { line: 3, problem: expect.stringContaining('is rejected with line 2') },
    ]);
    expect(await rows(STORED)).toEqual([]);
  });

  test('mistakes are named in the words of the specification, one for each row; each SKU by its code', async () => {
    const lines = ['S1,,2', 'S2,A', '', 'S3,A,two', 'S4,A,0', 'S5,A,1.5', 'S6,N-1,1', 'S7,N-2,1', 'S8,,'];
    const { id, problems } = await desk.check('bundles', [HEADER, ...lines].join('\n'));
    const found = (await desk.lines(id, 'rejected')).problems as { line: number; problem: string }[];
    expect(found.map(({ line, problem }) => `Line ${line}: ${problem}`)).toEqual([
      'Line 2: Missing required fields',
      'Line 3: Missing required fields',
      'Line 5: Invalid quantity "two"',
      'Line 6: Invalid quantity "0"',
      'Line 7: Invalid quantity "1.5"',
      'Line 8: SKU "N-1" not found',
      'Line 9: SKU "N-2" not found',
      'Line 10: Missing required fields',
    ]);
    expect(problems.filter(({ problem }) => problem.endsWith('not found'))).toMatchObject([
      { firstLines: [8] },
      { firstLines: [9] },
    ]);
  });
});

describe('shipping tiers', () => {
  const HEADER = 'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost';

  test('are created for one marketplace or all six, and changed by their exact range', async () => {
    await addTier(shop.db, 'walmart', 4, 16);
    const file = `${HEADER}\n,FBM,0,16,4.20\nwalmart,FBM,16,48.5,7.10\n`;
    const checked = await desk.check('tiers', file);
    expect((await desk.lines(checked.id, 'update')).lines).toMatchObject([
      { label: 'all FBM 0 to 16 oz', changes: [{ field: 'cost (walmart)', from: '4.00', to: '4.20' }] },
    ]);
    expect((await desk.run(checked.id)).counts).toMatchObject({ update: 1, create: 1 });
    expect(await rows('SELECT count(*)::int AS tiers, sum(cost)::text FROM shipping_tiers')).toEqual([
      { tiers: 7, sum: '32.30' },
    ]);
    expect((await desk.bringIn('tiers', file)).counts).toMatchObject({ unchanged: 2, rejected: 0 });
  });

  test('an overlap with the file or a stored tier names both', async () => {
    await addTier(shop.db, 'ebay', 4, 16);
    const done = await desk.bringIn(
      'tiers',
      `${HEADER}\nwalmart,FBM,0,16,4\nwalmart,FBM,8,20,5\n,FBM,10,12,3\n`,
    );
    expect((await desk.lines(done.id, 'rejected')).problems).toMatchObject([
      { line: 3, problem: 'overlaps the tier of line 2 (lines 2 and 3)' },
      { line: 4, problem: 'overlaps the tier of line 2 (lines 2 and 4)' },
    ]);
    const second = await desk.bringIn('tiers', `${HEADER}\nebay,FBM,8,20,5\n`);
    expect(second.problems).toMatchObject([{ problem: 'overlaps the stored tier 0 to 16 oz of ebay FBM' }]);
  });
});

describe('rules', () => {
  const HEADER =
    'name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive,marginEtsy';

  test('are created and changed by their name, with the margins of single marketplaces', async () => {
    const file = (margin: string, etsy: string) =>
      `${HEADER}\nBeat,,All,Beat Competitor,${margin},0.05,true,${etsy}\nFixed,ebay,FBM,fixed margin,15,,false,\n`;
    expect((await desk.bringIn('rules', file('10', '20'))).counts).toMatchObject({ create: 2 });
    expect((await desk.bringIn('rules', file('10', '20'))).counts).toMatchObject({ unchanged: 2 });
    await addListing(shop.db, 'A-1', { marketplace: 'etsy' });
    await forgetDue(shop.db);
    const checked = await desk.check('rules', file('12.5', ''));
    expect((await desk.lines(checked.id, 'update')).lines).toMatchObject([
      {
        label: 'Beat',
        changes: [
          { field: 'minimumMargin', from: '10.00', to: '12.50' },
          { field: 'marginEtsy', from: '20.00', to: null },
        ],
      },
    ]);
    await desk.run(checked.id);
    expect(
      await rows('SELECT name, minimum_margin, version, no_competitor FROM repricing_rules ORDER BY id'),
    ).toEqual([
      { name: 'Beat', minimum_margin: '12.50', version: 2, no_competitor: 'keep' },
      { name: 'Fixed', minimum_margin: '15.00', version: 1, no_competitor: 'keep' },
    ]);
    expect(await rows('SELECT * FROM repricing_rule_margins')).toEqual([]);
    expect(await dueSkus(shop.db)).toEqual(['etsy A-1: rule']);
  });

  test('rejected rows show what is wrong and import once fixed', async () => {
    const done = await desk.bringIn(
      'rules',
      `${HEADER}\nBeat,,All,Undercut,100,x,maybe,\nBeat,,All,Fixed Margin,1,,true,\n`,
    );
    expect(done.problems.map(({ column }) => column)).toEqual([
      'strategy',
      'minimumMargin',
      'competitorOffset',
      'isActive',
      'name',
    ]);
    const fixed = (await desk.rejected(done.id))
      .replace('Beat,,All,Undercut,100,x,maybe', 'First,,All,Match Competitor,9,-0.10,true')
      .replace('Beat,', 'Second,');
    expect((await desk.bringIn('rules', fixed)).counts).toMatchObject({ create: 2, rejected: 0 });
  });

  test('with lines, targets, a segment and a schedule are stored, and an export of them imports unchanged', async () => {
    const header = `${HEADER},lines,targetMargin,targetEtsy,priority,brands,tags,ownPriceFrom,ownPriceTo,stockTo,activeFrom,windows`;
    const row =
      'Nights,amazon|etsy,All,Beat Competitor,10,0.05,true,12,"winning: hold; hours 22 to 4: own price; otherwise: target margin",35,40,7,Acme|Bluebird,sale,10,49.99,5,2026-11-20,mon-fri 22:00-04:00|sat 00:00-24:00';
    expect(await desk.bringIn('rules', `${header}\n${row}\n`)).toMatchObject({
      counts: { create: 1, rejected: 0 },
    });
    const [record] = await readRuleRecords(shop.db);
    expect(record?.rule).toMatchObject({
      marketplace: null,
      targetMargin: pct(35),
      marketplaceTargets: { etsy: pct(40) },
      onlySameShipping: false,
      priority: 7,
      segment: {
        ...WHOLE_CATALOG,
        marketplaces: ['amazon', 'etsy'],
        brands: ['Acme', 'Bluebird'],
        tags: ['sale'],
        ownPrice: { min: usd(10), max: usd(49.99) },
        stock: { min: null, max: 5 },
      },
      schedule: {
        activeFrom: '2026-11-20',
        activeUntil: null,
        windows: [
          { fromDay: 1, toDay: 5, from: 1_320, to: 240 },
          { fromDay: 6, toDay: 6, from: 0, to: 1_440 },
        ],
      },
    });
    const exported = async () => (await shop.get('/api/rules/export.csv', desk.cookie)).body;
    const file = await exported();
    expect((await desk.bringIn('rules', file)).counts).toMatchObject({ unchanged: 1 });
    await shop.db.execute(sql`UPDATE repricing_rules SET deleted_at = now()`);
    expect((await desk.bringIn('rules', file)).counts).toMatchObject({ create: 1 });
    expect(await exported()).toBe(file);
    await desk.bringIn('rules', `${HEADER}\nNights,,All,Beat Competitor,10,,true,\n`);
    expect((await readRuleRecords(shop.db))[0]?.rule).toMatchObject({ marketplace: null, priority: 7 });
  });

  test('with hours, days or dates are counted by the check while the store has no time zone', async () => {
    const file = [
      `${HEADER},lines,windows`,
      'Week,,All,Fixed Margin,10,,true,,,mon-fri 08:00-18:00',
      'Nights,,All,Fixed Margin,10,,false,,hours 22 to 4: own price; floor,',
      'Any time,,All,Fixed Margin,10,,true,,winning: hold; floor,',
      'Rejected,,All,Fixed Margin,100,,true,,,mon-fri 08:00-18:00',
    ].join('\n');
    const { id, rulesInUtc, counts } = await desk.check('rules', file);
    expect({ rulesInUtc, counts }).toMatchObject({ rulesInUtc: 2, counts: { create: 3, rejected: 1 } });
    const zone = (name: string | null) => shop.db.execute(sql`UPDATE app_settings SET time_zone = ${name}`);
    await zone('America/New_York');
    expect((await desk.read(id)).rulesInUtc).toBe(0);
    await zone(null);
    expect((await desk.run(id)).rulesInUtc).toBe(0);
    // Those that are stored already were asked about when they were saved.
    expect(await desk.check('rules', file)).toMatchObject({ rulesInUtc: 0, counts: { unchanged: 3 } });
    const later = file.replace('18:00\nNights', '19:00\nNights');
    expect(await desk.check('rules', later)).toMatchObject({ rulesInUtc: 1, counts: { update: 1 } });
  });

  test('that could never do what they say are rejected, also together with what is stored', async () => {
    const lined = `${HEADER},lines,targetMargin`;
    const bad = await desk.bringIn(
      'rules',
      `${lined}\nA,,All,Fixed Margin,10,,true,,otherwise: target margin,\nB,,All,Fixed Margin,10,,true,,learned price,\n`,
    );
    expect(bad.problems.map(({ column }) => column)).toEqual(['lines', 'lines']);
    await desk.bringIn('rules', `${lined}\nA,,All,Fixed Margin,10,,true,,otherwise: target margin,30\n`);
    const cleared = await desk.bringIn('rules', `${HEADER},targetMargin\nA,,All,Fixed Margin,10,,true,,\n`);
    expect(cleared).toMatchObject({ counts: { rejected: 1 }, problems: [{ column: 'lines' }] });
  });
});

describe('fees', () => {
  const HEADER = 'marketplace,category,percent,fixed,minimum,bandUpTo,bandKind,effectiveFrom';
  const APPAREL = `${HEADER}\nwalmart,Apparel,15,0,0,,whole,\nwalmart,apparel,5,0,0,15.00,whole,\nwalmart,Apparel,10,0,0,20,whole,\n`;

  test('a schedule is created with its bands and replaced as a whole', async () => {
    expect((await desk.bringIn('fees', APPAREL)).counts).toMatchObject({ create: 3, rejected: 0 });
    expect((await desk.bringIn('fees', APPAREL)).counts).toMatchObject({ unchanged: 3, update: 0 });
    await addListing(shop.db, 'A-1');
    await forgetDue(shop.db);
    const done = await desk.bringIn('fees', `${HEADER}\nwalmart,APPAREL,12,0.10,0,,whole,\n`);
    expect((await desk.lines(done.id, 'update')).lines).toMatchObject([
      {
        label: 'walmart APPAREL',
        changes: [
          { field: 'percent', from: '15.00', to: '12.00' },
          { field: 'fixed', from: '0.00', to: '0.10' },
        ],
      },
    ]);
    expect(
      await rows(`SELECT s.category, b.up_to, b.percent FROM fee_bands b JOIN fee_schedules s ON s.id = b.schedule_id
        WHERE s.category IS NOT NULL`),
    ).toEqual([{ category: 'Apparel', up_to: null, percent: '12.00' }]);
    expect(await dueSkus(shop.db)).toEqual(['walmart A-1: fees']);
  });

  test('parts on the total with sales tax and per unit are columns that a file may have', async () => {
    const header = `${HEADER},percentTaxed,perUnit,edgeBase`;
    const file = `${header}\nebay,,0,0.30,0,10,whole,,13.6,0,with_tax\nebay,,0,0.40,0,,whole,,13.6,0.05,with_tax\n`;
    expect((await desk.bringIn('fees', file)).counts).toMatchObject({ update: 2, rejected: 0 });
    expect((await desk.bringIn('fees', file)).counts).toMatchObject({ unchanged: 2 });
    expect(
      await rows(`SELECT s.edge_base, s.origin, b.percent_taxed, b.per_unit FROM fee_bands b
        JOIN fee_schedules s ON s.id = b.schedule_id WHERE s.marketplace = 'ebay' ORDER BY b.up_to`),
    ).toEqual([
      { edge_base: 'with_tax', origin: 'edited', percent_taxed: '13.60', per_unit: '0.00' },
      { edge_base: 'with_tax', origin: 'edited', percent_taxed: '13.60', per_unit: '0.05' },
    ]);
    const mixed = file.replace('0.05,with_tax', '0.05,revenue');
    expect((await desk.bringIn('fees', mixed)).counts).toMatchObject({ update: 0, rejected: 2 });
  });

  test.each([
    ['lacks its last cell', 'walmart,Apparel,5,0,0,15,whole'],
    ['has an unreadable date', 'walmart,Apparel,5,0,0,15,whole,soon'],
    ['has an unreadable marketplace', 'wallmart,Apparel,5,0,0,15,whole,2026-12-01'],
  ])('a row that %s rejects all schedules of the file: any may lack its band', async (_, row) => {
    const dated = [`walmart,Apparel,10,0,0,20,whole,2026-12-01`, `walmart,Apparel,15,0,0,,whole,2026-12-01`];
    const done = await desk.bringIn('fees', `${[HEADER, ...dated, row].join('\n')}\n`);
    expect(done.counts).toMatchObject({ create: 0, rejected: 3 });
    expect((await desk.lines(done.id, 'rejected')).problems).toMatchObject([
      { line: 2, problem: expect.stringContaining('is rejected with line 4') },
      { line: 3, problem: expect.stringContaining('is rejected with line 4') },
      { line: 4 },
    ]);
  });

  test('a schedule with an error is rejected as a whole, with a fix', async () => {
    const done = await desk.bringIn(
      'fees',
      `${HEADER}\nebay,Books,5,0,0,10,whole,\nebay,Books,6,0,0,20,whole,\namazon,Toys,8,0,0,,whole,\n`,
    );
    expect(done.counts).toMatchObject({ create: 1, rejected: 2 });
    expect(done.problems).toMatchObject([
      {
        problem: 'belongs to an invalid schedule',
        count: 2,
        fix: expect.stringContaining('upper end of the last band empty'),
      },
    ]);
    const fixed = (await desk.rejected(done.id)).replace('6,0,0,20', '6,0,0,');
    expect((await desk.bringIn('fees', fixed)).counts).toMatchObject({ create: 2, rejected: 0 });
  });
});
