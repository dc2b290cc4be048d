import { afterAll, beforeAll, expect, test } from 'vitest';
import { priceHistory } from '#db/schema/prices.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { addListing, addRule, addRun } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  const { db } = shop;
  const now = shop.deps.now();
  const mug = await addListing(db, 'MUG', { title: '=Mug', createdAt: now });
  const ruleId = await addRule(db);
  const runId = await addRun(db, now);
  shop.advance(60_000);
  const move = { listingId: mug, marginFloor: usd(5), timestamp: shop.deps.now() };
  await db.insert(priceHistory).values({
    ...move,
    oldPrice: usd(20),
    newPrice: usd(17.99),
    source: 'rule',
    ruleId,
    runId,
    reason: 'Beaten by a cent.',
    marginImpact: pct(-5.59),
    competitorPrice: usd(18),
  });
  await db.insert(priceHistory).values({
    ...move,
    oldPrice: usd(17.99),
    newPrice: usd(19),
    source: 'person',
    actorId: 'x',
    actor: 'Ann Arbor',
    reason: 'Typed',
  });
});
afterAll(() => shop.close());

const get = (url: string) => shop.get(url, cookie);

test('the newest change comes first, with its author and the current price', async () => {
  const { rows, total, isTotalExact } = (await get('/api/history')).json();
  expect({ total, isTotalExact }).toEqual({ total: 3, isTotalExact: true });
  expect(rows.map(({ source }: { source: string }) => source)).toEqual(['person', 'rule', 'import']);
  expect(rows[0]).toMatchObject({ actor: 'Ann Arbor', rule: null, oldPrice: '17.99', newPrice: '19.00' });
  expect(rows[1]).toMatchObject({
    rule: { name: 'Beat everybody' },
    marginImpact: '-5.59',
    currentPrice: '19.00',
    isListingDeleted: false,
  });
  expect(rows[2]).toMatchObject({ oldPrice: null, newPrice: '20.00', marginImpact: null });
});

test.each([
  ['changedBy=ann', 1],
  ['changedBy=beat', 1],
  ['source=import', 1],
  ['q=mug&days=7', 3],
  ['from=2026-01-15&to=2026-01-15', 3],
  ['to=2026-01-14', 0],
  ['from=2026-01-16', 0],
  // Past midnight in Auckland already.
  ['from=2026-01-16&to=2026-01-16&zone=Pacific/Auckland', 3],
  ['marketplace=etsy', 0],
  ['run=1', 1],
  ['listing=1', 3],
])('the filter %s finds %i', async (query, count) => {
  expect((await get(`/api/history?${query}`)).json()).toMatchObject({ total: count });
});

test.each([
  ...['days=0', 'source=magic', 'size=7', 'order=asc'],
  ...['from=2026-02-30', 'to=1999-12-31', 'from=today', 'zone=Mars/Olympus'],
])('the query %s is refused', async (query) => {
  expect((await get(`/api/history?${query}`)).json()).toMatchObject({ code: 'validation_failed' });
});

test('a day of the chart has as many rows in the history', async () => {
  for (const zone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']) {
    const chart = (await get(`/api/charts/price-changes?days=14&zone=${zone}`)).json();
    const moved = chart.days.filter(
      (day: { raised: number; lowered: number }) => day.raised + day.lowered > 0,
    );
    expect(moved).toHaveLength(1);
    for (const { day, raised, lowered } of chart.days) {
      const { total } = (await get(`/api/history?source=ours&from=${day}&to=${day}&zone=${zone}`)).json();
      expect(total).toBe(raised + lowered);
    }
  }
});

test('a file has the same rows in the same order, safe to open in a spreadsheet', async () => {
  const file = await get('/api/history/export.csv?days=1');
  expect(file.headers['content-disposition']).toBe('attachment; filename="price-history.csv"');
  expect(file.body.split('\n')).toEqual([
    '\ufefftimestamp,marketplace,sku,productTitle,oldPrice,newPrice,change,reason,marginImpact,source,changedBy,rule,competitorPrice,lowestLegalPrice',
    "2026-01-15T12:01:00.000Z,walmart,MUG,'=Mug,17.99,19.00,1.01,Typed,,person,Ann Arbor,,,5.00",
    "2026-01-15T12:01:00.000Z,walmart,MUG,'=Mug,20.00,17.99,-2.01,Beaten by a cent.,-5.59,rule,,Beat everybody,18.00,5.00",
    "2026-01-15T12:00:00.000Z,walmart,MUG,'=Mug,,20.00,,First price of the listing,,import,,,,",
    '',
  ]);
});
