import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skuCosts, skus } from '#db/schema/catalog.ts';
import { feeFacts } from '#db/schema/fee-facts.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { moneyEvents, moneyReads } from '#db/schema/money.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRuleMargins, repricingRules } from '#db/schema/rules.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { cents, hours, type Instant, instant } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing, addRule, addRun, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { salesLoop } from '#usecases/catalog/sales/sales-loop.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';

/** Walmart A-1, which costs $10.00 and is shipped for nothing; 15 % are taken. */
let shop: PricedShop;
let now: Instant;
beforeEach(async () => {
  shop = await createPricedShop();
  now = shop.app.deps.now();
});
afterEach(() => shop.app.close());

const ago = (days: number): Instant => (now - hours(24 * days)) as Instant;
const dayOf = (days: number): string => new Date(ago(days)).toISOString().slice(0, 10);
const json = async (url: string) => {
  const answer = await shop.get(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

let lines = 0;
const sale = (listingId: number, days: number, price: number, over: object = {}) => ({
  listingId,
  externalId: `line-${++lines}`,
  saleDate: ago(days),
  quantitySold: 1,
  unitPrice: usd(price),
  totalRevenue: usd(price),
  shippingRevenue: usd(0),
  ...over,
});

/** Does what the loop does until there is nothing to do. */
async function compute(): Promise<void> {
  const rest = async () => undefined;
  const host = { stopping: new AbortController().signal, wait: rest, rest };
  const loop = salesLoop({
    db: shop.app.db,
    now: () => now,
    onError: (error) => {
      throw error;
    },
  });
  while ((await loop.turn(host)) === 'worked');
}

/** Its price as the start of a change to $25.00. */
async function moveOf(listing: number) {
  const [row] = await shop.app.db.select().from(listings).where(eq(listings.id, listing));
  return { oldPrice: row?.currentPrice ?? null, newPrice: usd(25) };
}

const profit = (query: string) => json(`/api/profit?from=${dayOf(40)}&to=${dayOf(0)}&${query}`);

test('a sale at 23:30 where the shop is belongs to that day, for sums and lists', async () => {
  const { db } = shop.app;
  await db.update(appSettings).set({ timeZone: 'America/New_York' });
  const saleDate = instant(Date.parse('2026-01-11T04:30:00Z'));
  await db.insert(salesHistory).values([sale(shop.id, 0, 20, { saleDate })]);
  await compute();
  expect((await json('/api/books')).timeZone).toBe('America/New_York');
  const of = (day: string): string => `from=${day}&to=${day}`;
  expect((await json(`/api/profit?group=day&${of('2026-01-10')}`)).sum.sales).toBe(1);
  expect((await json(`/api/profit?group=day&${of('2026-01-11')}`)).sum.sales).toBe(0);
  expect((await json(`/api/sales?${of('2026-01-10')}`)).total).toBe(1);
  expect((await json(`/api/sales?${of('2026-01-11')}`)).total).toBe(0);
  const file = async (day: string) =>
    (await shop.get(`/api/sales/export.csv?${of(day)}`)).body.trim().split('\n');
  expect(await file('2026-01-10')).toHaveLength(2);
  expect(await file('2026-01-11')).toHaveLength(1);
});

describe('profit', () => {
  let etsy: number;
  let unknown: number;
  beforeEach(async () => {
    await addSku(shop.app.db, 'NO-COST', { productCost: null });
    etsy = await addListing(shop.app.db, 'A-1', { marketplace: 'etsy' });
    unknown = await addListing(shop.app.db, 'NO-COST');
    await shop.app.db
      .insert(salesHistory)
      .values([
        sale(shop.id, 3, 20, { shippingRevenue: usd(4) }),
        sale(shop.id, 3, 40, { quantitySold: 2, unitPrice: usd(20), feesTold: usd(5) }),
        sale(etsy, 1, 30),
        sale(unknown, 1, 8),
      ]);
    await compute();
  });

  test('is summed by day, over the sales of which it is known, and says of how many', async () => {
    const { rows, total, sum } = await profit('group=day');
    expect(rows).toEqual([
      {
        key: dayOf(3),
        listing: null,
        rule: null,
        run: null,
        units: 3,
        revenue: '64.00',
        fees: '8.60',
        ads: null,
        cost: '30.00',
        shipping: '0.00',
        refunds: null,
        profit: '25.40',
        margin: '39.68',
        sales: 2,
        known: 2,
        told: 1,
      },
      {
        key: dayOf(1),
        listing: null,
        rule: null,
        run: null,
        units: 2,
        revenue: '38.00',
        fees: '4.50',
        ads: null,
        cost: '10.00',
        shipping: '0.00',
        refunds: null,
        profit: '16.70',
        margin: '55.66',
        sales: 2,
        known: 1,
        told: 0,
      },
    ]);
    expect(total).toBe(2);
    expect(sum).toMatchObject({ units: 5, profit: '42.10', sales: 4, known: 3, told: 1 });
  });

  test.each([
    ['marketplace', () => ['walmart', 'etsy']],
    ['listing', () => [String(shop.id), String(etsy), String(unknown)]],
    ['sku', () => ['A-1', 'NO-COST']],
  ])('by %s comes the highest first and the unknown last', async (group, keys) => {
    const { rows } = await profit(`group=${group}`);
    expect(rows.map(({ key }: { key: string }) => key)).toEqual(keys());
    if (group !== 'marketplace') expect(rows.at(-1)).toMatchObject({ profit: null, margin: null, known: 0 });
  });

  test('by rule and by run names what set the price, and adds up to the same', async () => {
    const { db } = shop.app;
    const rule = await addRule(db, { name: 'Match', deletedAt: now });
    const run = await addRun(db, ago(2), 'done');
    const change = { reason: 'Test', marginFloor: usd(1), timestamp: ago(2) };
    await db.insert(priceHistory).values([
      { ...change, listingId: shop.id, source: 'rule', ruleId: rule, runId: run, ...(await moveOf(shop.id)) },
      { ...change, listingId: etsy, source: 'person', ...(await moveOf(etsy)) },
    ]);
    await db.insert(salesHistory).values([sale(shop.id, 1, 25), sale(etsy, 1, 25)]);
    await db.insert(moneyEvents).values({
      marketplace: 'walmart',
      externalId: 'storage-1',
      version: 1,
      kind: 'storage',
      rawType: 'Storage',
      amount: usd(-1.25),
      sku: 'A-1',
      postedAt: ago(1),
      readAt: now,
    });
    await compute();
    const sums = await profit('group=rule&sort=key');
    expect(sums.rows).toMatchObject([
      { key: String(rule), rule: { name: 'Match', isDeleted: true }, run: null, sales: 1, profit: '11.25' },
      { key: 'earlier', rule: null, sales: 3, profit: '25.40' },
      { key: 'none', sales: 0, profit: '-1.25' },
      { key: 'typed', rule: null, sales: 2 },
    ]);
    expect(sums.sum).toEqual((await profit('group=day')).sum);
    const runs = await profit('group=run&marketplace=walmart&sort=-profit');
    expect(runs.rows).toMatchObject([
      { key: 'earlier' },
      {
        key: String(run),
        run: { trigger: 'manual', startedAt: new Date(ago(2)).toISOString() },
        profit: '11.25',
      },
      { key: 'none' },
    ]);
    const { sold } = await json(`/api/runs/${run}`);
    expect(sold).toMatchObject({ units: 1, profit: '11.25', from: dayOf(1), to: dayOf(1) });
    await db.update(repricingRules).set({ deletedAt: null }).where(eq(repricingRules.id, rule));
    expect((await json('/api/rules')).rules.at(-1).sold).toEqual(sold);
    expect(await json(`/api/runs/${await addRun(db, now, 'done')}`)).not.toHaveProperty('sold');
    const keys = async (query: string) =>
      (await json(`/api/sales?${query}`)).rows.map((row: { sku: string }) => row.sku);
    expect(await keys(`rule=${rule}`)).toEqual(['A-1']);
    expect(await keys(`run=${run}&marketplace=etsy`)).toEqual([]);
  });

  test('of a listing names it, and comes in the order and on the page asked for', async () => {
    await shop.app.db.update(listings).set({ deletedAt: now }).where(eq(listings.id, etsy));
    const keysOf = async (query: string) =>
      (await profit(`group=listing&${query}`)).rows.map(({ key }: { key: string }) => Number(key));
    const [first] = (await profit('group=listing&sort=units')).rows;
    expect(first).toMatchObject({
      key: String(etsy),
      listing: { marketplace: 'etsy', sku: 'A-1', title: 'Product A-1', isDeleted: true },
    });
    expect(await keysOf('sort=margin')).toEqual([shop.id, etsy, unknown]);
    expect(await keysOf('sort=-margin')).toEqual([etsy, shop.id, unknown]);
    expect(await keysOf('sort=-revenue')).toEqual([shop.id, etsy, unknown]);
    const third = await profit('group=day&sort=-key&size=25&page=2');
    expect(third).toMatchObject({ rows: [], total: 2, sum: { sales: 4, profit: '42.10' } });
    expect((await profit('group=day&sort=-key')).rows[0].key).toBe(dayOf(1));
    expect((await shop.get(`/api/profit?from=${dayOf(1)}&to=${dayOf(0)}&sort=title`)).statusCode).toBe(400);
  });

  test('is of the days and the marketplace asked for', async () => {
    expect((await profit('group=listing&marketplace=etsy')).rows).toHaveLength(1);
    const { rows, sum } = await json(`/api/profit?from=${dayOf(2)}&to=${dayOf(2)}`);
    expect(rows).toEqual([]);
    expect(sum).toMatchObject({ sales: 0, revenue: '0.00', profit: null });
    expect((await shop.get(`/api/profit?from=${dayOf(1)}&to=${dayOf(2)}`)).statusCode).toBe(400);
  });

  test('has what was booked for no listing on its day and marketplace, and next to its listings and SKUs', async () => {
    const book = (...events: Parameters<typeof aBooking>[]) =>
      bookMoneyPage(
        shop.app.db,
        'etsy',
        { events: events.map((each) => aBooking(...each)), settlements: [], refused: [] },
        now,
      );
    await book(
      ['ads', 'ad', -1_000, { postedAt: ago(2) }],
      ['plan', 'other', -500, { postedAt: ago(1) }],
      ['claim', 'reimbursement', 200, { postedAt: ago(1), sku: 'OTHER' }],
      // Moved, and of an order that was never read.
      ['moved', 'transfer', -9_900, { postedAt: ago(1) }],
      ['paid', 'principal', 9_900, { postedAt: ago(1), orderRef: 'O-9' }],
      ['part', 'refund_principal', -5_000, { postedAt: ago(1), orderRef: 'O-9' }],
    );
    await compute();
    const unlisted = { fees: '5.00', ads: '10.00', refunds: '-2.00', profit: '-13.00' };
    for (const group of ['day', 'marketplace', 'listing', 'sku']) {
      const { rows, total, sum, unlisted: rest } = await profit(`group=${group}`);
      expect(sum).toMatchObject({ profit: '29.10', sales: 4 });
      expect(rest).toEqual(unlisted);
      expect(total).toBe(rows.length);
      const added = rows.reduce((all: number, row: { profit: string }) => all + Number(row.profit), 0);
      expect(added).toBeCloseTo(group === 'day' || group === 'marketplace' ? 29.1 : 42.1);
    }
    const { rows } = await profit('group=day&marketplace=etsy');
    expect(rows).toMatchObject([
      { key: dayOf(2), sales: 0, revenue: '0.00', ads: '10.00', profit: '-10.00', margin: null },
      { key: dayOf(1), sales: 1, fees: '8.30', refunds: '-2.00', profit: '13.70' },
    ]);
    expect((await profit('group=sku&marketplace=walmart')).unlisted).toBeNull();
    // Reported otherwise: of a listing, and of another day.
    await book(
      ['ads', 'ad', -1_100, { postedAt: ago(3) }],
      ['plan', 'other', -500, { postedAt: ago(1), sku: 'A-1' }],
    );
    await compute();
    const after = await profit('group=listing&marketplace=etsy');
    expect(after).toMatchObject({
      unlisted: { fees: null, ads: '11.00', profit: '-9.00' },
      sum: { profit: '2.70' },
      rows: [{ fees: '8.30', profit: '11.70' }],
    });
    // The claim's listing is added, and the one of the advertising gets its item.
    await book(['ads', 'ad', -1_100, { postedAt: ago(3), itemId: '77' }]);
    const added = await addListing(shop.app.db, 'OTHER', { marketplace: 'etsy' });
    await compute();
    expect((await profit('group=listing')).unlisted).toMatchObject({ refunds: null, profit: '-11.00' });
    await shop.app.db.update(listings).set({ marketplaceItemId: '77' }).where(eq(listings.id, added));
    await compute();
    const whole = await profit('group=listing&marketplace=etsy');
    expect(whole).toMatchObject({
      unlisted: null,
      sum: { profit: '2.70' },
      rows: [{ key: String(etsy) }, { key: String(added), profit: '-9.00' }],
    });
  });

  test('counts the fee that is kept for a canceled order on its day, once it belongs to no order', async () => {
    const book = (over: Partial<MoneyEvent> & Pick<MoneyEvent, 'kind'>) =>
      bookMoneyPage(
        shop.app.db,
        'etsy',
        {
          events: [aBooking('pay:fee', over.kind, -132, { postedAt: ago(2), settlementRef: 'P-1', ...over })],
          settlements: [],
          refused: [],
        },
        now,
      );
    await book({ kind: 'payment', orderRef: 'O-7' });
    await compute();
    const before = await profit('group=marketplace');
    expect(before.unlisted).toBeNull();
    await book({ kind: 'refund_fee', settlementRef: null, isOfNoOrder: true });
    await compute();
    const after = await profit('group=marketplace');
    expect(after.unlisted).toMatchObject({ refunds: '1.32', profit: '-1.32' });
    expect(Number(after.sum.profit)).toBeCloseTo(Number(before.sum.profit) - 1.32);
    // Its payout has it still, and the order gets it back when it is a sale after all.
    const [kept] = await shop.app.db.select().from(moneyEvents).where(sql`superseded_by IS NULL`);
    expect(kept).toMatchObject({ orderRef: null, settlementRef: 'P-1', matchedBy: 'marketplace' });
    await book({ kind: 'payment', orderRef: 'O-7' });
    await compute();
    expect((await profit('group=marketplace')).unlisted).toBeNull();
  });

  test('L13: equals the sum from sales after corrections, cancellations and changed costs', async () => {
    const { db } = shop.app;
    await db
      .update(salesHistory)
      .set({ saleDate: ago(7) })
      .where(eq(salesHistory.listingId, etsy));
    await db.delete(salesHistory).where(eq(salesHistory.quantitySold, 2));
    await db
      .update(skus)
      .set({ productCost: cents(400) })
      .where(eq(skus.sku, 'NO-COST'));
    await compute();
    const { rows } = await db.execute(sql`
      SELECT to_char(sale_date AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS key, sum(total_margin)::text AS profit
      FROM sales_history GROUP BY 1 ORDER BY 1`);
    expect((await profit('group=day')).rows).toMatchObject(rows);
    expect(rows).toHaveLength(3);
  });
});

test('a listing has what a unit earns, its fees, and its sales of 30 days, in the list and its file', async () => {
  const { db } = shop.app;
  await addSku(db, 'B-1', { productCost: usd(10) });
  const listing = await addListing(db, 'B-1', { currentPrice: usd(19.99) });
  await db
    .insert(listingMetrics)
    .values({ listingId: listing, decidedAt: now, totalCost: usd(10), margin: pct(34.97), isFeeTold: true });
  await db.insert(feeFacts).values(
    [
      { toldAt: ago(9), amount: usd(3), askedPrice: usd(20) },
      { toldAt: ago(2), amount: usd(2.85), askedPrice: usd(19), refusedBecause: 'out_of_range' as const },
    ].map((fact) => ({
      ...fact,
      listingId: listing,
      kind: 'commission' as const,
      source: 'estimate' as const,
      fulfillmentType: 'FBM' as const,
      askedShipping: usd(0),
    })),
  );
  const other = await addListing(db, 'B-1', { marketplace: 'etsy' });
  await db
    .insert(salesHistory)
    .values([
      sale(listing, 0, 40, { quantitySold: 2, unitPrice: usd(20) }),
      sale(listing, 29, 20, { feesTold: usd(2) }),
      sale(listing, 30, 20),
      sale(other, 1, 20),
    ]);
  await compute();
  const { rows } = await json('/api/listings?q=B-1&marketplace=walmart');
  expect(rows[0]).toMatchObject({
    profit: '6.99',
    feeRate: '15.00',
    feeTold: { at: new Date(ago(9)).toISOString(), price: '20.00' },
    sold: { units: 3, profit: '22.00', sales: 2, known: 2, told: 1 },
  });
  const { rows: etsy } = await json('/api/listings?marketplace=etsy');
  expect(etsy[0]).toMatchObject({ profit: null, feeRate: null, feeTold: null, sold: { units: 1 } });
  for (const [query, shown] of [
    ['sort=units30', ['etsy', 'walmart']],
    ['sort=-profit30&q=B-1', ['walmart', 'etsy']],
    ['sort=-profit&sold=some', ['walmart', 'etsy']],
    ['sort=fee&state=profit_unknown&q=B-1', ['etsy']],
    ['sold=loss', []],
  ] as const) {
    const page = await json(`/api/listings?${query}`);
    const found = page.rows.filter(({ sku }: { sku: string }) => sku === 'B-1');
    expect(found.map(({ marketplace }: { marketplace: string }) => marketplace)).toEqual(shown);
  }
  const file = await shop.get(
    '/api/listings/export.csv?q=B-1&sort=-units30&columns=sku,profit,fee,units30,profit30',
  );
  expect(file.body).toBe(
    '\ufeffSKU,Profit,Fee %,Units 30 d,Profit 30 d\nB-1,6.99,15.00,3,22.00\nB-1,,,1,7.65\n',
  );
});

describe('a cost that applies from an earlier day', () => {
  const putCost = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const { rows } = await shop.app.db.execute<{ id: string; version: number }>(
      sql`SELECT id::text, version FROM skus WHERE sku = 'A-1'`,
    );
    const [stored] = rows;
    const payload = { ...body, ...(method === 'PUT' ? { version: stored?.version } : {}) };
    return shop.send(method, `/api/skus/${stored?.id}${path}`, payload);
  };
  const since = () => ({ productCost: '12.00', costSince: new Date(ago(5)).toISOString() });

  test('changes exactly the sales since then, by what was shown before', async () => {
    await shop.app.db
      .insert(salesHistory)
      .values([sale(shop.id, 9, 20), sale(shop.id, 5, 20), sale(shop.id, 1, 40, { quantitySold: 2 })]);
    await compute();
    const profits = async () =>
      (await json('/api/sales')).rows.map((row: { totalMargin: string }) => row.totalMargin);
    expect(await profits()).toEqual(['14.00', '7.00', '7.00']);
    const shown = await putCost('POST', '/impact', since());
    expect(shown.json().sales).toEqual({ changed: 2, profitChange: '-6.00', isMore: false });
    expect((await putCost('PUT', '', since())).statusCode).toBe(200);
    await compute();
    expect(await profits()).toEqual(['10.00', '5.00', '7.00']);
  });

  test('returns the new cost of goods that came back, as was shown before', async () => {
    const returned = { quantitySold: 2, restocked: 1, restockedAt: ago(1) };
    await shop.app.db.insert(salesHistory).values(sale(shop.id, 1, 40, returned));
    await compute();
    const shown = await putCost('POST', '/impact', since());
    expect(shown.json().sales).toMatchObject({ changed: 1, profitChange: '-2.00' });
    expect((await putCost('PUT', '', since())).statusCode).toBe(200);
    await compute();
    expect((await json('/api/sales')).rows).toMatchObject([{ totalMargin: '22.00', refunds: '-12.00' }]);
  });

  test('leaves the other costs of every day as they were, as was shown before', async () => {
    await shop.app.db
      .insert(salesHistory)
      .values([sale(shop.id, 12, 20), sale(shop.id, 9, 20), sale(shop.id, 1, 20)]);
    expect((await putCost('PUT', '', since())).statusCode).toBe(200);
    await compute();
    const misc = { miscCost: '1.00', costSince: new Date(ago(10)).toISOString() };
    const shown = await putCost('POST', '/impact', misc);
    expect(shown.json().sales).toMatchObject({ changed: 2, profitChange: '-2.00' });
    expect((await putCost('PUT', '', misc)).statusCode).toBe(200);
    await compute();
    expect((await json('/api/sales')).rows.map((row: { totalMargin: string }) => row.totalMargin)).toEqual([
      '4.00',
      '6.00',
      '7.00',
    ]);
  });

  test('of a listing and of a shipping tier changes what is shown before', async () => {
    await shop.app.db.insert(salesHistory).values([sale(shop.id, 9, 20), sale(shop.id, 1, 20)]);
    await compute();
    const shipping = { shipping: '1.00', costSince: since().costSince };
    const listing = await shop.send('POST', `/api/listings/${shop.id}/costs/impact`, shipping);
    expect(listing.json()).toEqual({ changed: 1, profitChange: '-1.00', isMore: false });
    const range = { marketplace: 'walmart', fulfillmentType: 'FBM', minWeightOz: 0, maxWeightOz: 16 };
    const tier = { id: null, ...range, cost: '1.00', costSince: since().costSince };
    // The listing has a shipping cost of its own.
    expect((await shop.send('POST', '/api/shipping-tiers/impact', tier)).json()).toMatchObject({
      changed: 0,
    });
  });

  test('has the size of that day too', async () => {
    const size = { lengthIn: 9, widthIn: 5, heightIn: 1 };
    expect((await putCost('PUT', '', size)).statusCode).toBe(200);
    expect((await putCost('PUT', '', { lengthIn: 12, costSince: since().costSince })).statusCode).toBe(200);
    const rows = await shop.app.db
      .select()
      .from(skuCosts)
      .where(eq(skuCosts.effectiveFrom, ago(5)));
    expect(rows).toMatchObject([{ ...size, lengthIn: 12 }]);
  });

  test('cannot be in the future', async () => {
    const costSince = new Date(now + 60_000).toISOString();
    for (const answer of [
      await putCost('PUT', '', { costSince }),
      await putCost('POST', '/impact', { costSince }),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        code: 'validation_failed',
        fields: { costSince: expect.any(String) },
      });
    }
  });
});

describe('sales', () => {
  test('are listed, the newest first, with what they earned', async () => {
    const line = { orderRef: 'O-1', lineNumber: 1, createdAt: ago(1) };
    await shop.app.db.insert(salesHistory).values([sale(shop.id, 2, 20), sale(shop.id, 1, 30, line)]);
    await compute();
    const { rows, total } = await json('/api/sales');
    expect(total).toBe(2);
    expect(rows[0]).toEqual({
      id: expect.any(String),
      listingId: String(shop.id),
      marketplace: 'walmart',
      sku: 'A-1',
      productTitle: 'Product A-1',
      isListingDeleted: false,
      orderRef: 'O-1',
      lineNumber: 1,
      saleDate: new Date(ago(1)).toISOString(),
      quantitySold: 1,
      unitPrice: '30.00',
      totalRevenue: '30.00',
      shippingRevenue: '0.00',
      marketplaceFees: '4.50',
      feesEstimated: '4.50',
      feesTold: null,
      unitCost: '10.00',
      shippingCost: '0.00',
      totalCost: '10.00',
      marginPerUnit: '15.50',
      totalMargin: '15.50',
      adjustment: null,
      ads: null,
      refunds: null,
      restocked: 0,
      parts: [{ kind: 'commission', estimated: '-4.50', told: null }],
      priceSource: 'earlier',
      ruleId: null,
      runId: null,
      state: 'estimated',
      isPending: false,
      isAbout: true,
      computedAt: new Date(now).toISOString(),
      createdAt: new Date(ago(1)).toISOString(),
    });
  });

  test('are filtered by listing, marketplace, state, day, and whether the profit is known', async () => {
    const ebay = await addListing(shop.app.db, 'NONE', { marketplace: 'ebay' });
    await shop.app.db
      .insert(salesHistory)
      .values([sale(shop.id, 3, 20, { feesTold: usd(2) }), sale(shop.id, 1, 30), sale(ebay, 1, 40)]);
    await compute();
    const prices = async (query: string) =>
      (await json(`/api/sales?${query}`)).rows.map(({ unitPrice }: { unitPrice: string }) => unitPrice);
    expect(await prices(`listing=${ebay}`)).toEqual(['40.00']);
    expect(await prices('marketplace=walmart')).toEqual(['30.00', '20.00']);
    expect(await prices('state=told')).toEqual(['20.00']);
    expect(await prices('known=false')).toEqual(['40.00']);
    expect(await prices(`from=${dayOf(3)}&to=${dayOf(2)}`)).toEqual(['20.00']);
    expect(await prices('size=25&page=2')).toEqual([]);
  });

  test('below their minimum margin lack what it asks for, by the rule that set the price or that of the listing', async () => {
    const { db } = shop.app;
    const rule = await addRule(db, { minimumMargin: pct(25) });
    const strict = await addRule(db, { minimumMargin: pct(40) });
    await db
      .insert(repricingRuleMargins)
      .values({ ruleId: rule, marketplace: 'walmart', minimumMargin: pct(30) });
    await db
      .insert(listingMetrics)
      .values({ listingId: shop.id, decidedAt: now, ruleId: rule })
      .onConflictDoUpdate({
        target: listingMetrics.listingId,
        set: { ruleId: rule },
      });
    await addSku(db, 'C-1', { productCost: usd(10) });
    const free = await addListing(db, 'C-1');
    await addSku(db, 'NO-COST', { productCost: null });
    const unknown = await addListing(db, 'NO-COST');
    // Each costs 10.00 and 15%: 7.00 of 20.00, 3.60 of 16.00, -1.50 of 10.00, 15.50 of 30.00.
    await db
      .insert(salesHistory)
      .values([
        sale(shop.id, 3, 20),
        sale(shop.id, 2, 16),
        sale(free, 2, 10),
        sale(free, 2, 16),
        sale(unknown, 1, 30),
      ]);
    await compute();
    const below = () => json('/api/sales?below=true');
    const { rows, total, lost, isLostAbout } = await below();
    expect(rows.map(({ totalRevenue }: { totalRevenue: string }) => totalRevenue)).toEqual([
      '10.00',
      '16.00',
    ]);
    // 4.80 less 3.60; without a rule it must not lose money.
    expect({ total, lost, isLostAbout }).toEqual({ total: 2, lost: '2.70', isLostAbout: true });
    await db
      .update(salesHistory)
      .set({ ruleId: strict })
      .where(eq(salesHistory.unitPrice, usd(20)));
    // 8.00 less 7.00.
    await db.update(salesHistory).set({ isAbout: false });
    expect(await below()).toMatchObject({ lost: '3.70', isLostAbout: false });
    expect(await json('/api/sales?below=false')).toMatchObject({ total: 1, lost: null });
  });

  test('are downloaded with every part of their profit, safe to open in a spreadsheet', async () => {
    const { db } = shop.app;
    await db.update(listings).set({ title: '=Mug' }).where(eq(listings.id, shop.id));
    await addSku(db, 'NO-COST', { productCost: null });
    const unknown = await addListing(db, 'NO-COST');
    await db
      .insert(salesHistory)
      .values([
        sale(shop.id, 2, 20, { orderRef: '-1', lineNumber: 2, feesTold: usd(3) }),
        sale(unknown, 1, 30),
        sale(shop.id, 30, 30),
      ]);
    await compute();
    const file = await shop.get(`/api/sales/export.csv?from=${dayOf(3)}`);
    expect(file.headers['content-disposition']).toBe('attachment; filename="sales.csv"');
    const time = (days: number) => new Date(ago(days)).toISOString();
    expect(file.body.split('\n')).toEqual([
      '\ufeffsaleDate,marketplace,sku,productTitle,orderRef,lineNumber,quantitySold,unitPrice,totalRevenue,shippingRevenue,marketplaceFees,feesEstimated,feesTold,unitCost,shippingCost,totalCost,adjustment,ads,refunds,profit,state,isAbout,isPending,priceSource,ruleId,runId,principalTold,shippingTold,discountTold,fundedTold,commissionEstimated,commissionTold,closingEstimated,closingTold,perOrderEstimated,perOrderTold,renewalEstimated,renewalTold,paymentEstimated,paymentTold,fulfillmentEstimated,fulfillmentTold,adTold,labelTold,refundPrincipalTold,refundShippingTold,refundCommissionTold,refundOtherTold,refundFeeTold,storageTold,reimbursementTold,taxTold,otherTold',
      `${time(1)},walmart,NO-COST,Product NO-COST,,,1,30.00,30.00,0.00,4.50,4.50,,,0.00,,,,,,estimated,,false,earlier,,,,,,,-4.50,${','.repeat(21)}`,
      `${time(2)},walmart,A-1,'=Mug,'-1,2,1,20.00,20.00,0.00,3.00,3.00,3.00,10.00,0.00,10.00,,,,7.00,told,false,false,earlier,,,,,,,-3.00,${','.repeat(21)}`,
      '',
    ]);
  });

  test('have the product cost of units that came back into stock, as entered by a user', async () => {
    await shop.app.db
      .insert(salesHistory)
      .values([sale(shop.id, 2, 40, { quantitySold: 2, unitPrice: usd(20) })]);
    await compute();
    const [{ id, totalMargin }] = (await json('/api/sales')).rows;
    const restock = async (units: number, of = id) =>
      (await shop.send('PUT', `/api/sales/${of}/restocked`, { units })).statusCode;
    expect([await restock(1), await restock(3), await restock(1, '999')]).toEqual([200, 400, 404]);
    await compute();
    const [row] = (await json('/api/sales')).rows;
    expect(row).toMatchObject({ restocked: 1, refunds: '-10.00' });
    expect(Number(row.totalMargin) - Number(totalMargin)).toBe(10);
    const days = `/api/profit?from=${dayOf(40)}&to=${dayOf(0)}`;
    expect((await json(days)).rows).toMatchObject([
      { key: dayOf(2), profit: totalMargin },
      { key: dayOf(0), profit: '10.00', sales: 0 },
    ]);
    expect(await json(`/api/sales/${id}`)).toMatchObject({ restocked: 1, productCost: '10.00' });
    expect(await restock(0)).toBe(200);
    await compute();
    expect((await json('/api/sales')).rows[0]).toMatchObject({ totalMargin, refunds: null });
  });

  test('say of one whether its reported fees are as estimated, and which were not reported within 45 days', async () => {
    await shop.app.db
      .insert(salesHistory)
      .values([
        sale(shop.id, 50, 20, { orderRef: 'O-1' }),
        sale(shop.id, 46, 30),
        sale(shop.id, 44, 40),
        sale(shop.id, 61, 50),
      ]);
    await shop.app.db
      .insert(moneyReads)
      .values({ marketplace: 'walmart', readFrom: ago(60), readUntil: now, backTo: ago(60), rereadAt: now });
    await bookMoneyPage(
      shop.app.db,
      'walmart',
      {
        events: [aBooking('1', 'commission', -302, { postedAt: ago(49), orderRef: 'O-1', quantity: 1 })],
        settlements: [],
        refused: [],
      },
      now,
    );
    await compute();
    const sales = (await json('/api/sales')).rows;
    const detailOf = (price: string) =>
      json(`/api/sales/${sales.find(({ unitPrice }: { unitPrice: string }) => unitPrice === price).id}`);
    expect(await detailOf('20.00')).toMatchObject({
      state: 'told',
      reconciliation: 'differs',
      parts: [{ kind: 'commission', estimated: '-3.00', told: '-3.02', reconciliation: 'differs' }],
    });
    expect(await detailOf('30.00')).toMatchObject({ reconciliation: 'waiting' });
    expect((await shop.get('/api/sales/999')).statusCode).toBe(404);
    const late = (await json('/api/sales?late=true')).rows;
    expect(late.map(({ unitPrice }: { unitPrice: string }) => unitPrice)).toEqual(['30.00']);
  });
});

describe('what a rule earned, against before', () => {
  const earnings = (rule: number | string) => json(`/api/rules/${rule}/earnings`);
  const changed = async (rule: number, days: number, listingId = shop.id) =>
    shop.app.db.insert(priceHistory).values({
      listingId,
      source: 'rule',
      ruleId: rule,
      reason: 'Test',
      marginFloor: usd(1),
      timestamp: ago(days),
      ...(await moveOf(listingId)),
    });

  test('compares as many whole days on both sides of its first price, of its listings alone', async () => {
    const { db } = shop.app;
    const rule = await addRule(db, { name: 'Match' });
    const other = await addListing(db, 'A-2', { currentPrice: usd(20) });
    await changed(rule, 3);
    await db.insert(salesHistory).values([
      // The day of the first price, today, and what is too long ago belong to neither side.
      ...[0, 3, 9].map((days) => sale(shop.id, days, 25)),
      ...[1, 2].map((days) => sale(shop.id, days, 25)),
      sale(shop.id, 4, 20),
      sale(other, 1, 25),
    ]);
    await compute();
    expect(await earnings(rule)).toMatchObject({
      firstDay: dayOf(3),
      listings: 1,
      compared: {
        days: 2,
        since: { from: dayOf(2), to: dayOf(1), units: 2, revenue: '50.00', profit: '22.50' },
        before: { from: dayOf(5), to: dayOf(4), units: 1, revenue: '20.00', profit: '7.00' },
      },
    });
  });

  test('compares nothing without a price, a whole day since, or sales from before', async () => {
    const { db } = shop.app;
    const rule = await addRule(db, { name: 'Match' });
    expect(await earnings(rule)).toEqual({ firstDay: null, listings: 0, compared: null });
    await changed(rule, 2);
    await db.insert(salesHistory).values([sale(shop.id, 1, 25)]);
    await compute();
    expect(await earnings(rule)).toEqual({ firstDay: dayOf(2), listings: 1, compared: null });
    expect((await shop.get('/api/rules/999999/earnings')).statusCode).toBe(404);
  });
});
