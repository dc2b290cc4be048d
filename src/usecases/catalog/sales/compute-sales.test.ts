import { eq, max, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeSaleFigures } from '#db/queries/catalog/due-sales.ts';
import { rebuildProfitDays } from '#db/queries/catalog/profit-days.ts';
import { insertTiers, listTiers, replaceTier } from '#db/queries/catalog/tiers.ts';
import { addFeeFacts } from '#db/queries/marketplaces/money/fee-facts.ts';
import { writeMoneyRead } from '#db/queries/marketplaces/money/money.ts';
import { matchLateListings } from '#db/queries/marketplaces/sync/late-listings.ts';
import { shippingTiers, skus } from '#db/schema/catalog.ts';
import { categoryMap, feeSchedules, feeTerms } from '#db/schema/fees.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { profitDue } from '#db/schema/profit.ts';
import { salesDue, salesHistory } from '#db/schema/sales.ts';
import { transact } from '#db/transact.ts';
import { areFeesDoubted } from '#domain/fees/doubted-fees.ts';
import { feeTimesWhole } from '#domain/fees/fee-table.ts';
import { MONEY_KINDS, type MoneyEvent } from '#domain/money/money-event.ts';
import { REVENUE_KINDS } from '#domain/money/share-money.ts';
import { bps, cents, hours, type Instant, instant, ounces, WHOLE } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addRule, addRun, addSku, addTier } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { computeDueSales } from './compute-sales.ts';

const engine = engineFixture();
const DAY = hours(24);
const day = (count: number): Instant => instant(engine.now + count * DAY);

type NewSale = Partial<typeof salesHistory.$inferInsert>;
let lines = 0;

/** One unit for $20.00, delivered free, unless given otherwise. */
async function sell(listingId: number, over: NewSale = {}): Promise<number> {
  const unitPrice = over.unitPrice ?? usd(20);
  const [row] = await engine.db
    .insert(salesHistory)
    .values({
      listingId,
      externalId: `line-${++lines}`,
      saleDate: day(-10),
      quantitySold: 1,
      totalRevenue: cents(unitPrice * (over.quantitySold ?? 1)),
      shippingRevenue: usd(0),
      ...over,
      unitPrice,
    })
    .returning({ id: salesHistory.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  return row.id;
}

/** Computes what is due. @returns how many batches there were */
async function compute(): Promise<number> {
  let batches = 0;
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now))) batches += 1;
  return batches;
}

const profits = async () =>
  (
    await engine.db.select({ profit: salesHistory.totalMargin }).from(salesHistory).orderBy(salesHistory.id)
  ).map(({ profit }) => profit);
const saleOf = async (id: number) =>
  (await engine.db.select().from(salesHistory).where(eq(salesHistory.id, id)))[0];

/** Two for $24.99 each on Amazon, at 17% and a fulfillment fee of $4.09. */
async function sellTwo(over: NewSale = {}): Promise<number> {
  await engine.db.execute(sql`UPDATE fee_bands SET percent = 17 WHERE schedule_id IN
    (SELECT id FROM fee_schedules WHERE marketplace = 'amazon' AND category IS NULL)`);
  const listing = await addListing(engine.db, 'A-1', {
    marketplace: 'amazon',
    fulfillmentType: 'FBA/WFS',
    fulfillmentCost: usd(4.09),
  });
  return sell(listing, { unitPrice: usd(24.99), quantitySold: 2, ...over });
}

describe('what a sale earned', () => {
  test('example 20: is estimated from the fees in force, the fulfillment fee and the cost of every unit', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8), packagingCost: usd(0.5), miscCost: usd(0.2) });
    const id = await sellTwo();
    await compute();
    expect(await saleOf(id)).toMatchObject({
      marketplaceFees: usd(16.68),
      feesEstimated: usd(16.68),
      unitCost: usd(8.7),
      totalCost: usd(17.4),
      shippingCost: usd(0),
      totalMargin: usd(15.9),
      marginPerUnit: usd(7.95),
      moneyState: 'estimated',
      isAbout: true,
      computedAt: engine.now,
    });
  });

  test('has an estimated fulfillment fee where none was entered, also of a size that is entered later', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8), weightOz: ounces(96) });
    const listing = await addListing(engine.db, 'A-1', { fulfillmentType: 'FBA/WFS', shippingCost: null });
    await sell(listing, { unitPrice: usd(30), quantitySold: 1 });
    await compute();
    // 15% of 30.00, and 6.95 for 7 lb; then 7.75 for 9 lb.
    expect(await profits()).toEqual([usd(10.55)]);
    await engine.db.update(skus).set({ lengthIn: 12, widthIn: 10, heightIn: 10 });
    await compute();
    expect(await profits()).toEqual([usd(9.75)]);
    // As apparel, by its product type, 0.50 more.
    await engine.db.insert(feeSchedules).values({ marketplace: 'walmart', category: 'Clothing' });
    await engine.db.execute(sql`INSERT INTO fee_bands (schedule_id, percent, fixed, minimum)
      SELECT id, 15, 0, 0 FROM fee_schedules WHERE category = 'Clothing'`);
    await engine.db
      .insert(categoryMap)
      .values({ marketplace: 'walmart', kind: 'product_type', key: 'SHIRT', category: 'Clothing' });
    await engine.db.update(listings).set({ productType: 'SHIRT' });
    await compute();
    expect(await profits()).toEqual([usd(9.25)]);
  });

  test('has no estimated FBA fee while its SKU is hazardous, and WFS with the surcharge', async () => {
    const sku = await addSku(engine.db, 'A-1', { productCost: usd(8), weightOz: ounces(96) });
    const stored = { fulfillmentType: 'FBA/WFS', shippingCost: null } as const;
    const fba = await addListing(engine.db, 'A-1', { ...stored, marketplace: 'amazon' });
    const wfs = await addListing(engine.db, 'A-1', stored);
    const summer = (hour: number) => instant(Date.UTC(2026, 6, 1, hour));
    for (const [hour, isHazardous] of [
      [2, true],
      [4, false],
    ] as const) {
      await engine.db
        .update(skus)
        .set({ isHazardous, updatedAt: summer(hour) })
        .where(eq(skus.id, sku));
    }
    for (const listing of [fba, wfs]) {
      for (const hour of [1, 3, 5]) await sell(listing, { unitPrice: usd(30), saleDate: summer(hour) });
    }
    await compute();
    // 15% of 30.00 and, of 6 lb, 8.21 by FBA or 6.95 by WFS.
    expect(await profits()).toEqual([
      ...[usd(9.29), null, usd(9.29)],
      ...[usd(10.55), usd(10.05), usd(10.55)],
    ]);
  });

  test('example 22: is unknown without a cost, and known since ever once the cost is entered', async () => {
    const sku = await addSku(engine.db, 'A-1', { productCost: null });
    await sellTwo({ saleDate: day(-20) });
    await compute();
    expect(await profits()).toEqual([null]);
    await engine.db
      .update(skus)
      .set({ productCost: usd(8), packagingCost: usd(0.5), miscCost: usd(0.2), updatedAt: engine.now })
      .where(eq(skus.id, sku));
    await compute();
    expect(await profits()).toEqual([usd(15.9)]);
  });

  test('example 23: has the cost of its moment', async () => {
    const sku = await addSku(engine.db, 'A-1', { productCost: usd(8), weightOz: ounces(8) });
    await addTier(engine.db, 'walmart', 4.5);
    const listing = await addListing(engine.db, 'A-1', { shippingCost: null });
    await engine.db
      .update(skus)
      .set({ productCost: usd(9), updatedAt: day(-10) })
      .where(eq(skus.id, sku));
    await sell(listing, { unitPrice: usd(19.99), saleDate: instant(day(-10) - 1) });
    await sell(listing, { unitPrice: usd(19.99), saleDate: day(-10) });
    await compute();
    expect(await profits()).toEqual([usd(4.49), usd(3.49)]);
  });

  test('example 24: shares the fee of an order, and gets the whole of it when the other line is canceled', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(1) });
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'ebay' });
    const first = await sell(listing, {
      unitPrice: usd(30),
      shippingRevenue: usd(5),
      orderRef: 'o-1',
      lineNumber: 1,
    });
    const second = await sell(listing, { unitPrice: usd(10), orderRef: 'o-1', lineNumber: 2 });
    await compute();
    // The shipped schedule: 13.6 % and $0.40.
    expect([await saleOf(first), await saleOf(second)]).toMatchObject([
      { marketplaceFees: usd(5.07) },
      { marketplaceFees: usd(1.45) },
    ]);
    await engine.db.delete(salesHistory).where(eq(salesHistory.id, second));
    await compute();
    expect(await saleOf(first)).toMatchObject({ marketplaceFees: usd(5.16) });
  });

  test('has the fee of the category that its product type maps to: a higher one at once, a lower one once accepted', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(1) });
    const listing = await addListing(engine.db, 'A-1', { productType: 'TV' });
    const id = await sell(listing, { unitPrice: usd(100) });
    const fee = async () => {
      await compute();
      return (await saleOf(id))?.marketplaceFees;
    };
    const setRate = (percent: number) => sql`UPDATE fee_bands SET percent = ${percent}
      WHERE schedule_id = (SELECT id FROM fee_schedules WHERE category = 'Screens')`;
    expect(await fee()).toBe(usd(15));
    await engine.db.insert(feeSchedules).values({ marketplace: 'walmart', category: 'Screens' });
    await engine.db.execute(sql`INSERT INTO fee_bands (schedule_id, percent, fixed, minimum)
      SELECT id, 17, 0, 0 FROM fee_schedules WHERE category = 'Screens'`);
    await engine.db
      .insert(categoryMap)
      .values({ marketplace: 'walmart', kind: 'product_type', key: 'TV', category: 'Screens' });
    expect(await fee()).toBe(usd(17));
    await engine.db.execute(setRate(8));
    await engine.db.execute(sql`UPDATE fee_schedules SET created_by = 'Ann' WHERE category = 'Screens'`);
    expect(await fee()).toBe(usd(15));
    const later = await sell(listing, { unitPrice: usd(100), saleDate: day(1) });
    await engine.db.update(listings).set({ acceptedCategory: 'Screens', updatedAt: engine.now, version: 2 });
    expect([await fee(), (await saleOf(later))?.marketplaceFees]).toEqual([usd(15), usd(8)]);
  });

  test('L11: is reported once the marketplace reports the same fee, and nothing else changes', async () => {
    await addSku(engine.db, 'A-1');
    const id = await sell(await addListing(engine.db, 'A-1'));
    await compute();
    const before = await saleOf(id);
    await engine.db
      .update(salesHistory)
      .set({ feesTold: usd(3) })
      .where(eq(salesHistory.id, id));
    await compute();
    expect(await saleOf(id)).toEqual({ ...before, feesTold: usd(3), moneyState: 'told', isAbout: false });
  });

  test('counts the shipping charge where the marketplace does not report what the buyer paid', async () => {
    await addSku(engine.db, 'A-1');
    const listing = await addListing(engine.db, 'A-1', { shippingCharge: usd(4) });
    const id = await sell(listing, { shippingRevenue: null, quantitySold: 2, feesTold: usd(6) });
    await compute();
    const estimated = { shippingRevenue: usd(8), shippingRevenueIsEstimate: true, moneyState: 'partly_told' };
    expect(await saleOf(id)).toMatchObject({ ...estimated, totalMargin: usd(22) });
    // A later charge changes no sale that was calculated.
    await engine.db.update(listings).set({ shippingCharge: usd(9), feeCategory: 'toys' });
    await compute();
    expect(await saleOf(id)).toMatchObject({ ...estimated, feesEstimated: null, totalMargin: usd(22) });
  });

  test('has the own commission of its day, and no share for advertising or returns', async () => {
    const listing = await addListing(engine.db, 'A-1', { adShare: pct(5), returnShare: pct(5) });
    const [before, after] = [await sell(listing), await sell(listing, { saleDate: day(1) })];
    await engine.db
      .update(listings)
      .set({ feeRate: pct(20), version: 2, updatedAt: engine.now })
      .where(eq(listings.id, listing));
    await compute();
    const feesOf = async (id: number) => (await saleOf(id))?.feesEstimated;
    expect([await feesOf(before), await feesOf(after)]).toEqual([usd(3), usd(4)]);
  });

  test('keeps a shipping payment that was reported while the sale was calculated', async () => {
    const listing = await addListing(engine.db, 'A-1');
    const id = await sell(listing, { shippingRevenue: usd(3) });
    const unknown = { feesEstimated: null, fees: null, unitCost: null, shippingCost: null, totalCost: null };
    const figures = {
      ...unknown,
      id,
      shippingRevenue: usd(8),
      isShippingEstimate: true,
      profit: null,
      profitPerUnit: null,
      adjustment: null,
      ads: null,
      refunds: null,
      isAbout: true,
      isPending: false,
      moneyState: 'estimated' as const,
    };
    await writeSaleFigures(engine.db, [{ figures, listingId: listing, parts: [], refunds: [] }], engine.now);
    expect(await saleOf(id)).toMatchObject({ shippingRevenue: usd(3), shippingRevenueIsEstimate: false });
  });

  test('keeps the fulfillment type and the fee of its moment', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(1) });
    const listing = await addListing(engine.db, 'A-1');
    await sell(listing);
    await engine.db
      .update(listings)
      .set({ fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(5), updatedAt: day(-5) });
    await sell(listing, { saleDate: day(-4) });
    await compute();
    expect(await profits()).toEqual([usd(16), usd(11)]);
  });

  test('has a fulfillment fee besides what a marketplace without a warehouse reported', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(10) });
    const warehouse = { marketplace: 'ebay', fulfillmentType: 'FBA/WFS' } as const;
    const id = await sell(await addListing(engine.db, 'A-1', { ...warehouse, fulfillmentCost: usd(5) }), {
      feesTold: usd(3),
    });
    await compute();
    expect(await saleOf(id)).toMatchObject({
      marketplaceFees: usd(8),
      totalMargin: usd(2),
      moneyState: 'partly_told',
      isAbout: true,
    });
    const unknown = await sell(await addListing(engine.db, 'A-2', warehouse), { feesTold: usd(3) });
    await compute();
    expect(await saleOf(unknown)).toMatchObject({ marketplaceFees: null, moneyState: 'partly_told' });
  });

  describe('with fees that the marketplace reported for its listing', () => {
    const tell = async (
      listing: number,
      at: Instant,
      price: number,
      fees: Partial<Record<'commission' | 'fulfillment', number>>,
      fulfillmentType = 'FBM',
    ) =>
      addFeeFacts(
        engine.db,
        Object.entries(fees).map(([kind, fee]) => ({
          listingId: String(listing),
          kind,
          name: null,
          source: 'estimate',
          fulfillmentType,
          askedPrice: String(price),
          askedShipping: '0',
          amount: String(fee),
          promotion: null,
          toldAt: new Date(at).toISOString(),
          refusedBecause: null,
        })),
      );
    const feesNow = async () => {
      await compute();
      const rows = await engine.db
        .select()
        .from(salesHistory)
        .orderBy(salesHistory.saleDate, salesHistory.id);
      return rows.map(({ marketplaceFees }) => (marketplaceFees === null ? null : marketplaceFees / 100));
    };

    test('has those reported by then, before anything was reported the first ones, and beyond them the schedule', async () => {
      const listing = await addListing(engine.db, 'A-1', { marketplace: 'amazon' });
      for (const days of [-100, -10, -4, -2]) await sell(listing, { saleDate: day(days) });
      await sell(listing, { saleDate: day(-1), unitPrice: usd(30) });
      expect(await feesNow()).toEqual([3, 3, 3, 3, 4.5]);
      await tell(listing, day(-5), 20, { commission: 3.4 });
      expect(await feesNow()).toEqual([3, 3.4, 3.4, 3.4, 4.5]);
      await tell(listing, day(-3), 20, { commission: 4 });
      expect(await feesNow()).toEqual([3, 3.4, 3.4, 4, 4.5]);
    });

    test('has the fulfillment fee of its price, and an entered one before it', async () => {
      const reported = { fulfillmentCost: usd(4.2), fulfillmentCostIsEstimate: true };
      const warehouse = { marketplace: 'amazon', fulfillmentType: 'FBA/WFS' } as const;
      const listing = await addListing(engine.db, 'A-1', { ...warehouse, ...reported });
      await tell(listing, day(-5), 20, { commission: 3, fulfillment: 4.2 }, 'FBA/WFS');
      await tell(listing, day(-5), 9.99, { commission: 1.5, fulfillment: 3.38 }, 'FBA/WFS');
      for (const price of [20, 9, 60]) await sell(listing, { saleDate: day(-1), unitPrice: usd(price) });
      const entered = await addListing(engine.db, 'A-2', { ...warehouse, fulfillmentCost: usd(2) });
      await tell(entered, day(-5), 20, { commission: 3, fulfillment: 4.2 }, 'FBA/WFS');
      await sell(entered, { saleDate: day(-1) });
      // Cleared by a file of an earlier release: blank, and reported all the same.
      const cleared = await addListing(engine.db, 'A-3', warehouse);
      await tell(cleared, day(-5), 20, { commission: 3, fulfillment: 4.2 }, 'FBA/WFS');
      await sell(cleared, { saleDate: day(-1) });
      expect(await feesNow()).toEqual([7.2, 4.73, 13.2, 5, 7.2]);
    });

    test('has a first answer that an administrator accepted, also before it', async () => {
      const listing = await addListing(engine.db, 'A-1', { marketplace: 'amazon' });
      await sell(listing, { saleDate: day(-10) });
      await tell(listing, day(-5), 20, { commission: 0.1 });
      await engine.db.execute(sql`UPDATE fee_facts SET refused_because = 'out_of_range'`);
      expect(await feesNow()).toEqual([3]);
      await engine.db.execute(sql`UPDATE fee_facts SET refused_because = NULL, accepted_at = told_at`);
      expect(await feesNow()).toEqual([0.1]);
    });

    test('is calculated again from the day of the fact alone', async () => {
      const listing = await addListing(engine.db, 'A-1', { marketplace: 'amazon' });
      await tell(listing, day(-50), 20, { commission: 3 });
      for (const days of [-20, -1]) await sell(listing, { saleDate: day(days) });
      await compute();
      await tell(listing, day(-5), 20, { commission: 4 });
      const { rows } = await engine.db.execute(
        sql`SELECT since = ${new Date(day(-5)).toISOString()} AS "isFrom" FROM sales_due`,
      );
      expect(rows).toEqual([{ isFrom: true }]);
    });
  });

  test('follows a fee schedule from its day, and shipping tiers that were first entered later', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8), weightOz: ounces(8) });
    const listing = await addListing(engine.db, 'A-1', { shippingCost: null });
    await sell(listing);
    await sell(listing, { saleDate: day(-2) });
    await compute();
    expect(await profits()).toEqual([null, null]);
    await addTier(engine.db, 'walmart', 4);
    await engine.db.execute(sql`WITH dated AS (INSERT INTO fee_schedules (marketplace, effective_from)
      VALUES ('walmart', ${new Date(day(-5)).toISOString()}::timestamptz) RETURNING id)
      INSERT INTO fee_bands (schedule_id, percent) SELECT id, 10 FROM dated`);
    await compute();
    expect(await profits()).toEqual([usd(5), usd(6)]);
    // A changed tier applies from now.
    await engine.db.update(shippingTiers).set({ cost: usd(7) });
    await compute();
    expect(await profits()).toEqual([usd(5), usd(6)]);
  });

  test('has the cost of a shipping tier that is widened to its weight', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8), weightOz: ounces(8) });
    await addSku(engine.db, 'A-2', { productCost: usd(8), weightOz: ounces(64) });
    const tier = { marketplace: 'walmart', fulfillmentType: 'FBM', minWeightOz: ounces(0) } as const;
    await insertTiers(engine.db, [{ ...tier, maxWeightOz: ounces(16), cost: usd(4) }], engine.now);
    await sell(await addListing(engine.db, 'A-1', { shippingCost: null }));
    await sell(await addListing(engine.db, 'A-2', { shippingCost: null }));
    await compute();
    expect(await profits()).toEqual([usd(5), null]);
    const [stored] = await listTiers(engine.db);
    await replaceTier(
      engine.db,
      stored?.id ?? 0,
      { ...tier, maxWeightOz: ounces(100), cost: usd(6) },
      engine.now,
    );
    await compute();
    expect(await profits()).toEqual([usd(5), usd(3)]);
  });

  test('follows the assumed sales tax, also of earlier sales', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(1) });
    await engine.db.execute(sql`UPDATE fee_bands SET percent = 0, percent_taxed = 10 WHERE schedule_id IN
      (SELECT id FROM fee_schedules WHERE marketplace = 'ebay')`);
    await sell(await addListing(engine.db, 'A-1', { marketplace: 'ebay' }));
    await compute();
    await engine.db
      .update(feeTerms)
      .set({ salesTax: bps(0) })
      .where(eq(feeTerms.marketplace, 'ebay'));
    await compute();
    // 10 % of 20.00, and 0.40.
    expect(await profits()).toEqual([usd(16.6)]);
  });

  test('of many sales is calculated batch by batch', async () => {
    await addSku(engine.db, 'A-1');
    const listing = await addListing(engine.db, 'A-1');
    await engine.db.execute(sql`INSERT INTO sales_history
        (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue, shipping_revenue)
      SELECT ${listing}, 'many-' || n, ${new Date(day(-3)).toISOString()}::timestamptz, 1, 20, 20, 0
      FROM generate_series(1, 2100) n`);
    expect(await compute()).toBe(3);
    const { rows } = await engine.db.execute(
      sql`SELECT count(*)::int AS sales, count(total_margin)::int AS known FROM sales_history`,
    );
    expect(rows).toEqual([{ sales: 2100, known: 2100 }]);
  });

  test('of many due days is summed from the newest, without reading all of them', async () => {
    const listing = await addListing(engine.db, 'A-1');
    await engine.db.execute(sql`INSERT INTO profit_due (listing_id, marketplace, day, zones_number)
      SELECT ${listing}, 'walmart', date '1970-01-01' + n, 1 FROM generate_series(1, 20000) n`);
    await engine.db.execute(sql`ANALYZE profit_due`);
    await engine.db.transaction(async (tx) => {
      await rebuildProfitDays(tx, 10);
      const { rows } = await tx.execute(
        sql`SELECT seq_tup_read::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'profit_due'`,
      );
      expect(rows).toEqual([{ read: 0 }]);
    });
    const [newest] = await engine.db.select({ day: max(profitDue.day) }).from(profitDue);
    expect(newest).toEqual({ day: '2024-09-24' });
  });
});

test('L10: a cost that is entered late gives the figures of one that was entered early', async () => {
  const edit = fc.record({
    day: fc.integer({ min: -20, max: -1 }),
    cost: fc.integer({ min: 100, max: 1_500 }),
  });
  const story = fc.record({
    edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
    sales: fc.array(fc.integer({ min: -25, max: 0 }), { minLength: 1, maxLength: 6 }),
    computesBetween: fc.boolean(),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(story, async ({ edits, sales, computesBetween }) => {
      const code = `L-${++run}`;
      const ordered = edits.toSorted((a, b) => a.day - b.day);
      const sku = await addSku(engine.db, code, { productCost: null });
      const listing = await addListing(engine.db, code);
      const ids: number[] = [];
      for (const soldOn of sales) ids.push(await sell(listing, { saleDate: instant(day(soldOn) + 1) }));
      if (computesBetween) await compute();
      for (const { day: from, cost } of ordered) {
        await engine.db
          .update(skus)
          .set({ productCost: cents(cost), updatedAt: day(from), version: sql`version + 1` })
          .where(eq(skus.id, sku));
        if (computesBetween) await compute();
      }
      await compute();
      for (const [index, id] of ids.entries()) {
        const soldAt = day(sales[index] ?? 0) + 1;
        // The naive recount: the last edit of that day or before; before the first one that.
        const inForce = ordered.findLast((each) => day(each.day) <= soldAt) ?? ordered[0];
        expect((await saleOf(id))?.totalMargin).toBe(1_700 - (inForce?.cost ?? 0));
      }
    }),
    { seed: 20_261_121, numRuns: asMany(4, 12) },
  );
});

test('belongs to the newest price that was paid in the 24 hours before it, else to the one in force', async () => {
  const rule = await addRule(engine.db);
  const run = await addRun(engine.db);
  const by = { rule, person: null, observed: null };
  const source = fc.constantFrom('rule' as const, 'person' as const, 'observed' as const);
  const story = fc.record({
    changes: fc.array(fc.record({ after: fc.integer({ min: 1, max: 40 }), source }), { maxLength: 5 }),
    prices: fc.array(fc.constantFrom(20, 21, 22), { minLength: 5, maxLength: 5 }),
    sales: fc.array(
      fc.record({ at: fc.integer({ min: -5, max: 130 }), price: fc.constantFrom(20, 21, 22) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(story, async ({ changes, prices, sales }) => {
      const start = day(-10);
      const listing = await addListing(engine.db, `S-${++runs}`, { currentPrice: usd(20), createdAt: start });
      const ledger = [{ at: 0, price: 20, source: 'import' as string }];
      for (const [index, { after, source: setBy }] of changes.entries()) {
        const last = ledger.at(-1) ?? { at: 0, price: 20 };
        const next = { at: last.at + after, price: prices[index] ?? 20, source: setBy };
        if (next.price === last.price) continue;
        ledger.push(next);
        await engine.db.insert(priceHistory).values({
          listingId: listing,
          oldPrice: usd(last.price),
          newPrice: usd(next.price),
          reason: 'Test',
          marginFloor: usd(1),
          source: setBy,
          ruleId: by[setBy],
          runId: setBy === 'rule' ? run : null,
          timestamp: instant(start + hours(next.at)),
        });
      }
      const ids: number[] = [];
      for (const { at, price } of sales) {
        ids.push(await sell(listing, { saleDate: instant(start + hours(at)), unitPrice: usd(price) }));
      }
      await compute();
      for (const [index, id] of ids.entries()) {
        const { at, price } = sales[index] ?? { at: 0, price: 0 };
        // The naive recount: every price with the time in which it was in force, the newest first.
        const before = ledger
          .map((each, place) => ({ ...each, until: ledger[place + 1]?.at ?? Number.POSITIVE_INFINITY }))
          .filter((each) => each.at <= at)
          .toReversed();
        const paid = before.find((each) => each.price === price && each.until > at - 24) ?? before[0];
        expect(await saleOf(id)).toMatchObject({
          priceSource: paid?.source ?? 'earlier',
          ruleId: paid?.source === 'rule' ? rule : null,
          runId: paid?.source === 'rule' ? run : null,
        });
      }
    }),
    { seed: 20_261_123, numRuns: asMany(8, 25) },
  );
});

test('finds its price without reading the whole ledger of its listing', async () => {
  await addSku(engine.db, 'A-1');
  const start = day(-30);
  const listing = await addListing(engine.db, 'A-1', { currentPrice: usd(20), createdAt: start });
  const from = `'${new Date(start).toISOString()}'::timestamptz`;
  // A price every six minutes; half of them are before the sale, half of them after it.
  await asOwner(
    engine.db,
    `ALTER TABLE price_history DISABLE TRIGGER USER;
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
    SELECT ${listing}, 20 + (n + 1) % 2, 20 + n % 2, 'Test', 'observed', 1, ${from} + n * interval '6 minutes'
    FROM generate_series(1, 6000) n;
    ALTER TABLE price_history ENABLE TRIGGER USER;
    ANALYZE price_history`,
  );
  const id = await sell(listing, { saleDate: instant(start + hours(300.05)), unitPrice: usd(21) });
  await engine.db.transaction(async (tx) => {
    // As it is where there are other listings too.
    await tx.execute(sql`SET LOCAL enable_seqscan = off`);
    // Rows that earlier transactions of the session read may not have been reported yet, and count too.
    const rowsRead = async () => {
      const { rows } = await tx.execute<{ read: number }>(
        sql`SELECT idx_tup_fetch::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'price_history'`,
      );
      return rows[0]?.read ?? 0;
    };
    const before = await rowsRead();
    await computeDueSales(tx, engine.now);
    const read = (await rowsRead()) - before;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(300);
  });
  const { rows } = await engine.db.execute(sql`
    SELECT (extract(epoch FROM h.timestamp - ${sql.raw(from)}) / 360)::int AS place
    FROM sales_history s JOIN price_history h ON h.id = s.price_history_id WHERE s.id = ${id}`);
  expect(rows).toEqual([{ place: 2999 }]);
});

/** A booked amount as the database has it. */
interface LoneEvent {
  readonly id: number;
  readonly kind: (typeof MONEY_KINDS)[number];
  readonly amount: number;
  readonly order_ref: string | null;
  readonly line_ref: string | null;
  readonly matched_by: string;
  readonly counts_alone: boolean;
}
/** What every sale has, booked or estimated. */
const OF_SALES = new Set([
  ...['principal', 'shipping', 'discount', 'funded', 'tax', 'label'],
  ...['commission', 'closing', 'per_order', 'payment', 'fulfillment'],
]);
const REVENUE_AND_BACK = new Set([
  ...['principal', 'shipping', 'discount', 'funded', 'tax', 'refund_principal', 'refund_shipping'],
]);

/** The naive recount of the amounts that are in the profit of their day, order by order. */
function countedAlone(events: readonly LoneEvent[]): LoneEvent[] {
  const lone = events.filter(
    ({ kind, matched_by: by }) => kind !== 'transfer' && ['sku', 'marketplace'].includes(by),
  );
  return lone.filter((event) => {
    const isOrdered = event.order_ref !== null || event.line_ref !== null;
    if (!isOrdered) return !OF_SALES.has(event.kind);
    const all = lone.filter((other) =>
      event.order_ref === null
        ? other.order_ref === null && other.line_ref === event.line_ref
        : other.order_ref === event.order_ref,
    );
    const kept = all
      .filter(({ kind }) => REVENUE_AND_BACK.has(kind))
      .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
    const isReturned = all.some(({ kind }) => kind.startsWith('refund'));
    return kept <= 0 && (isReturned || !OF_SALES.has(event.kind));
  });
}

describe('what was booked of a sale', () => {
  const book = (...events: MoneyEvent[]) =>
    transact(engine.db, (tx) =>
      bookMoneyPage(tx, 'amazon', { events, settlements: [], refused: [] }, engine.now),
    );
  const amount = (id: string, kind: MoneyEvent['kind'], dollars: number, over: Partial<MoneyEvent> = {}) =>
    aBooking(id, kind, Math.round(dollars * 100), { postedAt: day(-3), orderRef: 'O-1', ...over });
  const days = async () => {
    while (await transact(engine.db, (tx) => rebuildProfitDays(tx, 100)));
    const { rows } = await engine.db.execute(sql`
      SELECT day::text AS day, sum(sales)::int AS sales, sum(profit)::text AS profit, sum(refunds)::text AS refunds,
        sum(fees)::text AS fees, sum(ads)::text AS ads FROM profit_days GROUP BY day ORDER BY day`);
    return rows;
  };
  beforeEach(async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8), packagingCost: usd(0.5), miscCost: usd(0.2) });
  });
  afterEach(async () => {
    const sums = sql`SELECT marketplace, settlement_ref, kind, is_unmatched, events::int AS events, amount FROM money_sums ORDER BY 1, 2, 3, 4`;
    const recount = sql`SELECT marketplace, settlement_ref, kind, matched_by IN ('sku', 'marketplace') AND kind <> 'transfer'
        AS is_unmatched, count(*)::int AS events, sum(amount) AS amount
      FROM money_events WHERE superseded_by IS NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
    expect((await engine.db.execute(sums)).rows).toEqual((await engine.db.execute(recount)).rows);
  });

  test('replaces the estimate, whether the order or its money is read first', async () => {
    await book(amount('1', 'commission', -8.49));
    const id = await sellTwo({ orderRef: 'O-1', lineNumber: 1 });
    await compute();
    expect(await saleOf(id)).toMatchObject({
      totalMargin: usd(15.91),
      moneyState: 'partly_told',
      isAbout: true,
    });
    await book(amount('2', 'fulfillment', -8.1), amount('1', 'commission', -8.49));
    await compute();
    expect(await saleOf(id)).toMatchObject({
      totalMargin: usd(15.99),
      marketplaceFees: usd(16.59),
      feesEstimated: usd(16.68),
      moneyState: 'told',
      isAbout: false,
      parts: [
        { kind: 'commission', estimated: '-8.50', told: '-8.49' },
        { kind: 'fulfillment', estimated: '-8.18', told: '-8.10' },
      ],
    });
    expect(await compute()).toBe(0);
    // Restated, and a day later in another order.
    await book(amount('1', 'commission', -9, { orderRef: 'O-2' }));
    await compute();
    expect(await profits()).toEqual([usd(15.98)]);
  });

  test('keeps the estimate of a sale when the marketplace takes another fee', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'walmart' });
    const soldOn = [-10, -9];
    for (const at of soldOn) {
      const over = { orderRef: `O${at}`, saleDate: day(at) };
      await sell(listing, { ...over, lineNumber: 1 });
      const booked = { orderRef: over.orderRef, postedAt: day(at) };
      const events = [
        amount(`${at}-p`, 'principal', 20, booked),
        amount(`${at}-c`, 'commission', -3.4, {
          ...booked,
          fee: { base: null, saved: usd(0), category: null },
        }),
      ];
      await transact(engine.db, (tx) =>
        bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
      );
    }
    await compute();
    // Once what was taken is known.
    await engine.db
      .insert(salesDue)
      .values({ listingId: listing, since: day(-20) })
      .onConflictDoNothing();
    await compute();
    const sold = await engine.db
      .select({ parts: salesHistory.parts })
      .from(salesHistory)
      .orderBy(salesHistory.id);
    const commissions = sold.map(({ parts }) => parts?.find(({ kind }) => kind === 'commission'));
    const asBefore = { kind: 'commission', estimated: '-3.00', told: '-3.40' };
    expect(commissions.slice(0, 1)).toEqual([asBefore]);
    // The next sale has the fee that was taken of the first one.
    expect(commissions[1]).toMatchObject({ told: '-3.40', estimated: expect.stringMatching(/^-3\.4/) });
  });

  test('reports what the marketplace takes of the next sale, once for each price and fee', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'walmart' });
    const fee = { base: null, saved: usd(1), category: 'Grocery' };
    const events = (order: string, at: number, commission: number) => {
      const over = { orderRef: order, postedAt: day(at) };
      return [
        amount(`${order}-p`, 'principal', 20, over),
        amount(`${order}-c`, 'commission', commission, { ...over, fee }),
      ];
    };
    const bookAll = (...all: MoneyEvent[]) =>
      transact(engine.db, (tx) =>
        bookMoneyPage(tx, 'walmart', { events: all, settlements: [], refused: [] }, engine.now),
      );
    const reported = async () => {
      const { rows } = await engine.db.execute(sql`SELECT asked_price::text AS price, amount::text AS amount,
        promotion::text AS promotion, category_told AS category FROM fee_facts
        WHERE listing_id = ${listing} AND source = 'settled' ORDER BY told_at`);
      return rows;
    };
    const answer = { price: '20.00', amount: '5.00', promotion: '1.00', category: 'Grocery' };
    await sell(listing, { orderRef: 'O-1', lineNumber: 1 });
    await sell(listing, { orderRef: 'O-2', lineNumber: 1 });
    await bookAll(...events('O-1', -5, -4), ...events('O-2', -5, -3));
    await compute();
    // Of two on one day the higher one, however often they are calculated.
    expect(await reported()).toEqual([answer]);
    await bookAll(...events('O-1', -5, -4.5));
    await compute();
    expect(await reported()).toEqual([{ ...answer, amount: '5.50' }]);
    for (const [index, at] of [-4, -3, -2].entries()) {
      await sell(listing, { orderRef: `P-${index}`, lineNumber: 1 });
      await bookAll(...events(`P-${index}`, at, -4.5));
    }
    await compute();
    // Two of a row are enough, until the fee changes.
    expect(await reported()).toHaveLength(2);
    for (const [index, commission] of [-4, -4.5].entries()) {
      await sell(listing, { orderRef: `Q-${index}`, lineNumber: 1 });
      await bookAll(...events(`Q-${index}`, index - 1, commission));
      await compute();
    }
    expect((await reported()).map(({ amount: fee }) => fee)).toEqual(['5.50', '5.50', '5.00', '5.50']);
  });

  test('raises the fee of a listing never sold, once five of its product type were charged by one category', async () => {
    const type = { marketplace: 'walmart', productType: 'Lamps', currentPrice: usd(20) } as const;
    const unsold = await addListing(engine.db, 'U-1', type);
    await addSku(engine.db, 'U-1');
    const feeAt20 = async () => {
      const context = await loadPricingContext(engine.db, engine.now);
      const [input] = await loadCosts(engine.db, context, [unsold]);
      const fees = input?.facts.fees;
      // Its rate is rounded up.
      return fees == null ? null : Math.floor(feeTimesWhole(fees, usd(20)) / WHOLE / 10) * 10;
    };
    const sellOne = async (index: number, category: string) => {
      const listing = await addListing(engine.db, `S-${index}`, type);
      const over = { orderRef: `O-${index}`, postedAt: day(-3) };
      const fee = { base: null, saved: null, category };
      await sell(listing, { orderRef: `O-${index}`, lineNumber: 1 });
      const events = [
        amount(`${index}-p`, 'principal', 20, over),
        amount(`${index}-c`, 'commission', -4, { ...over, fee }),
      ];
      await transact(engine.db, (tx) =>
        bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
      );
      await compute();
    };
    for (const index of [1, 2, 3, 4]) await sellOne(index, 'Secret');
    expect(await feeAt20()).toBe(300);
    await sellOne(5, 'Secret');
    expect(await feeAt20()).toBe(400);
    await sellOne(6, 'Other');
    expect(await feeAt20()).toBe(300);
  });

  test('reports no fee as low as one that an administrator rejected, however many sales have it', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'walmart' });
    const settle = async (...sales: (readonly [at: number, price: number, commission: number])[]) => {
      for (const [at, price, commission] of sales) {
        const orderRef = `O${at}`;
        await sell(listing, { orderRef, lineNumber: 1, saleDate: day(at), unitPrice: usd(price) });
        const reported = { orderRef, postedAt: day(at) };
        const events = [
          amount(`p${at}`, 'principal', price, reported),
          amount(`c${at}`, 'commission', -commission, reported),
        ];
        await transact(engine.db, (tx) =>
          bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
        );
      }
      await compute();
    };
    const refused = async () => {
      const { rows } = await engine.db.execute(
        sql`SELECT amount::float8 AS fee, refused_because AS why FROM fee_facts ORDER BY told_at`,
      );
      return rows.map(({ fee, why }) => [fee, why]);
    };
    const percentAt = async (price: number) => {
      const [input] = await loadCosts(engine.db, await loadPricingContext(engine.db, engine.now), [listing]);
      const fees = input?.facts.fees;
      return fees ? Math.round(feeTimesWhole(fees, usd(price)) / usd(price)) : null;
    };
    await settle([-10, 20, 3], [-9, 20, 1.6]);
    await engine.db.execute(sql`UPDATE fee_facts SET refused_because = 'rejected' WHERE amount = 1.6`);
    // 8% at two other prices, a day apart, read at once.
    await settle([-7, 30, 2.4], [-5, 25, 2]);
    const all = [
      [3, null],
      [1.6, 'rejected'],
      [2.4, 'rejected'],
      [2, 'rejected'],
    ];
    expect(await refused()).toEqual(all);
    expect(await percentAt(25)).toBe(1_500);
    // Another fee, and the rejected one once it is a rise.
    await settle([-4, 20, 1], [-3, 20, 1]);
    // The highest rate that rounds to $1.00.
    expect(await percentAt(20)).toBe(503);
    await settle([-2, 20, 1.6]);
    expect(await refused()).toEqual([...all, [1, null], [1, null], [1.6, null]]);
    expect(await percentAt(20)).toBeGreaterThanOrEqual(800);
  });

  test('asks for the fees again once the commission of three sales since was not as reported', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'amazon' });
    await engine.db.insert(marketplaceListings).values({
      listingId: listing,
      keys: {},
      isActive: true,
      seenAt: day(-20),
      feesReadAt: day(-9),
    });
    const isAsked = async (at: number, commission: number) => {
      const orderRef = `O${at}`;
      await sell(listing, { orderRef, lineNumber: 1, saleDate: day(at) });
      await book(amount(`c${at}`, 'commission', -commission, { orderRef, postedAt: day(at) }));
      await compute();
      const [row] = await engine.db.select({ at: marketplaceListings.feesReadAt }).from(marketplaceListings);
      return row?.at === null;
    };
    // Estimated with 15% of 20.00; before the answer, within 0.2 points, and three that are not.
    expect(await isAsked(-10, 4)).toBe(false);
    expect(await isAsked(-8, 3.04)).toBe(false);
    expect(await isAsked(-7, 3.05)).toBe(false);
    expect(await isAsked(-6, 2)).toBe(false);
    expect(await isAsked(-5, 3.4)).toBe(true);
  });

  test('reports fees that changed for many listings as doubted, however long ago they were charged', async () => {
    const skus = ['B-1', 'B-2', 'B-3', 'B-4', 'B-5'];
    const ids: number[] = [];
    for (const sku of skus) ids.push(await addListing(engine.db, sku, { marketplace: 'walmart' }));
    const settle = async (at: number, commission: number) => {
      const events: MoneyEvent[] = [];
      for (const [index, listing] of ids.entries()) {
        const orderRef = `${index}/${at}`;
        // Not all on the same day.
        const postedAt = day(at + index / 5);
        await sell(listing, { orderRef, lineNumber: 1, saleDate: postedAt });
        const reported = { orderRef, postedAt };
        events.push(
          amount(`p${orderRef}`, 'principal', 20, reported),
          amount(`c${orderRef}`, 'commission', -commission, reported),
        );
      }
      await transact(engine.db, (tx) =>
        bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
      );
      await compute();
    };
    const breakers = async () => {
      const { rows } = await engine.db.execute(
        sql`SELECT marketplace, since = (SELECT min(told_at) FROM fee_jumps) AS "isFromFirst",
          (SELECT count(*)::int FROM fee_jumps) AS jumps FROM fee_breakers WHERE decided_at IS NULL`,
      );
      return rows;
    };
    await settle(-12, 3);
    expect(await breakers()).toEqual([]);
    await settle(-8, 5);
    expect(await breakers()).toEqual([{ marketplace: 'walmart', isFromFirst: true, jumps: 5 }]);
    const [input] = await loadCosts(engine.db, await loadPricingContext(engine.db, engine.now), ids);
    const fees = input?.facts.fees ?? null;
    expect(fees !== null && areFeesDoubted({ fees })).toBe(true);
  });

  test('no longer reports the fee of a sale once its figures changed', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'walmart' });
    const bookAll = async (...events: MoneyEvent[]) => {
      await transact(engine.db, (tx) =>
        bookMoneyPage(tx, 'walmart', { events, settlements: [], refused: [] }, engine.now),
      );
      await compute();
    };
    const reported = async () => {
      const { rows } = await engine.db.execute<{ price: string; amount: string }>(sql`
        SELECT asked_price::text AS price, amount::text AS amount FROM fee_facts WHERE listing_id = ${listing} ORDER BY id`);
      return rows.map(({ price, amount: fee }) => [price, fee]);
    };
    const of = (orderRef: string) => ({ orderRef, postedAt: day(-3) });
    await sell(listing, { orderRef: 'O-1', lineNumber: 1, unitPrice: usd(45) });
    await sell(listing, { orderRef: 'O-2', lineNumber: 1, unitPrice: usd(45) });
    await bookAll(amount('p1', 'principal', 45, of('O-1')), amount('c1', 'commission', -7.5, of('O-1')));
    await bookAll(amount('p2', 'principal', 45, of('O-2')), amount('c2', 'commission', -6.75, of('O-2')));
    expect(await reported()).toEqual([['45.00', '7.50']]);
    await engine.db.execute(sql`DELETE FROM due_listings`);
    // Its revenue was higher: then the other sale of its day reports what is taken at that price.
    await bookAll(amount('f1', 'funded', 5, of('O-1')));
    expect(await reported()).toEqual([
      ['50.00', '7.50'],
      ['45.00', '6.75'],
    ]);
    const { rows } = await engine.db.execute(sql`SELECT listing_id::int AS id FROM due_listings`);
    expect(rows).toEqual([{ id: listing }]);
    await bookAll(amount('c1', 'commission', -0.1, of('O-1')));
    expect(await reported()).toEqual([['45.00', '6.75']]);
  });

  test('has the fee of its order once, for whichever line eBay reported it', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'ebay' });
    const line = { orderRef: 'O-1', saleDate: day(-5) } as const;
    const first = await sell(listing, { ...line, lineNumber: 1, unitPrice: usd(30), externalId: 'L-1' });
    const second = await sell(listing, { ...line, lineNumber: 2, unitPrice: usd(10), externalId: 'L-2' });
    const events = [
      amount('1', 'commission', -4.5, { lineRef: 'L-1' }),
      amount('2', 'per_order', -0.4, { lineRef: 'L-1' }),
      amount('3', 'commission', -1.5, { lineRef: 'L-2' }),
    ];
    await transact(engine.db, (tx) =>
      bookMoneyPage(tx, 'ebay', { events, settlements: [], refused: [] }, engine.now),
    );
    await compute();
    expect([await saleOf(first), await saleOf(second)]).toMatchObject([
      { marketplaceFees: usd(4.9), moneyState: 'told', isAbout: false },
      { marketplaceFees: usd(1.5), moneyState: 'told', isAbout: false },
    ]);
  });

  test('leaves out a line of the order that is no listing, and follows it once it is one', async () => {
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'amazon' });
    const id = await sell(listing, { orderRef: 'O-1', lineNumber: 1 });
    await book(
      amount('1', 'principal', 20, { sku: 'A-1' }),
      amount('2', 'commission', -3, { sku: 'A-1' }),
      amount('3', 'principal', 100, { sku: 'B-1' }),
      amount('4', 'commission', -15, { sku: 'B-1' }),
    );
    await compute();
    // 20.00 - 3.00 - 8.70.
    expect(await saleOf(id)).toMatchObject({ totalMargin: usd(8.3), adjustment: null, moneyState: 'told' });
    const matches = sql`SELECT array_agg(matched_by ORDER BY external_id) AS by FROM money_events`;
    expect((await engine.db.execute(matches)).rows).toEqual([
      { by: ['order_sku', 'order_sku', 'marketplace', 'marketplace'] },
    ]);
    const other = await addListing(engine.db, 'B-1', { marketplace: 'amazon' });
    const late = await sell(other, { orderRef: 'O-1', lineNumber: 2, unitPrice: usd(100) });
    await compute();
    expect(await saleOf(late)).toMatchObject({ marketplaceFees: usd(15), moneyState: 'told' });
  });

  test('of a listing that was deleted since is that of its sale, once however often it is read, and stays in the sums', async () => {
    const id = await sellTwo({ orderRef: 'O-1', lineNumber: 1 });
    await compute();
    await engine.db.update(listings).set({ deletedAt: engine.now });
    for (const _ of [1, 2]) {
      await book(
        amount('1', 'commission', -8.49, { sku: 'A-1' }),
        amount('2', 'fulfillment', -8.1, { sku: 'A-1' }),
        amount('3', 'refund_principal', -60, { sku: 'A-1' }),
      );
      await compute();
    }
    expect(await saleOf(id)).toMatchObject({
      moneyState: 'told',
      refunds: usd(60),
      totalMargin: usd(15.99 - 60),
    });
    expect((await days()).map(({ refunds, profit }) => [refunds, profit])).toEqual([
      [null, '15.99'],
      ['60.00', '-60.00'],
    ]);
  });

  test('belongs to a sale whose order is reported later, and counts its return once', async () => {
    const id = await sellTwo();
    await book(amount('1', 'refund_principal', -24.99, { sku: 'A-1' }));
    await engine.db.update(salesHistory).set({ orderRef: 'O-1', lineNumber: 1 });
    await compute();
    expect(await saleOf(id)).toMatchObject({ refunds: usd(24.99) });
    expect((await days()).map(({ refunds }) => refunds)).toEqual([null, '24.99']);
  });

  test('is on its own day where it is a return, and so is what a listing was charged without a sale', async () => {
    const id = await sellTwo({ orderRef: 'O-1', lineNumber: 1 });
    await book(
      amount('1', 'refund_principal', -24.99, { postedAt: day(-3) }),
      amount('2', 'refund_commission', 4, { postedAt: day(-2) }),
      amount('3', 'storage', -1.5, { orderRef: null, sku: 'A-1', postedAt: day(-2) }),
      amount('4', 'ad', -2, { orderRef: null, sku: 'A-1', postedAt: day(-1) }),
      // Of an order that was never read, all of it while the seller keeps a part: without its cost it is no profit.
      amount('5', 'principal', 99, { orderRef: 'O-9', sku: 'A-1', postedAt: day(-1) }),
      amount('6', 'refund_principal', -98, { orderRef: 'O-9', sku: 'A-1', postedAt: day(-1) }),
      amount('7', 'ad', -9, { orderRef: 'O-9', sku: 'A-1', postedAt: day(-1) }),
      // Of an order that the marketplace did not name: the sale of the order has it.
      amount('8', 'principal', 31, { orderRef: null, postedAt: day(-1) }),
    );
    await compute();
    expect(await saleOf(id)).toMatchObject({ totalMargin: usd(-5.09), refunds: usd(20.99) });
    const dayOf = (count: number) => new Date(day(count)).toISOString().slice(0, 10);
    expect(await days()).toMatchObject([
      { day: dayOf(-10), sales: 1, profit: '15.90', refunds: null, fees: '16.68' },
      { day: dayOf(-3), sales: 0, profit: '-24.99', refunds: '24.99', fees: null },
      { day: dayOf(-2), sales: 0, profit: '2.50', refunds: '-4.00', fees: '1.50' },
      { day: dayOf(-1), sales: 0, profit: '-2.00', ads: '2.00' },
    ]);
    // The canceled line leaves the sums; what was paid back counts without it.
    await engine.db.delete(salesHistory);
    await compute();
    expect((await days()).map(({ profit }) => profit)).toEqual(['-24.99', '2.50', '-2.00']);
    const line = { orderRef: 'O-1', lineNumber: 1, unitPrice: usd(24.99), quantitySold: 2 };
    await sell((await engine.db.select().from(listings))[0]?.id ?? 0, line);
    await compute();
    expect((await days()).map(({ profit }) => profit)).toEqual(['15.90', '-24.99', '2.50', '-2.00']);
  });

  test('has no renewal of an Etsy listing that sold out, once what was booked until the next day is read', async () => {
    await engine.db.execute(sql`UPDATE fee_bands SET fixed = 0.25, per_unit = 0.2 WHERE schedule_id IN
      (SELECT id FROM fee_schedules WHERE marketplace = 'etsy' AND category IS NULL)`);
    const listing = await addListing(engine.db, 'A-1', { marketplace: 'etsy' });
    const id = await sell(listing, { externalId: 'T-1', orderRef: 'R-1', lineNumber: 1 });
    const fees = async () => {
      await compute();
      const sale = await saleOf(id);
      return [sale?.marketplaceFees, sale?.moneyState, sale?.isAbout];
    };
    const events = [
      amount('1', 'commission', -1.3, { orderRef: null, lineRef: 'T-1' }),
      amount('2', 'payment', -0.87, { orderRef: 'R-1' }),
    ];
    await transact(engine.db, (tx) =>
      bookMoneyPage(tx, 'etsy', { events, settlements: [], refused: [] }, engine.now),
    );
    expect(await fees()).toEqual([usd(2.37), 'told', true]);
    const read = { readFrom: day(-30), backTo: day(-30), rereadAt: engine.now };
    await writeMoneyRead(engine.db, 'etsy', { ...read, readUntil: instant(day(-9) - 1) });
    expect(await fees()).toEqual([usd(2.37), 'told', true]);
    await writeMoneyRead(engine.db, 'etsy', { ...read, readUntil: day(-9) });
    expect(await fees()).toEqual([usd(2.17), 'told', false]);
    // It was booked late after all.
    const late = amount('3', 'renewal', -0.2, { orderRef: null, lineRef: 'T-1', rawType: 'renew_sold' });
    await transact(engine.db, (tx) =>
      bookMoneyPage(tx, 'etsy', { events: [late], settlements: [], refused: [] }, engine.now),
    );
    expect(await fees()).toEqual([usd(2.37), 'told', false]);
  });

  describe('without a sale', () => {
    const bookOf = (marketplace: 'amazon' | 'walmart' | 'etsy', ...events: MoneyEvent[]) =>
      transact(engine.db, (tx) =>
        bookMoneyPage(tx, marketplace, { events, settlements: [], refused: [] }, engine.now),
      );
    /** The profit of all days, in dollars. */
    const profitOfDays = async () => {
      await compute();
      return (await days()).reduce((sum, { profit }) => sum + Number(profit), 0).toFixed(2);
    };

    test('does not count what its sale has an estimate of: a label, fees and sales tax', async () => {
      const listing = await addListing(engine.db, 'A-1', { marketplace: 'etsy', shippingCost: usd(4.5) });
      await sell(listing);
      const estimated = await profitOfDays();
      const unnamed = { orderRef: null };
      await bookOf(
        'etsy',
        amount('label', 'label', -4.5, unnamed),
        amount('tax', 'tax', -2.32, unnamed),
        amount('fee', 'payment', -1.19, unnamed),
        amount('sold', 'renewal', -0.2, { ...unnamed, rawType: 'renew_sold_auto' }),
        amount('page', 'label', -3, { ...unnamed, sku: 'A-1' }),
      );
      expect(await profitOfDays()).toBe(estimated);
      // A listing that did not sell was renewed too, which no sale has.
      await bookOf('etsy', amount('unsold', 'renewal', -0.2, { ...unnamed, rawType: 'renew_expired' }));
      expect(await profitOfDays()).toBe((Number(estimated) - 0.2).toFixed(2));
    });

    test('counts returns and charges of orders from before the first reading on their day', async () => {
      await addListing(engine.db, 'A-1', { marketplace: 'amazon' });
      await book(
        amount('1', 'refund_principal', -25, { orderRef: 'OLD-1', sku: 'A-1', postedAt: day(-3) }),
        amount('2', 'refund_commission', 3.75, { orderRef: 'OLD-1', sku: 'A-1', postedAt: day(-3) }),
        amount('3', 'refund_fee', -0.75, { orderRef: 'OLD-1', sku: 'A-1', postedAt: day(-3) }),
        amount('4', 'other', -1.04, { orderRef: 'REMOVAL-1', sku: 'A-1', postedAt: day(-2) }),
        // Fees of an order whose payment and sale were not read: they come with them.
        amount('5', 'commission', -3, { orderRef: 'NEW-1', postedAt: day(-1) }),
        amount('6', 'fulfillment', -4, { orderRef: 'NEW-1', postedAt: day(-1) }),
      );
      expect(await profitOfDays()).toBe('-23.04');
      expect(await days()).toMatchObject([
        { profit: '-22.00', refunds: '22.00', fees: null },
        { profit: '-1.04', refunds: null, fees: '1.04' },
      ]);
      const alone = sql`SELECT external_id AS id, listing_id IS NOT NULL AS listed FROM money_events
        WHERE counts_alone ORDER BY 1`;
      expect((await engine.db.execute(alone)).rows).toEqual(
        ['1', '2', '3', '4'].map((id) => ({ id, listed: true })),
      );
      // Its payment is in an older part of the ledger: of that order nothing counts without its sale.
      await book(amount('7', 'principal', 40, { orderRef: 'OLD-1', sku: 'A-1', postedAt: day(-20) }));
      expect(await profitOfDays()).toBe('-1.04');
    });

    test('counts the fees that were kept for a canceled order, and nothing else of it', async () => {
      await bookOf(
        'walmart',
        amount('1', 'principal', 30, { postedAt: day(-5) }),
        amount('2', 'commission', -4, { postedAt: day(-5) }),
        amount('3', 'tax', 2, { postedAt: day(-5) }),
        amount('4', 'tax', -2, { postedAt: day(-5) }),
      );
      expect(await profitOfDays()).toBe('0.00');
      await bookOf(
        'walmart',
        amount('5', 'refund_principal', -30, { postedAt: day(-4) }),
        amount('6', 'refund_commission', 3.6, { postedAt: day(-4) }),
      );
      expect(await profitOfDays()).toBe('-0.40');
      // Restated: it was of another order, which is none of the two.
      await bookOf('walmart', amount('5', 'refund_principal', -30, { postedAt: day(-4), orderRef: 'O-2' }));
      expect(await profitOfDays()).toBe('-30.00');
    });
  });

  test('L8, L13: adds up to reported parts, what has no sale and what moved; profit to sales and what has no order', async () => {
    const names = fc.constantFrom('line', 'sku', 'order', 'other', 'late');
    const event = fc.record({
      id: fc.nat(9),
      kind: fc.constantFrom(...MONEY_KINDS),
      cents: fc.integer({ min: -5_000, max: 5_000 }),
      order: fc.constantFrom('read', 'late', 'never', null),
      names,
      on: fc.integer({ min: -9, max: -1 }),
    });
    const page = fc.array(event, { minLength: 1, maxLength: 8 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 3 }), async (pages) => {
        const of = (name: string) => `${name}/${run}`;
        run += 1;
        const addSold = async (name: string): Promise<number> => {
          await addSku(engine.db, of(name));
          return addListing(engine.db, of(name), { marketplace: 'amazon' });
        };
        const line = (order: string, number: number, price: number) => ({
          orderRef: of(order),
          lineNumber: number,
          externalId: of(`${order}-${number}`),
          unitPrice: usd(price),
        });
        const [first, second] = [await addSold('A'), await addSold('B')];
        await sell(first, line('read', 1, 20));
        await sell(second, line('read', 2, 7));
        for (const [index, events] of pages.entries()) {
          await book(
            ...events.map(({ id, kind, cents: booked, order, names: by, on }) => {
              // More revenue of an order than its lines have is that of lines which are not recorded.
              const isOwn = by === 'line' || by === 'sku';
              const own = isOwn || !REVENUE_KINDS.includes(kind) ? kind : 'commission';
              return amount(of(String(id)), own, booked / 100, {
                orderRef: order === null ? null : of(order),
                lineRef: by === 'line' && order !== null ? of(`${order}-1`) : null,
                sku: { line: null, sku: of('A'), order: null, other: of('OTHER'), late: of('LATE') }[by],
                postedAt: day(on),
              });
            }),
          );
          if (index > 0) continue;
          await compute();
          await days();
          await sell(first, line('late', 1, 12));
          await addSold('LATE');
        }
        while (await transact(engine.db, (tx) => matchLateListings(tx, engine.now)));
        await compute();
        await days();
        const { rows } = await engine.db.execute(sql`
          WITH booked AS (SELECT * FROM money_events WHERE superseded_by IS NULL),
            parts AS (SELECT (part->>'told')::numeric AS told FROM sales_history, jsonb_array_elements(parts) part)
          SELECT (SELECT sum(amount) FROM booked) AS booked,
            (SELECT coalesce(sum(told), 0) FROM parts)
              + (SELECT coalesce(sum(amount), 0) FROM booked WHERE matched_by IN ('sku', 'marketplace')) AS told,
            (SELECT sum(profit) FROM profit_days) AS profit,
            (SELECT sum(total_margin) FROM sales_history)
              + (SELECT coalesce(sum(amount), 0) FROM booked WHERE counts_alone) AS recount,
            (SELECT coalesce(sum(amount), 0) FROM booked WHERE counts_alone AND matched_by NOT IN ('sku', 'marketplace')) AS twice,
            (SELECT json_agg(booked) FROM booked) AS events,
            (SELECT count(*)::int FROM booked WHERE matched_by = 'marketplace' AND sku = ${of('LATE')}
              AND kind <> 'transfer') AS lost`);
        expect(rows[0]?.told).toBe(rows[0]?.booked);
        expect(rows[0]?.profit).toBe(rows[0]?.recount);
        expect(rows[0]?.twice).toBe('0');
        const events = rows[0]?.events as LoneEvent[];
        expect(events.filter((one) => one.counts_alone).map(({ id: one }) => one)).toEqual(
          countedAlone(events).map(({ id: one }) => one),
        );
        expect(rows[0]?.lost).toBe(0);
      }),
      { seed: 20_261_123, numRuns: IS_ALL ? 60 : 6 },
    );
  });
});
