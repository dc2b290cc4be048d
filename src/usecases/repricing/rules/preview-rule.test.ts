import { asc, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RuleFields, type RuleForm } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readRuleRecords } from '#db/queries/repricing/rules.ts';
import { listings } from '#db/schema/listings.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { centsFromDecimal } from '#domain/decimal.ts';
import { DEFAULT_LIMITS } from '#domain/limits/policy.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import type { Instant } from '#domain/units.ts';
import { NOW, pct, usd } from '#tests/builders/facts.ts';
import { lineRules } from '#tests/builders/line-stories.ts';
import { asMany } from '#tests/support/breadth.ts';
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
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import { createRule } from './create-rule.ts';
import { editRule } from './edit-rule.ts';
import { explainDraft } from './explain-draft.ts';
import { previewRule } from './preview-rule.ts';
import { requireSamePreview } from './require-same-preview.ts';
import { ruleWriteOf } from './rule-write.ts';
import { unusableIn } from './usable-rule.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const ANN = { id: 'ann', name: 'ann@example.com', address: '127.0.0.1', requestId: 'r-1' };
const PROVED = { isStepUpFresh: true, twoFactor: 'none' } as const;
const deps = (now: Instant = NOW) => ({ db, now: () => now });

/** A draft that matches the lowest competitor on every listing and keeps 10 %. */
function aDraft(over: Partial<RuleForm> = {}): RuleFields {
  const story = {
    name: 'Draft',
    fulfillmentType: 'All',
    strategy: 'Match Competitor',
    minimumMargin: '10',
  } as const;
  return RuleFields.parse({ ...story, ...over });
}
const preview = (over: Partial<RuleForm> = {}, id: number | null = null, now: Instant = NOW) =>
  previewRule(db, id, ruleWriteOf(aDraft(over)), now);

/** One pass over everything, as the engine does it. */
async function reprice(): Promise<void> {
  await db.update(repricingRuns).set({ state: 'done' });
  const runId = await addRun(db, NOW);
  const ids = await db.select({ id: listings.id }).from(listings).orderBy(listings.id);
  const shop = await loadPricingContext(db, NOW);
  const decided = await decideListings(
    db,
    shop,
    ids.map(({ id }) => id),
  );
  await db.transaction((tx) => recordDecisions(tx, runId, decided, NOW));
}

const prices = async (): Promise<Record<string, number>> => {
  const rows = await db.select().from(listings).orderBy(asc(listings.id));
  return Object.fromEntries(rows.map(({ id, currentPrice }) => [String(id), currentPrice]));
};

/** Six Walmart listings with cost $10.00 at $20.00, one of them without a cost and two with a competitor. */
async function seedShop(): Promise<number[]> {
  const ids: number[] = [];
  for (const sku of ['A', 'B', 'C', 'D', 'E', 'F']) {
    await addSku(db, sku, sku === 'D' ? { productCost: null } : {});
    ids.push(await addListing(db, sku));
  }
  await declareSeller(db, 'walmart');
  await addOffer(db, ids[0] ?? 0, 18);
  await addOffer(db, ids[1] ?? 0, 21.5);
  await addOffer(db, ids[4] ?? 0, 9);
  return ids;
}

test('every rule with lines that can be saved has a preview that adds up, and explains each of its listings', async () => {
  const ids = await seedShop();
  await setLive(db, 'walmart');
  const drafts = fc.sample(lineRules, { seed: 56, numRuns: asMany(15, 200) });
  const writes = drafts.map((rule) => ({ ...ruleWriteOf(aDraft()), ...rule }));
  for (const write of writes.filter((each) => unusableIn(each, DEFAULT_LIMITS.priceWarThreshold) === null)) {
    const seen = await previewRule(db, null, write, NOW);
    expect(seen.changes + seen.kept + seen.recommended + seen.blocked).toBe(ids.length);
    const byLine = seen.lines.reduce((sum, { listings: count }) => sum + count, 0);
    expect(byLine + seen.noLine + seen.notRead + seen.blocked).toBeGreaterThanOrEqual(ids.length);
    const [first = 0] = ids;
    const { isPriced, lines } = await explainDraft(db, null, write, first, NOW);
    expect(isPriced).toBe(true);
    expect(lines.map(({ text }) => text).join('\n')).toBe(printLines(write.lines));
  }
});

describe('the preview of a new rule', () => {
  test('is what a run does after saving it, to the cent', async () => {
    await seedShop();
    await setLive(db, 'walmart');
    const seen = await preview();
    expect(seen).toMatchObject({
      listings: 6,
      own: 0,
      changes: 3,
      raised: 1,
      lowered: 2,
      kept: 2,
      recommended: 0,
      blocked: 1,
      takenFrom: [{ rule: null, listings: 6 }],
      givenUp: 0,
      moveSizes: { fall10: 2, fall5: 0, fall2: 0, fall: 0, stay: 2, rise: 0, rise2: 0, rise5: 1, rise10: 0 },
      // The one without a cost is not in them.
      averages: {
        listings: 5,
        oldPrice: '20.00',
        newPrice: '19.30',
        marginBefore: '35.00',
        marginAfter: '33.18',
      },
    });
    const before = await prices();
    await createRule(deps(), { ...aDraft(), previewToken: seen.token }, ANN, PROVED);
    await reprice();
    const moved = Object.entries(await prices()).filter(([id, price]) => before[id] !== price);
    const shown = seen.moves.map(({ listingId, newPrice }) => [listingId, centsFromDecimal(newPrice ?? '')]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(moved));
    expect(moved).toHaveLength(3);
  });

  test('shows the largest moves first and a sample of every outcome, with sentences', async () => {
    const [a, b, c, d, e] = (await seedShop()).map(String);
    const { moves, samples, atMarginFloor, floorListings, blockedListings } = await preview();
    expect(moves.map(({ listingId, oldPrice, newPrice }) => [listingId, oldPrice, newPrice])).toEqual([
      [e, '20.00', '17.00'],
      [a, '20.00', '18.00'],
      [b, '20.00', '21.50'],
    ]);
    expect(moves[1]).toMatchObject({
      sku: 'A',
      title: 'Product A',
      marketplace: 'walmart',
      outcome: 'change',
      marginBefore: '35.00',
      marginAfter: '29.44',
      sentence: "Matched Corner Store's $18.00.",
    });
    expect(samples.map(({ listingId, outcome }) => [listingId, outcome])).toEqual([
      [a, 'change'],
      [b, 'change'],
      [d, 'blocked'],
      [c, 'keep'],
      [e, 'change'],
    ]);
    expect(samples[2]).toMatchObject({
      newPrice: null,
      marginAfter: null,
      sentence: expect.stringMatching(/^The total cost is unknown\. Enter the product cost/),
    });
    expect([atMarginFloor, floorListings]).toEqual([0, []]);
    expect(blockedListings).toEqual([samples[2]]);
  });

  test('counts for which listings each line decides, which prices it keeps, and what is not read', async () => {
    await seedShop();
    const lines = 'lowest competitor under my floor: hold; 4% under the lowest; stock 5 or less: floor';
    const seen = await preview({ lines, minimumMargin: '20.00' });
    expect(seen).toMatchObject({
      listings: 6,
      blocked: 1,
      notRead: 2,
      noLine: 0,
      lines: [
        { line: 1, listings: 1, held: 1 },
        { line: 2, listings: 2, held: 0 },
        { line: 3, listings: 0, held: 0 },
      ],
      bigRises: 0,
      bigDrops: 1,
      known: { stock: 0, supply: 0, stockAge: 0, sales: 0 },
    });
    expect(seen.moves.map(({ newPrice, line }) => [newPrice, line])).toEqual([
      ['17.28', 2],
      ['20.64', 2],
    ]);
  });

  test('has the same outcomes for a strategy and for its lines, and other ones for another price', async () => {
    await seedShop();
    const { outcomes, token } = await preview();
    const lines = await preview({ lines: 'alone: hold; the lowest', onlySameShipping: true });
    expect(lines.outcomes).toBe(outcomes);
    expect(lines.token).not.toBe(token);
    expect((await preview({ competitorOffset: '0.01' })).outcomes).not.toBe(outcomes);
  });

  test('counts what would be at the margin floor', async () => {
    await seedShop();
    const {
      atMarginFloor,
      floorListings,
      listings: count,
    } = await preview({
      strategy: 'Fixed Margin',
      minimumMargin: '35.00',
    });
    expect([atMarginFloor, floorListings.length, count]).toEqual([5, 5, 6]);
  });

  test('leaves stored rules that are more specific what they have', async () => {
    await seedShop();
    await addSku(db, 'E-1');
    await addListing(db, 'E-1', { marketplace: 'ebay' });
    const walmart = await addRule(db, { name: 'Walmart', marketplace: 'walmart' });
    expect(await preview()).toMatchObject({ listings: 1, takenFrom: [{ rule: null, listings: 1 }] });
    expect(await preview({ marketplace: 'walmart', fulfillmentType: 'FBM' })).toMatchObject({
      listings: 6,
      takenFrom: [{ rule: { id: String(walmart), name: 'Walmart' }, listings: 6 }],
    });
    expect(await preview({ marketplace: 'walmart' })).toMatchObject({ listings: 0, takenFrom: [] });
  });

  test('previews a paused draft as if it were active', async () => {
    await seedShop();
    expect(await preview({ isActive: false })).toMatchObject({ listings: 6, changes: 3 });
  });

  test('goes over more listings than one batch, and each is counted once', async () => {
    await db.execute(sql`
      INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
      SELECT 'S-' || n, 'Mug', CASE WHEN n % 2 = 0 THEN 'FBM' ELSE 'FBA/WFS' END, 20, 20
      FROM generate_series(1, 2500) n`);
    const seen = await preview({ fulfillmentType: 'FBM' });
    expect(seen).toMatchObject({ listings: 1_250, blocked: 1_250 });
    expect(seen.samples).toHaveLength(5);
    const [deleted] = await db.select().from(listings).where(sql`sku = 'S-2000'`);
    await db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${deleted?.id}`);
    expect((await preview({ fulfillmentType: 'FBM' })).listings).toBe(1_249);
  });
});

describe('the preview of an edit', () => {
  test('shows which listings the rule gains and loses', async () => {
    await seedShop();
    await addSku(db, 'W');
    await addListing(db, 'W', { fulfillmentType: 'FBA/WFS' });
    const all = await addRule(db, { name: 'All' });
    const seen = await preview({ name: 'All', fulfillmentType: 'FBM' }, all);
    expect(seen).toMatchObject({ listings: 6, takenFrom: [], givenUp: 1 });
  });

  test('follows the listings that name the rule as their own', async () => {
    const ids = await seedShop();
    const own = await addRule(db, { name: 'Own', marketplace: 'ebay' });
    await addRule(db, { name: 'Others' });
    await db.execute(sql`UPDATE listings SET rule_id = ${own} WHERE id = ${ids[0]}`);
    expect(await preview({ marketplace: 'ebay' }, own)).toMatchObject({ listings: 0, own: 0 });
    expect(await preview({ marketplace: 'walmart' }, own)).toMatchObject({
      listings: 6,
      own: 1,
      takenFrom: [
        { rule: { name: 'Others' }, listings: 5 },
        { rule: null, listings: 1 },
      ],
    });
  });

  test('of a deleted rule is rejected', async () => {
    await expect(preview({}, 99)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('saving what was previewed', () => {
  test('is rejected once its result differs, and stores nothing', async () => {
    const ids = await seedShop();
    const { token } = await preview();
    await addOffer(db, ids[0] ?? 0, 17.5);
    const late = createRule(deps(), { ...aDraft(), previewToken: token }, ANN, PROVED);
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      fields: { previewToken: expect.stringContaining('after your preview') },
    });
    expect(await db.select().from(repricingRules)).toEqual([]);
    const again = await preview();
    expect(again.token).not.toBe(token);
    await createRule(deps(), { ...aDraft(), previewToken: again.token }, ANN, PROVED);
    expect(await db.select().from(repricingRules)).toHaveLength(1);
  });

  test('is rejected when a rule was saved between the preview and the save', async () => {
    await seedShop();
    const { token } = await preview();
    const { requireSame } = await requireSamePreview(db, null, ruleWriteOf(aDraft()), token, NOW, PROVED);
    const before = await readRuleRecords(db);
    expect(() => requireSame(before)).not.toThrow();
    await addRule(db, { name: 'Other' });
    const after = await readRuleRecords(db);
    expect(() => requireSame(after)).toThrow(/changed after your preview/);
  });

  test('holds for an edit too; a rule saved paused does nothing, so there is nothing to hold it to', async () => {
    await seedShop();
    const id = await addRule(db, { name: 'Draft', minimumMargin: pct(20) });
    const edit = { ...aDraft(), version: 1, previewToken: 'of another day' };
    await expect(editRule(deps(), id, edit, ANN, PROVED)).rejects.toMatchObject({ code: 'conflict' });
    const paused = await editRule(deps(), id, { ...edit, isActive: false }, ANN, PROVED);
    expect(paused).toMatchObject({ version: 2, rule: { isActive: false, minimumMargin: pct(10) } });
  });
});

test('a price beyond the step limit is shown as needing review', async () => {
  await addSku(db, 'A');
  await addListing(db, 'A', { currentPrice: usd(5) });
  const { recommended, moves } = await preview({ strategy: 'Fixed Margin' });
  expect(recommended).toBe(1);
  expect(moves).toMatchObject([{ outcome: 'recommend', oldPrice: '5.00', newPrice: '13.34' }]);
});
