import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeDayZone, rebuildProfitDays } from '#db/queries/catalog/profit-days.ts';
import { readProfit } from '#db/queries/catalog/profit-sums.ts';
import { isZoneKnown, readToday } from '#db/queries/catalog/shop-days.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { appSettings } from '#db/schema/settings.ts';
import { transact } from '#db/transact.ts';
import { daySpan } from '#domain/time/day-span.ts';
import { localTimeOf } from '#domain/time/local-time.ts';
import { cents, hours, type Instant, instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { closeBooks, openBooks, reopenBooks } from '#usecases/catalog/books/close-books.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { computeDueSales } from './compute-sales.ts';

const engine = engineFixture();
const EDITOR = { id: 'boss', name: 'boss@example.com', address: '203.0.113.5', requestId: 'r-1' };
const at = (iso: string): Instant => instant(Date.parse(iso));

let lines = 0;
async function sell(listingId: number, saleDate: Instant, price: number): Promise<void> {
  const amount = cents(price);
  await engine.db.insert(salesHistory).values({
    listingId,
    saleDate,
    externalId: `line-${++lines}`,
    quantitySold: 1,
    unitPrice: amount,
    totalRevenue: amount,
    shippingRevenue: cents(0),
  });
}

const setZone = (timeZone: string | null) => engine.db.update(appSettings).set({ timeZone });

/** Does what the loop does until there is nothing to do. */
async function compute(): Promise<void> {
  do {
    while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
    while (await transact(engine.db, (tx) => rebuildProfitDays(tx, 20)));
  } while (await transact(engine.db, changeDayZone));
}

/** The kept sums: a day, its revenue in cents and its profit. */
async function days(): Promise<[string, number][]> {
  const { rows } = await readProfit(engine.db, {
    group: 'day',
    from: '2020-01-01',
    to: '2030-01-01',
    sort: { by: 'key', descending: false },
    page: 1,
    size: 400,
  });
  return rows.map(({ key, revenue, refunds }) => [
    key,
    Math.round(100 * (Number(revenue) - Number(refunds ?? 0))),
  ]);
}

function recount(sales: readonly (readonly [Instant, number])[], zone: string): [string, number][] {
  const sums = new Map<string, number>();
  for (const [moment, amount] of sales) {
    const { day } = localTimeOf(moment, zone);
    sums.set(day, (sums.get(day) ?? 0) + amount);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
}

test('a day of the shop starts as clocks there say, also where they change at midnight', async () => {
  const zones = [
    'America/New_York',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  ];
  for (const zone of zones) {
    await engine.db.execute(sql`UPDATE day_zones SET zone = ${zone}`);
    const { rows } = await engine.db.execute<{ day: string; start: string }>(sql`
      SELECT d::date::text AS day, zone_day_start(d::date, ${zone})::text AS start FROM generate_series(
        '2024-01-01'::timestamp, '2025-12-31', '1 day') d`);
    expect(rows.map(({ start }) => at(start))).toEqual(
      rows.map(({ day }) => daySpan({ from: day }, zone).since),
    );
    const { rows: wrong } = await engine.db.execute(sql`
      SELECT d FROM generate_series('2024-01-01'::timestamp, '2025-12-31', '1 day') d
      WHERE shop_day(shop_day_start(d::date)) <> d::date
        OR shop_day(shop_day_start(d::date) - interval '1 millisecond') <> d::date - 1`);
    expect(wrong).toEqual([]);
  }
});

test('what the server does not know is no time zone', async () => {
  expect(await isZoneKnown(engine.db, 'Asia/Tokyo')).toBe(true);
  expect(await isZoneKnown(engine.db, 'Mars/Olympus')).toBe(false);
});

describe('the sums of days', () => {
  test('are those of the days of the shop, in any zone and over a change of clocks', async () => {
    // The 25 hours of Nov 2 in New York and Havana, and the 23 of Mar 9.
    const moment = fc
      .tuple(
        fc.constantFrom(at('2025-11-02T05:00:00Z'), at('2025-03-09T06:00:00Z')),
        fc.integer({ min: -60, max: 60 }),
      )
      .map(([near, by]): Instant => instant(near + hours(by) / 2));
    const sale = fc.record({ moment, price: fc.integer({ min: 100, max: 9_999 }) });
    const zones = fc.subarray(['America/New_York', 'America/Havana', 'Asia/Tokyo', 'Pacific/Auckland'], {
      minLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 6 }), zones, async (sales, each) => {
        await engine.db.execute(sql`DELETE FROM sales_history`);
        await setZone(null);
        await compute();
        const sku = `S-${++lines}`;
        await addSku(engine.db, sku);
        const listing = await addListing(engine.db, sku);
        const sums: [Instant, number][] = [];
        for (const { moment: sold, price } of sales) {
          await sell(listing, sold, price);
          sums.push([sold, price]);
        }
        for (const zone of each) {
          await setZone(zone);
          await compute();
          expect(await days()).toEqual(recount(sums, zone));
        }
      }),
      { numRuns: asMany(4, 50) },
    );
  });

  test('have the return of a sale on its own day', async () => {
    await addSku(engine.db, 'A-1');
    const listing = await addListing(engine.db, 'A-1');
    await engine.db.insert(salesHistory).values({
      ...{
        listingId: listing,
        saleDate: at('2025-11-02T03:30:00Z'),
        externalId: 'O-1-1',
        orderRef: 'O-1',
        lineNumber: 1,
      },
      quantitySold: 1,
      unitPrice: cents(2_000),
      totalRevenue: cents(2_000),
      shippingRevenue: cents(0),
    });
    const postedAt = at('2025-11-03T04:30:00Z');
    const events = [aBooking('R-1', 'refund_principal', -2_000, { orderRef: 'O-1', postedAt })];
    await transact(engine.db, (tx) =>
      bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
    );
    await compute();
    expect(await days()).toEqual([
      ['2025-11-02', 2_000],
      ['2025-11-03', -2_000],
    ]);
    await setZone('America/New_York');
    await compute();
    expect(await days()).toEqual([
      ['2025-11-01', 2_000],
      ['2025-11-02', -2_000],
    ]);
  });

  test('change all at once, and a sale that was found on a day of the former zone is counted', async () => {
    await addSku(engine.db, 'A-1');
    const listing = await addListing(engine.db, 'A-1');
    await sell(listing, at('2025-12-02T02:00:00Z'), 1_000);
    await compute();
    await setZone('America/Los_Angeles');
    expect(await days()).toEqual([['2025-12-02', 1_000]]);
    await transact(engine.db, changeDayZone);
    expect(await days()).toEqual([['2025-12-01', 1_000]]);
    // As a sync marks it that began before the change and ends after it.
    await sell(listing, at('2025-12-03T02:00:00Z'), 500);
    await engine.db.execute(sql`UPDATE profit_due SET zones_number = 1, day = '2025-12-03'`);
    await compute();
    expect(await days()).toEqual([
      ['2025-12-01', 1_000],
      ['2025-12-02', 500],
    ]);
  });

  test('stay as they are on closed days, and together are still all sales; open again, they change too', async () => {
    await addSku(engine.db, 'A-1');
    const listing = await addListing(engine.db, 'A-1');
    const sales: [Instant, number][] = ['12-01T02', '12-02T02', '12-03T02', '12-04T02', '12-05T02'].map(
      (each, index) => [at(`2025-${each}:00:00Z`), 10 ** index],
    );
    for (const [moment, price] of sales) await sell(listing, moment, price);
    await compute();
    await closeBooks(engine.db, '2025-12-03', EDITOR, engine.now);
    await setZone('America/New_York');
    expect((await openBooks(engine.db, '2025-12-04', engine.now)).isCalculating).toBe(true);
    await compute();
    // Dec 4 began with midnight UTC, when Dec 3 was closed, and ends with midnight in New York.
    expect(await days()).toEqual([
      ['2025-12-01', 1],
      ['2025-12-02', 10],
      ['2025-12-03', 100],
      ['2025-12-04', 11_000],
    ]);
    await closeBooks(engine.db, '2025-12-04', EDITOR, engine.now);
    await setZone('Asia/Tokyo');
    await compute();
    expect(await days()).toHaveLength(4);
    await reopenBooks(engine.db, '2025-12-02', EDITOR, engine.now);
    await compute();
    expect(await days()).toEqual([
      ['2025-12-01', 1],
      ['2025-12-02', 10],
      ['2025-12-03', 100],
      ['2025-12-04', 1_000],
      ['2025-12-05', 10_000],
    ]);
    await reopenBooks(engine.db, null, EDITOR, engine.now);
    await compute();
    expect(await days()).toEqual(recount(sales, 'Asia/Tokyo'));
  });
});

test('today is the day where the shop is', async () => {
  await setZone('Pacific/Kiritimati');
  await compute();
  expect(await readToday(engine.db, at('2026-01-15T10:00:00Z'))).toBe('2026-01-16');
});
