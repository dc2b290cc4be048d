import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CountRuleScope, RuleFields, type RuleForm } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readListingLabels } from '#db/queries/catalog/label-counts.ts';
import { takeDayStocks } from '#db/queries/repricing/day-stocks.ts';
import { readAlikeIds, readAlikeListings } from '#db/queries/repricing/rule-listings.ts';
import { skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { usedScope } from '#domain/rules/segment.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { hours, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { rulesOver } from '#tests/builders/rule-scopes.ts';
import { asMany } from '#tests/support/breadth.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule, addRun, addSku } from '#tests/support/seed.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext, pricingContextFor } from '#usecases/repricing/pricing/pricing-context.ts';
import { recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import { countRuleScope } from './count-rule-scope.ts';
import { createRule } from './create-rule.ts';
import { previewRule } from './preview-rule.ts';
import { ruleImpact } from './rule-impact.ts';
import { listRules } from './rule-view.ts';
import { ruleWriteOf } from './rule-write.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const ANN = { id: 'ann', name: 'ann@example.com', address: '127.0.0.1', requestId: 'r-1' };
const PROVED = { isStepUpFresh: true, twoFactor: 'none' } as const;

/** One pass over everything, as the engine does it. */
async function reprice(): Promise<void> {
  const runId = await addRun(db, NOW);
  const ids = (await db.select({ id: listings.id }).from(listings).orderBy(listings.id)).map(({ id }) => id);
  const decided = await decideListings(db, await loadPricingContext(db, NOW), ids);
  await db.transaction((tx) => recordDecisions(tx, runId, decided, NOW));
}

test('the listings that the database groups have the rule that each of them is decided by', async () => {
  const LABELS = ['Acme', 'ACME', 'Bluebird', null] as const;
  for (let n = 0; n < 48; n += 1) {
    const [brand, supplier] = [LABELS[n % 4] ?? null, LABELS[(n >> 2) % 4] ?? null];
    if (n % 7 !== 0) {
      await addSku(db, `S-${n}`, {
        productCost: n % 5 === 0 ? null : (((n % 5) + 1) as Cents),
        brand: n % 2 === 0 ? brand : 'Corner',
        supplier,
        tags: n % 3 === 0 ? ['Corner', 'acme'] : n % 3 === 1 ? ['Bluebird'] : [],
      });
    }
    await addListing(db, `S-${n}`, {
      marketplace: MARKETPLACES[n % 6] ?? 'walmart',
      fulfillmentType: FULFILLMENT_TYPES[(n >> 1) % 2] ?? 'FBM',
      currentPrice: ((n % 5) + 1) as Cents,
      createdAt: (NOW - hours(24 * (n % 6)) - (n % 2)) as Instant,
      ...(n % 4 === 0 && { brand: 'Bluebird' }),
      ...(n % 5 === 1 && { productType: 'Corner' }),
      ...(n % 5 === 2 && { productType: 'Corner', feeCategory: 'acme' }),
    });
  }
  await db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, quantity)
    SELECT id, '{}', true, now(), id % 6 FROM listings WHERE id % 5 > 0`);
  await db.execute(sql`INSERT INTO day_stocks
    SELECT listing_id, quantity, nullif(quantity, 4) - quantity / 2 FROM marketplace_listings`);
  await reprice();
  const ids = (await db.select({ id: listings.id }).from(listings)).map(({ id }) => id);
  const { facts } = await loadPricingContext(db, NOW);
  await fc.assert(
    fc.asyncProperty(
      rulesOver(['ownPrice', 'cost', 'listedDays', 'stockAgeDays', 'stock']),
      fc.constantFrom('America/New_York', 'Asia/Tokyo'),
      async (rules, timeZone) => {
        const shop = pricingContextFor({ ...facts, rules, timeZone });
        const decided = await loadPricingInputs(db, shop, ids);
        const requested = usedScope(rules.map(({ segment }) => segment));
        const grouped = new Map(
          (await readAlikeIds(db, requested, NOW, 0, 1_000)).flatMap(({ ids: some, ...group }) => {
            const { rule } = shop.ruleIndex.choose({ ...group, ownRule: null });
            return some.map((id): [number, string | null] => [id, rule?.id ?? null]);
          }),
        );
        const each = decided.map(({ listing, choice }): [number, string | null] => [
          listing.id,
          choice.rule?.id ?? null,
        ]);
        expect(new Map(each)).toEqual(grouped);
        const counted = await readAlikeListings(db, requested, NOW);
        expect(counted.reduce((sum, group) => sum + group.listings, 0)).toBe(ids.length);
      },
    ),
    { numRuns: asMany(20, 300) },
  );
});

const FORM = {
  name: 'Draft',
  fulfillmentType: 'All',
  strategy: 'Fixed Margin',
  minimumMargin: '10',
} as const;

/** Two listings of Acme, on Amazon and eBay, one of Bluebird on Amazon, and the rules A and B of the example. */
async function seedBrands(): Promise<{ a: number; b: number }> {
  await addSku(db, 'ACME-1', { brand: 'Acme' });
  await addSku(db, 'BLUE-1', { brand: 'Bluebird' });
  await addListing(db, 'ACME-1', { marketplace: 'amazon' });
  await addListing(db, 'ACME-1', { marketplace: 'ebay' });
  await addListing(db, 'BLUE-1', { marketplace: 'amazon' });
  const a = await addRule(db, { name: 'A', segment: { brands: ['acme'] } });
  const b = await addRule(db, { name: 'B', marketplace: 'amazon' });
  return { a, b };
}

describe('the counts of a scope', () => {
  const count = (rule: Partial<RuleForm>, id: number | null = null) =>
    countRuleScope(
      db,
      CountRuleScope.parse({
        id: id === null ? null : String(id),
        rule: { fulfillmentType: 'All', ...rule },
      }),
      NOW,
    );

  test('are what it matches and decides, and who has the others and why', async () => {
    const { a, b } = await seedBrands();
    const acme = { segment: { brands: ['ACME'] } };
    expect(await count(acme, a)).toEqual({
      matching: 2,
      deciding: 1,
      own: 0,
      others: [{ rule: { id: String(b), name: 'B' }, listings: 1, because: 'marketplace' }],
      appliesNow: true,
    });
    expect(await count({ ...acme, priority: 1 }, a)).toMatchObject({ matching: 2, deciding: 2, others: [] });
    expect(await count(acme)).toMatchObject({
      deciding: 0,
      others: [
        { rule: { name: 'A' }, listings: 1, because: 'age' },
        { rule: { name: 'B' }, listings: 1, because: 'marketplace' },
      ],
    });
  });

  test('take a schedule as applying, and say whether it does', async () => {
    const { a } = await seedBrands();
    const schedule = { activeFrom: '2030-01-01' };
    expect(await count({ segment: { brands: ['Acme'] }, schedule }, a)).toMatchObject({
      deciding: 1,
      appliesNow: false,
    });
  });

  test('leave an assigned listing to its rule', async () => {
    const { a, b } = await seedBrands();
    await db.update(listings).set({ ruleId: b }).where(eq(listings.sku, 'ACME-1'));
    expect(await count({ segment: { brands: ['Acme'] }, priority: 1 }, a)).toMatchObject({
      matching: 2,
      deciding: 0,
      others: [{ rule: { name: 'B' }, listings: 2, because: 'assigned' }],
    });
    expect(await count({ marketplace: 'amazon' }, b)).toMatchObject({ deciding: 2, own: 1 });
  });

  test('of a deleted rule are rejected', async () => {
    await expect(count({}, 77)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a rule with a segment', () => {
  const previewed = (over: Partial<RuleForm>, id: number | null = null) =>
    previewRule(db, id, ruleWriteOf(RuleFields.parse({ ...FORM, ...over })), NOW);

  test('previews, prices and loses the listings that it matches', async () => {
    const { a, b } = await seedBrands();
    const urgent = { segment: { brands: ['Bluebird'] }, priority: 1 };
    expect(await previewed(urgent)).toMatchObject({
      listings: 1,
      takenFrom: [{ rule: { id: String(b) }, listings: 1 }],
    });
    expect(await previewed({ segment: { brands: ['Bluebird'] } }, a)).toMatchObject({
      listings: 0,
      givenUp: 1,
    });
    const { id } = await createRule(
      { db, now: () => NOW },
      RuleFields.parse({ ...FORM, ...urgent }),
      ANN,
      PROVED,
    );
    await reprice();
    const applied = (await listRules(db, NOW)).rules.map(({ name, appliedTo }) => [name, appliedTo]);
    expect(applied).toEqual([
      ['A', 1],
      ['B', 1],
      ['Draft', 1],
    ]);
    expect(await ruleImpact(db, [id], NOW)).toEqual({
      listings: 1,
      own: 0,
      newRules: [{ rule: { id: String(b), name: 'B' }, listings: 1 }],
    });
  });

  test('is decided again when a label of its listings changes', async () => {
    await seedBrands();
    await db.execute(sql`DELETE FROM due_listings`);
    await db.update(skus).set({ brand: 'Acme' }).where(eq(skus.sku, 'BLUE-1'));
    await db.update(listings).set({ supplier: 'Corner' }).where(eq(listings.marketplace, 'ebay'));
    const { rows } = await db.execute(sql`SELECT listing_id::int AS id FROM due_listings ORDER BY 1`);
    expect(rows).toEqual([{ id: 2 }, { id: 3 }]);
  });
});

test('categories are counted as rules compare them', async () => {
  await addListing(db, 'A-1', { productType: 'MUG', feeCategory: 'Kitchen' });
  await addListing(db, 'A-2', { productType: 'MUG' });
  await addListing(db, 'A-3', { externalCategory: 'mug' });
  await addListing(db, 'A-4');
  expect(await readListingLabels(db, 'category', undefined)).toEqual({
    labels: [
      { label: 'MUG', count: 2 },
      { label: 'Kitchen', count: 1 },
    ],
    isCut: false,
    none: 1,
  });
});

test('the stock of a day and its age are taken once: the marketplace goes before the file, which counts for 7 days', async () => {
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1', { currentPrice: usd(20) });
  await db.execute(
    sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, quantity)
      VALUES (${id}, '{}', true, now(), 7)`,
  );
  const stocks = async () =>
    (await db.execute(sql`SELECT stock, stock_age_days AS age FROM day_stocks`)).rows;
  const take = (day: number) =>
    takeDayStocks(db, `2026-11-${day}`, instant(Date.parse(`2026-11-${day}T05:00:00Z`)));
  await take(19);
  expect(await stocks()).toEqual([]);
  const entered = `2026-11-20T04:00:00Z`;
  await db.execute(
    sql`UPDATE listings SET stock = 5, stock_at = ${entered}, stock_age_days = 200, stock_age_at = ${entered}`,
  );
  await take(20);
  expect(await stocks()).toEqual([{ stock: 5, age: 200 }]);
  await db.execute(sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`);
  await take(21);
  await db.execute(sql`UPDATE marketplace_listings SET quantity = 3`);
  await take(21);
  expect(await stocks()).toEqual([{ stock: 7, age: 200 }]);
  await take(28);
  expect(await stocks()).toEqual([{ stock: 3, age: null }]);
});
