import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SalesImpact } from '#contract/costs.ts';
import { listTiers } from '#db/queries/catalog/tiers.ts';
import { listings } from '#db/schema/listings.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { transact } from '#db/transact.ts';
import { bps, type Cents, cents, hours, type Instant, instant, ounces } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addSku, addTier } from '#tests/support/seed.ts';
import { editImpact } from '#usecases/catalog/bulk-actions/edit-impact.ts';
import { confirmSingle } from '#usecases/catalog/bundles/confirm-single.ts';
import { removeBundle } from '#usecases/catalog/bundles/remove-bundle.ts';
import { saveBundles } from '#usecases/catalog/bundles/save-bundles.ts';
import { editListingCosts } from '#usecases/catalog/costs/edit-listing-costs.ts';
import { listingCostImpact } from '#usecases/catalog/costs/listing-cost-impact.ts';
import { editListing } from '#usecases/catalog/listings/edit-listing.ts';
import { editSku } from '#usecases/catalog/skus/edit-sku.ts';
import { skuImpact } from '#usecases/catalog/skus/sku-impact.ts';
import { editTier } from '#usecases/catalog/tiers/edit-tier.ts';
import { tierImpact } from '#usecases/catalog/tiers/tier-impact.ts';
import { computeDueSales } from './compute-sales.ts';

const engine = engineFixture();
const DAY = hours(24);
const ANN = { id: 'ann', name: 'Ann', address: '127.0.0.1', requestId: 'r-1' };
const deps = () => ({ db: engine.db, now: () => engine.now });
const day = (count: number): Instant => instant(engine.now + count * DAY);

/** One unit for $20.00, delivered free. @param at the moment of the sale */
async function sell(listingId: number, at: Instant, unitPrice: Cents = usd(20)): Promise<void> {
  const amounts = { unitPrice, totalRevenue: unitPrice, shippingRevenue: usd(0) };
  await engine.db.insert(salesHistory).values({ listingId, saleDate: at, quantitySold: 1, ...amounts });
}

async function compute(): Promise<void> {
  while (await transact(engine.db, (tx) => computeDueSales(tx, engine.now)));
}

/** Computes what is due. @returns the profit of every sale, the oldest first */
async function profits(): Promise<(Cents | null)[]> {
  await compute();
  const rows = await engine.db.select().from(salesHistory).orderBy(salesHistory.saleDate, salesHistory.id);
  return rows.map(({ totalMargin }) => totalMargin);
}

async function versionsOf(
  listingId: number,
): Promise<{ version: number; skuVersion: number; skuId: number }> {
  const { rows } = await engine.db.execute<{ version: number; skuVersion: number; skuId: number }>(sql`
    SELECT l.version, s.version AS "skuVersion", s.id::int AS "skuId" FROM listings l JOIN skus s ON s.sku = l.sku
    WHERE l.id = ${listingId}`);
  const [row] = rows;
  if (row === undefined) throw new Error('The listing has no SKU.');
  return row;
}

describe('a cost that begins on an earlier day', () => {
  test('of the shipping of a listing changes the sales since that day, by what was shown before', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8) });
    const id = await addListing(engine.db, 'A-1', { shippingCost: usd(4.5) });
    for (const days of [-30, -20, -1]) await sell(id, day(days));
    expect(await profits()).toEqual([usd(4.5), usd(4.5), usd(4.5)]);
    const edit = { shipping: usd(5.5), costSince: day(-20) };
    const shown = await listingCostImpact(deps(), id, edit);
    expect(shown).toEqual({ changed: 2, profitChange: '-2.00', isMore: false });
    const { version, skuVersion } = await versionsOf(id);
    await editListingCosts(deps(), id, { version, skuVersion, ...edit }, ANN);
    expect(await profits()).toEqual([usd(4.5), usd(3.5), usd(3.5)]);
  });

  test('is given for a cost that was entered before', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8) });
    const id = await addListing(engine.db, 'A-1', { shippingCost: usd(4.5) });
    const save = async (costSince?: Instant) => {
      const { version, skuVersion } = await versionsOf(id);
      await editListingCosts(deps(), id, { version, skuVersion, shipping: usd(5.5), costSince }, ANN);
    };
    await sell(id, day(-1));
    await save();
    expect(await profits()).toEqual([usd(4.5)]);
    await save(day(-9));
    expect(await profits()).toEqual([usd(3.5)]);
  });

  test('of a listing without a SKU, of its own commission and of its fee category', async () => {
    await engine.db.execute(sql`WITH dear AS (INSERT INTO fee_schedules (marketplace, category) VALUES ('walmart', 'Dear')
      RETURNING id) INSERT INTO fee_bands (schedule_id, percent) SELECT id, 30 FROM dear`);
    await addSku(engine.db, 'A-1', { productCost: usd(8) });
    const id = await addListing(engine.db, 'A-1', { productType: 'MUG' });
    for (const days of [-30, -20, -10, -1]) await sell(id, day(days));
    const save = async (fields: object) =>
      editListing(deps(), id, { version: (await versionsOf(id)).version, fields }, ANN);
    await save({ feeRate: pct(20), costSince: day(-20) });
    expect(await profits()).toEqual([usd(9), usd(8), usd(8), usd(8)]);
    const category = { feeRate: null, feeCategory: 'Dear', costSince: day(-10) };
    expect(await listingCostImpact(deps(), id, category)).toMatchObject({
      changed: 2,
      profitChange: '-4.00',
    });
    await save(category);
    expect(await profits()).toEqual([usd(9), usd(8), usd(6), usd(6)]);
  });

  test('of a shipping tier changes the sales since that day, and leaves weights that it no longer has', async () => {
    await addTier(engine.db, 'walmart', 4.5, 16);
    for (const [sku, weight] of [
      ['A-1', 8],
      ['A-2', 15],
    ] as const) {
      await addSku(engine.db, sku, { productCost: usd(8), weightOz: ounces(weight) });
      const id = await addListing(engine.db, sku, { shippingCost: null });
      for (const days of [-30, -20, -1]) await sell(id, day(days));
    }
    expect(await profits()).toEqual(Array.from({ length: 6 }, () => usd(4.5)));
    const [tier] = await listTiers(engine.db);
    const place = {
      marketplace: 'walmart',
      fulfillmentType: 'FBM',
      minWeightOz: 0,
      maxWeightOz: 12,
    } as const;
    const edit = { ...place, cost: usd(5.5), costSince: day(-20) };
    expect(await tierImpact(deps(), { id: String(tier?.id), ...edit })).toMatchObject({
      changed: 2,
      profitChange: '-2.00',
    });
    await editTier(deps(), tier?.id ?? 0, edit, ANN);
    // Of the lighter one and the heavier one, day by day.
    expect(await profits()).toEqual([4.5, 4.5, 3.5, 4.5, 3.5, 4.5].map(usd));
  });

  test('leaves what was told of a sale', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8) });
    const id = await addListing(engine.db, 'A-1');
    await sell(id, day(-1));
    await engine.db.update(salesHistory).set({ feesTold: usd(2) });
    const { version } = await versionsOf(id);
    await editListing(deps(), id, { version, fields: { feeRate: pct(20), costSince: day(-9) } }, ANN);
    expect(await profits()).toEqual([usd(10)]);
  });

  test('cannot be in the future', async () => {
    await addSku(engine.db, 'A-1');
    await addTier(engine.db, 'walmart', 4.5, 16);
    const id = await addListing(engine.db, 'A-1');
    const { version, skuVersion } = await versionsOf(id);
    const costSince = instant(engine.now + 1);
    const place = {
      marketplace: 'walmart',
      fulfillmentType: 'FBM',
      minWeightOz: 0,
      maxWeightOz: 16,
    } as const;
    const tier = { ...place, cost: usd(5), costSince };
    const costs = { shipping: usd(5), costSince };
    const [stored] = await listTiers(engine.db);
    for (const action of [
      () => editListingCosts(deps(), id, { version, skuVersion, ...costs }, ANN),
      () => listingCostImpact(deps(), id, costs),
      () => editListing(deps(), id, { version, fields: { feeRate: pct(20), costSince } }, ANN),
      () => editTier(deps(), stored?.id ?? 0, tier, ANN),
      () => tierImpact(deps(), { id: null, ...tier }),
    ]) {
      await expect(action()).rejects.toMatchObject({ code: 'validation_failed' });
    }
  });
});

describe('the estimate of an earlier sale stays', () => {
  test('when the listing gets another fee category or product type', async () => {
    await engine.db.execute(sql`WITH dear AS (INSERT INTO fee_schedules (marketplace, category) VALUES ('walmart', 'Dear')
      RETURNING id) INSERT INTO fee_bands (schedule_id, percent) SELECT id, 30 FROM dear`);
    await engine.db.execute(sql`INSERT INTO category_map (marketplace, kind, key, category)
      VALUES ('walmart', 'product_type', 'VASE', 'Dear')`);
    await addSku(engine.db, 'A-1', { productCost: usd(8) });
    const typed = await addListing(engine.db, 'A-1', { productType: 'MUG' });
    for (const days of [-30, 1]) await sell(typed, day(days));
    const change = (set: object) =>
      engine.db.update(listings).set({ ...set, updatedAt: engine.now, version: 2 });
    await change({ productType: 'VASE' });
    expect(await profits()).toEqual([usd(9), usd(6)]);
    await change({ productType: 'MUG', version: 3 });
    await change({ feeCategory: 'Dear', version: 4 });
    expect(await profits()).toEqual([usd(9), usd(6)]);
  });

  test('when its SKU gets another size', async () => {
    const size = { lengthIn: 12, widthIn: 10, heightIn: 10 };
    const skuId = await addSku(engine.db, 'A-1', { productCost: usd(8), weightOz: ounces(96), ...size });
    const id = await addListing(engine.db, 'A-1', { fulfillmentType: 'FBA/WFS', shippingCost: null });
    for (const days of [-30, 1]) await sell(id, day(days), usd(30));
    const before = await profits();
    const { skuVersion } = await versionsOf(id);
    await editSku(deps(), skuId, { version: skuVersion, lengthIn: 20, widthIn: 20, heightIn: 20 }, ANN);
    const [earlier, later] = await profits();
    expect(earlier).toBe(before[0]);
    expect(later).toBeLessThan(before[1] ?? 0);
  });

  test('when its fulfillment fee is entered after the marketplace reported one', async () => {
    await addSku(engine.db, 'A-1', { productCost: usd(8) });
    const reported = { fulfillmentCost: usd(4), fulfillmentCostIsEstimate: true } as const;
    const id = await addListing(engine.db, 'A-1', {
      fulfillmentType: 'FBA/WFS',
      marketplace: 'amazon',
      ...reported,
    });
    await engine.db.execute(sql`INSERT INTO fee_facts (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping,
        amount, told_at)
      SELECT ${id}, kind, 'estimate', 'FBA/WFS', 20, 0, amount, ${new Date(day(-40)).toISOString()}::timestamptz
      FROM (VALUES ('commission', 3), ('fulfillment', 3.5)) f (kind, amount)`);
    for (const days of [-30, 1]) await sell(id, day(days));
    expect(await profits()).toEqual([usd(5.5), usd(5.5)]);
    const { version, skuVersion } = await versionsOf(id);
    await editListingCosts(deps(), id, { version, skuVersion, fulfillment: usd(6) }, ANN);
    expect(await profits()).toEqual([usd(5.5), usd(3)]);
  });

  test('when its bundle gets other components, is removed, and is no bundle', async () => {
    const [mug, box] = [
      await addSku(engine.db, 'MUG', { productCost: usd(3) }),
      await addSku(engine.db, 'BOX', { productCost: usd(1) }),
    ];
    await addSku(engine.db, 'SET', { productCost: usd(0.5) });
    const id = await addListing(engine.db, 'SET');
    const save = (...components: (readonly [number, number])[]) =>
      saveBundles(
        deps(),
        components.map(([sku, quantity]) => ({ listingSku: 'SET', componentSkuId: String(sku), quantity })),
        {},
        ANN,
      );
    await save([mug, 2]);
    for (const days of [-30, 1, 3, 5]) await sell(id, day(days));
    expect(await profits()).toEqual([11, 11, 11, 11].map(usd));
    await save([mug, 3], [box, 1]);
    expect(await profits()).toEqual([11, 7, 7, 7].map(usd));
    engine.advance(2 * DAY);
    await removeBundle(deps(), 'SET', ANN);
    expect(await profits()).toEqual([usd(11), usd(7), null, null]);
    // Saved again while that is open: it was one all the time.
    engine.advance(2 * DAY);
    await save([mug, 4]);
    expect(await profits()).toEqual([11, 7, 5, 5].map(usd));
    await removeBundle(deps(), 'SET', ANN);
    await confirmSingle(deps(), ['SET'], ANN);
    expect(await profits()).toEqual([11, 7, 5, 16.5].map(usd));
  });
});

/** The fields that are edited, each with its value on every day. */
const FIELDS = ['product', 'misc', 'shipping', 'rate', 'tier'] as const;
type Values = Record<(typeof FIELDS)[number], number>;

test('L10: any history of dated costs gives every sale what a naive recount of its day gives, as shown before', async () => {
  const FIRST: Values = { product: 800, misc: 20, shipping: 450, rate: 1_500, tier: 300 };
  const LAST_DAY = 25;
  const edit = fc.record({
    field: fc.constantFrom(...FIELDS),
    value: fc.integer({ min: 1, max: 400 }),
    back: fc.option(fc.integer({ min: 0, max: 40 })),
  });
  const sale = fc.record({ hour: fc.integer({ min: -40 * 24, max: LAST_DAY * 24 }), isTiered: fc.boolean() });
  const history = fc.record({
    edits: fc.array(edit, { minLength: 3, maxLength: 5 }),
    sales: fc.array(sale, { minLength: 4, maxLength: 8 }),
  });
  // The database's own clock says until when a replaced tier applied: all of this is before that.
  const begin = instant(engine.now - 30 * DAY);
  const momentOf = (hour: number) => instant(begin + hours(hour));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ edits, sales }) => {
      run += 1;
      engine.advance(begin - engine.now);
      const moments = sales.map(({ hour }) => momentOf(hour));
      for (const table of ['sales_history', 'shipping_tiers', 'past_shipping_tiers'])
        await engine.db.execute(sql.raw(`DELETE FROM ${table}`));
      await addTier(engine.db, 'walmart', FIRST.tier / 100);
      const sku = `S-${run}`;
      await addSku(engine.db, sku, { productCost: cents(FIRST.product), miscCost: cents(FIRST.misc) });
      const own = await addListing(engine.db, sku, {
        shippingCost: cents(FIRST.shipping),
        feeRate: bps(FIRST.rate),
      });
      const tiered = await addListing(engine.db, `${sku}-T`, { shippingCost: null });
      await addSku(engine.db, `${sku}-T`, { productCost: usd(1) });
      for (const [index, at] of moments.entries()) await sell(sales[index]?.isTiered ? tiered : own, at);
      const recount = sales.map(() => FIRST);
      const expected = () =>
        sales.map(({ isTiered }, index) => {
          const { product, misc, shipping, rate, tier } = recount[index] ?? FIRST;
          return isTiered
            ? 2_000 - 300 - 100 - tier
            : 2_000 - Math.round((2_000 * rate) / 10_000) - product - misc - shipping;
        });
      const actual = async () => {
        await compute();
        const rows = await engine.db.select().from(salesHistory).orderBy(salesHistory.id);
        return rows.map(({ totalMargin }) => totalMargin);
      };
      expect(await actual()).toEqual(expected());
      for (const { field, value, back } of edits) {
        engine.advance(5 * DAY);
        const since = instant(engine.now - (back ?? 0) * DAY);
        const before = expected();
        for (const [index, at] of moments.entries()) {
          if (at >= since) recount[index] = { ...(recount[index] ?? FIRST), [field]: value };
        }
        const after = expected();
        const changes = after
          .map((profit, index) => profit - (before[index] ?? 0))
          .filter((change) => change !== 0);
        const shown = await save(field, value, back === null ? undefined : since, own);
        expect(shown.changed).toBe(changes.length);
        expect(Number(shown.profitChange)).toBeCloseTo(
          changes.reduce((sum, change) => sum + change, 0) / 100,
        );
        expect(await actual()).toEqual(after);
      }
    }),
    { seed: 20_261_129, numRuns: asMany(4, 60) },
  );
});

/** Saves one edit by the call of its screen. @returns what was shown before */
async function save(
  field: (typeof FIELDS)[number],
  value: number,
  costSince: Instant | undefined,
  listingId: number,
): Promise<SalesImpact> {
  const { version, skuVersion, skuId } = await versionsOf(listingId);
  const amount = cents(value);
  if (field === 'tier') {
    const [tier] = await listTiers(engine.db);
    const place = {
      marketplace: 'walmart',
      fulfillmentType: 'FBM',
      minWeightOz: 0,
      maxWeightOz: 80,
    } as const;
    const edit = { ...place, cost: amount, costSince };
    const shown = await tierImpact(deps(), { id: String(tier?.id), ...edit });
    await editTier(deps(), tier?.id ?? 0, edit, ANN);
    return shown;
  }
  if (field === 'product') {
    const edit = { productCost: amount, costSince };
    const { sales } = await skuImpact(deps(), skuId, edit);
    await editSku(deps(), skuId, { version: skuVersion, ...edit }, ANN);
    return sales;
  }
  const fields = field === 'rate' ? { feeRate: bps(value) } : { [field]: amount };
  const shown = await listingCostImpact(deps(), listingId, { ...fields, costSince });
  const ofMany = field === 'rate' ? { feeRate: bps(value) } : { shippingCost: amount };
  if (field !== 'misc')
    expect((await editImpact(deps(), [listingId], { ...ofMany, costSince })).sales).toEqual(shown);
  if (field === 'rate')
    await editListing(deps(), listingId, { version, fields: { ...fields, costSince } }, ANN);
  else await editListingCosts(deps(), listingId, { version, skuVersion, ...fields, costSince }, ANN);
  return shown;
}
