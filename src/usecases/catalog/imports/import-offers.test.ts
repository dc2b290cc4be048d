import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let desk: ImportDesk;
beforeEach(async () => {
  shop = await createTestApp();
  desk = importDesk(shop, await shop.admin());
  await addListing(shop.db, 'A-1');
  await addListing(shop.db, 'A-2');
});
afterEach(() => shop.close());

const rows = async (query: string) => (await shop.db.execute(query)).rows;
const HEADER = 'marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt,rating';
const file = (...lines: string[]) => `${HEADER}\n${lines.join('\n')}\n`;
const SEEN = '2026-01-15T11:00:00Z';
const OFFERS =
  'SELECT l.sku, o.seller_name, o.price FROM competitor_offers o JOIN listings l ON l.id = o.listing_id ORDER BY o.id';

test('a file replaces all offers of each listing in it, wherever its rows are', async () => {
  await desk.bringIn('offers', file(`walmart,A-1,Old,9.99,,,,${SEEN},`, `walmart,A-2,Stays,5,,,,${SEEN},`));
  await forgetDue(shop.db);
  const text = file(
    `walmart,A-1,Competitor,12.50,2.49,FBM,true,${SEEN},97.5`,
    `walmart,A-1,Walmart,15,0,FBA/WFS,false,${SEEN},`,
    `walmart,A-1,My Shop,14,0,FBM,false,${SEEN},`,
  );
  const checked = await desk.check('offers', text);
  expect(checked.counts).toMatchObject({ create: 2, update: 1, rejected: 0 });
  expect((await desk.lines(checked.id, 'update')).lines).toMatchObject([
    { line: 2, label: 'walmart A-1: Competitor', changes: [{ field: 'offer', from: 'Old 9.99', to: null }] },
  ]);
  expect(checked.sellers).toEqual([
    { marketplace: 'walmart', name: 'Competitor', offers: 1, isOwn: false },
    { marketplace: 'walmart', name: 'My Shop', offers: 1, isOwn: false },
  ]);
  const ownSellers = [{ marketplace: 'walmart', name: ' my  shop '.trim().replace('  ', ' ') }];
  const done = await desk.run(checked.id, { allOrNothing: false, ownSellers });
  expect(done.sellers.filter(({ isOwn }) => isOwn)).toMatchObject([{ name: 'My Shop' }]);
  expect(await rows(OFFERS)).toEqual([
    { sku: 'A-2', seller_name: 'Stays', price: '5.00' },
    { sku: 'A-1', seller_name: 'Competitor', price: '12.50' },
    { sku: 'A-1', seller_name: 'Walmart', price: '15.00' },
    { sku: 'A-1', seller_name: 'My Shop', price: '14.00' },
  ]);
  expect(
    await rows(`SELECT walmart_direct_price, third_party_min_price, third_party_avg_price, third_party_seller_count AS sellers,
        buy_box_price, buy_box_seller FROM competitor_prices ORDER BY id DESC LIMIT 1`),
  ).toEqual([
    {
      walmart_direct_price: '15.00',
      third_party_min_price: '14.99',
      third_party_avg_price: '14.99',
      sellers: 1,
      buy_box_price: '14.99',
      buy_box_seller: 'Competitor',
    },
  ]);
  expect(await rows('SELECT offers FROM offer_sets ORDER BY id DESC LIMIT 1')).toMatchObject([
    {
      offers: [
        { seller: 'Competitor', price: 1250, shipping: 249, by: 'FBM', featured: true, rating: 9750 },
        { seller: 'Walmart', price: 1500, marketplace: true },
        { seller: 'My Shop', price: 1400 },
      ],
    },
  ]);
  // A new own seller affects the whole marketplace.
  expect(await dueSkus(shop.db)).toEqual(['walmart A-1: own sellers', 'walmart A-2: own sellers']);

  const sets = await rows('SELECT id FROM offer_sets');
  const again = await desk.bringIn('offers', text);
  expect(again.counts).toMatchObject({ unchanged: 3, create: 0, update: 0 });
  expect(await rows('SELECT id FROM offer_sets')).toEqual(sets);
});

test('an offer for an unknown listing is rejected, and one bad row rejects all offers of its listing', async () => {
  await desk.bringIn('offers', file(`walmart,A-2,Stays,5,,,,${SEEN},`));
  const done = await desk.bringIn(
    'offers',
    file(
      `walmart,NOPE,Competitor,9,,,,${SEEN},`,
      `walmart,A-2,Competitor,9,,,,${SEEN},`,
      'walmart,A-2,Late,9,,,,yesterday,',
      `walmart,A-1,Competitor,9,,,,${SEEN},`,
    ),
  );
  expect(done.counts).toMatchObject({ create: 1, rejected: 3 });
  expect((await desk.lines(done.id, 'rejected')).problems).toMatchObject([
    { line: 2, column: 'sku', value: 'NOPE', problem: 'is not a listing on walmart' },
    { line: 3, problem: 'is rejected with line 4: the rows of one listing are imported together' },
    { line: 4, column: 'seenAt', value: 'yesterday' },
  ]);
  expect(await rows(OFFERS)).toMatchObject([
    { seller_name: 'Stays' },
    { sku: 'A-1', seller_name: 'Competitor' },
  ]);
  const fixed = (await desk.rejected(done.id)).replace('yesterday', SEEN).replace('NOPE', 'A-1');
  expect((await desk.bringIn('offers', fixed)).counts).toMatchObject({ rejected: 0 });
  expect(
    await rows(`${OFFERS.replace('ORDER BY o.id', '')} WHERE l.sku = 'A-2' ORDER BY seller_name`),
  ).toMatchObject([{ seller_name: 'Competitor' }, { seller_name: 'Late' }]);
});

test("a price tracker's file: Amazon.com, Free, Yes and US times, with a question about the time zone", async () => {
  await addListing(shop.db, 'A-3', { marketplace: 'amazon' });
  const file = [
    'Site,Item SKU,Sold By,Offer Price,Delivery,Buy Box,Checked At',
    'Amazon.com,A-3,Competitor,$12.50,Free,Yes,1/15/2026 6:04 AM',
    'Amazon.com,A-3,Amazon.com,13.00,2.49,No,1/15/2026 12:30 AM',
  ].join('\n');
  const requested = (await desk.upload('offers', file)).json();
  expect(requested).toMatchObject({
    state: 'uploaded',
    missingColumns: [],
    questions: ['timeZone'],
    readings: { dayOrder: 'mdy' },
    guessed: ['marketplace', 'sku', 'seller', 'price', 'shipping', 'isFeatured', 'seenAt'],
  });
  const choice = { mapping: requested.mapping, defaults: {}, readings: { timeZone: 'America/New_York' } };
  const answer = await shop.post(`/api/imports/${requested.id}/mapping`, choice, {
    method: 'PUT',
    ...desk.signed,
  });
  expect(answer.json()).toMatchObject({ guessed: [], questions: [] });
  await desk.work();
  await desk.run(requested.id);
  expect(
    await rows(
      'SELECT seller_name, shipping, is_featured, is_marketplace, seen_at FROM competitor_offers ORDER BY id',
    ),
  ).toEqual([
    {
      seller_name: 'Competitor',
      shipping: '0.00',
      is_featured: true,
      is_marketplace: false,
      seen_at: '2026-01-15 11:04:00+00',
    },
    {
      seller_name: 'Amazon.com',
      shipping: '2.49',
      is_featured: false,
      is_marketplace: true,
      seen_at: '2026-01-15 05:30:00+00',
    },
  ]);

  // The next file with these headings, in another column order, needs no answer about them. Its time zone is its own.
  const next = await desk.check(
    'offers',
    'Item SKU,Site,Sold By,Offer Price,Delivery,Buy Box,Checked At\nA-3,Amazon.com,New,11,Free,No,1/15/2026 6:30 AM\n',
  );
  expect(next).toMatchObject({
    state: 'uploaded',
    guessed: [],
    remembered: { by: expect.any(String) },
    mapping: { sku: 0, marketplace: 1, seenAt: 6 },
    questions: ['timeZone'],
  });
});

describe('the remembered choice for files with the same headings', () => {
  /** Uploads a file and chooses its columns; returns how the next file is shown. */
  const chooseThenUpload = async (
    kind: string,
    first: string,
    {
      columns = {},
      defaults = {},
      readings = {},
    }: { columns?: object; defaults?: object; readings?: object },
    second: string,
  ) => {
    const { id, mapping } = (await desk.upload(kind, first)).json();
    const choice = { mapping: { ...mapping, ...columns }, defaults, readings };
    const put = await shop.post(`/api/imports/${id}/mapping`, choice, { method: 'PUT', ...desk.signed });
    expect(put.json()).toMatchObject({ missingColumns: [], questions: [] });
    return (await desk.upload(kind, second)).json();
  };
  const COSTS = 'sku;name;COGS;Pack Weight\n';
  const WEIGHT = { weight: 3, productCost: 2 };

  test('is only the columns: decimal mark, unit and marketplace belong to one file', async () => {
    const readings = { weightUnit: 'kg', decimalMark: 'comma' };
    const costs = await chooseThenUpload(
      'skus',
      `${COSTS}R1;P;16,10;1\n`,
      { columns: WEIGHT, readings },
      `${COSTS}R5;P;12.50;2\n`,
    );
    expect(costs).toMatchObject({
      state: 'uploaded',
      guessed: [],
      remembered: { by: expect.any(String) },
      mapping: WEIGHT,
      readings: {},
      questions: ['weightUnit'],
    });
    const listings = 'sku,title,currentPrice,fulfillmentType\n';
    const next = await chooseThenUpload(
      'listings',
      `${listings}R1,Mug,12.00,FBM\n`,
      { defaults: { marketplace: 'ebay' } },
      `${listings}R2,Mug,12.00,FBM\n`,
    );
    // Only the fact of an answer is stored: without it these would be Walmart's listings.
    expect(next).toMatchObject({
      state: 'uploaded',
      defaults: {},
      missingColumns: ['marketplace'],
      guessed: [],
      remembered: { by: expect.any(String) },
    });
    expect(await desk.map(next.id, next.mapping)).toMatchObject({
      state: 'uploaded',
      missingColumns: ['marketplace'],
    });
    expect(await desk.map(next.id, next.mapping, { marketplace: 'ebay' })).toMatchObject({
      state: 'checked',
      missingColumns: [],
      counts: { create: 1 },
    });
  });

  test('asks again for an answered value that has a default: a unit, a mark, a value for every row', async () => {
    const pounds = 'sku,weight\nA-1,1\n';
    const next = await chooseThenUpload('skus', pounds, { readings: { weightUnit: 'kg' } }, pounds);
    expect(next).toMatchObject({ state: 'uploaded', readings: {}, questions: ['weightUnit'] });
    expect(await desk.map(next.id, next.mapping)).toMatchObject({ state: 'uploaded' });

    const marks = chooseThenUpload(
      'skus',
      'sku,weight,productCost\nA-1,1.234,"12,5"\n',
      { readings: { decimalMark: 'comma' } },
      'sku,weight,productCost\nA-1,1.234,12\n',
    );
    expect(await marks).toMatchObject({ state: 'uploaded', questions: ['decimalMark'] });

    const offers = `marketplace,sku,seller,price,seenAt\nwalmart,A-1,Competitor,9,${SEEN}\n`;
    const given = { defaults: { fulfillmentType: 'FBM' } };
    expect(await chooseThenUpload('offers', offers, given, offers)).toMatchObject({
      state: 'uploaded',
      defaults: {},
      guessed: ['fulfillmentType'],
    });
  });

  test('does not apply to another separator, and asks again where the first rows contradict it', async () => {
    const readings = { weightUnit: 'kg' };
    const other = await chooseThenUpload(
      'skus',
      `${COSTS}R1;P;16,10;1\n`,
      { columns: WEIGHT, readings },
      `${COSTS.replaceAll(';', ',')}R2,P,1.23,1\n`,
    );
    expect(other).toMatchObject({ remembered: null, guessed: ['productCost'] });
    const moved = (await desk.upload('skus', `${COSTS}R3;P;Vendor A;1\nR4;P;;2\n`)).json();
    expect(moved).toMatchObject({
      state: 'uploaded',
      mapping: WEIGHT,
      guessed: ['productCost'],
      remembered: { by: expect.any(String) },
    });
  });
});

test('a column of another amount is neither used nor ignored: the check waits for an answer', async () => {
  const requested = (await desk.upload('skus', 'sku,Estimated Landed Cost\nA-1,9.50\n')).json();
  expect(requested).toMatchObject({
    state: 'uploaded',
    guessed: ['productCost'],
    mapping: { sku: 0, productCost: null },
  });
  expect(await desk.map(requested.id, requested.mapping)).toMatchObject({ state: 'checked', guessed: [] });
});

test('ambiguous dates need an answer and are never guessed', async () => {
  const file = (day: string) => `marketplace,sku,seller,price,seenAt\nwalmart,A-1,Competitor,9,${day}\n`;
  const requested = (await desk.upload('offers', file('03/04/2026 10:00 UTC'))).json();
  expect(requested).toMatchObject({ state: 'uploaded', questions: ['dayOrder'] });
  const choice = { mapping: requested.mapping, defaults: {}, readings: { dayOrder: 'dmy' } };
  await shop.post(`/api/imports/${requested.id}/mapping`, choice, { method: 'PUT', ...desk.signed });
  await desk.work();
  expect((await desk.lines(requested.id, 'create')).lines).toMatchObject([
    { changes: expect.arrayContaining([{ field: 'seenAt', from: null, to: '2026-04-03T10:00:00.000Z' }]) },
  ]);
});

test('percentages that are all below 1 may be shares: the file is asked, our own name is not', async () => {
  const file = (name: string) =>
    `sku,currentPrice,fulfillmentType,${name}\nA-1,20.00,FBM,0.15\nA-2,20.00,FBM,0\n`;
  expect((await desk.upload('listings', file('feeRate'))).json().questions).toEqual([]);
  const requested = (await desk.upload('listings', file('Fee Rate %'))).json();
  expect(requested).toMatchObject({
    state: 'uploaded',
    questions: ['percentForm'],
    samples: { 3: { filled: 2, small: { line: 2, text: '0.15' } } },
  });
  const choice = { mapping: requested.mapping, defaults: {}, readings: { percentForm: 'share' } };
  await shop.post(`/api/imports/${requested.id}/mapping`, choice, { method: 'PUT', ...desk.signed });
  await desk.work();
  await desk.run(requested.id);
  expect(await rows('SELECT fee_rate FROM listings WHERE fee_rate IS NOT NULL ORDER BY sku')).toEqual([
    { fee_rate: expect.stringMatching(/^15(?:\.00)?$/) },
    { fee_rate: expect.stringMatching(/^0(?:\.00)?$/) },
  ]);
});

test('a day far down decides how days are read; days of MAP prices are asked about too', async () => {
  const file = (...days: string[]) =>
    `sku,currentPrice,fulfillmentType,mapPrice,mapFrom\n${days.map((day, at) => `A-${at},20.00,FBM,18,${day}\n`).join('')}`;
  const days = Array.from({ length: 6 }, () => '03/04/2026 10:00 UTC');
  expect((await desk.upload('listings', file(...days))).json().questions).toEqual(['dayOrder']);
  const reported = (await desk.upload('listings', file(...days, '25/04/2026 10:00 UTC'))).json();
  expect(reported).toMatchObject({ questions: [], readings: { dayOrder: 'dmy' } });
});

test('a sheet without a marketplace is asked for it, and proposed one where its headings name it', async () => {
  const file = (code: string) => `Item SKU,Our Price,Fulfillment Type,${code}\nA-1,20.00,FBM,1\n`;
  expect((await desk.upload('listings', file('Shelf'))).json()).toMatchObject({
    missingColumns: ['marketplace'],
    defaults: {},
    confidence: { sku: 'likely', currentPrice: 'likely' },
  });
  expect((await desk.upload('listings', file('ASIN'))).json()).toMatchObject({
    missingColumns: [],
    guessed: expect.arrayContaining(['marketplace']),
    defaults: { marketplace: 'amazon' },
  });
});

test('a price in another currency is rejected, in a report and in any cell', async () => {
  const etsy = 'TITLE,PRICE,CURRENCY_CODE,QUANTITY,SKU\nMug,28.00,EUR,5,ET-1\n';
  const report = await desk.check('listings', etsy);
  expect((await desk.lines(report.id, 'rejected')).problems).toMatchObject([
    { column: 'CURRENCY_CODE', value: 'EUR', problem: 'is another currency' },
  ]);
  const costs = await desk.check('skus', 'sku,productCost,packagingCost\nA-1,6.10 €,\nA-2,n/a,\nA-3,5,n/a\n');
  expect((await desk.lines(costs.id, 'rejected')).problems).toMatchObject([
    { line: 2, column: 'productCost', problem: 'is in another currency (€)' },
    { line: 4, column: 'packagingCost', problem: 'means unknown' },
  ]);
  expect((await desk.lines(costs.id, 'create')).lines).toMatchObject([
    { label: 'A-2', changes: [{ field: 'packagingCost', to: '0.00' }] },
  ]);
});

test('without a time column the upload time is used, where that is chosen', async () => {
  const requested = (
    await desk.upload('offers', 'marketplace,sku,seller,price\nwalmart,A-1,Competitor,9\n')
  ).json();
  expect(requested.missingColumns).toEqual(['seenAt']);
  const checked = await desk.map(requested.id, requested.mapping, { seenAt: 'upload' });
  expect((await desk.lines(checked.id, 'create')).lines).toMatchObject([
    { changes: expect.arrayContaining([{ field: 'seenAt', from: null, to: requested.createdAt }]) },
  ]);
});

test('a file with semicolons may have decimal commas; a number with a point is rejected there', async () => {
  const done = await desk
    .bringIn(
      'offers',
      `marketplace;sku;seller;price;shipping;seenAt\nwalmart;A-1;Competitor;1.299,50;0,99;${SEEN}\nwalmart;A-2;Competitor;12,99;1.99;${SEEN}\n`,
    )
    .catch((error: Error) => error.message);
  // Both kinds appear in the first rows: that needs an answer.
  expect(done).toMatch(/^409/);
  const clear = await desk.bringIn(
    'offers',
    `marketplace;sku;seller;price;shipping;seenAt\nwalmart;A-1;Competitor;1.299,50;0,99;${SEEN}\nwalmart;A-2;Competitor;1.299;2;${SEEN}\n`,
  );
  expect(clear).toMatchObject({ readings: { decimalMark: 'comma' }, counts: { create: 2, rejected: 0 } });
  expect(await rows('SELECT price, shipping FROM competitor_offers ORDER BY price')).toEqual([
    { price: '1299.00', shipping: '2.00' },
    { price: '1299.50', shipping: '0.99' },
  ]);
});

describe('how a file writes its numbers', () => {
  const HEADINGS = 'sku;name;productCost;weight_kg\n';
  /** More rows than the preview shows. */
  const PLAIN = [1, 2, 3, 4, 5, 6].map((number) => `P${number};P;1${number};1\n`).join('');

  test('needs an answer where a number is ambiguous and no row is clear; the answer applies', async () => {
    const requested = (await desk.upload('skus', `${HEADINGS}${PLAIN}A;P;1,234;1\n`)).json();
    expect(requested).toMatchObject({
      state: 'uploaded',
      questions: ['decimalMark'],
      readings: {},
      numbers: { either: { line: 8, text: '1,234' }, comma: null, point: null },
    });
    const early = await shop.post(
      `/api/imports/${requested.id}/run`,
      { checkId: '0', allOrNothing: false },
      desk.signed,
    );
    expect(early.statusCode).toBe(409);
    const choice = { mapping: requested.mapping, defaults: {}, readings: { decimalMark: 'point' } };
    await shop.post(`/api/imports/${requested.id}/mapping`, choice, { method: 'PUT', ...desk.signed });
    await desk.work();
    const { lines } = await desk.lines(requested.id, 'create');
    expect(lines.at(-1)).toMatchObject({
      changes: expect.arrayContaining([{ field: 'productCost', from: null, to: '1234.00' }]),
    });
  });

  test('depends on the chosen columns: the mark of other columns is dropped, an answer is kept', async () => {
    const first = await desk.check('skus', 'sku;productCost;Other\nA-1;12,5;1.50\n');
    expect(first.readings).toEqual({ decimalMark: 'comma' });
    const put = async (productCost: number, readings?: object) => {
      const choice = { mapping: { sku: 0, productCost }, defaults: {}, ...(readings && { readings }) };
      const url = `/api/imports/${first.id}/mapping`;
      return (await shop.post(url, choice, { method: 'PUT', ...desk.signed })).json().readings;
    };
    expect(await put(2, { decimalMark: 'comma' })).toEqual({});
    expect(await put(1, { decimalMark: 'point' })).toEqual({ decimalMark: 'point' });
    expect(await put(1)).toEqual({ decimalMark: 'point' });
  });

  test('comes from the first rows of a file that was stored before all rows were checked', async () => {
    const { id } = (await desk.upload('skus', 'sku;COGS\nA-1;12,5\nB;1,234\n')).json();
    await shop.db.execute(`UPDATE imports SET numbers = '{}', readings = '{}' WHERE id = ${id}`);
    const old = (await shop.get(`/api/imports/${id}`, desk.cookie)).json();
    expect(old.numbers).toEqual({
      comma: { line: 2, text: '12,5' },
      point: null,
      either: { line: 3, text: '1,234' },
    });
    expect(await desk.map(id, old.mapping)).toMatchObject({ readings: { decimalMark: 'comma' } });
  });

  test.each([
    ['only costs have commas', '12,50;1.500\nB;P;1;9999999', [2, 3], false],
    ['another weight proves the comma', '12,50;1.500\nB;P;1;0,250', [], false],
    ['the answer is about this very number', '12;1.500', [], true],
  ])('a weight of 1.500 is thousands by its own column alone: %s', async (_what, cells, rejected, asks) => {
    const first = await desk.check('skus', `${HEADINGS}A;P;${cells}\n`);
    expect(first.questions).toEqual(asks ? ['decimalMark'] : []);
    if (asks) {
      const choice = { mapping: first.mapping, defaults: {}, readings: { decimalMark: 'comma' } };
      await shop.post(`/api/imports/${first.id}/mapping`, choice, { method: 'PUT', ...desk.signed });
      await desk.work();
    }
    const { problems } = await desk.lines(first.id, 'rejected');
    expect(problems).toMatchObject(rejected.map((line) => ({ line, column: 'weight_kg' })));
    const [line] = (await desk.lines(first.id, 'create')).lines;
    const grouped = { changes: expect.arrayContaining([{ field: 'weight', from: null, to: '52910.94' }]) };
    if (rejected.length === 0) expect(line).toMatchObject(grouped);
    else expect(line).toBeUndefined();
  });

  test.each([
    ['0,250 is a quarter', '16;0,250', { productCost: '16.00', weight: '8.8185' }, null],
    ['1.234,50 far down', '1.234,50;1', { productCost: '1234.50' }, null],
    ['1,234.50 far down', '1,234.50;1', { productCost: '1234.50' }, null],
    ['a point in another column', '1,234;0.250', { productCost: '1234.00', weight: '8.8185' }, null],
    ['a comma in another column', '1,234;0,250', {}, 'has more than two decimals'],
    ['a column of its own mark', '12,50;1.500\nB;P;1;0.250', { productCost: '1.00', weight: '8.8185' }, null],
    ['a comma, and a number that denies it', '2.50;1\nB;P;12,5;1', {}, null],
  ])('%s', async (_what, cells, fields, problem) => {
    const checked = await desk.check('skus', `${HEADINGS}${PLAIN}A;P;${cells}\n`);
    const { lines } = await desk.lines(checked.id, 'create');
    const { problems } = await desk.lines(checked.id, 'rejected');
    const last = lines.at(-1) as { label: string; changes: { field: string; to: string }[] } | undefined;
    const found = Object.fromEntries(last?.changes.map(({ field, to }) => [field, to]) ?? []);
    expect({ ...found, problem: (problems as { problem: string }[])[0]?.problem ?? null }).toMatchObject({
      ...fields,
      problem,
    });
    expect(checked.state).toBe(cells.includes('12,5;') ? 'uploaded' : 'checked');
  });
});

test('other sellers on eBay get labels, the same in every file, and yours keep their names', async () => {
  await addListing(shop.db, 'E-1', { marketplace: 'ebay' });
  const text = file(`ebay,E-1,Mug_Town,12,0,,,${SEEN},`, `ebay,E-1,Our_Shop,13,0,,,${SEEN},`);
  const checked = await desk.check('offers', text);
  expect(checked.sellers.map(({ name }) => name)).toEqual(['Mug_Town', 'Our_Shop']);
  await desk.run(checked.id, {
    allOrNothing: false,
    ownSellers: [{ marketplace: 'ebay', name: 'Our_Shop' }],
  });
  const names = (await rows(OFFERS)).map(({ seller_name }) => seller_name);
  expect(names).toEqual([expect.stringMatching(/^Seller [0-9a-f]{4}$/), 'Our_Shop']);
  const again = await desk.check('offers', text);
  expect(again.counts).toMatchObject({ create: 0, update: 0, unchanged: 2 });
});
