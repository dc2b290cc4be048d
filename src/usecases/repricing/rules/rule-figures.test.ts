import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListedRule } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { insertPriceHistory, type PriceMove } from '#db/queries/repricing/decision-rows.ts';
import { dueListings } from '#db/schema/due-listings.ts';
import { listings } from '#db/schema/listings.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { hours, type Instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addOffer, addRule, addRun, addSku, declareSeller } from '#tests/support/seed.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import { listRules } from './rule-view.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
  await declareSeller(db, 'walmart');
});
afterEach(() => database.giveBack());

/** One pass over these listings, as the engine does it. */
async function reprice(ids: readonly number[]): Promise<void> {
  await db.execute(sql`UPDATE repricing_runs SET state = 'done'`);
  const runId = await addRun(db, NOW);
  const decided = await decideListings(db, await loadPricingContext(db, NOW), [...ids]);
  await db.transaction((tx) => recordDecisions(tx, runId, decided, NOW));
  await db.execute(sql`DELETE FROM due_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])`);
}

async function figures(): Promise<ListedRule> {
  const [rule] = (await listRules(db, NOW)).rules;
  if (rule === undefined) throw new Error('No rule');
  return rule;
}

/** $20.00, with a competitor, in stock. */
async function addCase(sku: string, stock: number | null, offer: number | null, price = 20): Promise<number> {
  await addSku(db, sku, sku === 'BLOCKED' ? { productCost: null } : {});
  const id = await addListing(db, sku, { currentPrice: usd(price), stock, stockAt: NOW });
  if (offer !== null) await addOffer(db, id, offer);
  return id;
}

const LINES = 'stock 5 or less: hold\nstock 9 or less: own price\nlosing: floor';

async function seed(): Promise<number[]> {
  await addRule(db, { lines: LINES, onlySameShipping: false });
  return [
    await addCase('HELD', 3, 18),
    await addCase('HELD AT FLOOR', 3, 18, 14.29),
    await addCase('OWN', 8, 18),
    await addCase('LOSING', 10, 18),
    await addCase('WINNING', 10, 25),
    await addCase('UNREAD', 3, null),
    await addCase('BLOCKED', 3, 18),
  ];
}

test('each listing of a rule with lines is counted once, by what decides it', async () => {
  const ids = await seed();
  expect(await figures()).toMatchObject({ appliedTo: 0, knownFloors: 0, decidedBy: { unknown: 0 } });
  await reprice(ids);
  expect(await figures()).toMatchObject({
    appliedTo: 7,
    decidedBy: {
      lines: [
        { line: 1, listings: 2, held: 2 },
        { line: 2, listings: 1, held: 0 },
        { line: 3, listings: 1, held: 0 },
      ],
      noLine: 1,
      notRead: 1,
      blocked: 1,
      unknown: 0,
    },
    // The floor of the blocked one is not known.
    atMarginFloor: 1,
    knownFloors: 6,
  });

  // A strategy has no lines, and what a deleted listing was is no figure of today.
  await db.update(repricingRules).set({ lines: null });
  await db.update(listings).set({ deletedAt: NOW }).where(eq(listings.sku, 'HELD AT FLOOR'));
  await reprice(ids);
  expect(await figures()).toMatchObject({
    appliedTo: 6,
    decidedBy: { lines: [], noLine: 0, notRead: 1, blocked: 1, unknown: 0 },
    atMarginFloor: 0,
    knownFloors: 5,
  });
});

test('after an edit of the lines a listing counts for none of them until it is repriced', async () => {
  const [held = 0, , own = 0, ...others] = await seed();
  await reprice([held, own, ...others]);
  const decidedBy = async () => (await figures()).decidedBy;
  const before = await decidedBy();
  expect(before.lines.map(({ listings: count }) => count)).toEqual([1, 1, 1]);

  // Due for another reason: what decided it last still counts.
  await addOffer(db, held, 17, { by: 'Acme' });
  await db.update(repricingRules).set({ name: 'Renamed' });
  expect(await db.$count(dueListings)).toBeGreaterThan(1);
  expect(await decidedBy()).toEqual(before);

  await db.update(repricingRules).set({ lines: 'stock 9 or less: hold\nlosing: floor' });
  const none = { listings: 0, held: 0 };
  expect(await decidedBy()).toEqual({
    lines: [
      { line: 1, ...none },
      { line: 2, ...none },
    ],
    noLine: 0,
    notRead: 0,
    blocked: 0,
    unknown: 6,
  });
  await reprice([held, own]);
  expect(await decidedBy()).toMatchObject({
    lines: [
      { line: 1, listings: 2, held: 2 },
      { line: 2, ...none },
    ],
    unknown: 4,
  });
});

test('price changes of a rule are those of the last 24 hours, without those of users', async () => {
  const ruleId = await addRule(db);
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1', { createdAt: (NOW - hours(48)) as Instant });
  const move = async (from: number, to: number, at: number, source: 'rule' | 'apply' | 'person') => {
    const row: PriceMove = {
      listingId: id,
      oldPrice: usd(from),
      newPrice: usd(to),
      reason: source,
      marginImpact: null,
      marginAfter: null,
      ruleId: source === 'person' ? null : ruleId,
      competitorPrice: null,
      marginFloor: usd(14.29),
      feeVersion: null,
      facts: null,
    };
    await insertPriceHistory(db, [row], { source, at: at as Instant, runId: null, actor: null });
  };
  await move(20, 21, NOW - hours(24), 'rule');
  await move(21, 22, NOW - hours(24) + 1, 'rule');
  await move(22, 23, NOW - hours(1), 'person');
  await move(23, 24, NOW, 'apply');
  await move(24, 25, NOW + 1, 'rule');
  expect(await figures()).toMatchObject({ changesInDay: 2, appliedTo: 0 });
});
