import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { undoRun } from '#usecases/catalog/bulk-actions/undo-run.ts';
import { applyPrice } from '#usecases/repricing/prices/apply-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { compareShownPrices } from './compare-shown-prices.ts';

const fixture = sendingFixture();
const deps = () => ({ db: fixture.db, now: () => fixture.now });
const SHIRTS = sql`sku IN ('A-1', 'A-2')`;

/** Two listings with one price of 24.00, which need 18.10 and 19.90 for a margin of 15%, and one more listing. */
async function seedShirts(): Promise<void> {
  await fixture.seed(3);
  await fixture.db.execute(sql`UPDATE repricing_rules SET strategy = 'Fixed Margin'`);
  await fixture.db.execute(sql`UPDATE skus SET product_cost = CASE sku WHEN 'A-1' THEN 12.67 ELSE 13.93 END`);
  await fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
    SELECT id, current_price, 24, 'Imported.', 'import', ${new Date(fixture.now - 90 * MINUTE).toISOString()}::timestamptz
    FROM listings`);
  await fixture.db.execute(sql`UPDATE listings SET group_key = 'shirt' WHERE ${SHIRTS}`);
  for (const id of [1, 2, 3]) fixture.market.live.set(id, usd(24));
  await fixture.untilIdle();
}

const regroup = (key: string | null, ids: readonly number[]) =>
  fixture.db.execute(sql`UPDATE listings SET group_key = ${key}, updated_at = ${new Date(fixture.now).toISOString()}::timestamptz
    WHERE id = ANY(${sql.param(ids)}::bigint[])`);
const ofShirts = async () => (await fixture.intents()).filter(({ listingId }) => listingId < 3);
const sentToShirts = () => fixture.market.sent.filter(({ listingId }) => listingId < 3);

describe('a price group', () => {
  test('C15: one price is queued for it a run, sent in one call, and one row is written for each member', async () => {
    await seedShirts();
    const [red, blue] = await ofShirts();
    expect([red, blue]).toMatchObject([
      { price: usd(20.4), groupSize: 2 },
      { price: usd(20.4), groupSize: 2 },
    ]);
    expect(red?.groupOrder).toBe(blue?.groupOrder);
    await fixture.send();
    await fixture.untilIdle();
    await fixture.send();
    expect(sentToShirts().map(({ price }) => price)).toEqual([20.4, 20.4, 19.9, 19.9].map(usd));
    expect(
      (await fixture.ledger()).filter(({ listingId, source }) => listingId < 3 && source === 'rule'),
    ).toMatchObject([
      { listingId: 1, newPrice: usd(20.4) },
      { listingId: 2, newPrice: usd(20.4) },
      { listingId: 1, newPrice: usd(19.9) },
      { listingId: 2, newPrice: usd(19.9) },
    ]);
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });

  test('C16: a member without a cost blocks it, and is due with the others when its cost comes', async () => {
    await seedShirts();
    await fixture.db.execute(sql`UPDATE skus SET product_cost = NULL WHERE sku = 'A-2'`);
    expect(await fixture.due()).toEqual([1, 2]);
    await fixture.untilIdle();
    expect((await ofShirts()).map(({ state }) => state)).toEqual(['expired', 'expired']);
    const { rows } = await fixture.db.execute(
      sql`SELECT reason_code AS reason FROM listing_metrics WHERE listing_id < 3 ORDER BY listing_id`,
    );
    expect(rows).toEqual([{ reason: 'group_blocked' }, { reason: 'unknown_cost' }]);
  });

  test('C17: a group that changes ends what is queued for it, and each listing is decided alone', async () => {
    await seedShirts();
    await regroup(null, [1]);
    expect((await ofShirts()).map(({ state }) => state)).toEqual(['expired', 'expired']);
    await regroup(null, [2]);
    await fixture.untilIdle();
    await fixture.send();
    await fixture.untilIdle();
    await fixture.send();
    expect(await fixture.prices()).toEqual([usd(18.1), usd(19.9), usd(19.9)]);
  });

  test('a price that goes out while the group changes is settled for each listing', async () => {
    await seedShirts();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    await regroup('other', [2]);
    fixture.market.goLive();
    fixture.advance(MINUTE);
    await fixture.send();
    expect((await ofShirts()).filter(({ price }) => price === usd(20.4)).map(({ state }) => state)).toEqual([
      'confirmed',
      'confirmed',
    ]);
  });

  test('is confirmed only when every member shows the price', async () => {
    await seedShirts();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    fixture.market.live.set(1, usd(20.4));
    fixture.advance(MINUTE);
    await fixture.send();
    expect((await ofShirts()).map(({ state }) => state)).toEqual(['accepted', 'accepted']);
    expect((await fixture.prices()).slice(0, 2)).toEqual([usd(24), usd(24)]);
    fixture.market.goLive();
    fixture.advance(10 * MINUTE);
    await fixture.send();
    expect((await fixture.prices()).slice(0, 2)).toEqual([usd(20.4), usd(20.4)]);
  });

  test('is one price for a user: set, undone and applied for all members', async () => {
    await seedShirts();
    await setPrice(deps(), 2, { price: usd(22), from: usd(24) }, EDITOR);
    await fixture.send();
    expect((await fixture.prices()).slice(0, 2)).toEqual([usd(22), usd(22)]);
    expect((await fixture.listing(1)).holdReason).not.toBeNull();
    await expect(setPrice(deps(), 1, { price: usd(19), from: usd(22) }, EDITOR)).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await fixture.untilIdle();
    const { recommendedPrice } = await fixture.listing(1);
    await applyPrice(deps(), 1, { shown: recommendedPrice ?? usd(0) }, EDITOR);
    await fixture.send();
    expect((await fixture.prices()).slice(0, 2)).toEqual([recommendedPrice, recommendedPrice]);
  });

  test('undone with its run, each member goes back once', async () => {
    await seedShirts();
    await fixture.send();
    const [run] = (await fixture.ledger()).filter(({ source }) => source === 'rule');
    await undoRun({ ...deps(), queue: recordedQueue() }, { runId: run?.runId ?? 0 }, EDITOR, {
      isStepUpFresh: true,
      twoFactor: 'none',
    });
    await fixture.send();
    expect((await fixture.prices()).slice(0, 2)).toEqual([usd(24), usd(24)]);
  });

  test('an external edit of one member is one of the group', async () => {
    await seedShirts();
    await fixture.db.execute(
      sql`UPDATE price_intents SET state = 'expired', settled_at = now() - interval '1 year'`,
    );
    const from = { source: 'item' as const, readAt: fixture.now };
    fixture.advance(MINUTE);
    const { drifted } = await compareShownPrices(
      fixture.db,
      'walmart',
      [{ listingId: 1, price: usd(23) }],
      from,
      fixture.now,
    );
    expect(drifted).toEqual([1, 2]);
    expect((await fixture.prices()).slice(0, 2)).toEqual([usd(23), usd(23)]);
  });

  test('one that loses money is repaired for all members at once', async () => {
    await seedShirts();
    await fixture.db.execute(
      sql`UPDATE price_intents SET state = 'expired', settled_at = now() - interval '1 year'`,
    );
    const from = { source: 'item' as const, readAt: fixture.now };
    fixture.advance(MINUTE);
    await compareShownPrices(fixture.db, 'walmart', [{ listingId: 2, price: usd(2.4) }], from, fixture.now);
    fixture.market.live.set(1, usd(2.4)).set(2, usd(2.4));
    await fixture.send();
    expect((await fixture.prices()).slice(0, 2)).toEqual([usd(24), usd(24)]);
  });

  test('members that are shown with different prices are not compared', async () => {
    await seedShirts();
    await fixture.db.execute(
      sql`UPDATE price_intents SET state = 'expired', settled_at = now() - interval '1 year'`,
    );
    const shown = [
      { listingId: 1, price: usd(23) },
      { listingId: 2, price: usd(24) },
    ];
    const from = { source: 'item' as const, readAt: fixture.now };
    fixture.advance(MINUTE);
    expect(await compareShownPrices(fixture.db, 'walmart', shown, from, fixture.now)).toMatchObject({
      compared: 0,
    });
  });
});

type Act = 'decide' | 'send' | 'accept' | 'live' | 'set' | 'split' | 'merge' | 'cost';
const ACTS: readonly Act[] = ['decide', 'send', 'accept', 'live', 'set', 'split', 'merge', 'cost'];

const STORIES = fc.sample(
  fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.integer({ min: 1, max: 3 })), {
    minLength: 6,
    maxLength: 14,
  }),
  { seed: 20_261_121, numRuns: asMany(3, 60) },
);

describe('whatever happens in whatever order', () => {
  test.each(
    STORIES.map((story) => ({ story, name: story.map(([action, id]) => `${action} ${id}`).join(', ') })),
  )('a group has at most one open price, which is one for all members: $name', async ({ story }) => {
    await seedShirts();
    for (const [action, id] of story) {
      await perform(action, id);
      await expectWhole();
    }
  });
});

async function perform(action: Act, id: number): Promise<void> {
  fixture.advance(MINUTE);
  const { currentPrice } = await fixture.listing(id);
  if (action === 'decide') await fixture.untilIdle();
  if (action === 'send') fixture.market.reactionTo = () => 'live';
  if (action === 'accept') fixture.market.reactionTo = () => 'accept';
  if (action === 'send' || action === 'accept') await fixture.send();
  if (action === 'live') fixture.market.goLive();
  if (action === 'set') {
    await setPrice(deps(), id, { price: usd(21 + id / 10), from: currentPrice }, EDITOR).catch(
      () => undefined,
    );
  }
  if (action === 'split') await regroup(null, [id]);
  if (action === 'merge') await regroup('shirt', [id]);
  if (action === 'cost')
    await fixture.db.execute(sql`UPDATE skus SET product_cost = product_cost + 0.1 WHERE id = ${id}`);
}

/** Rows of a group: no part of a price is in another state than the others, and none is queued twice. */
async function expectWhole(): Promise<void> {
  const { rows: torn } = await fixture.db.execute(sql`
    SELECT group_order FROM price_intents WHERE group_order IS NOT NULL
    GROUP BY group_order HAVING count(DISTINCT (state, price)) > 1 OR count(*) <> max(group_size)`);
  expect(torn).toEqual([]);
  const { rows: twice } = await fixture.db.execute(sql`
    SELECT l.group_key FROM price_intents i JOIN listings l ON l.id = i.listing_id
    WHERE i.state = 'queued' AND l.group_key IS NOT NULL
    GROUP BY l.marketplace, l.group_key HAVING count(DISTINCT coalesce(i.group_order::text, i.id::text)) > 1`);
  expect(twice).toEqual([]);
}
