import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { recordOfferSets } from '#db/queries/marketplaces/offer-aggregates.ts';
import { followShares } from '#db/schema/line-memories.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { explain } from '#domain/explain.ts';
import { readStoredCase } from '#domain/stored-case.ts';
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
import { loadPricingContext } from './pricing-context.ts';
import { isWorthRecording, recordDecisions } from './record-decisions.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const ago = (hoursAgo: number): Instant => (NOW - hours(hoursAgo)) as Instant;
const DAYS = 24;

/** At the own price where competitors follow, else at the lowest allowed one. */
const ASKING = 'competitors follow 50% or more: own price\notherwise: floor';

/** Our price goes up from $20.00 to $22.00 on these days, and comes down a day later. */
async function seedRises(id: number, daysAgo: readonly number[]): Promise<void> {
  for (const day of daysAgo) {
    await move(id, 20, 22, day * DAYS);
    await move(id, 22, 20, (day - 1) * DAYS);
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
async function seedStory(followed: readonly number[], other: readonly RecordedOffer[] = []): Promise<number> {
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1', { createdAt: ago(29 * DAYS), anchorPrice: usd(24) });
  await addRule(db, { lines: ASKING });
  await declareSeller(db, 'walmart');
  await addOffer(db, id, 21);
  await setLive(db, 'walmart');
  await record(id, 28 * DAYS, 0, [offerAt(21), ...other]);
  await seedRises(id, [25, 20, 15, 10]);
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
const shareOf = async (id: number, now: Instant = NOW) =>
  (await decided(id, now)).pricingCase.facts.signals?.followShare;
const kept = () => db.select().from(followShares);

test('comes from recorded offers and the price history, and is kept with its time', async () => {
  const id = await seedStory([20, 15, 10]);
  const one = await decided(id);
  expect(one.pricingCase.facts.signals?.followShare).toBe(pct(75));
  expect(one.decision).toMatchObject({ kind: 'change', line: { number: 1 } });
  expect(await kept()).toEqual([]);

  await recordDecisions(db, await addRun(db, NOW, 'done'), [one], NOW);
  expect(await kept()).toMatchObject([{ listingId: id, share: pct(75), knownAt: NOW }]);
  const [last] = await db.select().from(priceHistory).where(eq(priceHistory.source, 'rule'));
  const stored = readStoredCase(last?.facts);
  expect(stored?.facts.signals?.followShare).toBe(pct(75));
  const { facts, choice, policy } = stored as NonNullable<typeof stored>;
  expect(explain(facts, choice, policy).sentence).toBe(last?.reason);
});

test('is read while it is recent, and worked out again after 6 hours or for other offers', async () => {
  const id = await seedStory([20, 15, 10]);
  await recordDecisions(db, await addRun(db, NOW, 'done'), [await decided(id)], NOW);
  await db.update(followShares).set({ share: pct(10) });
  const soon = (NOW + hours(5.9)) as Instant;
  expect(await shareOf(id, soon)).toBe(pct(10));
  expect(await shareOf(id, (NOW + hours(6)) as Instant)).toBe(pct(75));
  // Of a rule that leaves out this seller nothing can be counted, and that is stored as well.
  await db.update(repricingRules).set({ filterIgnoreSellers: ['corner store'] });
  const other = await decided(id, soon);
  expect(other.pricingCase.facts.signals?.followShare).toBeNull();
  expect(isWorthRecording(other)).toBe(true);
  await recordDecisions(db, await addRun(db, NOW, 'done'), [other], soon);
  expect(await kept()).toMatchObject([{ share: null, knownAt: soon }]);
});

test('counts no offer of ours, also without a name at a price that was ours', async () => {
  const ours = [
    offerAt(19, { seller: 'Our Shop' }),
    offerAt(19.5, { ours: true }),
    offerAt(20, { seller: null }),
    offerAt(22, { seller: null }),
  ];
  expect(await shareOf(await seedStory([25, 20], ours))).toBe(pct(50));
});

test('is unknown while competitors were not read', async () => {
  const id = await seedStory([]);
  expect(await shareOf(id)).toBe(0);
  await db.execute(
    sql`UPDATE competitor_prices SET last_seen_at = ${new Date(ago(16 * DAYS)).toISOString()}`,
  );
  expect(await shareOf(id)).toBeNull();
});

test('is worked out only for a rule that asks, and kept where it is unknown', async () => {
  const id = await seedStory([]);
  await db.update(repricingRules).set({ lines: 'winning: hold\nfloor' });
  const one = await decided(id);
  expect(one.pricingCase.newFollowShare).toBeNull();
  await recordDecisions(db, await addRun(db, NOW, 'done'), [one], NOW);
  expect(await kept()).toEqual([]);
});
