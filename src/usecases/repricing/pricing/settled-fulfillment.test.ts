import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { salesHistory } from '#db/schema/analytics.ts';
import { transact } from '#db/transact.ts';
import { cents, hours, type Instant, instant, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { readListingCosts } from '#usecases/catalog/costs/listing-costs.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { loadCosts } from './load-pricing-inputs.ts';
import { loadPricingContext } from './pricing-context.ts';

const engine = engineFixture();
const DAY = hours(24);
const day = (count: number): Instant => instant(engine.now + count * DAY);

let orders = 0;

/** Sells units for $20.00 each, and books what WFS charged for each of them. */
async function sellFor(listingId: number, fee: number, at: Instant, units = 1): Promise<void> {
  orders += 1;
  const orderRef = `O-${orders}`;
  await engine.db.insert(salesHistory).values({
    listingId,
    orderRef,
    lineNumber: 1,
    externalId: `line-${orders}`,
    saleDate: at,
    quantitySold: units,
    unitPrice: usd(20),
    totalRevenue: cents(2_000 * units),
    shippingRevenue: usd(0),
  });
  const booked = (kind: 'principal' | 'commission' | 'fulfillment', amount: number) =>
    aBooking(`${orderRef}-${kind}`, kind, amount, { postedAt: at, orderRef });
  const events = [
    booked('principal', 2_000 * units),
    booked('commission', -300 * units),
    booked('fulfillment', -Math.round(fee * 100) * units),
  ];
  await transact(engine.db, (tx) =>
    bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
  );
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
}

async function fulfillmentOf(listingId: number, now: Instant = engine.now) {
  const [input] = await loadCosts(engine.db, await loadPricingContext(engine.db, now), [listingId]);
  const { fulfillment, reportedBy = null, estimate } = input?.facts.cost ?? {};
  return { fulfillment, reportedBy, isEstimate: estimate != null };
}

/** A WFS listing of 8 oz, which the published table has at 3.45. */
async function addWfs(): Promise<number> {
  await addSku(engine.db, 'A-1', { weightOz: ounces(8) });
  return addListing(engine.db, 'A-1', { fulfillmentType: 'FBA/WFS', shippingCost: null });
}

test('the fulfillment fee of a listing is the median of the units that were charged in 60 days', async () => {
  const id = await addWfs();
  expect(await fulfillmentOf(id)).toEqual({ fulfillment: usd(3.45), reportedBy: null, isEstimate: true });
  // Of seven units four were charged 4.95.
  await sellFor(id, 4.95, day(-30), 4);
  await sellFor(id, 7.75, day(-20), 2);
  await sellFor(id, 4.55, day(-3));
  expect(await fulfillmentOf(id)).toEqual({
    fulfillment: usd(4.95),
    reportedBy: 'settled',
    isEstimate: false,
  });
  const { parts } = await readListingCosts(engine.db, id, engine.now);
  expect(parts.find(({ part }) => part === 'fulfillment')).toMatchObject({
    source: 'estimate',
    sourceText: 'Median charged per unit in 60 days, or the newest if higher',
  });
  // A rise counts at once, and no longer once it was an exception.
  await sellFor(id, 8.25, day(-2));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(8.25) });
  await sellFor(id, 4.95, day(-1));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
});

test('a charge of more than 60 days ago no longer counts, and a fee that a user entered always does', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-30));
  const last = instant(day(-30) + 60 * DAY - 1);
  expect(await fulfillmentOf(id, last)).toMatchObject({ fulfillment: usd(4.95), reportedBy: 'settled' });
  expect(await fulfillmentOf(id, instant(last + 1))).toMatchObject({
    fulfillment: usd(3.45),
    isEstimate: true,
  });
  await engine.db.execute(sql`UPDATE listings SET fulfillment_cost = 2`);
  expect(await fulfillmentOf(id)).toEqual({ fulfillment: usd(2), reportedBy: null, isEstimate: false });
});

test('a charge that an administrator rejected does not count, nor the same one again', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-30));
  await sellFor(id, 9.75, day(-5));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(9.75) });
  await engine.db.execute(sql`UPDATE fee_facts SET refused_because = 'rejected'
    WHERE kind = 'fulfillment' AND amount = 9.75`);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
  await sellFor(id, 9.75, day(-1));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
});

test('the charge of a sale counts on Amazon too while it has answered nothing, in its season alone', async () => {
  await addSku(engine.db, 'A-1', { weightOz: ounces(8) });
  const id = await addListing(engine.db, 'A-1', {
    marketplace: 'amazon',
    fulfillmentType: 'FBA/WFS',
    shippingCost: null,
  });
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: null });
  const book = async (fee: number, at: Instant, order: string) => {
    await engine.db.insert(salesHistory).values({
      listingId: id,
      orderRef: order,
      lineNumber: 1,
      externalId: order,
      saleDate: at,
      quantitySold: 1,
      unitPrice: usd(20),
      totalRevenue: usd(20),
      shippingRevenue: usd(0),
    });
    const events = [
      aBooking(`${order}-p`, 'principal', 2_000, { postedAt: at, orderRef: order }),
      aBooking(`${order}-c`, 'commission', -300, { postedAt: at, orderRef: order }),
      aBooking(`${order}-f`, 'fulfillment', -Math.round(fee * 100), { postedAt: at, orderRef: order }),
    ];
    await transact(engine.db, (tx) =>
      bookMoneyPage(tx, 'amazon', { events, settlements: [], refused: [] }, engine.now),
    );
    while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
  };
  // The holiday season begins on October 15.
  await book(3.95, instant(Date.UTC(2026, 9, 14)), 'before');
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: null });
  await book(4.45, instant(Date.UTC(2026, 9, 16)), 'within');
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.45), reportedBy: 'settled' });
});
