import { asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { clearUploadMarks, type OfferInsert, reseedOffers, seedSales } from '#db/queries/demo/seed.ts';
import { skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { addListing, addRule, addSku, declareSeller, setLive } from '#tests/support/seed.ts';

/*
 * A month under one rule of Dynamic Pricing, two checks a day, with a shopper a day who buys three of everything. Each
 * listing costs $10.00 and has one kind of market. Fee and margin are 15% each: nothing goes below $14.29.
 */

const fixture = engineFixture();
const CHECKS = 60;
const HALF_DAY = hours(12);
const MARGIN_FLOOR = usd(14.29);
const HIGHER_COST = usd(11.5);
/** 11.50 / 70%. */
const HIGHER_COST_FLOOR = usd(16.43);
/** Near enough to every competitor: the circuit breaker would stop a first run in which most prices drop. */
const START = usd(18.5);
const CUTTING_UNTIL = usd(12);

/** The competitor's price at a check; null for none. Our own price is the one before it. */
type Market = (check: number, ours: Cents) => number | null;
const MARKETS = {
  steady: () => usd(18),
  falling: (check) => Math.round(usd(21) * 0.98 ** check),
  undercutter: (_, ours) => (ours - 10 > CUTTING_UNTIL ? ours - 10 : usd(21)),
  erratic: (check) => (check % 2 === 0 ? usd(8) : usd(40)),
  none: (check) => (check < 6 ? usd(17) : null),
  // Lower from the fourth day on, but the offer that is known then is older than a day: see below.
  stale: (check) => (check < 6 ? usd(17) : usd(15)),
  costlier: () => usd(15.5),
} as const satisfies Record<string, Market>;
type Name = keyof typeof MARKETS;
const NAMES = Object.keys(MARKETS) as Name[];

let ids: Readonly<Record<Name, number>>;
beforeEach(async () => {
  await addRule(fixture.db, { name: 'Follow', strategy: 'Dynamic Pricing', competitorOffset: null });
  await declareSeller(fixture.db, 'walmart');
  const entries: [Name, number][] = [];
  for (const name of NAMES) {
    await addSku(fixture.db, name);
    entries.push([name, await addListing(fixture.db, name, { currentPrice: START })]);
  }
  ids = Object.fromEntries(entries) as Record<Name, number>;
  await setLive(fixture.db, 'walmart');
});

/** The current price at each check, by listing. */
async function liveAMonth(db: Db): Promise<Record<Name, Cents[]>> {
  const seen = Object.fromEntries(NAMES.map((name) => [name, [] as Cents[]])) as Record<Name, Cents[]>;
  const start = fixture.now;
  for (let check = 0; check < CHECKS; check++) {
    const before = await pricesNow(db);
    await reseedOffers(
      db,
      NAMES.flatMap((name) => offerOf(name, check, before[name], start)),
    );
    if (check === CHECKS / 2)
      await db.update(skus).set({ productCost: HIGHER_COST }).where(eq(skus.sku, 'costlier'));
    if (check % 2 === 1) await sellThree(db, before);
    await fixture.untilIdle();
    // The user uploads the price file.
    await clearUploadMarks(db);
    const after = await pricesNow(db);
    for (const name of NAMES) seen[name].push(after[name]);
    fixture.advance(HALF_DAY);
  }
  return seen;
}

async function pricesNow(db: Db): Promise<Record<Name, Cents>> {
  const rows = await db.select().from(listings);
  return Object.fromEntries(rows.map(({ sku, currentPrice }) => [sku, currentPrice])) as Record<Name, Cents>;
}

function offerOf(name: Name, check: number, ours: Cents, start: Instant): OfferInsert[] {
  const price = MARKETS[name](check, ours);
  if (price === null) return [];
  const seenAt = name === 'stale' && check >= 6 ? ((start + 3 * HALF_DAY) as Instant) : fixture.now;
  return [
    {
      listingId: ids[name],
      sellerName: 'Corner Store',
      sellerKey: 'corner store',
      price: cents(price),
      fulfillmentType: 'FBM',
      seenAt,
    },
  ];
}

async function sellThree(db: Db, prices: Record<Name, Cents>): Promise<void> {
  await seedSales(
    db,
    NAMES.map((name) => ({
      listingId: ids[name],
      saleDate: fixture.now,
      quantitySold: 3,
      unitPrice: prices[name],
      totalRevenue: cents(3 * prices[name]),
    })),
  );
}

async function movesByTheRule(db: Db): Promise<(typeof priceHistory.$inferSelect)[]> {
  return db.select().from(priceHistory).where(eq(priceHistory.source, 'rule')).orderBy(asc(priceHistory.id));
}

test('a month of Dynamic Pricing: no price below its margin floor, no step above the limit, no oscillation, no promises', async () => {
  const prices = await liveAMonth(fixture.db);
  expect(fixture.faults).toEqual([]);
  expect(await fixture.engineSwitch()).toMatchObject({ halted: false });
  expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);

  const moves = await movesByTheRule(fixture.db);
  for (const { oldPrice, newPrice, marginFloor } of moves) {
    expect(newPrice).toBeGreaterThanOrEqual(marginFloor ?? Number.POSITIVE_INFINITY);
    expect(Math.abs(newPrice - (oldPrice ?? 0))).toBeLessThanOrEqual((oldPrice ?? 0) * 0.15);
  }
  for (const [check, price] of prices.erratic.entries()) {
    const dayBefore = prices.erratic[check - 2] ?? START;
    expect(Math.abs(price - dayBefore)).toBeLessThanOrEqual(dayBefore * 0.3);
  }

  // A constant competitor is matched once, whatever was sold in between.
  expect(new Set(prices.steady)).toEqual(new Set([usd(18)]));
  // Falling ones are followed to the margin floor and no further, and never back and forth.
  for (const name of ['falling', 'undercutter'] as const) {
    expect(prices[name].at(-1)).toBe(MARGIN_FLOOR);
    expect(prices[name]).toEqual(prices[name].toSorted((one, other) => other - one));
  }
  // No competitor, or none seen for a day: the price stays.
  expect(new Set([...prices.none, ...prices.stale])).toEqual(new Set([usd(17)]));
  // A rising cost raises the price at once, against any competitor.
  expect(prices.costlier[CHECKS / 2 - 1]).toBe(usd(15.5));
  expect(new Set(prices.costlier.slice(CHECKS / 2))).toEqual(new Set([HIGHER_COST_FLOOR]));

  // And each reason names the competitor, the binding limit and the number of sales, and promises nothing.
  const reasonsOf = (name: Name) =>
    moves.flatMap(({ listingId, reason }) => (listingId === ids[name] ? reason : []));
  expect(reasonsOf('costlier')).toEqual([
    "Not enough sales yet (0 of 30): matched the lowest competitor, Corner Store's $15.50, moved to $15.73: the step limit is 15%.",
    "Not enough sales yet (3 of 30): matched the lowest competitor, Corner Store's $15.50.",
    "Dynamic Pricing cannot learn from sales yet: matched the lowest competitor, Corner Store's $15.50, limited to your 15% margin floor of $16.43.",
  ]);
  expect(reasonsOf('none')).toEqual([
    "Not enough sales yet (0 of 30): matched the lowest competitor, Corner Store's $17.00.",
  ]);
});
