import { desc, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { recordOfferSets } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { followShares } from '#db/schema/line-memories.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { explain } from '#domain/decision/explain.ts';
import { readStoredCase } from '#domain/decision/stored-case.ts';
import { hours, type Instant } from '#domain/units.ts';
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
import { computeDueFollowShares } from './follow-loop.ts';
import { loadPricingContext } from './pricing-context.ts';
import { recordDecisions } from './record-decisions.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const ago = (hoursAgo: number): Instant => (NOW - hours(hoursAgo)) as Instant;
const DAYS = 24;

/** Up to the own price where competitors follow; else the price stays. */
const ASKING = 'competitors follow 50% or more: own price\notherwise: hold';

/** Our price goes up from $20.00 to $22.00 on these days, and comes down after some hours. */
async function seedRises(id: number, daysAgo: readonly number[], hoursUp: number): Promise<void> {
  for (const day of daysAgo) {
    await move(id, 20, 22, day * DAYS);
    await move(id, 22, 20, day * DAYS - hoursUp);
  }
}

async function move(listingId: number, from: number, to: number, hoursAgo: number): Promise<void> {
  await db.insert(priceHistory).values({
    listingId,
    oldPrice: usd(from),
    newPrice: usd(to),
    reason: 'A price',
    timestamp: ago(hoursAgo),
    source: 'apply',
    marginFloor: usd(10),
  });
}

const offerAt = (price: number, over: Partial<RecordedOffer> = {}): RecordedOffer => ({
  seller: 'Corner Store',
  price: usd(price),
  shipping: 0,
  at: NOW - hours(24 * 40),
  ...over,
});

/** Recorded offers, seen again until `until`. */
async function record(
  id: number,
  hoursAgo: number,
  until: number,
  offers: readonly RecordedOffer[],
): Promise<void> {
  const at = ago(hoursAgo);
  await recordOfferSets(db, [{ listingId: String(id), at, offers: offers.map((one) => ({ ...one, at })) }]);
  await db.execute(sql`UPDATE competitor_prices SET last_seen_at = ${new Date(ago(until)).toISOString()}
    WHERE listing_id = ${id} AND timestamp = ${new Date(at).toISOString()}`);
}

/** Four rises, of which competitors followed those of `followed` for two days. */
async function seedStory(
  followed: readonly number[],
  other: readonly RecordedOffer[] = [],
  hoursUp = 24,
): Promise<number> {
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1', { createdAt: ago(29 * DAYS), anchorPrice: usd(24) });
  await addRule(db, { lines: ASKING });
  await declareSeller(db, 'walmart');
  await addOffer(db, id, 21);
  await setLive(db, 'walmart');
  await record(id, 28 * DAYS, 0, [offerAt(21), ...other]);
  await seedRises(id, [25, 20, 15, 10], hoursUp);
  for (const day of followed) {
    await record(id, day * DAYS - 6, (day - 2) * DAYS, [offerAt(22.5), ...other]);
    await record(id, (day - 2) * DAYS, 0, [offerAt(21), ...other]);
  }
  return id;
}

async function decided(id: number, now: Instant = NOW) {
  const [one] = await decideListings(db, await loadPricingContext(db, now), [id]);
  if (one === undefined) throw new Error('No decision');
  return one;
}
async function reprice(id: number, now: Instant = NOW): Promise<void> {
  await recordDecisions(db, await addRun(db, now, 'done'), [await decided(id, now)], now);
}
const followShareOf = async (id: number, now: Instant = NOW) =>
  (await decided(id, now)).pricingInput.facts.signals?.followShare;
const kept = () => db.select().from(followShares);
const due = async () => (await db.execute(sql`SELECT listing_id::int AS id FROM due_listings`)).rows;

/** After a decision, as the background task does it. */
async function counted(id: number): Promise<number | null | undefined> {
  await reprice(id);
  await computeDueFollowShares(db, NOW);
  return followShareOf(id);
}

test('is unknown until it is computed from recorded offers and the price history, and decides then', async () => {
  const id = await seedStory([20, 15, 10]);
  expect(await computeDueFollowShares(db, NOW)).toBe(false);
  const before = await decided(id);
  expect(before.pricingInput.facts.signals?.followShare).toBeNull();
  expect(before.decision).toMatchObject({ line: { number: 2 } });
  await reprice(id);
  expect(await kept()).toEqual([]);

  await db.execute(sql`DELETE FROM due_listings`);
  expect(await computeDueFollowShares(db, NOW)).toBe(true);
  expect(await kept()).toMatchObject([{ listingId: id, share: pct(75), knownAt: NOW }]);
  expect(await due()).toEqual([{ id }]);
  expect((await decided(id)).decision).toMatchObject({ kind: 'change', line: { number: 1 } });
  await reprice(id);
  const [last] = await db
    .select()
    .from(priceHistory)
    .where(eq(priceHistory.source, 'rule'))
    .orderBy(desc(priceHistory.id));
  const stored = readStoredCase(last?.facts);
  expect(stored?.facts.signals?.followShare).toBe(pct(75));
  const { facts, choice, policy } = stored as NonNullable<typeof stored>;
  expect(explain(facts, choice, policy).sentence).toBe(last?.reason);
});

test('is computed again after 6 hours or for other offers, and unknown where that is 24 hours late', async () => {
  const id = await seedStory([20, 15, 10]);
  await reprice(id);
  await computeDueFollowShares(db, NOW);
  await db.update(followShares).set({ share: pct(10) });
  await db.execute(sql`DELETE FROM due_listings`);
  expect(await computeDueFollowShares(db, (NOW + hours(5.9)) as Instant)).toBe(false);
  expect(await followShareOf(id, (NOW + hours(23.9)) as Instant)).toBe(pct(10));
  expect(await followShareOf(id, (NOW + hours(24)) as Instant)).toBeNull();
  const later = (NOW + hours(6)) as Instant;
  expect(await computeDueFollowShares(db, later)).toBe(true);
  expect(await kept()).toMatchObject([{ share: pct(75), knownAt: later }]);
  // The same again changes no decision.
  await db.execute(sql`DELETE FROM due_listings`);
  const latest = (later + hours(6)) as Instant;
  expect(await computeDueFollowShares(db, latest)).toBe(true);
  expect(await due()).toEqual([]);
  // Of a rule that leaves out this seller nothing can be counted, and that is stored as well.
  await db.update(repricingRules).set({ filterIgnoreSellers: ['corner store'] });
  expect(await followShareOf(id, latest)).toBeNull();
  expect(await computeDueFollowShares(db, latest)).toBe(true);
  expect(await kept()).toMatchObject([{ share: null, knownAt: latest }]);
});

test('counts no offer of ours, also without a name at a price that was ours', async () => {
  const ours = [
    offerAt(19, { seller: 'Our Shop' }),
    offerAt(19.5, { ours: true }),
    offerAt(20, { seller: null }),
    offerAt(22, { seller: null }),
  ];
  expect(await counted(await seedStory([25, 20], ours))).toBe(pct(50));
});

test('a competitor that comes down with our price has followed', async () => {
  const id = await seedStory([], [], 4);
  for (const [day, hoursUp] of [
    [25, 3],
    [20, 3],
    // Down again while ours is up.
    [15, 2],
  ] as const) {
    await record(id, day * DAYS - 1, day * DAYS - 1 - hoursUp, [offerAt(22)]);
    await record(id, day * DAYS - 1 - hoursUp, 0, [offerAt(21)]);
  }
  expect(await counted(id)).toBe(pct(50));
});

test('is unknown while competitors were not read', async () => {
  const id = await seedStory([]);
  expect(await counted(id)).toBe(0);
  await db.execute(
    sql`UPDATE competitor_prices SET last_seen_at = ${new Date(ago(16 * DAYS)).toISOString()}`,
  );
  await db.delete(followShares);
  expect(await counted(id)).toBeNull();
});

test('is computed only for a rule that asks', async () => {
  const id = await seedStory([]);
  await db.update(repricingRules).set({ lines: 'winning: hold\nfloor' });
  await reprice(id);
  expect(await computeDueFollowShares(db, NOW)).toBe(false);
  expect(await kept()).toEqual([]);
});
