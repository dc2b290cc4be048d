import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { salesHistory } from '#db/schema/sales.ts';
import { transact } from '#db/transact.ts';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { hours, type Instant, instant, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { decideFees } from './decide-fees.ts';
import { readFeeDrifts } from './fee-drifts.ts';

const engine = engineFixture();
const EDITOR = { id: 'ann', name: 'Ann', address: '127.0.0.1', requestId: 'r-1' };
const day = (count: number): Instant => instant(engine.now + count * hours(24));
const SKUS = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'];

let orders = 0;

/** Sells a unit of each listing, for $20.00 by default, and books what WFS charged, in one reading. */
async function sellFor(listings: readonly number[], fee: number, at: Instant, dollars = 20): Promise<void> {
  const events: MoneyEvent[] = [];
  for (const listingId of listings) {
    const orderRef = `O-${++orders}`;
    await engine.db.insert(salesHistory).values({
      listingId,
      orderRef,
      lineNumber: 1,
      externalId: `line-${orders}`,
      saleDate: at,
      quantitySold: 1,
      unitPrice: usd(dollars),
      totalRevenue: usd(dollars),
      shippingRevenue: usd(0),
    });
    const booked = { postedAt: at, orderRef };
    events.push(
      aBooking(`${orderRef}-p`, 'principal', usd(dollars), booked),
      aBooking(`${orderRef}-c`, 'commission', -300, booked),
      aBooking(`${orderRef}-f`, 'fulfillment', -Math.round(fee * 100), booked),
    );
  }
  await transact(engine.db, (tx) =>
    bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
  );
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
}

async function addWfs(): Promise<number[]> {
  const listings: number[] = [];
  for (const sku of SKUS) {
    await addSku(engine.db, sku, { weightOz: ounces(8) });
    listings.push(await addListing(engine.db, sku, { fulfillmentType: 'FBA/WFS', shippingCost: null }));
  }
  for (const at of [-20, -18]) await sellFor(listings, 3.45, day(at));
  return listings;
}

const readings = async () => (await readFeeDrifts(engine.db, engine.now)).readings;

/** The charges since a moment: fee, and whether they were accepted or rejected. */
async function chargesSince(at: Instant): Promise<unknown[]> {
  const { rows } = await engine.db.execute(sql`
    SELECT amount::text AS fee, count(*)::int AS charges,
      CASE WHEN accepted_at IS NOT NULL THEN 'accepted' ELSE refused_because END AS state
    FROM fee_facts WHERE kind = 'fulfillment' AND told_at >= to_timestamp(${at / 1_000}::float8)
    GROUP BY amount, 3 ORDER BY amount`);
  return rows;
}

/** A reading in which five of six listings jump, one rises by less, and one is charged as before once more. */
async function readJumps(): Promise<number[]> {
  const listings = await addWfs();
  const [first = 0, second = 0] = listings;
  await sellFor([second], 3.45, day(-6));
  await sellFor(listings.slice(1), 8.45, day(-5));
  await sellFor([first], 3.75, day(-4));
  await sellFor([second], 3.45, day(-3));
  expect(await readings()).toMatchObject([{ listings: 5, since: new Date(day(-5)).toISOString() }]);
  return listings;
}

test.each(['adopt', 'keep'] as const)(
  'of a reading only the charges that jumped are decided about: %s',
  async (decision) => {
    await readJumps();
    const [reading] = await readings();
    await decideFees(engine.db, { reading: reading?.id ?? '', listings: 5, decision }, EDITOR, engine.now);
    expect(await chargesSince(day(-6))).toEqual([
      { fee: '3.45', charges: 2, state: null },
      { fee: '3.75', charges: 1, state: null },
      { fee: '8.45', charges: 5, state: decision === 'adopt' ? 'accepted' : 'rejected' },
    ]);
  },
);

test('what was charged in another price band than the one that jumped is not accepted with it', async () => {
  const [, second = 0] = await readJumps();
  await sellFor([second], 4.2, day(-2), 9.5);
  const [reading] = await readings();
  const request = { reading: reading?.id ?? '', listings: 5, decision: 'adopt' } as const;
  await decideFees(engine.db, request, EDITOR, engine.now);
  expect(await chargesSince(day(-2))).toEqual([{ fee: '4.20', charges: 1, state: null }]);
});

test('a rejected reading that mixed up its rows counts in no direction, also where a listing only fell a little', async () => {
  const listings = await addWfs();
  const [last = 0, ...jumped] = listings;
  for (const [fee, at] of [
    [2.5, -9],
    [12, -7],
    [2.5, -5],
    [2.5, -3],
  ] as const) {
    await sellFor(jumped, fee, day(at));
  }
  for (const [fee, at] of [
    [3.65, -8],
    [3.15, -4],
    [3.15, -2],
  ] as const) {
    await sellFor([last], fee, day(at));
  }
  const [reading] = await readings();
  expect(reading).toMatchObject({ listings: 5, since: new Date(day(-9)).toISOString() });
  const request = { reading: reading?.id ?? '', listings: 5, decision: 'keep' } as const;
  expect(await decideFees(engine.db, request, EDITOR, engine.now)).toEqual({ listings: 6 });
  expect(await chargesSince(day(-10))).toEqual([
    { fee: '2.50', charges: 15, state: 'rejected' },
    { fee: '3.15', charges: 2, state: 'rejected' },
    { fee: '3.65', charges: 1, state: null },
    { fee: '12.00', charges: 5, state: 'rejected' },
  ]);
});

test('older charges that are booked after newer ones open nothing', async () => {
  const listings = await addWfs();
  await sellFor(listings, 8.45, day(-40));
  expect(await readings()).toEqual([]);
});
