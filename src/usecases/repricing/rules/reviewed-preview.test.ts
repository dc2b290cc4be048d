import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { CreateRule, EditRule, RuleFields } from '#contract/rules.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { auditLog } from '#db/schema/audit.ts';
import { hours } from '#domain/units.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { addListing, addSku, setLive } from '#tests/support/seed.ts';
import { reviewOfPlan } from '#usecases/repricing/engine/review-of-plan.ts';
import { createRule } from './create-rule.ts';
import { editRule } from './edit-rule.ts';
import { previewRule } from './preview-rule.ts';
import type { RuleSaver } from './require-same-preview.ts';
import { ruleWriteOf } from './rule-write.ts';

const fixture = engineFixture();

const ANN = { id: 'ann', name: 'Ann', address: '127.0.0.1', requestId: 'r-1' };
const ADMIN: RuleSaver = { isAdmin: true, isStepUpFresh: true, twoFactor: 'none' };
const FORM = {
  name: 'Resets',
  fulfillmentType: 'All',
  strategy: 'Fixed Margin',
  minimumMargin: '15',
} as const;
/** The rule of the shop, and the only one in it. */
const ID = 1;

/** Ten live listings that a rule with this margin of 15% moves down to $14.29, as far as a step goes. */
async function seed(): Promise<void> {
  await seedEngineShop(fixture.db, 10);
  await fixture.db.execute(sql`DELETE FROM due_listings`);
  await fixture.sweptJustNow();
}

/** Saves the rule as it was previewed. @param isPreviewed whether the token of the preview is sent */
async function save(saver: RuleSaver, isPreviewed = true): Promise<void> {
  const { token } = await previewRule(fixture.db, ID, ruleWriteOf(RuleFields.parse(FORM)), fixture.now);
  const form = EditRule.parse({ ...FORM, version: 1, ...(isPreviewed && { previewToken: token }) });
  await editRule(fixture.deps(), ID, form, ANN, saver);
}

const outcome = async () => {
  const { moves } = await countMoves(fixture.db);
  return { moves, halted: (await fixture.engineSwitch())?.halted };
};
const STOPPED = { moves: 0, halted: true };
const auditedReviews = () => fixture.db.select().from(auditLog).where(eq(auditLog.action, 'run.reviewed'));

test.each([1_000, 4])(
  'a run that is exactly the plan of the preview passes (batches of %d)',
  async (batchSize) => {
    await seed();
    await save(ADMIN);
    await fixture.untilIdle(fixture.deps({ batchSize }));
    expect(await outcome()).toEqual({ moves: 10, halted: false });
    expect((await fixture.runs()).at(-1)).toMatchObject({ dropped: 10, plan: { isReviewed: true } });
  },
);

test('the review is in the audit log, written in the transaction that stores it and the rule', async () => {
  await seed();
  await save(ADMIN);
  const { reviewedPlan } = await readEngineSwitches(fixture.db);
  expect(await auditedReviews()).toMatchObject([
    {
      at: fixture.now,
      actorId: 'ann',
      actor: 'Ann',
      address: '127.0.0.1',
      requestId: 'r-1',
      targetKind: 'rule',
      targetId: String(ID),
      before: null,
      after: { scope: 'rule', when: 'saving a rule', live: ['walmart'], changes: 10, plan: reviewedPlan },
    },
  ]);
  const { rows } = await fixture.db.execute(sql`
    SELECT xmin::text FROM audit_log WHERE action IN ('run.reviewed', 'rule.edited')
    UNION SELECT xmin::text FROM repricing_state UNION SELECT xmin::text FROM repricing_rules`);
  expect(rows).toHaveLength(1);
});

test('a preview that changes no price on a live marketplace is no review', async () => {
  await seed();
  await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
  await save(ADMIN);
  expect(await auditedReviews()).toEqual([]);
});

test('a new rule counts alike', async () => {
  await seed();
  const form = { ...FORM, marketplace: 'walmart' } as const;
  const { token } = await previewRule(fixture.db, null, ruleWriteOf(RuleFields.parse(form)), fixture.now);
  const { id } = await createRule(
    fixture.deps(),
    CreateRule.parse({ ...form, previewToken: token }),
    ANN,
    ADMIN,
  );
  expect(await auditedReviews()).toMatchObject([
    { targetKind: 'rule', targetId: String(id), after: { changes: 10 } },
  ]);
  await fixture.untilIdle();
  expect(await outcome()).toEqual({ moves: 10, halted: false });
});

test.each([
  ['without its preview', ADMIN, false],
  ['by a user', { ...ADMIN, isAdmin: false }, true],
  ['by an API token, which is no administrator', { isStepUpFresh: true, twoFactor: 'none' }, true],
  ['without a recent password', { ...ADMIN, isStepUpFresh: false }, true],
  ['without a second factor where one is required', { ...ADMIN, twoFactor: 'required' }, true],
] satisfies [string, RuleSaver, boolean][])('a save %s is stopped', async (_, saver, isPreviewed) => {
  await seed();
  await save(saver, isPreviewed);
  expect(await auditedReviews()).toEqual([]);
  await fixture.untilIdle();
  expect(await outcome()).toEqual(STOPPED);
});

test('one price that moves from elsewhere, or one more listing that changes, is another plan', async () => {
  await seed();
  await save(ADMIN);
  await fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
    SELECT id, current_price, current_price + 0.01, 'Imported', 'import', ${new Date(fixture.now).toISOString()}::timestamptz
    FROM listings WHERE id = 3`);
  await fixture.untilIdle();
  expect(await outcome()).toEqual(STOPPED);
});

test('what the preview showed of marketplaces that are not live is not reviewed once they are', async () => {
  await seed();
  await addSku(fixture.db, 'E-1');
  await addListing(fixture.db, 'E-1', { marketplace: 'ebay' });
  await save(ADMIN);
  await setLive(fixture.db, 'ebay');
  await fixture.untilIdle();
  expect(await outcome()).toEqual(STOPPED);
});

test('a review counts for an hour', async () => {
  await seed();
  await save(ADMIN);
  fixture.advance(hours(1) + 1);
  await fixture.untilIdle();
  expect(await outcome()).toEqual(STOPPED);
});

test('a review counts for one run', async () => {
  await seed();
  await save(ADMIN);
  const counted = async () => {
    const switches = await readEngineSwitches(fixture.db);
    return reviewOfPlan(fixture.db, switches, switches.reviewedPlan ?? '', fixture.now);
  };
  expect(await counted()).toBe('rule');
  await fixture.untilIdle();
  expect(await outcome()).toEqual({ moves: 10, halted: false });
  expect(await counted()).toBeNull();
});

test('what becomes blocked elsewhere in that run was not reviewed', async () => {
  await seed();
  for (let at = 0; at < 20; at++) {
    await addSku(fixture.db, `X-${at}`);
    await addListing(fixture.db, `X-${at}`);
  }
  await fixture.untilIdle();
  await save(ADMIN);
  await fixture.db.execute(sql`UPDATE skus SET product_cost = NULL WHERE sku LIKE 'X-%'`);
  await fixture.untilIdle();
  expect(await outcome()).toEqual(STOPPED);
});
