import { asc, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { listingCondition } from '#db/queries/catalog/listing-filter.ts';
import { listOpenEdits } from '#db/queries/marketplaces/sending/external-edits.ts';
import { listAlerts } from '#db/queries/repricing/alerts.ts';
import { auditLog } from '#db/schema/audit.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { externalEdits } from '#db/schema/prices.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { type Cents, hours } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';
import { saveExternalEditPolicy } from '#usecases/repricing/limits/save-external-edit-policy.ts';
import {
  findExternalEdit,
  leaveExternalEdit,
  repairExternalEdit,
} from '#usecases/repricing/prices/decide-external-edit.ts';
import { compareShownPrices } from './compare-shown-prices.ts';
import { settleReading } from './reading-check.ts';

/** Each listing costs $10.00; with 15% of fees and a minimum margin of 15% its margin floor is $14.29. */
const fixture = sendingFixture();
const deps = () => ({ db: fixture.db, now: () => fixture.now });
const edits = () => fixture.db.select().from(externalEdits).orderBy(asc(externalEdits.id));
const alertedOf = async (kind: string) => {
  await updateAlerts({ ...deps(), queue: recordedQueue(), home: () => '' });
  return (await listAlerts(fixture.db, fixture.now, 50)).filter((alert) => alert.kind === kind);
};
const hold = async (id: number) => {
  const { heldBy, heldUntil } = await fixture.listing(id);
  return { heldBy, heldUntil };
};

/** The marketplace shows these prices when the items are read. */
async function found(...prices: [number, Cents][]): Promise<void> {
  for (const [listingId, price] of prices) fixture.market.edit(listingId, price);
  const read = prices.map(([listingId, price]) => ({ listingId, price }));
  const from = { source: 'item' as const, readAt: fixture.now };
  await compareShownPrices(fixture.db, 'walmart', read, from, fixture.now);
}

beforeEach(() => fixture.seed(4));

describe('fifty cents (C30, C31)', () => {
  beforeEach(async () => {
    await found([1, usd(0.5)]);
    await fixture.send();
  });

  test('go back to the price before, as an urgent price, with a hold of a day', async () => {
    expect(fixture.market.orders).toMatchObject([{ price: usd(20.01), isUrgent: true }]);
    expect(await fixture.ledger()).toMatchObject([
      { oldPrice: usd(20.01), newPrice: usd(0.5), source: 'observed' },
      { oldPrice: usd(0.5), newPrice: usd(20.01), source: 'repair', actor: null },
    ]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(20.01), anchorPrice: usd(20.01) });
    expect(await hold(1)).toEqual({ heldBy: 'Pricewright', heldUntil: fixture.now + hours(24) });
    expect(await edits()).toMatchObject([
      { problem: 'loses_money', unrepairedBecause: null, repairPrice: usd(20.01), decision: null },
    ]);
    const actions = (await fixture.db.select().from(auditLog).orderBy(auditLog.id)).map((row) => row.action);
    expect(actions).toEqual(['price.observed', 'price.repaired']);
    expect(await listOpenEdits(fixture.db, null, 10, fixture.now)).toMatchObject([
      { listingId: 1, sku: 'A-1', isInForce: false },
    ]);
  });

  test('again are adopted and held until resumed, and never repaired twice within a day', async () => {
    fixture.advance(60 * MINUTE);
    await found([1, usd(0.5)]);
    await fixture.send();
    expect(fixture.market.sent).toHaveLength(1);
    expect(await fixture.prices()).toEqual([usd(0.5), usd(20.02), usd(20.03), usd(20.04)]);
    expect(await hold(1)).toEqual({ heldBy: 'Pricewright', heldUntil: null });
    expect((await edits()).at(-1)).toMatchObject({ unrepairedBecause: 'repeated' });
    // The next day is another one, but the price before is the edit itself.
    fixture.advance(hours(24));
    await fixture.db.execute(sql`UPDATE listings SET held_by = NULL, hold_reason = NULL`);
    await found([1, usd(0.49)]);
    expect((await edits()).at(-1)).toMatchObject({ unrepairedBecause: 'doubtful', repairPrice: usd(14.29) });
  });

  test('that a user leaves as they were stay so, also after a day', async () => {
    const edit = await findExternalEdit(fixture.db, 1, fixture.now);
    await leaveExternalEdit(deps(), 1, Number(edit?.id), EDITOR);
    expect(await hold(1)).toEqual({ heldBy: 'Ann', heldUntil: null });
    expect(await findExternalEdit(fixture.db, 1, fixture.now)).toBeNull();
    await expect(leaveExternalEdit(deps(), 1, Number(edit?.id), EDITOR)).rejects.toMatchObject({
      code: 'conflict',
    });
    fixture.advance(hours(48));
    await found([1, usd(0.5)]);
    expect((await edits()).at(-1)).toMatchObject({ unrepairedBecause: 'left' });
  });
});

test('fifty cents first seen in a list are repaired once the item shows them', async () => {
  fixture.market.live.set(1, usd(0.5));
  const { db, now } = fixture;
  const read = [{ listingId: 1, price: usd(0.5) }];
  const seen = await compareShownPrices(db, 'walmart', read, { source: 'list', readAt: now }, now);
  expect(await edits()).toEqual([]);
  await settleReading(db, 'walmart', { source: 'list', startedAt: now, ...seen }, now);
  await fixture.send();
  await fixture.send();
  expect(await edits()).toMatchObject([{ problem: 'loses_money', repairPrice: usd(20.01) }]);
  expect(fixture.market.orders).toMatchObject([{ price: usd(20.01), isUrgent: true }]);
});

test('a repair that was not sent is withdrawn when the user leaves the price', async () => {
  await found([1, usd(0.5)]);
  await leaveExternalEdit(deps(), 1, Number((await edits())[0]?.id), EDITOR);
  await fixture.send();
  expect(fixture.market.sent).toEqual([]);
  expect((await fixture.listing(1)).currentPrice).toBe(usd(0.5));
});

test('a repair outlives a marketplace that is busy, and is stopped by a halt', async () => {
  await found([1, usd(0.5)]);
  fixture.market.reactionTo = () => 'busy';
  for (let minute = 0; minute < 30; minute++) {
    fixture.advance(MINUTE);
    await fixture.send();
  }
  expect((await fixture.states()).at(-1)).toBe('queued');
  const edit = () => findExternalEdit(fixture.db, 1, fixture.now);
  expect(await edit()).toMatchObject({ unrepairedBecause: null, isInForce: true });
  await fixture.db.execute(sql`UPDATE repricing_state SET halted = true`);
  await fixture.send();
  expect(await fixture.states()).toEqual(['expired']);
  // It is not said to be under way any longer, and the user may repair it.
  expect(await edit()).toMatchObject({ unrepairedBecause: 'not_automatic', isInForce: true });
});

describe('a thin price (C32)', () => {
  test('is held with a repair that the user may choose', async () => {
    await found([2, usd(12)]);
    await fixture.send();
    expect(fixture.market.sent).toEqual([]);
    expect(await edits()).toMatchObject([
      { problem: 'below_floor', unrepairedBecause: 'policy', repairPrice: usd(14.29) },
    ]);
    const id = Number((await edits())[0]?.id);
    const other = { id, price: usd(14.3) };
    await expect(repairExternalEdit(deps(), 2, other, EDITOR)).rejects.toMatchObject({ code: 'conflict' });
    await repairExternalEdit(deps(), 2, { id, price: usd(14.29) }, EDITOR);
    await fixture.send();
    expect((await fixture.listing(2)).currentPrice).toBe(usd(14.29));
    expect((await edits())[0]).toMatchObject({ decision: 'repaired', decidedBy: 'Ann' });
  });

  test('is repaired where the settings say so', async () => {
    await saveExternalEditPolicy(deps(), 'walmart', 'repair_floor', EDITOR);
    await found([2, usd(12)]);
    await fixture.send();
    expect((await fixture.listing(2)).currentPrice).toBe(usd(20.02));
  });
});

test('nothing is repaired where prices are only recommended, or the settings forbid it', async () => {
  await saveExternalEditPolicy(deps(), 'walmart', 'hold', EDITOR);
  await found([1, usd(0.5)]);
  await fixture.db.update(marketplaceModes).set({ mode: 'recommend_only', externalEdits: 'repair_loss' });
  await found([2, usd(0.5)]);
  await fixture.send();
  expect(fixture.market.sent).toEqual([]);
  expect((await edits()).map((edit) => edit.unrepairedBecause)).toEqual(['policy', 'not_automatic']);
});

test('nothing is repaired while the marketplace sets the price, as a sync reported without an end', async () => {
  await fixture.db.update(marketplaceListings).set({ notRepriceableReason: 'A repricer there sets it.' });
  await fixture.db.execute(sql`
    UPDATE listings SET held_by = 'Walmart', held_until = NULL, hold_reason = 'A repricer there sets it.'`);
  await found([1, usd(0.5)]);
  await fixture.send();
  expect(fixture.market.sent).toEqual([]);
  expect(await edits()).toMatchObject([{ problem: 'loses_money', unrepairedBecause: 'not_automatic' }]);
});

test('an edit whose cost was likely mistyped here is not repaired, and that change of its cost is named (C33)', async () => {
  const costs = (cost: number, hoursAgo: number) => {
    const at = new Date(fixture.now - hours(hoursAgo)).toISOString();
    return fixture.db.execute(
      sql`UPDATE skus SET product_cost = ${cost}, version = version + 1, updated_at = ${at}::timestamptz`,
    );
  };
  await costs(11, 25);
  await costs(190, 1);
  await found([1, usd(19)]);
  expect(await edits()).toMatchObject([{ problem: 'loses_money', unrepairedBecause: 'doubtful' }]);
  const open = () => listOpenEdits(fixture.db, 1, 10, fixture.now);
  expect(await open()).toMatchObject([{ costChange: { from: usd(11), to: usd(190) } }]);
  const alerts = await alertedOf('external_edit');
  expect(alerts).toMatchObject([
    {
      message: expect.stringMatching(/\$11\.00 .*\$190\.00/),
      // No other amount than the price.
      forUsers: expect.stringMatching(/^[^$]*\$19\.00[^$]*$/),
    },
  ]);
  fixture.advance(hours(24));
  await fixture.db.execute(sql`DELETE FROM external_edits`);
  await found([1, usd(18)]);
  expect(await open()).toMatchObject([{ costChange: null }]);
});

test('of a bundle the component whose cost was changed is named (C33)', async () => {
  const at = (hoursAgo: number) => new Date(fixture.now - hours(hoursAgo)).toISOString();
  await fixture.db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz, updated_at)
    VALUES ('PART', 'Part', 11, 8, ${at(25)}::timestamptz)`);
  await fixture.db.execute(sql`INSERT INTO bundle_components (listing_sku, component_sku_id)
    SELECT 'A-1', id FROM skus WHERE sku = 'PART'`);
  await fixture.db.execute(sql`UPDATE skus SET product_cost = 190, version = version + 1,
    updated_at = ${at(1)}::timestamptz WHERE sku = 'PART'`);
  await found([1, usd(19)]);
  expect(await edits()).toMatchObject([{ problem: 'loses_money', unrepairedBecause: 'doubtful' }]);
  expect(await listOpenEdits(fixture.db, 1, 10, fixture.now)).toMatchObject([
    { costChange: { component: 'PART', from: usd(11), to: usd(190) } },
  ]);
  expect(await alertedOf('external_edit')).toMatchObject([
    {
      message: expect.stringMatching(/PART .*\$11\.00 .*\$190\.00/),
      forUsers: expect.stringMatching(/^[^$]*\$19\.00[^$]*PART[^$]*$/),
    },
  ]);
});

test('more repairs than a slip explains switch the marketplace to recommend only (C33)', async () => {
  await found([1, usd(0.5)]);
  await fixture.send();
  await found([2, usd(0.5)], [3, usd(0.5)]);
  const [mode] = await fixture.db
    .select()
    .from(marketplaceModes)
    .where(sql`${marketplaceModes.marketplace} = 'walmart'`);
  expect(mode).toMatchObject({ mode: 'live' });
  await found([4, usd(0.5)]);
  // What was sent is repaired; what was queued is not.
  const tooMany = ['too_many', 'too_many', 'too_many'];
  expect((await edits()).map((edit) => edit.unrepairedBecause)).toEqual([null, ...tooMany]);
  const [after] = await fixture.db
    .select()
    .from(marketplaceModes)
    .where(sql`${marketplaceModes.marketplace} = 'walmart'`);
  expect(after).toMatchObject({ mode: 'recommend_only', resetReason: 'external_edits' });
  await fixture.send();
  expect(fixture.market.sent).toMatchObject([{ listingId: 1 }]);
  // The alert leads to all of them.
  const state = { state: 'external_edit', marketplace: 'walmart' } as const;
  const link = `/listings?${new URLSearchParams(state)}`;
  expect(await alertedOf('mode_reset')).toContainEqual(expect.objectContaining({ link }));
  const { rows } = await fixture.db.execute(
    sql`SELECT listing_id::int AS id FROM listing_keys k WHERE ${listingCondition(state, fixture.now)} ORDER BY 1`,
  );
  expect(rows).toEqual([{ id: 2 }, { id: 3 }, { id: 4 }]);
});
