import { asc, eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { listAlerts } from '#db/queries/repricing/alerts.ts';
import { skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { cents, hours } from '#domain/units.ts';
import type { FaultPlan } from '#sandbox/faults/fault.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';
import { usd } from '#tests/builders/facts.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { addRule } from '#tests/support/seed.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';

const LISTINGS = asMany(20, 500);
/** Which listings have no competitor any longer after the day. */
const ALONE = { toFloor: 3, toCeiling: 7 };
const skuOf = (at: number): string => `A-${String(at).padStart(3, '0')}`;
const SHOP: readonly ItemPlan[] = Array.from({ length: LISTINGS }, (_, at) => ({
  marketplace: 'amazon',
  sku: skuOf(at),
  title: `Mug ${at}`,
  fulfillmentType: 'FBM',
  price: cents(2_000 + at),
  competitors: [
    { name: 'Corner Store', habit: 'stubborn', price: cents(1_950 + at), shippingCharge: cents(0) },
  ],
  viewsPerDay: 0,
}));

const fixture = engineFixture();
let sandbox: Sandbox;
/** Of ten listings four go to the margin floor without a competitor, four to the ceiling, and two are Dynamic. */
let ruleIds: readonly number[];
afterEach(() => sandbox.close());

async function addRules(): Promise<void> {
  const floor = await addRule(fixture.db, { name: 'Floor', noCompetitor: 'floor' });
  const ceiling = await addRule(fixture.db, { name: 'Ceiling', noCompetitor: 'ceiling' });
  const dynamic = await addRule(fixture.db, { name: 'Dynamic', strategy: 'Dynamic Pricing' });
  ruleIds = [floor, floor, floor, floor, ceiling, ceiling, ceiling, ceiling, dynamic, dynamic];
}

/** How many listings were decided for which reason. */
async function reasons(): Promise<Record<string, number>> {
  const rows = await fixture.db.select().from(listingMetrics);
  const found: Record<string, number> = {};
  for (const { reasonCode } of rows) found[String(reasonCode)] = (found[String(reasonCode)] ?? 0) + 1;
  return found;
}

async function prices(): Promise<readonly number[]> {
  const rows = await fixture.db.select().from(listings).orderBy(asc(listings.sku));
  return rows.map(({ currentPrice }) => currentPrice);
}

async function openAlerts(): Promise<string[]> {
  const deps = {
    db: fixture.db,
    now: () => fixture.now,
    queue: recordedQueue(),
    home: () => 'http://localhost',
  };
  await updateAlerts(deps);
  const found = await listAlerts(fixture.db, fixture.now, 50);
  return found.flatMap(({ kind, subject, endedAt }) => (endedAt === null ? [`${kind} ${subject}`] : []));
}

const FAILING: Record<
  string,
  { readonly fault?: FaultPlan; readonly quirks?: QuirkPlan; readonly alert: string }
> = {
  'calls fail': {
    fault: {
      service: 'amazon',
      kind: 'server_error',
      operation: 'getListingOffersBatch',
      seconds: 26 * 3_600,
    },
    alert: 'connection amazon',
  },
  'calls succeed, and each answer in them fails': {
    quirks: { told: { batchFails: 1 } },
    alert: 'connection amazon competitors',
  },
};

/** That a whole sync fails is an alert of its own, and tested there. */
const CASES = Object.entries(FAILING).slice(IS_ALL ? 0 : 1);

test.each(CASES)(
  'a day without competitors moves nothing but what ends a loss: %s (C37)',
  async (_, { fault, quirks, alert }) => {
    const { db } = fixture;
    const shops = await openLiveShops(fixture, {
      seed: 'a day without answers',
      items: SHOP,
      live: ['amazon'],
      costShare: 0.5,
      checkInterval: 60,
    });
    sandbox = shops.sandbox;
    const market = sandbox.world.market('amazon');
    const sentSkus = () => sandbox.world.receivedPrices().map(({ sku }) => sku);
    const pass = async (hoursLater: number): Promise<void> => {
      shops.pass(hours(hoursLater));
      await shops.check();
    };
    await addRules();
    await shops.check();
    for (const [at, { sku }] of SHOP.entries())
      await db
        .update(listings)
        .set({ ruleId: ruleIds[at % ruleIds.length] })
        .where(eq(listings.sku, sku));
    for (const each of [1, 1, 1]) await pass(each);
    expect(await reasons()).not.toHaveProperty('not_read');
    const before = await prices();
    const sentBefore = sentSkus().length;

    if (fault !== undefined) sandbox.faults.add(fault);
    if (quirks !== undefined) market.setQuirks(quirks);
    for (const each of [11, 12.5]) await pass(each);
    // The readings of before count for a day.
    expect(await reasons()).not.toHaveProperty('not_read');
    await db
      .update(skus)
      .set({ productCost: usd(15) })
      .where(eq(skus.sku, skuOf(0)));
    await pass(1);
    expect(await reasons()).toMatchObject({ not_read: LISTINGS - 1 });
    expect(await openAlerts()).toContain(alert);
    expect((await fixture.engineSwitch())?.halted).toBe(false);
    expect(sentSkus().slice(sentBefore)).toEqual([skuOf(0)]);
    expect((await prices()).slice(1)).toEqual(before.slice(1));

    // Where competitors are read again, two are alone; the competitors of all others went down by 40 cents.
    for (const [at, { sku }] of SHOP.entries()) {
      const competitor = market.item(sku)?.competitors[0];
      if (competitor === undefined) throw new Error(`${sku} has no competitor.`);
      const isAway = at === ALONE.toFloor || at === ALONE.toCeiling;
      Object.assign(competitor, isAway ? { isInStock: false } : { price: cents(competitor.price - 40) });
    }
    sandbox.faults.clear();
    market.setQuirks({ told: { batchFails: 0 } });
    for (const each of [1, 1]) await pass(each);
    expect(await reasons()).not.toHaveProperty('not_read');
    expect(await openAlerts()).not.toContain(alert);
    expect((await fixture.engineSwitch())?.halted).toBe(false);
    const after = await prices();
    expect(after[ALONE.toFloor]).toBeLessThan(before[ALONE.toFloor] ?? 0);
    expect(after[ALONE.toCeiling]).toBeGreaterThan(before[ALONE.toCeiling] ?? 0);
    const followed = after.filter((price, at) => price === (before[at] ?? 0) - 40);
    // Some meet their margin floor on the way.
    expect(followed.length).toBeGreaterThan(LISTINGS / 2);
  },
);
