import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { salesDue, salesHistory } from '#db/schema/sales.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, hours, type Instant, instant, ounces } from '#domain/units.ts';
import { aSku } from '#tests/builders/costs.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { previewBundle } from '#usecases/catalog/bundles/preview-bundle.ts';
import { saveBundles } from '#usecases/catalog/bundles/save-bundles.ts';
import { readListingCosts } from '#usecases/catalog/costs/listing-costs.ts';
import { decideFees } from '#usecases/catalog/fees/decide-fees.ts';
import { readFeeFacts } from '#usecases/catalog/fees/fee-facts.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { loadCosts, loadPricingInputs } from './load-pricing-inputs.ts';
import { loadPricingContext } from './pricing-context.ts';

const engine = engineFixture();
const EDITOR = { id: 'ann', name: 'Ann', address: '127.0.0.1', requestId: 'r-1' };
const DAY = hours(24);
const day = (count: number): Instant => instant(engine.now + count * DAY);

let orders = 0;

/** Adds a sale of units for $20.00 each, without any money booked for it. @returns its order */
async function sell(listingId: number, at: Instant, units = 1, revenue = 2_000 * units): Promise<string> {
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
    totalRevenue: cents(revenue),
    shippingRevenue: usd(0),
  });
  return orderRef;
}

/** Books of an order what the buyer paid, the commission and the fulfillment fee of all units, in cents. */
async function book(
  marketplace: Marketplace,
  orderRef: string,
  at: Instant,
  amounts: { readonly principal: number; readonly fulfillment: number },
): Promise<void> {
  const booked = (kind: 'principal' | 'commission' | 'fulfillment', amount: number) =>
    aBooking(`${orderRef}-${kind}`, kind, amount, { postedAt: at, orderRef });
  const events = [
    booked('principal', amounts.principal),
    booked('commission', -Math.round(amounts.principal * 0.15)),
    booked('fulfillment', -amounts.fulfillment),
  ];
  await transact(engine.db, (tx) =>
    bookMoneyPage(tx, marketplace, { events, settlements: [], refused: [] }, engine.now),
  );
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
}

/** Sells units for $20.00 each, and books what WFS charged for each of them. */
async function sellFor(listingId: number, fee: number, at: Instant, units = 1): Promise<void> {
  const orderRef = await sell(listingId, at, units);
  await book('walmart', orderRef, at, {
    principal: 2_000 * units,
    fulfillment: Math.round(fee * 100) * units,
  });
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
  // Of eight units six were charged 4.95 or less, and four of these 4.95.
  await sellFor(id, 4.55, day(-40));
  await sellFor(id, 4.55, day(-30));
  await sellFor(id, 7.75, day(-20), 2);
  await sellFor(id, 4.95, day(-10));
  await sellFor(id, 4.95, day(-3), 3);
  expect(await fulfillmentOf(id)).toEqual({
    fulfillment: usd(4.95),
    reportedBy: 'settled',
    isEstimate: false,
  });
  const { parts } = await readListingCosts(engine.db, id, engine.now);
  expect(parts.find(({ part }) => part === 'fulfillment')).toMatchObject({
    source: 'estimate',
    sourceText: 'Median charged per unit in 60 days, or a higher one until two sales are lower',
  });
  // A rise counts at once, a fall once two sales at least 24 hours apart show it.
  await sellFor(id, 8.25, day(-2));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(8.25) });
  await sellFor(id, 4.95, day(-1));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(8.25) });
  await sellFor(id, 4.95, day(0));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
});

test('the first charge waits where it is below the published fee, and an administrator can accept it', async () => {
  const id = await addWfs();
  // 3.45 for one unit, booked without its quantity for an order of three.
  await sellFor(id, 1.15, day(-5), 3);
  expect(await fulfillmentOf(id)).toEqual({ fulfillment: usd(3.45), reportedBy: null, isEstimate: true });
  const { answers } = await readFeeFacts(engine.db, id, engine.now);
  const [held] = answers.filter(({ isHeld }) => isHeld);
  await decideFees(engine.db, { ids: [held?.id ?? ''], decision: 'adopt' }, EDITOR, engine.now);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(1.15), reportedBy: 'settled' });
});

test('a charge of more than 60 days ago is the least that the fee is, and a fee that a user entered always counts', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-32));
  await sellFor(id, 4.95, day(-30));
  const last = instant(day(-30) + 60 * DAY - 1);
  expect(await fulfillmentOf(id, last)).toMatchObject({ fulfillment: usd(4.95), reportedBy: 'settled' });
  expect(await fulfillmentOf(id, instant(last + 1))).toMatchObject({
    fulfillment: usd(4.95),
    isEstimate: true,
  });
  const { parts } = await readListingCosts(engine.db, id, instant(last + 1));
  expect(parts.find(({ part }) => part === 'fulfillment')).toMatchObject({
    source: 'table',
    sourceText: 'Estimated from the weight alone: 1 lb. A higher fee that was charged before counts',
  });
  await engine.db.execute(sql`UPDATE listings SET fulfillment_cost = 2`);
  expect(await fulfillmentOf(id)).toEqual({ fulfillment: usd(2), reportedBy: null, isEstimate: false });
});

test('the last fee of a listing without a sale in 60 days is the median of the 60 days before, of many sales too', async () => {
  const id = await addWfs();
  for (const at of [-110, -108, -106]) await sellFor(id, 5.45, day(at), 10);
  for (let count = 0; count < 21; count += 1) await sellFor(id, 4.45, instant(day(-65) + count * hours(4)));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(5.45), isEstimate: true });
});

test('an entered fee that the marketplace does not charge counts, and is shown', async () => {
  const id = await addWfs();
  await engine.db.execute(sql`UPDATE listings SET fulfillment_cost = 2`);
  const textOf = async () =>
    (await readListingCosts(engine.db, id, engine.now)).parts.find(({ part }) => part === 'fulfillment')
      ?.sourceText;
  await sellFor(id, 4.95, day(-3), 2);
  expect(await textOf()).toBe('Set on this listing');
  await sellFor(id, 4.95, day(-2));
  expect(await textOf()).toBe('Set on this listing. Walmart charges $4.95 per unit');
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(2), reportedBy: null });
});

test('a charge for another package is the least that the fee is, until a sale of the new one, and a corrected one is none', async () => {
  const id = await addWfs();
  await sellFor(id, 3.45, day(-9));
  await sellFor(id, 3.45, day(-7));
  await engine.db.execute(
    sql`UPDATE skus SET weight_oz = 44, updated_at = to_timestamp(${day(-5) / 1_000}::float8)`,
  );
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(5.45), isEstimate: true });
  await sellFor(id, 5.45, day(-2));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(5.45), reportedBy: 'settled' });
  await engine.db.execute(
    sql`UPDATE skus SET weight_oz = 8, updated_at = to_timestamp(${day(-1) / 1_000}::float8)`,
  );
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(3.45), reportedBy: 'settled' });
});

test.each([
  { name: 'heavier', weight: ounces(44), since: null },
  { name: 'heavier since a day before the last sale', weight: ounces(44), since: -5 },
  { name: 'cleared', weight: null, since: null },
  { name: 'of the same published fee', weight: ounces(9), since: null },
])('the fulfillment fee of a preview is that of after saving: $name', async ({ weight, since }) => {
  const id = await addWfs();
  for (const [fee, at] of [
    [3.85, -9],
    [3.85, -7],
    [7.75, -2],
  ] as const) {
    await sellFor(id, fee, day(at));
  }
  const context = await loadPricingContext(engine.db, engine.now);
  const from = since === null ? engine.now : day(since);
  const edited = new Map([['A-1', aSku({ weight })]]);
  const [preview] = await loadPricingInputs(engine.db, context, [id], edited, from);
  const at = sql`to_timestamp(${from / 1_000}::float8)`;
  await engine.db.execute(sql`UPDATE skus SET weight_oz = ${weight}, updated_at = ${at}`);
  const [saved] = await loadCosts(engine.db, await loadPricingContext(engine.db, engine.now), [id]);
  const foundIn = (input: typeof saved) => [
    input?.facts.cost.fulfillment,
    input?.facts.cost.reportedBy,
    input?.facts.cost.estimate,
    input?.facts.fees,
  ];
  expect(foundIn(preview)).toEqual(foundIn(saved));
});

test('the total cost in a preview of a bundle is that of after saving, the first time and later', async () => {
  const id = await addWfs();
  await sellFor(id, 3.85, day(-9));
  await sellFor(id, 3.85, day(-7));
  const part = await addSku(engine.db, 'B-1', { weightOz: ounces(8) });
  const deps = { db: engine.db, now: () => engine.now };
  for (const quantity of [6, 1, 2]) {
    const component = { listingSku: 'A-1', componentSkuId: String(part), quantity };
    const { listings } = await previewBundle(deps, { listingSku: 'A-1', components: [component] });
    await saveBundles(deps, [component], {}, EDITOR);
    const { totalCost } = await readListingCosts(engine.db, id, engine.now);
    expect(listings.map(({ after }) => after.totalCost)).toEqual([totalCost]);
  }
});

test('newer sales whose fees are not booked yet, however many, do not hide what was charged', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-10));
  await engine.db.execute(sql`
    INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue)
    SELECT ${id}, 'new-' || n, to_timestamp(${day(-1) / 1_000}::float8) + n * interval '1 second', 1, 20, 20
    FROM generate_series(1, 1001) n`);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95), reportedBy: 'settled' });
});

test('one wrong row of a report, which counts for all units of its order, lowers nothing', async () => {
  const id = await addWfs();
  for (const at of [-9, -8, -7]) await sellFor(id, 5.45, day(at));
  // 5.45 for one unit, booked without its quantity for an order of four.
  await sellFor(id, 1.36, day(-5), 4);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(5.45) });
});

test('a lower charge waits for a second one a day later, and the fee screen shows it', async () => {
  const id = await addWfs();
  await sellFor(id, 5.45, day(-9));
  await sellFor(id, 4.45, day(-5));
  await sellFor(id, 4.45, instant(day(-5) + hours(1)), 2);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(5.45) });
  const shown = async () => {
    const { answers } = await readFeeFacts(engine.db, id, engine.now);
    return answers.flatMap(({ isHeld, refusedBecause, fees }) =>
      fees.flatMap(({ kind, amount }) =>
        kind === 'fulfillment' ? [[amount, refusedBecause ?? isHeld]] : [],
      ),
    );
  };
  expect(await shown()).toEqual([
    ['4.45', true],
    ['4.45', true],
    ['5.45', false],
  ]);
  await sellFor(id, 4.45, day(-3));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.45) });
  // Of a row of the same only the first and the last one.
  expect((await shown()).map(([fee]) => fee)).toEqual(['4.45', '4.45', '5.45']);
});

test('a lower charge that an administrator rejects does not count with any sale of its day, nor again', async () => {
  const id = await addWfs();
  await sellFor(id, 5.45, day(-9));
  for (const hour of [0, 1, 1]) await sellFor(id, 4.45, instant(day(-5) + hours(hour)));
  const { answers } = await readFeeFacts(engine.db, id, engine.now);
  const [held] = answers.filter(({ isHeld }) => isHeld);
  await decideFees(engine.db, { ids: [held?.id ?? ''], decision: 'keep' }, EDITOR, engine.now);
  const { rows } =
    await engine.db.execute(sql`SELECT amount::text AS fee, refused_because AS why FROM fee_facts
    WHERE kind = 'fulfillment' ORDER BY told_at`);
  const rejected = { fee: '4.45', why: 'rejected' };
  expect(rows).toEqual([{ fee: '5.45', why: null }, rejected, rejected, rejected]);
  await sellFor(id, 4.45, day(-3));
  await sellFor(id, 4.45, day(-1));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(5.45) });
});

test('a rejected charge counts again where it is higher, so that no sale is below its margin', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-30));
  await sellFor(id, 9.75, day(-5));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(9.75) });
  await engine.db.execute(sql`UPDATE fee_facts SET refused_because = 'rejected'
    WHERE kind = 'fulfillment' AND amount = 9.75`);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
  await sellFor(id, 9.75, day(-1));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(9.75) });
});

test('a charge that cannot be right does not count', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-30));
  // No whole cents per unit.
  const odd = await sell(id, day(-4), 3, 5_000);
  await book('walmart', odd, day(-4), { principal: 5_000, fulfillment: 2_400 });
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
});

test('a lone charge above the price waits for a second one, and can be accepted or rejected', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-30));
  await sellFor(id, 21.5, day(-5));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
  const heldNow = async () => {
    const { answers } = await readFeeFacts(engine.db, id, engine.now);
    return answers.flatMap(({ isHeld, id: fact, fees }) =>
      fees.flatMap(({ kind, amount }) => (isHeld && kind === 'fulfillment' ? [{ fact, amount }] : [])),
    );
  };
  // Lower ones that wait are other ones.
  for (const after of [1, 2]) await sellFor(id, 3.95, instant(day(-5) + hours(after)));
  const amounts = async () => (await heldNow()).map(({ amount }) => amount);
  expect(await amounts()).toEqual(['3.95', '3.95', '21.50']);
  const higher = (await heldNow()).find(({ amount }) => amount === '21.50');
  await decideFees(engine.db, { ids: [higher?.fact ?? ''], decision: 'keep' }, EDITOR, engine.now);
  expect(await amounts()).toEqual(['3.95', '3.95']);
  // Rejected, it is a first one again, and with another one it counts.
  await sellFor(id, 21.5, day(-3));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.95) });
  await sellFor(id, 21.5, day(-1));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(21.5) });
});

test('a wrong charge is rejected alone, waiting or used, and the correct ones of its day and price stay', async () => {
  const id = await addWfs();
  const answersOf = async () => (await readFeeFacts(engine.db, id, engine.now)).answers;
  const decide = async (amount: string, decision: 'adopt' | 'keep') => {
    const found = (await answersOf()).find(({ fees }) => fees.some((fee) => fee.amount === amount));
    await decideFees(engine.db, { ids: [found?.id ?? ''], decision }, EDITOR, engine.now);
  };
  const usedAmounts = async () =>
    (
      await engine.db.execute(sql`SELECT amount::text AS fee FROM fee_facts
      WHERE kind = 'fulfillment' AND refused_because IS NULL ORDER BY told_at, amount`)
    ).rows.map(({ fee }) => fee);
  await sellFor(id, 3.45, day(-9));
  // Walmart dates all of a day at noon.
  await sellFor(id, 3.45, day(-5));
  await sellFor(id, 45, day(-5));
  expect((await answersOf()).flatMap(({ isHeld, fees }) => (isHeld ? fees : []))).toMatchObject([
    { amount: '45.00' },
  ]);
  await decide('45.00', 'keep');
  expect(await usedAmounts()).toEqual(['3.45', '3.45']);
  await sellFor(id, 3.45, day(-4));
  await sellFor(id, 7.75, day(-4));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(7.75) });
  const inForce = (await answersOf()).filter(({ isInForce }) => isInForce);
  expect(inForce).toMatchObject([{ isHeld: false, isAssumed: false, fees: [{ amount: '7.75' }] }]);
  await decide('7.75', 'keep');
  expect(await usedAmounts()).toEqual(['3.45', '3.45', '3.45']);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(3.45) });
  await expect(decide('7.75', 'keep')).rejects.toMatchObject({ code: 'conflict' });
  await decide('7.75', 'adopt');
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(7.75) });
});

test('a first charge far above the published fee waits, and blocks no price', async () => {
  const id = await addWfs();
  await sellFor(id, 45, day(-3));
  expect(await fulfillmentOf(id)).toEqual({ fulfillment: usd(3.45), reportedBy: null, isEstimate: true });
  const { answers } = await readFeeFacts(engine.db, id, engine.now);
  expect(answers.flatMap(({ isHeld, fees }) => (isHeld ? fees : []))).toMatchObject([{ amount: '45.00' }]);
});

test('charges above the price count as a rise, and an absurd one is kept and shown until it is accepted', async () => {
  const id = await addWfs();
  await sellFor(id, 4.95, day(-30));
  await sellFor(id, 21.5, day(-7));
  await sellFor(id, 21.5, day(-5));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(21.5) });
  await sellFor(id, 545, day(-4));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(21.5) });
  const { answers } = await readFeeFacts(engine.db, id, engine.now);
  const refused = answers.filter(({ refusedBecause }) => refusedBecause !== null);
  expect(refused).toMatchObject([{ refusedBecause: 'out_of_range', fees: [{ amount: '545.00' }] }]);
  await decideFees(engine.db, { ids: [refused[0]?.id ?? ''], decision: 'adopt' }, EDITOR, engine.now);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(545) });
});

test('a charge follows the figures of its sale, and counts once', async () => {
  const id = await addWfs();
  const orderRef = await sell(id, day(-5), 2);
  await book('walmart', orderRef, day(-5), { principal: 4_000, fulfillment: 990 });
  await book('walmart', orderRef, day(-5), { principal: 4_000, fulfillment: 1_190 });
  await engine.db
    .insert(salesDue)
    .values({ listingId: id, since: day(-20) })
    .onConflictDoNothing();
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
  const { rows } = await engine.db.execute(
    sql`SELECT amount::text AS fee, units FROM fee_facts WHERE kind = 'fulfillment'`,
  );
  expect(rows).toEqual([{ fee: '5.95', units: 2 }]);
});

test('a charge counts on Amazon too while it has answered nothing, in its season alone', async () => {
  await addSku(engine.db, 'A-1', { weightOz: ounces(8) });
  const id = await addListing(engine.db, 'A-1', {
    marketplace: 'amazon',
    fulfillmentType: 'FBA/WFS',
    shippingCost: null,
  });
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: null });
  const charge = async (fulfillment: number, at: Instant) =>
    book('amazon', await sell(id, at), at, { principal: 2_000, fulfillment });
  // The holiday season begins on October 15.
  await charge(395, instant(Date.UTC(2026, 9, 14)));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(3.95), reportedBy: 'settled' });
  // The first one of the season waits while it is lower.
  await charge(95, instant(Date.UTC(2026, 9, 15)));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(3.95), reportedBy: 'settled' });
  await charge(445, instant(Date.UTC(2026, 9, 16)));
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.45), reportedBy: 'settled' });
  await engine.db.execute(sql`
    INSERT INTO fee_facts (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping, amount, told_at)
    VALUES (${id}, 'fulfillment', 'estimate', 'FBA/WFS', 20, 0, 4.05, to_timestamp(${day(-1) / 1_000}::float8))`);
  expect(await fulfillmentOf(id)).toMatchObject({ fulfillment: usd(4.05), reportedBy: 'estimate' });
});
