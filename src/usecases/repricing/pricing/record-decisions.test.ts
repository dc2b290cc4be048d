import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { readListingRows } from '#db/queries/catalog/listing-rows.ts';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { dueListings } from '#db/schema/due-listings.ts';
import { feeFacts } from '#db/schema/fee-facts.ts';
import { categoryMap, feeBands, feeSchedules, feeTerms } from '#db/schema/fees.ts';
import { lineMemories } from '#db/schema/line-memories.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { runItems } from '#db/schema/runs.ts';
import { appSettings } from '#db/schema/settings.ts';
import { explain } from '#domain/decision/explain.ts';
import { readStoredCase } from '#domain/decision/stored-case.ts';
import { feeTimesWhole } from '#domain/fees/fee-table.ts';
import { hours, type Instant, instant, ounces, WHOLE } from '#domain/units.ts';
import { NOW, pct, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import {
  addListing,
  addOffer,
  addRule,
  addRun,
  addSku,
  declareSeller,
  setLive,
} from '#tests/support/seed.ts';
import { decideListings } from './decide-listings.ts';
import { loadPricingInputs } from './load-pricing-inputs.ts';
import { loadPricingContext } from './pricing-context.ts';
import { recordDecisions } from './record-decisions.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

/** One batch over everything, as the engine does it. @returns the number of the run */
async function reprice(now: Instant = NOW): Promise<number> {
  await db.execute(sql`UPDATE repricing_runs SET state = 'done'`);
  const runId = await addRun(db, now);
  const ids = await db.select({ id: listings.id }).from(listings).orderBy(listings.id);
  const shop = await loadPricingContext(db, now);
  await db.transaction(async (tx) => {
    const decided = await decideListings(
      tx,
      shop,
      ids.map(({ id }) => id),
    );
    await recordDecisions(tx, runId, decided, now);
  });
  return runId;
}

const listingOf = async (id: number) => (await db.select().from(listings).where(eq(listings.id, id)))[0];
const metricsOf = async (id: number) =>
  (await db.select().from(listingMetrics).where(eq(listingMetrics.listingId, id)))[0];
const movesOf = (id: number) =>
  db.select().from(priceHistory).where(eq(priceHistory.listingId, id)).orderBy(priceHistory.id);

/** Cost $10.00, fee 15 %, margin 15 %: the margin floor is $14.29. A competitor at $18.00. */
async function seedOne(): Promise<number> {
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1');
  await addRule(db);
  await addOffer(db, id, 18);
  await declareSeller(db, 'walmart');
  return id;
}

describe('a live marketplace', () => {
  beforeEach(() => setLive(db, 'walmart'));

  test('changes a price based on an estimated fulfillment fee only once estimates are accepted', async () => {
    // 7.75 for 9 lb, as the dimensional weight of the box: (10.00 + 7.75) / 0.70.
    await addSku(db, 'A-1', { weightOz: ounces(96), lengthIn: 12, widthIn: 10, heightIn: 10 });
    const id = await addListing(db, 'A-1', {
      fulfillmentType: 'FBA/WFS',
      shippingCost: null,
      currentPrice: usd(30),
    });
    await addRule(db);
    await addOffer(db, id, 28, { fulfillmentType: 'FBA/WFS' });
    await declareSeller(db, 'walmart');
    await reprice();
    expect(await metricsOf(id)).toMatchObject({
      outcome: 'recommend',
      reviewReason: 'estimated_fee',
      shippingCost: 0,
      fulfillmentCost: usd(7.75),
      totalCost: usd(17.75),
      marginFloor: usd(25.36),
      missingFacts: [],
    });
    await db.delete(dueListings);
    await db.update(appSettings).set({ areFeeEstimatesAccepted: true });
    expect(await db.select().from(dueListings)).toMatchObject([{ listingId: id }]);
    await reprice();
    expect(await metricsOf(id)).toMatchObject({ outcome: 'change', decidedPrice: usd(27.99) });

    // The price of a WFS fee below $10.00 is in no table: no price is allowed there, however low the cost.
    await db.delete(dueListings);
    await db.update(skus).set({ heightIn: 1, productCost: usd(0.5) });
    expect(await db.select().from(dueListings)).toMatchObject([{ listingId: id, cause: 'cost' }]);
    await reprice();
    expect(await metricsOf(id)).toMatchObject({ fulfillmentCost: usd(6.95), marginFloor: usd(10.65) });
    await db.update(skus).set({ heightIn: 1, weightOz: ounces(8) });
    await reprice();
    expect(await metricsOf(id)).toMatchObject({ fulfillmentCost: usd(3.45), marginFloor: usd(10) });
  });

  test('counts what buyers pay for shipping, except where the marketplace keeps it: its warehouse sends the item', async () => {
    await addSku(db, 'A-1');
    const own = await addListing(db, 'A-1', { shippingCharge: usd(5) });
    const theirs = await addListing(db, 'A-1', {
      marketplace: 'amazon',
      fulfillmentType: 'FBA/WFS',
      fulfillmentCost: usd(3),
      shippingCharge: usd(5),
    });
    await addRule(db);
    await reprice();
    expect(await metricsOf(own)).toMatchObject({ marginFloor: usd(9.29), margin: 4_500 });
    // 13.00 / (1 - 15% - 15%).
    expect(await metricsOf(theirs)).toMatchObject({ marginFloor: usd(18.58), margin: 2_000 });
    expect(await readListingRows(db, [theirs], NOW)).toMatchObject([{ profit: '4.00', feeRate: '15.00' }]);
  });

  test('prices with an own commission before what was reported, and with shares for advertising and returns', async () => {
    await addSku(db, 'A-1');
    const id = await addListing(db, 'A-1', { marketplace: 'amazon', feeRate: pct(20), feeRateBy: 'Ann' });
    await addRule(db);
    await db.insert(feeFacts).values({
      ...{
        listingId: id,
        kind: 'commission',
        source: 'estimate',
        fulfillmentType: 'FBM',
        askedShipping: usd(0),
      },
      askedPrice: usd(20),
      amount: usd(3),
      toldAt: NOW,
    });
    const floor = async () => {
      await db.delete(dueListings);
      await reprice();
      return (await metricsOf(id))?.marginFloor;
    };
    const shown = async () => {
      const [row] = await readListingRows(db, [id], NOW);
      return { feeRate: row?.feeRate, isReported: row?.feeTold !== null };
    };
    // 10.00 / (1 - 15% - 20%), and with 5% for advertising.
    expect(await floor()).toBe(usd(15.39));
    expect(await shown()).toEqual({ feeRate: '20.00', isReported: false });
    expect(await metricsOf(id)).toMatchObject({ toldRate: pct(15), scheduledRate: pct(20) });
    await db.delete(dueListings);
    await db
      .update(feeTerms)
      .set({ adShare: pct(5) })
      .where(eq(feeTerms.marketplace, 'amazon'));
    expect(await db.select().from(dueListings)).toMatchObject([{ listingId: id, cause: 'fees' }]);
    expect(await floor()).toBe(usd(16.67));
    // Shares are no fees.
    expect(await shown()).toEqual({ feeRate: '20.00', isReported: false });
    await db.delete(dueListings);
    await db.update(listings).set({ adShare: pct(0), returnShare: pct(10) });
    expect(await db.select().from(dueListings)).toMatchObject([{ listingId: id, cause: 'listing' }]);
    expect(await floor()).toBe(usd(18.19));
    expect(await shown()).toEqual({ feeRate: '20.00', isReported: false });
    await db.update(listings).set({ feeRate: null, feeRateBy: null, returnShare: null });
    // What was reported, rounded up by half a cent: no schedule of this shop has a minimum.
    expect(await floor()).toBe(usd(14.29));
    expect(await metricsOf(id)).toMatchObject({ toldRate: null });
    expect(await shown()).toEqual({ feeRate: '15.00', isReported: true });
  });

  test('applies the price, shows why, and waits for the upload of its file', async () => {
    const id = await seedOne();
    const runId = await reprice();
    const [first, second, ...others] = await movesOf(id);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ oldPrice: null, newPrice: usd(20), source: 'import' });
    expect(second).toMatchObject({
      oldPrice: usd(20),
      newPrice: usd(17.99),
      source: 'rule',
      runId,
      competitorPrice: usd(18),
      marginFloor: usd(14.29),
      reason: "Beat Corner Store's $18.00 by $0.01.",
      // 35.00 % before, 29.41 % after, both rounded down.
      marginImpact: pct(-5.59),
    });
    expect(await listingOf(id)).toMatchObject({
      currentPrice: usd(17.99),
      anchorPrice: usd(20),
      awaitingUploadSince: NOW,
      recommendedPrice: null,
      competitorPrice: usd(18),
      lastRepriced: NOW,
    });
    expect(await metricsOf(id)).toMatchObject({
      outcome: 'change',
      totalCost: usd(10),
      margin: pct(29.41),
      marginFloor: usd(14.29),
      thirdPartyFbmPrice: usd(18),
      missingFacts: [],
    });
  });

  test('explains a price from the ledger after rule, cost and fees have changed', async () => {
    const id = await seedOne();
    await reprice();
    const [, move] = await movesOf(id);
    await db.execute(sql`UPDATE repricing_rules SET minimum_margin = 60, name = 'Another'`);
    await db.execute(sql`UPDATE skus SET product_cost = 99`);
    const stored = readStoredCase(move?.facts);
    expect(stored).not.toBeNull();
    if (stored === null) return;
    const { sentence, decision, trace } = explain(stored.facts, stored.choice, stored.policy);
    expect(sentence).toBe(move?.reason);
    expect(decision.price).toBe(usd(17.99));
    expect(trace.rule?.name).toBe('Beat everybody');
  });

  test('a second run over the same facts writes nothing but its own row', async () => {
    const id = await seedOne();
    await reprice();
    await db.update(listings).set({ awaitingUploadSince: null }).where(eq(listings.id, id));
    const later = (NOW + 60_000) as Instant;
    await reprice(later);
    const before = await metricsOf(id);
    const third = await reprice((NOW + 120_000) as Instant);
    expect(await movesOf(id)).toHaveLength(2);
    expect(await metricsOf(id)).toEqual(before);
    expect(await db.select().from(runItems).where(eq(runItems.runId, third))).toEqual([]);
  });

  test('a new listing cannot exceed the daily limit in several runs', async () => {
    const id = await seedOne();
    await db.execute(sql`UPDATE competitor_offers SET price = 5`);
    for (let run = 0; run < 5; run++) {
      await reprice((NOW + run * 1_000) as Instant);
      await db.update(listings).set({ awaitingUploadSince: null }).where(eq(listings.id, id));
    }
    // $14.29 is the floor; 30 % under $20.00 would be $14.00, and one step of 15 % is $17.00.
    expect((await movesOf(id)).map(({ newPrice }) => newPrice)).toEqual([
      usd(20),
      usd(17),
      usd(14.45),
      usd(14.29),
    ]);
  });

  test.each([
    ['one competitor', false],
    ['offers without a seller', true],
  ])('pauses after six reductions in a day against %s', async (_whom, isNameless) => {
    const id = await seedOne();
    if (isNameless)
      await db.execute(
        sql`UPDATE competitor_offers SET seller_name = NULL, seller_key = NULL, seller_hash = NULL`,
      );
    await db.execute(sql`UPDATE app_settings SET max_step = 99, max_daily_change = 99`);
    for (let cent = 0; cent < 8; cent++) {
      await db.execute(sql`UPDATE competitor_offers SET price = 18 - ${cent} * 0.02`);
      await reprice((NOW + cent * 60_000) as Instant);
      await db.update(listings).set({ awaitingUploadSince: null }).where(eq(listings.id, id));
    }
    expect(await movesOf(id)).toHaveLength(7);
    expect(await metricsOf(id)).toMatchObject({ outcome: 'keep', reasonCode: 'price_war' });
  });
});

describe('a marketplace in recommend only mode', () => {
  test('recommends, with the reason and a stored item, and clears it once the price is right', async () => {
    const id = await seedOne();
    const runId = await reprice();
    expect(await listingOf(id)).toMatchObject({
      currentPrice: usd(20),
      recommendedPrice: usd(17.99),
      recommendedPriceReason: expect.stringContaining('recommend only'),
      awaitingUploadSince: null,
    });
    const [item] = await db.select().from(runItems).where(eq(runItems.runId, runId));
    expect(item).toMatchObject({ outcome: 'recommend', reviewReason: 'recommend_only', price: usd(17.99) });
    expect((await metricsOf(id))?.runId).toBe(runId);
    await reprice((NOW + 60_000) as Instant);
    expect((await metricsOf(id))?.runId).toBe(runId);
    await db.execute(sql`DELETE FROM competitor_offers`);
    await reprice((NOW + 120_000) as Instant);
    expect(await listingOf(id)).toMatchObject({ recommendedPrice: null, recommendedPriceReason: null });
  });
});

test('a recommendation against another competitor says so, and its facts are stored with it', async () => {
  const id = await seedOne();
  await reprice();
  await db.execute(sql`UPDATE competitor_offers SET seller_name = 'Newcomer', seller_key = 'newcomer'`);
  const second = await reprice((NOW + 60_000) as Instant);
  expect(await listingOf(id)).toMatchObject({
    recommendedPrice: usd(17.99),
    recommendedPriceReason: expect.stringContaining('Newcomer'),
  });
  expect((await metricsOf(id))?.runId).toBe(second);
  const [item, ...others] = await db.select().from(runItems).where(eq(runItems.runId, second));
  expect(others).toEqual([]);
  expect(JSON.stringify(item?.facts)).toContain('Newcomer');
  const third = await reprice((NOW + 120_000) as Instant);
  expect(await db.select().from(runItems).where(eq(runItems.runId, third))).toEqual([]);
});

describe('what is unknown', () => {
  test('blocks with its gaps and leaves figures empty', async () => {
    await addSku(db, 'A-1', { productCost: null });
    const over = { marketplace: 'ebay', shippingCost: null, fulfillmentType: 'FBA/WFS' } as const;
    const id = await addListing(db, 'A-1', over);
    await addRule(db);
    await reprice();
    expect(await metricsOf(id)).toMatchObject({
      outcome: 'blocked',
      reasonCode: 'unknown_cost',
      missingFacts: ['no_product_cost', 'no_fulfillment_cost'],
      totalCost: null,
      margin: null,
      marginFloor: null,
    });
  });

  test('a stale offer does not count, nor does one of ours, and neither says that there is no competitor', async () => {
    const id = await seedOne();
    await setLive(db, 'walmart');
    await db.execute(
      sql`UPDATE competitor_offers SET seen_at = ${new Date(NOW - hours(25)).toISOString()}::timestamptz`,
    );
    await addOffer(db, id, 12, { by: ' our SHOP ' });
    await reprice();
    expect(await metricsOf(id)).toMatchObject({
      outcome: 'keep',
      reasonCode: 'not_read',
      thirdPartyFbmPrice: null,
      competition: 'not_read',
      notReadSince: null,
    });
  });
});

test('a category that the product type maps to lowers the margin floor only once it is accepted', async () => {
  const id = await seedOne();
  const floor = async () => {
    await reprice();
    return (await metricsOf(id))?.marginFloor;
  };
  const [schedule] = await db
    .insert(feeSchedules)
    .values({ marketplace: 'walmart', category: 'Screens' })
    .returning({ id: feeSchedules.id });
  if (schedule === undefined) throw new Error('no schedule');
  await db
    .insert(feeBands)
    .values({ scheduleId: schedule.id, percent: pct(8), fixed: usd(0), minimum: usd(0) });
  await db
    .insert(categoryMap)
    .values({ marketplace: 'walmart', kind: 'product_type', key: 'TV', category: 'Screens' });
  await db.update(listings).set({ productType: 'TV' });
  expect(await floor()).toBe(usd(14.29));
  await db.update(listings).set({ acceptedCategory: 'Screens' });
  expect(await floor()).toBe(usd(12.99));
  // Another one is accepted on its own.
  await db.update(listings).set({ acceptedCategory: 'Sound' });
  expect(await floor()).toBe(usd(14.29));
  await db
    .update(feeBands)
    .set({ percent: pct(17) })
    .where(eq(feeBands.scheduleId, schedule.id));
  expect(await floor()).toBe(usd(14.71));
  await db.update(listings).set({ feeCategory: 'Lamps' });
  await reprice();
  expect(await metricsOf(id)).toMatchObject({ outcome: 'blocked' });
});

test('apparel found by its product type has the fulfillment fee of apparel, accepted or not', async () => {
  await addSku(db, 'A-1', { weightOz: ounces(96), lengthIn: 12, widthIn: 10, heightIn: 10 });
  const id = await addListing(db, 'A-1', { fulfillmentType: 'FBA/WFS', shippingCost: null });
  await db.insert(feeSchedules).values({ marketplace: 'walmart', category: 'Clothing' });
  await db.execute(sql`INSERT INTO fee_bands (schedule_id, percent, fixed, minimum)
    SELECT id, 15, 0, 0 FROM fee_schedules WHERE category = 'Clothing'`);
  await db
    .insert(categoryMap)
    .values({ marketplace: 'walmart', kind: 'product_type', key: 'SHIRT', category: 'Clothing' });
  await db.update(listings).set({ productType: 'SHIRT' });
  const [input] = await loadPricingInputs(db, await loadPricingContext(db, NOW), [id]);
  // 7.75 for 9 lb, and 0.50.
  expect(input?.facts.cost.fulfillment).toBe(usd(8.25));
});

test('a hazardous SKU has no estimate for FBA and a surcharge for WFS, in a bundle too', async () => {
  await addSku(db, 'A-1', { weightOz: ounces(96), lengthIn: 12, widthIn: 10, heightIn: 10 });
  const part = await addSku(db, 'PART', { weightOz: ounces(96) });
  const stored = { fulfillmentType: 'FBA/WFS', shippingCost: null } as const;
  const wfs = await addListing(db, 'A-1', stored);
  const fba = await addListing(db, 'A-1', { ...stored, marketplace: 'amazon' });
  const set = await addListing(db, 'SET', { ...stored, marketplace: 'amazon' });
  await db.insert(bundleComponents).values({ listingSku: 'SET', componentSkuId: part, quantity: 1 });
  // Outside of the holiday season, which has fees of its own.
  const context = await loadPricingContext(db, instant(Date.UTC(2026, 6, 1)));
  const costs = async () => {
    const inputs = await loadPricingInputs(db, context, [wfs, fba, set]);
    return inputs.map(({ facts: { cost } }) => cost.fulfillment ?? cost.gaps);
  };
  // 9 lb and 8.63 lb by size, 6 lb by weight.
  expect(await costs()).toEqual([usd(7.75), usd(10.96), usd(8.21)]);
  await db.delete(dueListings);
  await db.update(skus).set({ isHazardous: true }).where(eq(skus.id, part));
  expect(await db.select().from(dueListings)).toMatchObject([{ listingId: set, cause: 'cost' }]);
  const unknown = (sku: string) => [{ kind: 'no_fulfillment_cost', sku, noEstimate: 'hazardous' }];
  expect(await costs()).toEqual([usd(7.75), usd(10.96), unknown('SET')]);
  await db.update(skus).set({ isHazardous: true });
  expect(await costs()).toEqual([usd(8.25), unknown('A-1'), unknown('SET')]);
});

test('whatever a decision is made from marks its listings as due', async () => {
  const id = await seedOne();
  const other = await addListing(db, 'A-1', { marketplace: 'ebay' });
  const due = async (): Promise<number[]> => {
    const rows = await db.delete(dueListings).returning({ id: dueListings.listingId });
    return rows.map((row) => row.id).sort((a, b) => a - b);
  };
  expect(await due()).toEqual([id, other]);
  const causes: [string, number[]][] = [
    [`UPDATE skus SET product_cost = 11`, [id, other]],
    [`UPDATE skus SET is_hazardous = true`, [id, other]],
    [`UPDATE skus SET name = 'Renamed'`, []],
    [`UPDATE listings SET min_price = 5 WHERE id = ${id}`, [id]],
    [`UPDATE listings SET product_type = 'Sound Bars' WHERE id = ${id}`, [id]],
    [`UPDATE listings SET external_category = '267' WHERE id = ${other}`, [other]],
    [`UPDATE listings SET accepted_category = 'Books' WHERE id = ${other}`, [other]],
    [`INSERT INTO category_map VALUES ('ebay', 'external_category', '267', 'Books')`, [other]],
    [`UPDATE listings SET title = 'Renamed'`, []],
    [`UPDATE repricing_rules SET minimum_margin = 20`, [id, other]],
    [`UPDATE app_settings SET max_step = 10`, [id, other]],
    [`UPDATE app_settings SET notifications = false`, []],
    [`UPDATE repricing_state SET halted = true`, []],
    [`UPDATE repricing_state SET halted = false`, [id, other]],
    [`UPDATE marketplace_modes SET mode = 'live' WHERE marketplace = 'ebay'`, [other]],
    [`DELETE FROM competitor_offers`, [id]],
    [`INSERT INTO own_sellers (marketplace, name, seller_key) VALUES ('ebay', 'Us', 'us')`, [other]],
    [`INSERT INTO bundle_components (listing_sku, component_sku_id) SELECT 'A-1', id FROM skus`, [id, other]],
    [`DELETE FROM fee_schedules WHERE marketplace = 'ebay'`, [other]],
    [
      `INSERT INTO shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost) VALUES ('walmart', 'FBM', 0, 9, 1)`,
      [id],
    ],
  ];
  for (const [statement, expected] of causes) {
    await db.execute(sql.raw(statement));
    expect([statement, await due()]).toEqual([statement, expected]);
  }
  await setLive(db, 'walmart');
  await due();
  await reprice();
  expect(await due()).toEqual([]);
});

describe('a commission reported by the marketplace', () => {
  const reported = (
    listingId: number,
    days: number,
    amount: number,
    over: Partial<typeof feeFacts.$inferInsert> = {},
  ) =>
    db.insert(feeFacts).values({
      listingId,
      kind: 'commission',
      source: 'estimate',
      fulfillmentType: 'FBM',
      askedPrice: usd(20),
      askedShipping: usd(0),
      amount: usd(amount),
      toldAt: (NOW - hours(24 * days)) as Instant,
      ...over,
    });
  const due = async () => {
    const rows = await db
      .select({ id: dueListings.listingId })
      .from(dueListings)
      .orderBy(dueListings.listingId);
    await db.delete(dueListings);
    return rows.map(({ id }) => id);
  };
  let id: number;
  beforeEach(async () => {
    await addSku(db, 'A-1');
    id = await addListing(db, 'A-1', { marketplace: 'amazon' });
    await addRule(db);
    await due();
  });

  test('makes its listing due when it says something else, and only if it is used', async () => {
    await reported(id, 9, 3);
    expect(await due()).toEqual([id]);
    // A lower fee counts when it is reported again a day later.
    await reported(id, 8.5, 3);
    expect(await due()).toEqual([id]);
    await reported(id, 7.5, 3);
    expect(await due()).toEqual([id]);
    await reported(id, 7.2, 3);
    expect(await due()).toEqual([]);
    await reported(id, 7, 3.4, { refusedBecause: 'out_of_range' });
    expect(await due()).toEqual([]);
    await reported(id, 6, 3.4);
    expect(await due()).toEqual([id]);
    await reported(id, 5, 3.4, { askedPrice: usd(21) });
    expect(await due()).toEqual([id]);
  });

  test('that two sales of a category agree in makes all its listings due, once', async () => {
    const ids = [];
    for (const sku of ['S-1', 'S-2', 'S-3', 'S-4']) {
      ids.push(await addListing(db, sku, { marketplace: sku === 'S-4' ? 'ebay' : 'walmart' }));
    }
    const [one = 0, two = 0, three = 0, elsewhere = 0] = ids;
    const settled = (over: object = {}) => ({ source: 'settled' as const, categoryTold: 'Toys', ...over });
    await reported(three, 50, 3, settled());
    await reported(elsewhere, 50, 3, settled());
    await due();
    const dueAfter = async (listingId: number, days: number, amount: number, over: object = {}) => {
      await reported(listingId, days, amount, settled(over));
      return due();
    };
    // A new rate, reported once, then by a second sale, then at a price between, below and, of another category, alone.
    expect(await dueAfter(one, 9, 3.4)).toEqual([one]);
    expect(await dueAfter(two, 8, 5.1, { askedPrice: usd(30) })).toEqual([one, two, three]);
    expect(await dueAfter(one, 7, 4.25, { askedPrice: usd(25) })).toEqual([one]);
    expect(await dueAfter(one, 6, 1.7, { askedPrice: usd(10) })).toEqual([one, two, three]);
    expect(await dueAfter(two, 5, 3.4, { categoryTold: 'Garden' })).toEqual([two]);
    expect(await dueAfter(two, 4, 8, { refusedBecause: 'rejected' })).toEqual([]);
  });

  test.each([
    ['a rise above an accepted category at once', 8, 'Screens', 2.4, 2.4],
    ['a fall below a category that is only mapped not before it is told again', 20, null, 3.2, 4],
  ])('counts where no schedule fits it: %s', async (_, percent, acceptedCategory, amount, fee) => {
    const [schedule] = await db
      .insert(feeSchedules)
      .values({ marketplace: 'amazon', category: 'Screens' })
      .returning({ scheduleId: feeSchedules.id });
    if (schedule !== undefined) await db.insert(feeBands).values({ ...schedule, percent: pct(percent) });
    await db
      .insert(categoryMap)
      .values({ marketplace: 'amazon', kind: 'product_type', key: 'TV', category: 'Screens' });
    await db.update(listings).set({ productType: 'TV', acceptedCategory });
    await reported(id, 0, amount);
    const [input] = await loadPricingInputs(db, await loadPricingContext(db, NOW), [id]);
    expect(Math.floor(feeTimesWhole(input?.facts.fees ?? { pieces: [] }, usd(20)) / WHOLE)).toBe(usd(fee));
  });

  test('example 30: is decided with, a rise at once and a fall when it is reported again a day later', async () => {
    for (const percent of [17, 8]) {
      const [schedule] = await db
        .insert(feeSchedules)
        .values({ marketplace: 'amazon', category: `Flat ${percent}` })
        .returning({ scheduleId: feeSchedules.id });
      if (schedule !== undefined) await db.insert(feeBands).values({ ...schedule, percent: pct(percent) });
    }
    const floorAfter = async (days: number, amount: number) => {
      await reported(id, days, amount);
      await reprice();
      return (await metricsOf(id))?.marginFloor;
    };
    expect(await floorAfter(3, 3)).toBe(usd(14.29));
    expect(await floorAfter(2, 3.4)).toBe(usd(14.71));
    expect(await floorAfter(1, 1.6)).toBe(usd(14.71));
    expect(await floorAfter(0, 1.6)).toBe(usd(12.99));
    const [input] = await loadPricingInputs(db, await loadPricingContext(db, NOW), [id]);
    expect(input?.facts.fees?.basis.source).toMatchObject({
      kind: 'told',
      by: 'estimate',
      askedPrice: usd(20),
      toldAt: NOW,
    });
  });

  test('is at least that of other listings charged by the same category, once this one was charged by it', async () => {
    const ids = [];
    for (const sku of ['A-2', 'A-3', 'A-4']) {
      await addSku(db, sku);
      ids.push(await addListing(db, sku, { marketplace: sku === 'A-4' ? 'ebay' : 'walmart' }));
    }
    const [one = 0, other = 0, elsewhere = 0] = ids;
    const settled = { source: 'settled' as const, categoryTold: 'Toys' };
    await reported(one, 3, 4, settled);
    await reported(other, 4, 3.6, { ...settled, askedPrice: usd(12) });
    await reported(other, 2, 3, { ...settled, askedPrice: usd(10) });
    // Neither what is too old, nor what was refused, nor another category, nor another marketplace, although two sales agree.
    for (const days of [0, 1]) {
      await reported(other, 61 + days, 9, { ...settled, askedPrice: usd(15) });
      await reported(other, 1 + days, 9, { ...settled, askedPrice: usd(16), refusedBecause: 'rejected' });
      await reported(other, 1 + days, 9, { ...settled, askedPrice: usd(17), categoryTold: 'Garden' });
      await reported(elsewhere, 1 + days, 9, { ...settled, askedPrice: usd(18) });
    }
    const feeAt = async (price: number) => {
      const [input] = await loadPricingInputs(db, await loadPricingContext(db, NOW), [one]);
      return Math.floor(feeTimesWhole(input?.facts.fees ?? { pieces: [] }, usd(price)) / WHOLE);
    };
    expect([await feeAt(20), await feeAt(16), await feeAt(10)]).toEqual([usd(4), usd(4.8), usd(3)]);
  });

  test('that differs from the fee schedule is remembered until they agree', async () => {
    await reported(id, 2, 3.4);
    await reprice();
    expect(await metricsOf(id)).toMatchObject({
      toldRate: pct(17),
      scheduledRate: pct(15),
      isFeeHeld: false,
    });
    await reported(id, 1, 3);
    await reprice();
    expect(await metricsOf(id)).toMatchObject({ toldRate: null, scheduledRate: null, isFeeHeld: true });
  });
});

describe('a rule with lines', () => {
  const WIN =
    'winning: raise 1% every 1 h up to ceiling\nlosing: floor, for 2 h then not for 4 h\notherwise: own price';
  const later = (count: number) => (NOW + hours(count)) as Instant;
  const uploaded = () => db.update(listings).set({ awaitingUploadSince: null });
  const memories = () => db.select().from(lineMemories);

  async function seedLined(lines: string): Promise<number> {
    await setLive(db, 'walmart');
    await addSku(db, 'A-1');
    const id = await addListing(db, 'A-1');
    await addRule(db, { lines, onlySameShipping: false });
    await addOffer(db, id, 21);
    await declareSeller(db, 'walmart');
    return id;
  }

  test('remembers since when its situation lasts and when turns began, and its price explains itself', async () => {
    const id = await seedLined(WIN);
    await reprice();
    expect(await memories()).toMatchObject([{ situation: 'winning', situationSince: NOW, turns: {} }]);
    expect((await movesOf(id)).at(-1)).toMatchObject({ newPrice: usd(20.2), source: 'rule' });
    await uploaded();
    await reprice(later(1));
    expect(await memories()).toMatchObject([{ situation: 'winning', situationSince: NOW }]);
    await db.execute(sql`UPDATE competitor_offers SET price = 15`);
    await uploaded();
    await reprice(later(2));
    expect(await memories()).toMatchObject([
      { situation: 'losing', situationSince: later(2), turns: { 2: later(2) } },
    ]);
    const last = (await movesOf(id)).at(-1);
    const stored = readStoredCase(last?.facts);
    expect(stored?.facts.signals).toMatchObject({ situation: { kind: 'winning', since: NOW }, turns: {} });
    const { facts, choice, policy } = stored as NonNullable<typeof stored>;
    expect(explain(facts, choice, policy).sentence).toBe(last?.reason);
    // After its two hours the line rests.
    await uploaded();
    await reprice(later(5));
    expect((await listingOf(id))?.currentPrice).toBe(usd(19.94));
  });

  test('forgets with an edit of the lines, and where another rule applies', async () => {
    await seedLined(WIN);
    await reprice();
    await db.update(repricingRules).set({ lines: 'winning: hold' });
    await reprice(later(1));
    expect(await memories()).toMatchObject([{ situation: 'winning', situationSince: later(1) }]);
    await db.update(repricingRules).set({ lines: null });
    await reprice(later(2));
    expect(await memories()).toEqual([]);
  });

  test('knows the share of the buy box from three readings on, stock and sales only where they are reported', async () => {
    const id = await seedLined(
      'buy box share 60% or more and stock 5 or less: hold\nno sale for 30 days: floor',
    );
    const signals = async () => {
      const [input] = await loadPricingInputs(db, await loadPricingContext(db, NOW), [id]);
      return input?.facts.signals;
    };
    const read = (count: number, isOurs: boolean) =>
      db.execute(
        sql`INSERT INTO box_readings VALUES (${id}, ${new Date(later(-count)).toISOString()}, ${isOurs})`,
      );
    await read(1, true);
    await read(2, true);
    await read(7, true);
    expect(await signals()).toMatchObject({ boxShare: null, stock: null, sold: null, lastSaleAt: null });
    await read(3, false);
    expect(await signals()).toMatchObject({ boxShare: 6_666 });
  });

  test('blocks where its stored text is not understood', async () => {
    const id = await seedLined('win: raise');
    await reprice();
    expect(await metricsOf(id)).toMatchObject({ outcome: 'blocked', reasonCode: 'unreadable_rule' });
  });
});
