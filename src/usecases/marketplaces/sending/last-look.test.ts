import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { readEngineFigures } from '#db/queries/repricing/engine-status.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { hours, type Millis } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { type ConcurrentAction, startConcurrent } from '#tests/support/concurrent-action.ts';
import { ANN } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { watchedDatabase } from '#tests/support/watched-database.ts';
import { undoRun } from '#usecases/catalog/bulk-actions/undo-run.ts';
import { haltEngine } from '#usecases/repricing/engine/halt.ts';
import { handleUpgrade } from '#usecases/repricing/engine/handle-upgrade.ts';
import { resumeEngine } from '#usecases/repricing/engine/resume.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { sendTick } from './sending-loop.ts';

const fixture = sendingFixture();
/** Check interval of calls in progress, where that is not what is tested. */
const SOON = 20 as Millis;
const type = (price: number, from: number, whileHalted = false, id = 1) =>
  setPrice(
    { db: fixture.db, now: () => fixture.now },
    id,
    { price: usd(price), from: usd(from), whileHalted },
    EDITOR,
  );

describe('right before it is sent', () => {
  const cases: [string, string, string][] = [
    ['a cost rose', 'UPDATE skus SET product_cost = 19', 'no longer keeps the minimum margin'],
    ['a cost was removed', 'UPDATE skus SET product_cost = NULL', 'Its margin is no longer known'],
    ['a minimum was set', 'UPDATE listings SET min_price = 20', 'is below the minimum price of $20.00'],
    ['a maximum was set', 'UPDATE listings SET max_price = 18', 'is above the maximum price of $18.00'],
    [
      'it was held',
      `UPDATE listings SET held_by = 'Ann', hold_reason = 'Sale'`,
      'The listing was put on hold',
    ],
    [
      'it was switched to recommend only',
      `UPDATE marketplace_modes SET mode = 'recommend_only'`,
      'Automatic repricing was turned off',
    ],
    ['it was switched off', 'UPDATE listings SET auto_repricing_enabled = false', 'turned off'],
    ['its rule asks first now', 'UPDATE repricing_rules SET requires_review = true', 'The rule changed'],
    ['its rule was paused', 'UPDATE repricing_rules SET is_active = false', 'The rule changed'],
    ['it is missing there', 'UPDATE listings SET missing_since = now()', 'is no longer on its marketplace'],
    ['it was deleted', 'UPDATE listings SET deleted_at = now()', 'The listing was deleted'],
  ];
  test.each(cases)('a price is checked again: %s', async (_, change, words) => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await fixture.db.execute(sql.raw(change));
    await fixture.send();
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: expect.stringContaining(words) },
    ]);
  });

  test('a price that is withdrawn between its check and its mark is not sent', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    const before = async (statement: string): Promise<void> => {
      if (!statement.includes("SET state = 'sent'")) return;
      await fixture.db.execute(
        sql`UPDATE price_intents SET state = 'expired', settled_at = now() WHERE id = 1`,
      );
    };
    await fixture.send(fixture.desk({ db: watchedDatabase(fixture.open.pool, { before }) }));
    expect(fixture.market.sent.map(({ listingId }) => listingId)).toEqual([2]);
    expect(await fixture.states()).toEqual(['expired', 'confirmed']);
  });

  test('a manual price set between the check and the mark of another waits for it', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    const typed: ConcurrentAction[] = [];
    const before = async (statement: string): Promise<void> => {
      if (!statement.includes("SET state = 'sent'") || typed.length > 0) return;
      typed.push(await startConcurrent(fixture.db, () => type(19.9, 20.01)));
    };
    await sendTick(fixture.desk({ db: watchedDatabase(fixture.open.pool, { before }) }));
    expect(typed).toMatchObject([{ cameThrough: false }]);
    await typed[0]?.end;
    await fixture.send();
    expect(fixture.market.sent.map(({ price }) => price)).toEqual([beatenPrice(1), usd(19.9)]);
  });

  test('a manual price does not need a live marketplace', async () => {
    await fixture.seed(1);
    await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    await fixture.untilIdle();
    await type(19.9, 20.01);
    expect(await fixture.listing(1)).toMatchObject({ heldBy: 'Ann', awaitingUploadSince: null });
    await fixture.send();
    expect(await fixture.ledger()).toMatchObject([{ source: 'person', newPrice: usd(19.9) }]);
  });

  test('no price is sent for a listing that is missing from its marketplace', async () => {
    await fixture.seed(1);
    await fixture.db.execute(sql`UPDATE listings SET missing_since = now()`);
    await expect(type(19.9, 20.01)).rejects.toThrow('This listing is no longer on Walmart. Relist ');
    await fixture.untilIdle();
    expect(await fixture.intents()).toEqual([]);
  });

  test('nothing is sent before an engine of the same release runs, and then nothing of the old release', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await fixture.send(fixture.desk({ release: '1.1.0/32' }));
    expect(await fixture.states()).toEqual(['queued']);
    await handleUpgrade({ db: fixture.db, now: () => fixture.now }, '1.1.0/32');
    await fixture.send(fixture.desk({ release: '1.1.0/32' }));
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Pricewright was upgraded from 1.0.0/31 to 1.1.0/32.' },
    ]);
  });
});

describe('the circuit breaker', () => {
  test('counts drops in progress within the hour', async () => {
    await fixture.seed(20);
    // A margin floor far below the price.
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 1`);
    await fixture.untilIdle();
    const drop = async (id: number) => {
      await fixture.db.execute(sql`UPDATE competitor_offers SET price = 10 WHERE listing_id = ${id}`);
      await fixture.untilIdle();
    };
    for (let id = 1; id <= 4; id++) await drop(id);
    expect((await fixture.engineSwitch())?.halted).toBe(false);
    expect(await fixture.ledger()).toEqual([]);
    await drop(5);
    expect(await fixture.engineSwitch()).toMatchObject({
      halted: true,
      reason: expect.stringMatching(/^Over one hour, 5 of 20 listings/),
    });
  });
});

test('what was sent by a clock a day ahead is read back immediately, and the sender no longer pauses', async () => {
  await fixture.seed(2);
  fixture.advance(hours(24));
  await fixture.db.execute(
    sql`UPDATE competitor_offers SET seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`,
  );
  await fixture.untilIdle();
  fixture.market.atOnce = 1;
  fixture.market.reactionTo = ({ ref }) => (ref.listingId === 1 ? 'accept' : 'busy');
  const desk = fixture.desk();
  await fixture.send(desk);
  fixture.market.goLive();
  fixture.advance(-hours(24));
  await fixture.send(desk);
  expect((await fixture.intents()).find(({ listingId }) => listingId === 1)).toMatchObject({
    state: 'confirmed',
  });
  await type(19.9, 20.02, false, 2);
  fixture.market.reactionTo = () => 'live';
  await fixture.send(desk);
  expect(fixture.market.sent.at(-1)).toMatchObject({ listingId: 2, price: usd(19.9) });
});

describe('the kill switch', () => {
  const halt = () => haltEngine({ db: fixture.db, now: () => fixture.now }, null, ANN);

  test('ends what is queued', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await halt();
    await fixture.send();
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Not sent: repricing was halted.' },
    ]);
  });

  test('lets a manual price be sent that was confirmed despite it, and nothing of the engine', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    await halt();
    await expect(type(19.9, 20.01)).rejects.toThrow('Repricing is halted');
    await type(19.9, 20.01, true);
    await fixture.send();
    expect(fixture.market.sent).toMatchObject([{ listingId: 1, price: usd(19.9) }]);
    expect(await fixture.states()).toEqual(['expired', 'expired', 'confirmed']);
    expect(await fixture.ledger()).toMatchObject([{ source: 'person', newPrice: usd(19.9) }]);
  });

  test('leaves a person to undo a run of which one price is live, one on its way and one queued', async () => {
    await fixture.seed(3);
    await fixture.untilIdle();
    fixture.market.atOnce = 1;
    fixture.market.reactionTo = ({ ref }) => (ref.listingId === 1 ? 'live' : 'accept');
    const desk = fixture.desk();
    while (fixture.market.sent.length < 2) await sendTick(desk);
    await halt();
    const { figures } = await readEngineFigures(fixture.db, fixture.now);
    expect(figures).toMatchObject({ isHalted: true, inProgressCount: 1 });
    await fixture.db.update(repricingRuns).set({ state: 'done', endedAt: fixture.now });
    const deps = { db: fixture.db, now: () => fixture.now, queue: recordedQueue() };
    const runId = (await fixture.intents())[0]?.runId ?? 0;
    const undo = (whileHalted: boolean) =>
      undoRun(deps, { runId, whileHalted }, EDITOR, { isStepUpFresh: true, twoFactor: 'none' });
    await expect(undo(false)).rejects.toMatchObject({ code: 'halted' });
    expect(await undo(true)).toMatchObject({ done: 2, refused: [{ listingId: '2' }] });
    await fixture.send(desk);
    expect(fixture.market.live.get(1)).toBe(usd(20.01));
    expect(fixture.market.live.get(3)).toBe(usd(20.03));
    fixture.market.goLive();
    fixture.advance(hours(1));
    await fixture.send(desk);
    expect(await undo(true)).toMatchObject({ done: 1, refused: [{ listingId: '1' }] });
    fixture.market.reactionTo = () => 'live';
    await fixture.send(desk);
    expect(fixture.market.live.get(2)).toBe(usd(20.02));
    expect((await fixture.engineSwitch())?.halted).toBe(true);
  });

  test('withdraws what was confirmed despite an earlier halt, also from a call in progress', async () => {
    await fixture.seed(2);
    await halt();
    await type(19.9, 20.01, true);
    await type(19.9, 20.02, true, 2);
    const deps = { db: fixture.db, now: () => fixture.now };
    fixture.market.atOnce = 1;
    fixture.market.whileSending = async (signal) => {
      fixture.advance(1_000);
      await resumeEngine(deps, null, ANN);
      await halt();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('The call was ended.');
    };
    await fixture.send(fixture.desk({ watchInterval: SOON, onUnexpectedError: () => undefined }));
    expect((await fixture.states()).sort()).toEqual(['expired', 'unknown']);
  });

  test('between two calls lets no further one start', async () => {
    await fixture.seed(45);
    await fixture.untilIdle();
    let calls = 0;
    fixture.market.whileSending = async () => {
      if (++calls === 1) await halt();
    };
    await fixture.send();
    expect(calls).toBe(1);
    expect((await fixture.states()).filter((state) => state === 'expired')).toHaveLength(25);
  });

  test('aborts a call in progress, long before its timeout', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.whileSending = async (signal) => {
      await halt();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    };
    const faults: unknown[] = [];
    await fixture.send(fixture.desk({ onUnexpectedError: (error) => faults.push(error) }));
    // Not by the timeout of every call, a minute later: this one is checked at the program's interval.
    expect(faults).toEqual([new Error('Repricing was halted.')]);
    // It may have been sent: it is read back, and buyers still see the former price.
    expect(await fixture.intents()).toMatchObject([{ state: 'unknown', reads: 1 }]);
  });
});

test.each([
  ['its session ended', 'The lease was lost with its session.'],
  ['the lease cannot be checked', 'The database does not say who sends.'],
])('a call under way is ended when %s', async (what, words) => {
  await fixture.seed(1);
  await fixture.untilIdle();
  let isCutOff = false;
  const isSessionGone = () => isCutOff && what === 'its session ended';
  const before = async (statement: string): Promise<void> => {
    if (isCutOff && statement.includes('FROM leases')) throw new Error('The connection was cut.');
  };
  fixture.market.whileSending = async (signal) => {
    isCutOff = true;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isCutOff = false;
    throw signal.reason;
  };
  const faults: unknown[] = [];
  const desk = fixture.desk({
    db: watchedDatabase(fixture.open.pool, { before }),
    session: { key: () => (isSessionGone() ? null : 7) },
    watchInterval: SOON,
    onUnexpectedError: (error) => faults.push(error),
  });
  await fixture.send(desk);
  expect(faults).toContainEqual(new Error(words));
  expect(await fixture.states()).toEqual(['unknown']);
});

describe('a marketplace that is no longer connected', () => {
  test('is sent nothing, and the engine reprices it by file', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await fixture.db.execute(
      sql`UPDATE app_settings SET walmart_client_id = NULL, walmart_client_secret = NULL`,
    );
    await fixture.send(fixture.desk({ connections: fixture.market.connections(() => 'file') }));
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'The marketplace was disconnected before the price was sent.' },
    ]);
    await fixture.untilIdle();
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
    expect((await fixture.listing(1)).awaitingUploadSince).toBe(NOW);
  });

  test('says why when it is paused', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await fixture.send(fixture.desk({ connections: fixture.market.connections(() => 'paused') }));
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Not sent: Walmart is switched off.' },
    ]);
  });
});

test('in read-only mode nothing is sent, and what was sent is still read back', async () => {
  await fixture.seed(2);
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'accept';
  fixture.market.atOnce = 1;
  const readOnly = fixture.desk({ connections: fixture.market.connections(() => 'read_only') });
  await fixture.db.execute(
    sql`UPDATE price_intents SET not_before = created_at + interval '5 seconds' WHERE id = 2`,
  );
  await fixture.send();
  expect(await fixture.states()).toEqual(['accepted', 'queued']);
  fixture.market.goLive();
  fixture.advance(60_000);
  await fixture.send(readOnly);
  expect(await fixture.intents()).toMatchObject([
    { state: 'confirmed' },
    { state: 'expired', marketplaceMessage: 'Not sent: Sending prices is off.' },
  ]);
  expect(fixture.market.sent).toHaveLength(1);
});
