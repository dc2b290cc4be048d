import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rebuildProfitDays } from '#db/queries/catalog/profit-days.ts';
import { readProfit } from '#db/queries/catalog/profit-sums.ts';
import { addSkuCosts } from '#db/queries/catalog/sku-costs.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { transact } from '#db/transact.ts';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { hours, type Instant, instant, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { closeBooks, openBooks, reopenBooks } from './close-books.ts';

const engine = engineFixture();
const EDITOR = { id: 'boss', name: 'boss@example.com', address: '203.0.113.5', requestId: 'r-1' };
const at = (days: number): Instant => instant(engine.now + hours(24) * days);
const dayOf = (days: number): string => new Date(at(days)).toISOString().slice(0, 10);
const close = (days: number) => closeBooks(engine.db, dayOf(days), EDITOR, engine.now);

let lines = 0;
async function sell(listingId: number, days: number, price: number): Promise<string> {
  const orderRef = `O-${++lines}`;
  await engine.db.insert(salesHistory).values({
    listingId,
    externalId: `line-${lines}`,
    orderRef,
    lineNumber: 1,
    saleDate: at(days),
    quantitySold: 1,
    unitPrice: usd(price),
    totalRevenue: usd(price),
    shippingRevenue: usd(0),
  });
  return orderRef;
}

async function book(
  id: string,
  kind: MoneyEvent['kind'],
  amount: number,
  over: Partial<MoneyEvent> & Pick<MoneyEvent, 'postedAt'>,
): Promise<void> {
  const events = [aBooking(id, kind, Math.round(amount * 100), over)];
  await transact(engine.db, (tx) =>
    bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
  );
}

/** Does what the loop does until there is nothing to do. */
async function compute(): Promise<void> {
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
  while (await transact(engine.db, (tx) => rebuildProfitDays(tx, 7)));
}

/** The kept sums of a listing, one row a day. */
async function sumsOf(listingId: number) {
  const { rows } = await engine.db.execute<{ day: string; profit: string; corrected: string | null }>(sql`
    SELECT day::text AS day, sum(sales)::int AS sales, sum(revenue)::text AS revenue, sum(fees)::text AS fees,
      sum(cost)::text AS cost, sum(refunds)::text AS refunds, sum(profit)::text AS profit,
      max(corrects)::text AS corrected
    FROM profit_days WHERE listing_id = ${listingId} GROUP BY day ORDER BY day`);
  return rows;
}

/** The kept sums of a listing in which the counts of sales contradict each other. */
async function contradictions(listingId: number) {
  const { rows } = await engine.db.execute(sql`SELECT * FROM profit_days WHERE listing_id = ${listingId}
    AND NOT (0 <= sales_told AND sales_told <= sales_known AND sales_known <= sales)`);
  return rows;
}

/** The profit of all sales of a listing, and of what was booked for it alone, from themselves. */
async function recount(listingId: number): Promise<number> {
  const { rows } = await engine.db.execute<{ profit: number }>(sql`
    SELECT (coalesce((SELECT sum(total_margin) FROM sales_history WHERE listing_id = ${listingId}), 0)
      + coalesce((SELECT sum(amount) FROM money_events WHERE listing_id = ${listingId} AND superseded_by IS NULL), 0))::float8
      AS profit`);
  return rows[0]?.profit ?? 0;
}

const total = (sums: readonly { profit: string }[]): number =>
  Math.round(100 * sums.reduce((sum, { profit }) => sum + Number(profit), 0)) / 100;

test('a correction of a closed day is booked on the first open day, until the day is open again', async () => {
  await addSku(engine.db, 'A-1', { productCost: usd(8), packagingCost: usd(0), miscCost: usd(0) });
  const listing = await addListing(engine.db, 'A-1');
  const order = await sell(listing, -10, 20);
  await expect(close(-5)).rejects.toMatchObject({ code: 'conflict' });
  await compute();
  expect(await openBooks(engine.db, dayOf(-5), engine.now)).toEqual({
    sales: 1,
    unknown: 0,
    notTold: 1,
    unmatched: 0,
    unmatchedAmount: '0.00',
    isCalculating: false,
  });
  await close(-5);
  // Instead of 3.00 estimated, and a return booked since.
  await book('1', 'commission', -3.5, { postedAt: at(-9), orderRef: order, quantity: 1 });
  await book('2', 'refund_principal', -4, { postedAt: at(-2), orderRef: order });
  await compute();
  expect(await sumsOf(listing)).toMatchObject([
    { day: dayOf(-10), sales: 1, fees: '3.00', profit: '9.00', corrected: null },
    { day: dayOf(-4), sales: 0, fees: '0.50', profit: '-0.50', corrected: dayOf(-10) },
    { day: dayOf(-2), refunds: '4.00', profit: '-4.00' },
  ]);
  // Reported again: the correction follows while its day is open, and stays once it is closed.
  await book('1', 'commission', -3.2, { postedAt: at(-9), orderRef: order, quantity: 1 });
  await compute();
  expect((await sumsOf(listing))[1]).toMatchObject({ day: dayOf(-4), profit: '-0.20' });
  await close(-3);
  await book('1', 'commission', -3.1, { postedAt: at(-9), orderRef: order, quantity: 1 });
  await compute();
  expect((await sumsOf(listing)).map(({ day, profit }) => [day, profit])).toEqual([
    [dayOf(-10), '9.00'],
    [dayOf(-4), '-0.20'],
    [dayOf(-2), '-3.90'],
  ]);
  await reopenBooks(engine.db, null, EDITOR, engine.now);
  await compute();
  expect((await sumsOf(listing)).map(({ day, profit }) => [day, profit])).toEqual([
    [dayOf(-10), '8.90'],
    [dayOf(-2), '-4.00'],
  ]);
});

test('a correction counts no sale as reported, as known or as canceled, and one read late as estimated', async () => {
  await addSku(engine.db, 'A-1', { productCost: usd(8), packagingCost: usd(0), miscCost: usd(0) });
  const listing = await addListing(engine.db, 'A-1');
  const closed = [await sell(listing, -10, 20), await sell(listing, -9, 20), await sell(listing, -8, 20)];
  await sell(listing, -3, 20);
  await sell(listing, -3, 20);
  await compute();
  await close(-5);
  const openDays = async () => {
    const query = { group: 'day', from: dayOf(-4), to: dayOf(0), page: 1, size: 9 } as const;
    return (await readProfit(engine.db, { ...query, sort: { by: 'key', descending: false } })).sum;
  };
  for (const [index, orderRef] of closed.entries()) {
    await book(`fee-${index}`, 'commission', -3.5, { postedAt: at(-6), orderRef, quantity: 1 });
  }
  await compute();
  expect(await openDays()).toMatchObject({ profit: '16.50', sales: 2, known: 2, told: 0, units: 2 });
  await engine.db.execute(sql`DELETE FROM sales_history WHERE order_ref = ${closed[0]}`);
  await compute();
  expect(await openDays()).toMatchObject({ profit: '8.00', sales: 2, known: 2, told: 0, units: 1 });
  await sell(listing, -7, 20);
  await compute();
  expect(await openDays()).toMatchObject({ profit: '17.00', sales: 3, known: 3, told: 0, units: 2 });
});

test('only days before today that are not closed can be closed, and only closed days opened', async () => {
  const refused = { code: 'validation_failed', fields: { day: expect.any(String) } };
  await expect(close(0)).rejects.toMatchObject(refused);
  await expect(reopenBooks(engine.db, null, EDITOR, engine.now)).rejects.toMatchObject(refused);
  await close(-1);
  await expect(close(-1)).rejects.toMatchObject(refused);
  await expect(reopenBooks(engine.db, dayOf(-1), EDITOR, engine.now)).rejects.toMatchObject(refused);
});

test('L14: the sums of a closed day never change, and all days together are what sales and amounts add up to', async () => {
  const days = fc.integer({ min: -8, max: -1 });
  const dollars = fc.integer({ min: 1, max: 30 });
  const pick = fc.nat({ max: 3 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('sell' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('fee' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('refund' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('storage' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('cost' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('cancel' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('close' as const), days, dollars, pick }),
    fc.record({ kind: fc.constant('reopen' as const), days, dollars, pick }),
  );
  let stories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const story = `S-${++stories}`;
      await engine.db.execute(sql`UPDATE app_settings SET books_closed_until = NULL`);
      const costs = { packagingCost: usd(0), miscCost: usd(0) };
      const skuId = await addSku(engine.db, story, { productCost: usd(8), ...costs });
      const listing = await addListing(engine.db, story);
      const orders = [await sell(listing, -7, 20), await sell(listing, -3, 25)];
      let closed: number | null = null;
      let kept: unknown = [];
      const closedSums = async () =>
        (await sumsOf(listing)).filter(({ day }) => closed !== null && day <= dayOf(closed));
      await compute();
      for (const { kind, days: when, dollars: amount, pick: which } of steps) {
        const orderRef = orders[which % orders.length] ?? null;
        if (kind === 'sell') orders.push(await sell(listing, when, amount));
        if (kind === 'fee') {
          await book(`${story}-fee-${orderRef}`, 'commission', -amount, {
            postedAt: at(when),
            orderRef,
            quantity: 1,
          });
        }
        if (kind === 'refund') {
          await book(`${story}-refund-${which}`, 'refund_principal', -amount, {
            postedAt: at(when),
            orderRef,
          });
        }
        if (kind === 'storage') {
          await book(`${story}-storage-${which}`, 'storage', -amount, { postedAt: at(when), sku: story });
        }
        if (kind === 'cost') {
          const size = { lengthIn: null, widthIn: null, heightIn: null, isHazardous: false };
          const cost = {
            effectiveFrom: at(when),
            productCost: usd(amount),
            weight: ounces(8),
            ...size,
            ...costs,
          };
          await addSkuCosts(engine.db, [{ ...cost, skuId }], engine.now);
        }
        if (kind === 'cancel') {
          await engine.db.execute(sql`DELETE FROM sales_history WHERE order_ref = ${orderRef}`);
        }
        await compute();
        if (kind === 'close' && (closed === null || when > closed)) {
          await close(when);
          closed = when;
          kept = await closedSums();
        }
        if (kind === 'reopen' && closed !== null && when < closed) {
          await reopenBooks(engine.db, dayOf(when), EDITOR, engine.now);
          closed = when;
          await compute();
          kept = await closedSums();
        }
        const sums = await sumsOf(listing);
        expect(await closedSums()).toEqual(kept);
        expect(total(sums)).toBeCloseTo(await recount(listing), 2);
        expect(await contradictions(listing)).toEqual([]);
      }
    }),
    { seed: 20_261_123, numRuns: asMany(5, 12) },
  );
});
