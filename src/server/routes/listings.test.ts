import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { instant } from '#domain/units.ts';
import { chunkedSource } from '#files/byte-source.ts';
import { LISTING_FORMAT, type ListingColumn } from '#files/listing-format.ts';
import { Table } from '#files/table.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { catalog, fillCatalog } from '#tests/support/catalog.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  const rule = await addRule(shop.db, { name: '=Beat "all", quietly' });
  await addSku(shop.db, '00123', { brand: 'Unlisted', supplier: 'Midwest', tags: ['blue'] });
  const id = await addListing(shop.db, '00123', {
    title: '-5 oz mug, "blue"\nnew',
    marketplace: 'amazon',
    marketplaceItemId: 'B00X',
    imageUrl: 'https://example.com/a.png?x=1,2',
    minPrice: usd(5),
    maxPrice: usd(50),
    shippingCost: null,
    shippingCharge: usd(1.5),
    fulfillmentCost: usd(3),
    feeCategory: '@Home',
    feeRate: pct(12.5),
    adShare: pct(4),
    mapPrice: usd(18),
    mapUntil: '2026-12-24',
    stock: 5,
    stockAt: instant(Date.UTC(2026, 10, 20)),
    stockAgeDays: 200,
    stockAgeAt: instant(Date.UTC(2026, 10, 19)),
    externalPrice: usd(19),
    externalPriceAt: instant(Date.UTC(2026, 10, 21, 8)),
    brand: 'Acme',
    autoRepricingEnabled: false,
    ruleId: rule,
  });
  await shop.db
    .insert(listingMetrics)
    .values({ listingId: id, ruleId: rule, decidedAt: shop.deps.now(), outcome: 'keep', margin: pct(12.5) });
  const [stories = []] = fc.sample(catalog, { numRuns: 1, seed: 3 });
  await fillCatalog(shop.db, stories, shop.deps.now());
});
afterAll(() => shop.close());

const get = (url: string) => shop.get(url, cookie);

test('a page of listings has rows, a total and the rule that applies', async () => {
  const answer = await get('/api/listings?q=00123&sort=-margin&page=1&size=25');
  expect(answer.statusCode).toBe(200);
  const { rows, total, isTotalExact } = answer.json();
  expect({ total, isTotalExact }).toEqual({ total: 1, isTotalExact: true });
  expect(rows[0]).toMatchObject({
    sku: '00123',
    margin: '12.50',
    currentPrice: '20.00',
    rule: {
      name: '=Beat "all", quietly',
      strategy: 'Beat Competitor',
      hasLines: false,
      noCompetitor: 'keep',
    },
    hold: null,
    brand: 'Acme',
    ownBrand: 'Acme',
    supplier: 'Midwest',
    ownSupplier: null,
    tags: ['blue'],
  });
  expect((await get(`/api/listings/${rows[0].id}`)).json()).toEqual(rows[0]);
  const byRule = await get(`/api/listings?rule=${rows[0].rule.id}`);
  expect(byRule.json()).toMatchObject({ total: 1, rows: [{ sku: '00123' }] });
  expect((await get('/api/listings?rule=999')).json()).toMatchObject({
    rows: [],
    total: 0,
    isTotalExact: true,
  });
});

test.each(['sort=price', 'sort=--sku', 'size=10000', 'page=0', 'state=odd', 'unknown=1', 'rule=x'])(
  'the query %s is refused with the field named',
  async (query) => {
    const answer = await get(`/api/listings?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed' });
  },
);

test('a listing that was deleted is not found', async () => {
  const id = await addListing(shop.db, 'DELETED');
  expect((await get(`/api/listings/${id}`)).statusCode).toBe(200);
  await shop.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${id}`);
  expect((await get(`/api/listings/${id}`)).json()).toMatchObject({ code: 'not_found' });
});

type Cells = Record<ListingColumn, string>;

/** The rows of an export as an import reads them. */
async function importOf(file: string): Promise<Cells[]> {
  const bytes = (async function* () {
    yield Buffer.from(file);
  })();
  const table = await Table.open('listings.csv', chunkedSource(bytes), LISTING_FORMAT);
  const columns = Object.keys(LISTING_FORMAT.columns) as ListingColumn[];
  const found: Cells[] = [];
  await table.read((row) => {
    const cells = columns.map((name) => [name, row.text(table.header.at[name])]);
    found.push(Object.fromEntries(cells));
  });
  return found;
}

test('an export of columns of the list has these, with the values of the list', async () => {
  const [listed] = (await get('/api/listings?q=00123')).json().rows;
  const file = await get(
    '/api/listings/export.csv?q=00123&columns=margin,sku,totalCost,autoReprice,tags,marginFloor,rule',
  );
  expect(file.statusCode).toBe(200);
  const lines = file.body.replace('\ufeff', '').split('\n');
  expect(lines[0]).toBe('Margin %,SKU,Total Cost,Auto-Reprice,Tags,Margin floor,Rule');
  expect(listed).toMatchObject({
    margin: '12.50',
    totalCost: null,
    autoRepricingEnabled: false,
    tags: ['blue'],
  });
  const floor = listed.marginFloor ?? '';
  // The name of the rule is escaped, so that no spreadsheet calculates it.
  expect(lines[1]).toBe(`12.50,00123,,off,blue,${floor},"'${listed.rule.name.replaceAll('"', '""')}"`);
  expect((await get('/api/listings/export.csv?columns=sku,secret')).statusCode).toBe(400);
});

test('an export has the rows of the list in its order, and imports unchanged', async () => {
  for (const query of ['sort=-margin', 'sort=title&state=off', 'sort=-currentPrice&q=mug']) {
    const file = await get(`/api/listings/export.csv?${query}`);
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.headers['content-disposition']).toBe('attachment; filename="listings.csv"');
    const listed = (await get(`/api/listings?${query}&size=200`)).json();
    const rows = await importOf(file.body);
    expect(rows.map(({ sku, marketplace, currentPrice }) => [sku, marketplace, currentPrice])).toEqual(
      listed.rows.map((row: Cells) => [row.sku, row.marketplace, row.currentPrice]),
    );
    expect(rows).toHaveLength(listed.total);
  }
  const [row] = await importOf((await get('/api/listings/export.csv?q=00123')).body);
  expect(row).toEqual({
    sku: '00123',
    title: '-5 oz mug, "blue"\nnew',
    currentPrice: '20.00',
    fulfillmentType: 'FBM',
    marketplace: 'amazon',
    marketplaceItemId: 'B00X',
    imageUrl: 'https://example.com/a.png?x=1,2',
    minPrice: '5.00',
    maxPrice: '50.00',
    shippingCost: '',
    shippingCharge: '1.50',
    fulfillmentCost: '3.00',
    feeCategory: '@Home',
    feeRate: '12.50',
    adShare: '4.00',
    returnShare: '',
    mapPrice: '18.00',
    mapFrom: '',
    mapUntil: '2026-12-24',
    stock: '5',
    stockAgeDays: '200',
    // Of both the older time.
    stockAt: '2026-11-19T00:00:00.000Z',
    // An export is of now.
    effectiveFrom: '',
    externalPrice: '19.00',
    externalPriceAt: '2026-11-21T08:00:00.000Z',
    autoRepricingEnabled: 'false',
    rule: '=Beat "all", quietly',
    // Its own only: the SKU's are in the SKUs file.
    brand: 'Acme',
    supplier: '',
  });
});

test('an export of selected listings has only these', async () => {
  const { rows } = (await get('/api/listings?sort=-title&size=25')).json();
  const chosen = [rows[3], rows[1]].map(({ id }) => id);
  const file = await importOf((await get(`/api/listings/export.csv?sort=-title&ids=${chosen}`)).body);
  expect(file.map(({ sku }) => sku)).toEqual([rows[1].sku, rows[3].sku]);
  expect((await get('/api/listings/export.csv?ids=1;2')).statusCode).toBe(400);
});

test('three exports at the same time; the fourth must wait; a client that disconnects makes room', async () => {
  await shop.db.execute(sql`
    INSERT INTO listings (sku, title, image_url, fulfillment_type, current_price, anchor_price)
    SELECT 'MANY-' || n, 'Mug', 'https://example.com/' || repeat('m', 10000), 'FBM', 5, 5 FROM generate_series(1, 2000) n`);
  const origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (): Promise<IncomingMessage> => {
    const request = httpGet(`${origin}/api/listings/export.csv`, { headers: { cookie }, agent: false });
    const [answer] = await once(request, 'response');
    return answer;
  };
  // Their bodies are not read, so that none of them ends.
  const open = [await ask(), await ask(), await ask()];
  expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const fourth = await ask();
  expect(fourth.statusCode).toBe(429);
  expect(fourth.headers['retry-after']).toBe('10');
  fourth.destroy();
  open[0]?.destroy();
  const isLetIn = async () => {
    const again = await ask();
    again.destroy();
    return again.statusCode;
  };
  await expect.poll(isLetIn).toBe(200);
  let lines = 0;
  for await (const piece of open[1] ?? []) lines += String(piece).split('\n').length - 1;
  expect(lines).toBeGreaterThan(2_000);
  // The last one is still open: a stopping server does not wait for it.
});

test('labels are counted, those of the listing before those of its SKU', async () => {
  const labels = async (query: string) => {
    const answer = await get(`/api/listings/labels?${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  expect(await labels('of=brand&q=acm')).toMatchObject({
    labels: [{ label: 'Acme', count: 1 }],
    isCut: false,
  });
  expect((await labels('of=brand&q=unlisted')).labels).toEqual([]);
  expect((await labels('of=supplier&q=midw')).labels).toEqual([{ label: 'Midwest', count: 1 }]);
  expect((await get('/api/listings/labels?of=color')).statusCode).toBe(400);
});

test('the rules that price the listings of a filter are counted, and those that no rule prices', async () => {
  const rulesOf = async (query: string) => (await get(`/api/listings/rules?${query}`)).json().rules;
  expect(await rulesOf('supplier=midwest')).toEqual([
    { rule: { id: expect.any(String), name: '=Beat "all", quietly' }, listings: 1 },
  ]);
  const all: { rule: object | null; listings: number }[] = await rulesOf('');
  const { total } = (await get('/api/listings?size=25')).json();
  expect(all.reduce((sum, { listings }) => sum + listings, 0)).toBe(total);
  expect(all.filter(({ rule }) => rule === null)).toHaveLength(1);
  expect((await get('/api/listings/rules?color=red')).statusCode).toBe(400);
});

test('each view has its number of listings: the predefined ones, and those that the user sees', async () => {
  const layout = { order: [], hidden: [], widths: {}, density: null };
  const view = { list: 'listings', layout, isShared: false };
  const save = async (name: string, query: object): Promise<string> => {
    const saved = await shop.post('/api/views', { ...view, name, query }, { headers: { cookie } });
    return saved.json().id;
  };
  const named = await save('Mug', { q: '00123', sort: '-margin' });
  const outdated = await save('Of another release', { marketplace: 'ebid' });
  const { totals }: { totals: { view: string; total: number }[] } = (
    await get('/api/listings/view-totals')
  ).json();
  const ofView = new Map(totals.map(({ view: id, total }) => [id, total]));
  for (const [id, query] of [
    ['', ''],
    ['attention', '&state=attention'],
    ['losing', '&state=loses_money'],
    ['review', '&state=recommended'],
    [named, '&q=00123'],
  ])
    expect(ofView.get(id ?? '')).toBe((await get(`/api/listings?size=25${query}`)).json().total);
  expect(ofView.get(named)).toBe(1);
  expect(ofView.has(outdated)).toBe(false);
});

test('a page names the columns without one value in its whole result', async () => {
  const emptyOf = async (query: string): Promise<string[]> =>
    (await get(`/api/listings?size=25${query}`)).json().emptyColumns;
  expect(await emptyOf('&q=00123')).toEqual([
    'amazonWalmart',
    'thirdPartyFbaWfs',
    'thirdPartyFbm',
    'totalCost',
  ]);
  await shop.db.execute(sql`UPDATE listing_metrics SET total_cost = 8.5
    WHERE listing_id = (SELECT id FROM listings WHERE sku = '00123')`);
  expect(await emptyOf('&q=00123')).not.toContain('totalCost');
  expect(await emptyOf('&q=00123')).toContain('thirdPartyFbm');
  expect(await emptyOf('&q=no+such+listing')).toEqual([]);
});
