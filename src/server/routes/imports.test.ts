import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importDesk } from '#tests/support/import-file.ts';
import { aRegistration, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { purgeImports } from '#usecases/catalog/imports/purge-imports.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const desk = () => importDesk(shop, cookie);
const NEXT = 'sku,currentPrice,fulfillmentType\n';

describe('the header of an upload', () => {
  test('is returned with the first rows, whatever separates the columns and whatever the cells contain', async () => {
    const file = '\ufeffSKU;Current_Price;fulfillment type;Colour\r\n"00;7";9.99;FBM;"bl\nue"\r\n';
    const answer = await desk().upload('listings', file, 'C:\\files\\mine.csv');
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      kind: 'listings',
      source: 'own',
      fileName: 'mine.csv',
      state: 'checking',
      createdBy: 'Ann Arbor',
      header: ['SKU', 'Current_Price', 'fulfillment type', 'Colour'],
      preview: [['00;7', '9.99', 'FBM', 'bl\nue']],
      ignoredColumns: ['Colour'],
      missingColumns: [],
      size: Buffer.byteLength(file),
      mapping: { sku: 0, currentPrice: 1, fulfillmentType: 2, title: null },
    });
    expect((await shop.get('/api/imports', cookie)).json()).toMatchObject([{ fileName: 'mine.csv' }]);
  });

  test('names what is missing before any row is read', async () => {
    const answer = (await desk().upload('skus', 'name,productCost\nMug,nonsense\n')).json();
    expect(answer).toMatchObject({ state: 'uploaded', missingColumns: ['sku'], jobId: null, problems: [] });
    expect(answer.columns[0]).toMatchObject({
      name: 'sku',
      isRequired: true,
      hint: 'Your code for the product',
    });
  });
});

describe('a file that is not a CSV is refused with a sentence, and nothing is stored', () => {
  test.each([
    ['nothing', '', /the file is empty. It needs a header line/],
    [
      'a workbook',
      Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 44, 0, 0xff, 10, 1]),
      /an Excel workbook or another spreadsheet, .* Save it as CSV: in Excel/,
    ],
    ['another separator', 'sku~currentPrice\nA~1\n', /one column, "sku~currentPrice". Separate the columns/],
    ['two hundred and sixty columns', `${'a,'.repeat(260)}\n`, /at most 256 are read/],
  ])('%s', async (_what, file, message) => {
    const answer = await desk().upload('listings', file);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(message);
    expect((await shop.db.execute('SELECT id FROM imports')).rows).toEqual([]);
  });

  test('an error further down fails the check and names the line', async () => {
    const checked = await desk().check('listings', `${NEXT}A-1,1,FBM\nA-2,"1"x,FBM\n`);
    expect(checked).toMatchObject({ state: 'failed', counts: null });
    expect(checked.error).toMatch(/line 3: text follows a closing quote/);
    expect((await shop.get('/api/jobs', cookie)).json()[0]).toMatchObject({
      state: 'failed',
      summary: checked.error,
    });
  });
});

describe('permissions', () => {
  test('fees are for administrators, everything else for every logged-in user', async () => {
    const email = 'bob@example.com';
    await shop.post('/api/register', aRegistration({ email }));
    await shop.db.execute('UPDATE users SET approved = true, email_verified = true');
    const bob = importDesk(shop, await shop.logIn(email, PASSWORD));
    expect((await bob.upload('fees', 'marketplace,category\n')).statusCode).toBe(403);
    expect((await bob.upload('listings', `${NEXT}A-1,1,FBM\n`)).statusCode).toBe(201);
    const fees =
      'marketplace,category,percent,fixed,minimum,bandUpTo,bandKind,effectiveFrom\nebay,Toys,9,,,,,\n';
    const { id } = await desk().check('fees', fees);
    await expect(bob.run(id)).rejects.toThrow(/administrator privileges to import fees/);
    expect((await desk().run(id)).counts).toMatchObject({ create: 1 });
  });

  test('only administrators declare own sellers with an import; every user may name those declared already', async () => {
    const email = 'bob@example.com';
    await shop.post('/api/register', aRegistration({ email }));
    await shop.db.execute('UPDATE users SET approved = true, email_verified = true');
    const bob = importDesk(shop, await shop.logIn(email, PASSWORD));
    await desk().bringIn('listings', `${NEXT}A-1,9.99,FBM\n`);
    const offers =
      'marketplace,sku,seller,price,fulfillmentType,seenAt\nwalmart,A-1,Corner Store,9,FBM,2026-01-15T11:00:00Z\n';
    const { id } = await bob.check('offers', offers);
    const options = { allOrNothing: false, ownSellers: [{ marketplace: 'walmart', name: 'Corner Store' }] };
    await expect(bob.run(id, options)).rejects.toThrow(/Only administrators can set your sellers/);
    expect((await shop.db.execute('SELECT id FROM own_sellers')).rows).toEqual([]);
    await shop.db.execute(
      `INSERT INTO own_sellers (marketplace, name, seller_key) VALUES ('walmart', 'Corner Store', 'corner store')`,
    );
    expect((await bob.run(id, options)).state).toBe('done');
  });

  test('requires a session, and no other route accepts a file', async () => {
    expect((await importDesk(shop, '').upload('listings', NEXT)).statusCode).toBe(401);
    const headers = { cookie, 'content-type': 'text/csv' };
    expect((await shop.post('/api/jobs/1/cancel', undefined, { payload: 'a,b', headers })).statusCode).toBe(
      415,
    );
  });
});

test('columns are refused with a reason for each', async () => {
  const { id } = (await desk().upload('listings', 'a,b,c\n1,2,3\n')).json();
  const answer = await shop.post(
    `/api/imports/${id}/mapping`,
    { mapping: { sku: 0, title: 0, currentPrice: 7, colour: 1 }, defaults: { fulfillmentType: 'by post' } },
    { method: 'PUT', headers: { cookie } },
  );
  expect(answer.statusCode).toBe(400);
  expect(answer.json().fields).toEqual({
    title: 'This column is already used for sku',
    currentPrice: 'The file has only 3 columns',
    colour: 'There is no such column here',
    fulfillmentType: 'Write one of: FBA/WFS, FBM.',
  });
});

test('templates have the columns from the files of sellers, and import unchanged', async () => {
  const template = async (kind: string) => (await shop.get(`/api/imports/template/${kind}.csv`, cookie)).body;
  expect(await template('skus')).toMatch(/^sku,name,productCost,weight,packagingCost,miscCost,veeqoId\r\n/);
  expect(await template('listings')).toMatch(/^sku,title,currentPrice,fulfillmentType,walmartItemId\r\n/);
  expect(await template('bundles')).toMatch(/^listing_sku,component_sku,quantity\r\n/);
  for (const kind of ['skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees']) {
    expect((await desk().bringIn(kind, await template(kind))).counts).toMatchObject({
      create: 1,
      rejected: 0,
    });
  }
  expect((await shop.get('/api/imports/template/cats.csv', cookie)).statusCode).toBe(400);
});

test('files are kept for 30 days', async () => {
  const { id } = await desk().check('listings', `${NEXT}A-1,x,FBM\n`);
  shop.advance(29 * 86_400_000);
  expect(await purgeImports(shop.db, shop.deps.now())).toBe(0);
  shop.advance(2 * 86_400_000);
  expect(await purgeImports(shop.db, shop.deps.now())).toBe(1);
  expect(
    (await shop.db.execute('SELECT 1 FROM import_chunks UNION SELECT 1 FROM import_lines')).rows,
  ).toEqual([]);
  cookie = await shop.logIn('boss@example.com');
  const missing = await shop.get(`/api/imports/${id}`, cookie);
  expect(missing.json().message).toBe(`There is no import ${id}. Imports are kept for 30 days.`);
});
