import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moneyReads } from '#db/schema/money.ts';
import { salesHistory } from '#db/schema/sales.ts';
import type { MoneyPage, ReportedSettlement } from '#domain/money/money-event.ts';
import { cents, hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';

let shop: PricedShop;
let now: Instant;
beforeEach(async () => {
  shop = await createPricedShop();
  now = shop.app.deps.now();
});
afterEach(() => shop.app.close());

const ago = (days: number): Instant => (now - hours(24 * days)) as Instant;
const json = async (url: string) => {
  const answer = await shop.get(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const book = (page: Partial<MoneyPage>) =>
  bookMoneyPage(shop.app.db, 'walmart', { events: [], settlements: [], refused: [], ...page }, now);

test('settlements say whether what was booked adds up to them', async () => {
  const settlement = (ref: string, total: number | null, over: Partial<ReportedSettlement> = {}) => ({
    ref,
    from: ago(14),
    to: ago(1),
    paidAt: null,
    total: total === null ? null : cents(total),
    isClosed: true,
    ...over,
  });
  await shop.app.db
    .insert(moneyReads)
    .values({ marketplace: 'walmart', readFrom: ago(30), readUntil: now, backTo: ago(30), rereadAt: now });
  await book({
    settlements: [
      settlement('runs', null, { isClosed: false, to: null }),
      settlement('even', 4_250),
      settlement('short', 4_000),
      settlement('silent', null),
      settlement('early', 0, { from: ago(40) }),
    ],
    events: [
      aBooking('e1', 'principal', 5_000, { postedAt: ago(2), settlementRef: 'even' }),
      aBooking('e2', 'commission', -750, { postedAt: ago(2), settlementRef: 'even' }),
      aBooking('s1', 'principal', 4_000, { postedAt: ago(2), settlementRef: 'short' }),
      aBooking('s2', 'other', -250, { postedAt: ago(2), settlementRef: 'short' }),
    ],
  });
  const { rows, total } = await json('/api/settlements?marketplace=walmart');
  expect(total).toBe(5);
  const byRef = Object.fromEntries(rows.map((row: { ref: string }) => [row.ref, row]));
  expect(byRef.runs.state).toBe('open');
  expect(byRef.even).toMatchObject({ state: 'balanced', eventsTotal: '42.50', difference: '0.00' });
  expect(byRef.short).toMatchObject({ state: 'off', difference: '-2.50', events: 2, other: 1, unmatched: 2 });
  expect([byRef.silent.state, byRef.early.state]).toEqual(['incomplete', 'incomplete']);
  expect((await json('/api/settlements?size=25&page=2')).rows).toEqual([]);
  expect((await json('/api/money-events?settlement=short')).total).toBe(2);
});

test('amounts without a sale are listed, without money that was only moved', async () => {
  await shop.app.db.insert(salesHistory).values({
    listingId: shop.id,
    externalId: 'line-1',
    orderRef: 'O-1',
    saleDate: ago(2),
    quantitySold: 1,
    unitPrice: usd(20),
    totalRevenue: usd(20),
  });
  await book({
    events: [
      aBooking('1', 'commission', -300, { postedAt: ago(1), orderRef: 'O-1' }),
      aBooking('2', 'storage', -100, { postedAt: ago(2), sku: 'A-1', rawType: 'Storage > Monthly' }),
      aBooking('3', 'transfer', -500, { postedAt: ago(3) }),
      aBooking('4', 'other', 20, { postedAt: ago(4) }),
    ],
  });
  await book({ events: [aBooking('4', 'other', 30, { postedAt: ago(4) })] });
  const { rows, total } = await json('/api/money-events?unmatched=true');
  expect(total).toBe(2);
  expect(rows).toMatchObject([
    {
      amount: '-1.00',
      rawType: 'Storage > Monthly',
      matchedBy: 'sku',
      profitOf: 'day',
      listingId: String(shop.id),
      restated: 0,
    },
    { amount: '0.30', matchedBy: 'marketplace', listingId: null, restated: 1 },
  ]);
  expect((await json('/api/money-events?marketplace=walmart')).total).toBe(4);
  expect((await json('/api/money-events/kinds?unmatched=true')).rows).toEqual([
    { kind: 'storage', events: 1, amount: '-1.00' },
    { kind: 'other', events: 1, amount: '0.30' },
  ]);
  expect((await json('/api/money-events/kinds?unmatched=true&marketplace=etsy')).rows).toEqual([]);
  expect((await json('/api/money-events?kind=transfer')).rows).toMatchObject([{ amount: '-5.00' }]);
  expect((await shop.get('/api/money-events?unmatched=no')).statusCode).toBe(400);
});

test('many amounts come in the same order page by page, from whichever end is nearer', async () => {
  await shop.app.db.execute(sql`INSERT INTO money_events (marketplace, external_id, version, kind, raw_type, amount, posted_at, read_at)
    SELECT 'walmart', 'e-' || n, 1, 'storage', 'Storage', -n, timestamptz '2026-11-01' + n % 700 * interval '1 minute', now()
    FROM generate_series(1, 5030) n`);
  const { rows: all } = await shop.app.db.execute<{ id: string }>(
    sql`SELECT id::text FROM money_events e ORDER BY posted_at DESC, e.id DESC`,
  );
  const ids = all.map(({ id }) => id);
  for (const [page, from] of [
    [1, 0],
    [14, 2_600],
    [26, 5_000],
  ] as const) {
    for (const filter of ['', '&marketplace=walmart', '&kind=storage']) {
      const { rows, total } = await json(`/api/money-events?size=200&page=${page}${filter}`);
      expect(total).toBe(5_030);
      expect(rows.map(({ id }: { id: string }) => id)).toEqual(ids.slice(from, from + 200));
    }
  }
  expect((await json('/api/money-events?size=200&page=27')).rows).toEqual([]);
});

test('amounts of a filter are a file, in which no text is a formula', async () => {
  await book({
    events: [
      aBooking('1', 'storage', -1_234, { postedAt: ago(2), sku: '=A1', rawType: 'Storage, monthly' }),
      aBooking('2', 'transfer', -500, { postedAt: ago(3) }),
    ],
  });
  const file = await shop.get('/api/money-events/export.csv?unmatched=true');
  const lines = file.body.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`storage,"Storage, monthly",-12.34,,'=A1,`);
});

test('amounts that could not be taken are listed with the reason', async () => {
  await book({ refused: [{ where: 'report 7, line 3', why: 'currency' }] });
  expect((await json('/api/refused-money')).rows).toMatchObject([
    { marketplace: 'walmart', place: 'report 7, line 3', why: 'currency' },
  ]);
  expect((await json('/api/refused-money?marketplace=etsy')).total).toBe(0);
});
