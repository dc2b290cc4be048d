import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
});
afterEach(() => shop.close());

const rows = async (query: string) => (await shop.db.execute(query)).rows;
const HEADER = 'sku,title,currentPrice,fulfillmentType,marketplace,minPrice,maxPrice,rule';
const file = (...lines: string[]) => [HEADER, ...lines, ''].join('\r\n');

test('new listings get an anchor price and the first row of their ledger; the same file again changes nothing', async () => {
  const text = file('A-1,"Mug, blue",19.99,FBM,,,,', '007,Cap,"$1,299.00",FBA,amazon,10,2000.00,');
  const done = await desk.bringIn('listings', text);
  expect(done).toMatchObject({
    state: 'done',
    counts: { rows: 2, create: 2, update: 0, unchanged: 0, rejected: 0 },
    source: 'own',
  });
  expect(
    await rows(`SELECT marketplace, sku, title, current_price, anchor_price, fulfillment_type, min_price
      FROM listings ORDER BY id`),
  ).toEqual([
    {
      marketplace: 'walmart',
      sku: 'A-1',
      title: 'Mug, blue',
      current_price: '19.99',
      anchor_price: '19.99',
      fulfillment_type: 'FBM',
      min_price: null,
    },
    {
      marketplace: 'amazon',
      sku: '007',
      title: 'Cap',
      current_price: '1299.00',
      anchor_price: '1299.00',
      fulfillment_type: 'FBA/WFS',
      min_price: '10.00',
    },
  ]);
  expect(await rows('SELECT old_price, new_price, source FROM price_history ORDER BY id')).toEqual([
    { old_price: null, new_price: '19.99', source: 'import' },
    { old_price: null, new_price: '1299.00', source: 'import' },
  ]);
  const again = await desk.bringIn('listings', text);
  expect(again.counts).toEqual({ rows: 2, create: 0, update: 0, unchanged: 2, rejected: 0 });
  expect(await rows('SELECT version FROM listings')).toEqual([{ version: 1 }, { version: 1 }]);
});

test('a price in a file is ignored where the marketplace is connected, and the check shows it', async () => {
  await desk.bringIn('listings', file('A-1,Mug,19.99,FBM,,,,', 'A-2,Cap,5.00,FBM,ebay,,,'));
  await rows("UPDATE app_settings SET walmart_client_id = 'id', walmart_client_secret = 'v1.ciphertext'");
  const done = await desk.bringIn('listings', file('A-1,Big mug,18.49,FBM,,,,', 'A-2,Cap,6.00,FBM,ebay,,,'));
  expect(done.counts).toMatchObject({ update: 2 });
  expect(done.notes).toEqual([
    'Prices of listings on Walmart are not imported: the marketplace is connected and provides them.',
  ]);
  expect(await rows('SELECT title, current_price FROM listings ORDER BY id')).toEqual([
    { title: 'Big mug', current_price: '19.99' },
    { title: 'Cap', current_price: '6.00' },
  ]);
});

test('a new listing of a connected marketplace starts with the price in the file, and the check shows its limits', async () => {
  await rows("UPDATE app_settings SET walmart_client_id = 'id', walmart_client_secret = 'v1.ciphertext'");
  const done = await desk.bringIn('listings', file('A-1,Mug,19.99,FBM,,,,', 'A-2,Cap,5.00,FBM,ebay,,,'));
  expect(done.notes).toEqual([
    'New listings on Walmart start with the price in the file. They are not repriced until a sync with Walmart confirms it.',
  ]);
});

test('a different price adds one row to the ledger, and the anchor price follows', async () => {
  await desk.bringIn('listings', file('A-1,Mug,19.99,FBM,,15,,', 'A-2,Cap,5.00,FBM,,,,'));
  const checked = await desk.check('listings', file('A-1,Mug,18.49,FBM,,,,', 'A-2,Cap,5,FBM,,,,'));
  expect(checked.counts).toMatchObject({ update: 1, unchanged: 1 });
  expect((await desk.lines(checked.id, 'update')).lines).toEqual([
    {
      line: 2,
      label: 'walmart A-1',
      title: 'Mug',
      changes: [
        { field: 'currentPrice', from: '19.99', to: '18.49' },
        // The column is present and the cell is blank: the limit is removed, and the check shows it.
        { field: 'minPrice', from: '15.00', to: null },
      ],
    },
  ]);
  expect(await rows('SELECT current_price FROM listings WHERE current_price = 18.49')).toEqual([]);
  await desk.run(checked.id);
  expect(
    await rows(`SELECT l.current_price, l.anchor_price, l.min_price, h.old_price, h.source, h.actor, h.reason
      FROM listings l JOIN price_history h ON h.id = l.current_price_id WHERE sku = 'A-1'`),
  ).toEqual([
    {
      current_price: '18.49',
      anchor_price: '18.49',
      min_price: null,
      old_price: '19.99',
      source: 'import',
      actor: 'Ann Arbor',
      reason: 'Imported from listings.csv',
    },
  ]);
});

test('columns that a file lacks keep the stored values', async () => {
  await desk.bringIn('listings', file('A-1,Mug,19.99,FBM,,15,25,'));
  const changed = await desk.bringIn('listings', 'SKU;Current Price;fulfillment_type\nA-1;19.99;FBA\n');
  expect(changed.counts).toMatchObject({ update: 1, rejected: 0 });
  await desk.bringIn('listings', 'sku,currentPrice,fulfillmentType,brand\nA-1,19.99,FBA,Acme\n');
  await desk.bringIn('listings', 'sku,currentPrice,fulfillmentType,supplier\nA-1,19.99,FBA,Midwest\n');
  expect(
    await rows('SELECT title, min_price, max_price, fulfillment_type, brand, supplier FROM listings'),
  ).toEqual([
    {
      brand: 'Acme',
      supplier: 'Midwest',
      title: 'Mug',
      min_price: '15.00',
      max_price: '25.00',
      fulfillment_type: 'FBA/WFS',
    },
  ]);
  // The limit of the file is compared with the stored one.
  const above = await desk.bringIn(
    'listings',
    'sku,currentPrice,fulfillmentType,minPrice\nA-1,19.99,FBA,30\n',
  );
  expect(above.problems).toMatchObject([{ column: 'minPrice', count: 1, firstLines: [2] }]);
});

test('an own commission and shares are imported with the name of the user; blank cells take them away', async () => {
  const header = 'sku,currentPrice,fulfillmentType,feeRate,adShare,returnShare';
  const stored = 'SELECT fee_rate, fee_rate_by, ad_share, return_share FROM listings';
  const bringIn = (...lines: string[]) => desk.bringIn('listings', [header, ...lines, ''].join('\r\n'));
  await bringIn('A-1,20,FBM,12.5%,4,');
  const [row] = await rows(stored);
  expect(row).toMatchObject({ fee_rate: '12.50', ad_share: '4.00', return_share: null });
  expect(row?.fee_rate_by).toEqual(expect.any(String));
  expect((await bringIn('A-1,20,FBM,12.50,4.00,')).counts).toMatchObject({ unchanged: 1 });
  expect((await bringIn('A-1,20,FBM,100,4,')).counts).toMatchObject({ rejected: 1 });
  await bringIn('A-1,20,FBM,,,1.5');
  expect(await rows(stored)).toEqual([
    { fee_rate: null, fee_rate_by: null, ad_share: null, return_share: '1.50' },
  ]);
});

test('a MAP price has its days; stock and an external price have the time at which they were known', async () => {
  const header =
    'sku,currentPrice,fulfillmentType,mapPrice,mapFrom,mapUntil,stock,stockAgeDays,stockAt,externalPrice';
  const stored = `SELECT map_price, map_from::text, map_until::text, stock, stock_age_days, stock_at, stock_age_at, external_price,
    external_price_at FROM listings`;
  const bringIn = (...lines: string[]) => desk.bringIn('listings', [header, ...lines, ''].join('\r\n'));
  const known = '2026-11-19 10:00:00+00';
  await bringIn('A-1,20,FBM,18,2026-11-20,2026-12-24,5,200,2026-11-19T10:00:00Z,19.5');
  const [first] = await rows(stored);
  expect(first).toMatchObject({
    map_price: '18.00',
    map_from: '2026-11-20',
    map_until: '2026-12-24',
    stock: 5,
    stock_age_days: 200,
    ...{
      stock_at: known,
      stock_age_at: known,
      external_price: '19.50',
      external_price_at: expect.any(String),
    },
  });
  // The same again without a time: it is known now, and nothing else changes.
  await shop.db.execute("UPDATE listings SET external_price_at = '2026-11-01Z'");
  const again = await bringIn('A-1,20,FBM,18,2026-11-20,2026-12-24,5,200,,19.5');
  expect(again.counts).toMatchObject({ unchanged: 1 });
  const [second] = await rows(stored);
  expect([second?.stock_at, second?.stock_age_at, second?.external_price_at]).toEqual(
    [1, 2, 3].map(() => first?.external_price_at),
  );
  expect((await bringIn('A-1,20,FBM,18,2026-12-25,2026-12-24,5,200,,19')).counts).toMatchObject({
    rejected: 1,
  });
  expect((await bringIn('A-1,20,FBM,18,,,-5,1.5,,0')).counts).toMatchObject({ rejected: 1 });
  await bringIn('A-1,20,FBM,,,,,0,,');
  expect((await rows(stored))[0]).toMatchObject({
    map_price: null,
    map_from: null,
    stock: null,
    stock_at: null,
    stock_age_days: 0,
    external_price: null,
    external_price_at: null,
  });
});

test('a reported fulfillment fee stays reported, whatever the price was when the file was exported', async () => {
  await desk.bringIn('listings', file('A-1,Mug,19.99,FBA,amazon,,,'));
  await shop.db.execute(`INSERT INTO fee_facts
      (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping, amount, told_at)
    SELECT id, 'fulfillment', 'estimate', 'FBA/WFS', asked, 0, fee, now() FROM listings,
      (VALUES (9.99, 3.00), (9.99, 0.38), (19.99, 4.20)) told (asked, fee)`);
  await shop.db.execute('UPDATE listings SET fulfillment_cost = 4.20, fulfillment_cost_is_estimate = true');
  const exported = (await shop.get('/api/listings/export.csv', desk.cookie)).body;
  expect(exported).not.toContain('4.20');
  const withFee = (fee: string) =>
    `sku,marketplace,currentPrice,fulfillmentCost,fulfillmentType\nA-1,amazon,19.99,${fee},FBA\n`;
  const counts = [];
  for (const text of [exported, withFee(''), withFee('4.2'), withFee('3.38'), withFee('3.00')]) {
    counts.push((await desk.bringIn('listings', text)).counts);
  }
  const unchanged = { unchanged: 1, update: 0 };
  expect(counts).toMatchObject([unchanged, unchanged, unchanged, unchanged, { unchanged: 0, update: 1 }]);
  expect(await rows('SELECT fulfillment_cost, fulfillment_cost_is_estimate AS told FROM listings')).toEqual([
    { fulfillment_cost: '3.00', told: false },
  ]);
});

test('good rows are imported, bad ones reported, and the corrected rejected-rows file imports unchanged', async () => {
  const done = await desk.bringIn(
    'listings',
    file(
      'A-1,Mug,19.99,FBM,,,,',
      'A-2,"He said ""=1+1""","12,99",FBM,,,,',
      'A-3,Cap,5.00,FBM,,20,10,',
      'A-4,Hat,5.00,FBM,,,,No such rule',
      'A-1,Mug again,7.00,FBM,,,,',
      'A-6,short',
    ),
  );
  expect(done.counts).toEqual({ rows: 6, create: 1, update: 0, unchanged: 0, rejected: 5 });
  const { problems } = await desk.lines(done.id, 'rejected');
  expect(problems).toMatchObject([
    { line: 3, column: 'currentPrice', value: '12,99', fix: 'Write the cents after a point: 12.99.' },
    {
      line: 4,
      column: 'minPrice',
      problem: 'is above maxPrice',
      fix: 'Lower the minimum price or raise the maximum price.',
    },
    { line: 5, column: 'rule', value: 'No such rule', problem: 'is not a rule' },
    { line: 6, column: 'sku', problem: 'is already in this file for this marketplace' },
    { line: 7, column: null, problem: 'has 2 cells where the header has 8' },
  ]);
  const rejected = await desk.rejected(done.id);
  expect(rejected.split('\r\n')[0]).toBe(`\ufeff${HEADER},error`);
  const fixed = rejected
    .replace('"12,99"', '12.99')
    .replace('20,10', '10,20')
    .replace(',No such rule', ',')
    .replace('A-1,Mug again', 'A-5,Mug again')
    .replace('A-6,short,,', 'A-6,short,9.99,FBM');
  const second = await desk.bringIn('listings', fixed);
  expect(second.ignoredColumns).toEqual([]);
  expect(second.counts).toEqual({ rows: 5, create: 5, update: 0, unchanged: 0, rejected: 0 });
  expect(
    await rows("SELECT title, current_price FROM listings WHERE sku IN ('A-2', 'A-6') ORDER BY sku"),
  ).toEqual([
    { title: 'He said "=1+1"', current_price: '12.99' },
    { title: 'short', current_price: '9.99' },
  ]);
});

test('a rule is found by its name, ignoring case; two rules of one name are ambiguous', async () => {
  const rule = (name: string) =>
    `INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin) VALUES ('${name}', 'All', 'Fixed Margin', 10)`;
  await shop.db.execute(rule('Keep it'));
  await shop.db.execute(rule('Twin'));
  await shop.db.execute(rule('twin'));
  const done = await desk.bringIn('listings', file('A-1,Mug,9,FBM,,,,KEEP IT', 'A-2,Cap,9,FBM,,,,Twin'));
  expect(
    await rows('SELECT l.sku, r.name FROM listings l JOIN repricing_rules r ON r.id = l.rule_id'),
  ).toEqual([{ sku: 'A-1', name: 'Keep it' }]);
  expect(done.problems).toMatchObject([{ column: 'rule', problem: 'is the name of several rules' }]);
  // A blank cell removes the assigned rule; a deleted rule in the row is no error.
  await shop.db.execute("UPDATE repricing_rules SET deleted_at = now() WHERE name = 'Keep it'");
  expect((await desk.check('listings', file('A-1,Mug,9,FBM,,,,Keep it'))).counts).toMatchObject({
    unchanged: 1,
  });
  await desk.bringIn('listings', file('A-1,Mug,9,FBM,,,,'));
  expect(await rows('SELECT rule_id FROM listings')).toEqual([{ rule_id: null }]);
});

test('a deleted listing stays deleted: the file makes a new one with a ledger of its own', async () => {
  await desk.bringIn('listings', file('A-1,Mug,9,FBM,,,,'));
  await shop.db.execute('UPDATE listings SET deleted_at = now()');
  expect((await desk.bringIn('listings', file('A-1,Mug,8,FBM,,,,'))).counts).toMatchObject({ create: 1 });
  expect(await rows('SELECT current_price, deleted_at IS NULL AS live FROM listings ORDER BY id')).toEqual([
    { current_price: '9.00', live: false },
    { current_price: '8.00', live: true },
  ]);
});

describe('all or nothing', () => {
  test('a rejected row rejects the whole file, and nothing is written', async () => {
    const checked = await desk.check('listings', file('A-1,Mug,9,FBM,,,,', 'A-2,Cap,nine,FBM,,,,'));
    await expect(desk.run(checked.id, { allOrNothing: true })).rejects.toThrow(
      /Nothing was imported: 1 row is rejected/,
    );
    expect(await rows('SELECT count(*)::int AS listings FROM listings')).toEqual([{ listings: 0 }]);
    expect((await desk.run(checked.id)).counts).toMatchObject({ create: 1, rejected: 1 });
  });

  test('a row that became invalid after the check rolls back the rows before it', async () => {
    desk = importDesk(shop, desk.cookie, 4);
    const many = Array.from({ length: 5 }, (_none, at) => `B-${at},Mug,9,FBM,,,,`);
    await shop.db.execute(
      "INSERT INTO repricing_rules (name, fulfillment_type, strategy, minimum_margin) VALUES ('Deleted', 'All', 'Fixed Margin', 10)",
    );
    const checked = await desk.check('listings', file(...many, 'A-2,Cap,9,FBM,,,,Deleted'));
    expect(checked.counts).toMatchObject({ create: 6, rejected: 0 });
    await shop.db.execute('UPDATE repricing_rules SET deleted_at = now()');
    const failed = await desk.run(checked.id, { allOrNothing: true });
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('Nothing was imported') });
    expect(await rows('SELECT count(*)::int AS listings FROM listings')).toEqual([{ listings: 0 }]);
  });
});

test('a price that our own file repeats still needs its upload; one that differs, or is in a report, does not', async () => {
  await desk.bringIn('listings', file('A-1,Mug,9,FBM,amazon,,,', 'A-2,Cap,9,FBM,amazon,,,'));
  const waiting = async () =>
    (await rows('SELECT sku FROM listings WHERE awaiting_upload_since IS NOT NULL ORDER BY sku')).map(
      ({ sku }) => sku,
    );
  await shop.db.execute('UPDATE listings SET awaiting_upload_since = now()');
  await desk.bringIn('listings', file('A-1,Mug,8,FBM,amazon,,,', 'A-2,Cap,9,FBM,amazon,,,'));
  expect(await waiting()).toEqual(['A-2']);
  await desk.bringIn('listings', 'item-name\tseller-sku\tprice\tfulfillment-channel\nCap\tA-2\t9\tDEFAULT\n');
  expect(await waiting()).toEqual([]);
});

test('a picture is loaded by https alone', async () => {
  const header = 'sku,currentPrice,fulfillmentType,imageUrl';
  const address = (text: string): string => `A-${text.length},9.99,FBM,${text}`;
  const pictures = ['https://cdn.example.com/a.jpg', 'HTTP://cdn.example.com/bcd.jpg'];
  const others = [
    'javascript:alert(1)',
    'data:image/svg+xml;base64AA',
    '//cdn.example.com/a.jpg',
    'https://',
    'a.jpg',
  ];
  const done = await desk.bringIn('listings', [header, ...[...pictures, ...others].map(address)].join('\n'));
  expect(done.counts).toMatchObject({ create: 2, rejected: 5 });
  expect(done.problems).toMatchObject([{ column: 'imageUrl', fix: 'Write one that starts with https://.' }]);
  expect(await rows('SELECT image_url FROM listings WHERE image_url IS NOT NULL ORDER BY 1')).toEqual([
    { image_url: 'https://cdn.example.com/a.jpg' },
    { image_url: 'https://cdn.example.com/bcd.jpg' },
  ]);
});

test('a file of minimum and maximum prices alone changes known listings, of the marketplace that it names', async () => {
  await desk.bringIn(
    'listings',
    file('A-1,Mug,19.99,FBM,,1.00,,', 'A-1,Mug,21.00,FBA,amazon,,,', 'A-2,Cap,5,FBM,,,,'),
  );
  const text =
    'SKU\tMin Price\tMax Price\tMarketplace\nA-1\t15.50\t25\tWalmart\nA-2\t4\t\tWalmart\nA-9\t1\t2\tWalmart\n';
  const checked = await desk.check('listings', text);
  expect(checked).toMatchObject({ missingColumns: [], counts: { update: 2, create: 0, rejected: 1 } });
  expect((await desk.lines(checked.id, 'rejected')).problems).toMatchObject([
    { line: 4, column: 'SKU', value: 'A-9' },
  ]);
  await desk.bringIn('listings', text);
  const stored =
    'SELECT sku, current_price, fulfillment_type, min_price, max_price FROM listings ORDER BY id';
  expect(await rows(stored)).toMatchObject([
    { sku: 'A-1', current_price: '19.99', fulfillment_type: 'FBM', min_price: '15.50', max_price: '25.00' },
    { sku: 'A-1', current_price: '21.00', min_price: null, max_price: null },
    { sku: 'A-2', min_price: '4.00', max_price: null },
  ]);
  expect(await rows("SELECT FROM price_history WHERE source <> 'import' OR old_price IS NOT NULL")).toEqual(
    [],
  );
});

test('a limit or a MAP day that a stored one contradicts is named as on the screens', async () => {
  await desk.bringIn('listings', file('A-1,Mug,19.99,FBM,,1.00,25.00,', 'A-2,Cap,5,FBM,,,,'));
  await rows("UPDATE listings SET map_price = 5, map_until = '2026-02-01' WHERE sku = 'A-2' RETURNING id");
  const checked = await desk.check(
    'listings',
    'sku,marketplace,minPrice,mapFrom\nA-1,walmart,30,\nA-2,walmart,,2026-03-01\n',
  );
  expect((await desk.lines(checked.id, 'rejected')).problems).toMatchObject([
    {
      column: 'minPrice',
      problem: 'is above the stored maximum price of 25.00',
      fix: 'Lower the minimum price or raise the maximum price.',
    },
    { column: 'mapFrom', problem: 'is after the stored last day of the MAP price, 2026-02-01' },
  ]);
});

test('a file of limits needs the marketplace, and one with a fulfillment type the price too', async () => {
  const missing = async (header: string) =>
    (await desk.upload('listings', `${header}\nA-1,1,2\n`)).json().missingColumns;
  expect(await missing('sku,minPrice,maxPrice')).toEqual(['marketplace']);
  expect(await missing('sku,minPrice,fulfillmentType')).toEqual(['currentPrice']);
  expect(await missing('sku,title,brand')).toEqual(['currentPrice', 'fulfillmentType']);
});
