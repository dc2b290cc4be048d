import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { type Cents, cents, hours } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { addRule } from '#tests/support/seed.ts';
import { explainNow } from '#usecases/repricing/explanations/explain-price.ts';

/** A listing that another seller is featured before: Amazon expects to feature ours a cent below that seller. */
const item = (sku: string, price: number, competitor: number): ItemPlan => ({
  marketplace: 'amazon',
  sku,
  title: `Mug ${sku}`,
  fulfillmentType: 'FBM',
  price: usd(price),
  shippingCharge: usd(0),
  competitors: [{ name: 'Corner Store', habit: 'stubborn', price: usd(competitor), shippingCharge: usd(0) }],
  viewsPerDay: 0,
});
const SHOP = {
  follows: item('A-1', 25, 23.41),
  climbs: item('A-2', 22, 21.41),
  staysIneligible: item('A-3', 25, 23.41),
  endsAtFloor: item('A-4', 21, 18.01),
} as const;
const RULES: Readonly<Record<string, string>> = {
  'A-1': 'featured price',
  'A-2': 'featured price, else next line; otherwise: raise 1% every 1 h',
  'A-3': 'featured price',
  'A-4': 'featured price',
};

const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

test("a rule that follows Amazon's featured offer expected price: what is sent, and what each says (C39)", async () => {
  const { db } = fixture;
  const featuredPrice = { 'A-2': 'NO_COMPETING_OFFER', 'A-3': 'OFFER_NOT_ELIGIBLE' };
  const shops = await openLiveShops(fixture, {
    seed: 'featured prices',
    items: Object.values(SHOP),
    quirks: { amazon: { told: { featuredPrice } } },
    live: ['amazon'],
    costShare: 0.4,
    checkInterval: 60,
    // Fees by the schedule, which has them for every price.
    kinds: new Set(['listings', 'offers', 'featured_prices']),
  });
  sandbox = shops.sandbox;
  const market = sandbox.world.market('amazon');
  // Both are worth the same to buyers but for their prices.
  for (const { sku } of Object.values(SHOP)) {
    const ours = market.item(sku);
    const seller = ours?.competitors[0];
    if (ours === null || seller === undefined) throw new Error(`${sku} has no competitor.`);
    Object.assign(seller, { fulfillmentType: 'FBM', handlingDays: ours.handlingDays, rating: 9_900 });
  }
  const live = (sku: string): Cents | undefined => market.item(sku)?.price;
  const sentFor = (sku: string): readonly Cents[] =>
    sandbox.world
      .receivedPrices()
      .filter((one) => one.sku === sku)
      .map(({ price }) => price);
  const explained = async (sku: string) => {
    const [row] = await db.select({ id: listings.id }).from(listings).where(eq(listings.sku, sku));
    return explainNow({ db, now: () => fixture.now }, row?.id ?? 0);
  };
  const pass = async (hoursLater: number): Promise<void> => {
    shops.pass(hours(hoursLater));
    await shops.check();
  };
  await shops.check();
  for (const [sku, lines] of Object.entries(RULES)) {
    const ruleId = await addRule(db, { name: `Featured ${sku}`, lines });
    const minPrice = sku === 'A-4' ? usd(20) : null;
    await db.update(listings).set({ ruleId, minPrice }).where(eq(listings.sku, sku));
  }
  for (const each of [1, 1, 1]) await pass(each);

  expect(sentFor('A-1')).toEqual([usd(23.4)]);
  expect(live('A-1')).toBe(usd(23.4));
  expect(sentFor('A-2')[0]).toBe(usd(22.22));
  expect(sentFor('A-3')).toEqual([]);
  expect(sentFor('A-4').at(-1)).toBe(usd(20));
  expect(live('A-4')).toBe(usd(20));
  expect((await explained('A-3')).sentence).toMatch(/not eligible/);
  expect((await explained('A-4')).sentence).toMatch(/at \$18\.00 or less, so it will not win the buy box/);
  expect((await explained('A-1')).sentence).not.toMatch(/will not win/);

  // The competitor of the first moves, and what Amazon said is not read again: in seven hours it counts no longer.
  sandbox.faults.add({
    service: 'amazon',
    kind: 'server_error',
    operation: 'getFeaturedOfferExpectedPriceBatch',
    seconds: 3_600 * 24,
  });
  const competitor = market.item('A-1')?.competitors[0];
  if (competitor === undefined) throw new Error('A-1 has a competitor.');
  Object.assign(competitor, { price: cents(2_201) });
  for (const each of [1, 3, 4]) await pass(each);
  expect(sentFor('A-1')).toEqual([usd(23.4)]);
  expect((await explained('A-1')).sentence).toMatch(/out of date.*too long/);
  sandbox.faults.clear();
  for (const each of [1, 1]) await pass(each);
  expect(live('A-1')).toBe(usd(22));
});
