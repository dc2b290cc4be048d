import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hours, type Millis } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { ANN } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { type Meanwhile, meanwhile } from '#tests/support/meanwhile.ts';
import { EDITOR, sendingRig } from '#tests/support/sending-fixture.ts';
import { watchedDatabase } from '#tests/support/watched-database.ts';
import { haltEngine } from '#usecases/repricing/engine/halt.ts';
import { handleUpgrade } from '#usecases/repricing/engine/handle-upgrade.ts';
import { resumeEngine } from '#usecases/repricing/engine/resume.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { sendTick } from './sending-pass.ts';

const rig = sendingRig();
/** Calls under way are looked at so often, where that is not what is proved. */
const SOON = 20 as Millis;
const type = (price: number, from: number, whileHalted = false, id = 1) =>
  setPrice(
    { db: rig.db, now: () => rig.now },
    id,
    { price: usd(price), from: usd(from), whileHalted },
    EDITOR,
  );

describe('right before it leaves', () => {
  const cases: [string, string, string][] = [
    ['a cost rose', 'UPDATE skus SET product_cost = 19', 'no longer keeps the minimum margin'],
    ['a cost is gone', 'UPDATE skus SET product_cost = NULL', 'Its margin is no longer known'],
    ['a minimum was set', 'UPDATE listings SET min_price = 20', 'is below the minimum price of $20.00'],
    ['a maximum was set', 'UPDATE listings SET max_price = 18', 'is above the maximum price of $18.00'],
    [
      'it was held',
      `UPDATE listings SET held_by = 'Ann', hold_reason = 'Sale'`,
      'The listing was put on hold',
    ],
    [
      'it was disarmed',
      `UPDATE marketplace_modes SET mode = 'recommend_only'`,
      'Automatic repricing was turned off',
    ],
    ['it was switched off', 'UPDATE listings SET auto_repricing_enabled = false', 'turned off'],
    ['its rule asks first now', 'UPDATE repricing_rules SET requires_review = true', 'The rule changed'],
    ['its rule was paused', 'UPDATE repricing_rules SET is_active = false', 'The rule changed'],
    ['it is gone', 'UPDATE listings SET missing_since = now()', 'is no longer on its marketplace'],
    ['it was deleted', 'UPDATE listings SET deleted_at = now()', 'The listing was deleted'],
  ];
  test.each(cases)('a price is checked again: %s', async (_, change, words) => {
    await rig.seed(1);
    await rig.untilIdle();
    await rig.db.execute(sql.raw(change));
    await rig.send();
    expect(rig.market.sent).toEqual([]);
    expect(await rig.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: expect.stringContaining(words) },
    ]);
  });

  test('a price that ends between its check and its mark does not leave', async () => {
    await rig.seed(2);
    await rig.untilIdle();
    const before = async (statement: string): Promise<void> => {
      if (!statement.includes("SET state = 'sent'")) return;
      await rig.db.execute(sql`UPDATE price_intents SET state = 'expired', settled_at = now() WHERE id = 1`);
    };
    await rig.send(rig.desk({ db: watchedDatabase(rig.open.pool, { before }) }));
    expect(rig.market.sent.map(({ listingId }) => listingId)).toEqual([2]);
    expect(await rig.states()).toEqual(['expired', 'confirmed']);
  });

  test('a price that is typed between the check and the mark of another waits for it', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    rig.market.reactionTo = () => 'accept';
    const typed: Meanwhile[] = [];
    const before = async (statement: string): Promise<void> => {
      if (!statement.includes("SET state = 'sent'") || typed.length > 0) return;
      typed.push(await meanwhile(rig.db, () => type(19.9, 20.01)));
    };
    await sendTick(rig.desk({ db: watchedDatabase(rig.open.pool, { before }) }));
    expect(typed).toMatchObject([{ cameThrough: false }]);
    await typed[0]?.end;
    await rig.send();
    expect(rig.market.sent.map(({ price }) => price)).toEqual([beatenPrice(1), usd(19.9)]);
  });

  test('a person’s price needs no armed engine', async () => {
    await rig.seed(1);
    await rig.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    await rig.untilIdle();
    await type(19.9, 20.01);
    expect(await rig.listing(1)).toMatchObject({ heldBy: 'Ann', awaitingUploadSince: null });
    await rig.send();
    expect(await rig.ledger()).toMatchObject([{ source: 'person', newPrice: usd(19.9) }]);
  });

  test('nobody asks a price for a listing that is gone from its marketplace', async () => {
    await rig.seed(1);
    await rig.db.execute(sql`UPDATE listings SET missing_since = now()`);
    await expect(type(19.9, 20.01)).rejects.toThrow('This listing is no longer on Walmart. Relist ');
    await rig.untilIdle();
    expect(await rig.intents()).toEqual([]);
  });

  test('nothing is sent before the engine of the same program has taken over, and then nothing of the old one', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    await rig.send(rig.desk({ release: '1.1.0/32' }));
    expect(await rig.states()).toEqual(['queued']);
    await handleUpgrade({ db: rig.db, now: () => rig.now }, '1.1.0/32');
    await rig.send(rig.desk({ release: '1.1.0/32' }));
    expect(rig.market.sent).toEqual([]);
    expect(await rig.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Pricewright was upgraded from 1.0.0/31 to 1.1.0/32.' },
    ]);
  });
});

describe('the circuit breaker', () => {
  test('counts drops that are on their way within the hour', async () => {
    await rig.seed(20);
    // One piece of each is enough for its floor to lie far below.
    await rig.db.execute(sql`UPDATE competitor_offers SET price = 100`);
    await rig.untilIdle();
    const drop = async (id: number) => {
      await rig.db.execute(sql`UPDATE competitor_offers SET price = 10 WHERE listing_id = ${id}`);
      await rig.untilIdle();
    };
    for (let id = 1; id <= 4; id++) await drop(id);
    expect((await rig.engineSwitch())?.halted).toBe(false);
    expect(await rig.ledger()).toEqual([]);
    await drop(5);
    expect(await rig.engineSwitch()).toMatchObject({
      halted: true,
      reason: expect.stringMatching(/^Over one hour, 5 of 20 listings/),
    });
  });
});

test('what was sent by a clock a day ahead is read back at once, and the desk no longer rests', async () => {
  await rig.seed(2);
  rig.advance(hours(24));
  await rig.db.execute(
    sql`UPDATE competitor_offers SET seen_at = ${new Date(rig.now).toISOString()}::timestamptz`,
  );
  await rig.untilIdle();
  rig.market.atOnce = 1;
  rig.market.reactionTo = ({ ref }) => (ref.listingId === 1 ? 'accept' : 'busy');
  const desk = rig.desk();
  await rig.send(desk);
  rig.market.goLive();
  rig.advance(-hours(24));
  await rig.send(desk);
  expect((await rig.intents()).find(({ listingId }) => listingId === 1)).toMatchObject({
    state: 'confirmed',
  });
  await type(19.9, 20.02, false, 2);
  rig.market.reactionTo = () => 'live';
  await rig.send(desk);
  expect(rig.market.sent.at(-1)).toMatchObject({ listingId: 2, price: usd(19.9) });
});

describe('the kill switch', () => {
  const halt = () => haltEngine({ db: rig.db, now: () => rig.now }, null, ANN);

  test('ends what is queued', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    await halt();
    await rig.send();
    expect(rig.market.sent).toEqual([]);
    expect(await rig.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Not sent: repricing was halted.' },
    ]);
  });

  test('lets a person’s price leave that was confirmed under it, and nothing of the engine', async () => {
    await rig.seed(2);
    await rig.untilIdle();
    await halt();
    await expect(type(19.9, 20.01)).rejects.toThrow('Repricing is halted');
    await type(19.9, 20.01, true);
    await rig.send();
    expect(rig.market.sent).toMatchObject([{ listingId: 1, price: usd(19.9) }]);
    expect(await rig.states()).toEqual(['expired', 'expired', 'confirmed']);
    expect(await rig.ledger()).toMatchObject([{ source: 'person', newPrice: usd(19.9) }]);
  });

  test('takes back what was confirmed under the halt before, also from a call under way', async () => {
    await rig.seed(2);
    await halt();
    await type(19.9, 20.01, true);
    await type(19.9, 20.02, true, 2);
    const deps = { db: rig.db, now: () => rig.now };
    rig.market.atOnce = 1;
    rig.market.whileSending = async (signal) => {
      rig.advance(1_000);
      await resumeEngine(deps, null, ANN);
      await halt();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('The call was ended.');
    };
    await rig.send(rig.desk({ watchEvery: SOON, onFault: () => undefined }));
    expect((await rig.states()).sort()).toEqual(['expired', 'unknown']);
  });

  test('between two calls lets no further one begin', async () => {
    await rig.seed(45);
    await rig.untilIdle();
    let calls = 0;
    rig.market.whileSending = async () => {
      if (++calls === 1) await halt();
    };
    await rig.send();
    expect(calls).toBe(1);
    expect((await rig.states()).filter((state) => state === 'expired')).toHaveLength(25);
  });

  test('ends a call that is under way, long before its own limit does', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    rig.market.whileSending = async (signal) => {
      await halt();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    };
    const faults: unknown[] = [];
    await rig.send(rig.desk({ onFault: (error) => faults.push(error) }));
    // Not by the limit of every call, which comes after a minute: this one is looked at as the program looks.
    expect(faults).toEqual([new Error('Repricing was halted.')]);
    // It may have left: it is read, and the price in force is still seen.
    expect(await rig.intents()).toMatchObject([{ state: 'unknown', reads: 1 }]);
  });
});

test.each([
  ['its session is gone', 'The lease was lost with its session.'],
  ['nobody can say who sends', 'The database does not say who sends.'],
])('a call under way is ended when %s', async (what, words) => {
  await rig.seed(1);
  await rig.untilIdle();
  let isCutOff = false;
  const isSessionGone = () => isCutOff && what === 'its session is gone';
  const before = async (statement: string): Promise<void> => {
    if (isCutOff && statement.includes('FROM leases')) throw new Error('The connection was cut.');
  };
  rig.market.whileSending = async (signal) => {
    isCutOff = true;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isCutOff = false;
    throw signal.reason;
  };
  const faults: unknown[] = [];
  const desk = rig.desk({
    db: watchedDatabase(rig.open.pool, { before }),
    session: { key: () => (isSessionGone() ? null : 7) },
    watchEvery: SOON,
    onFault: (error) => faults.push(error),
  });
  await rig.send(desk);
  expect(faults).toContainEqual(new Error(words));
  expect(await rig.states()).toEqual(['unknown']);
});

describe('a marketplace that is no longer connected', () => {
  test('gets nothing, and the engine decides for it by file', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    await rig.db.execute(sql`UPDATE app_settings SET walmart_client_id = NULL, walmart_client_secret = NULL`);
    await rig.send(rig.desk({ connections: rig.market.connections(() => 'file') }));
    expect(rig.market.sent).toEqual([]);
    expect(await rig.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'The marketplace was disconnected before the price was sent.' },
    ]);
    await rig.untilIdle();
    expect(await rig.prices()).toEqual([beatenPrice(1)]);
    expect((await rig.listing(1)).awaitingUploadSince).toBe(NOW);
  });

  test('says why when it is paused', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    await rig.send(rig.desk({ connections: rig.market.connections(() => 'paused') }));
    expect(await rig.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Not sent: Walmart is switched off.' },
    ]);
  });
});

test('without leave to send nothing leaves any more, and what is out is still read', async () => {
  await rig.seed(2);
  await rig.untilIdle();
  rig.market.reactionTo = () => 'accept';
  rig.market.atOnce = 1;
  const readOnly = rig.desk({ connections: rig.market.connections(() => 'read_only') });
  await rig.db.execute(
    sql`UPDATE price_intents SET not_before = created_at + interval '5 seconds' WHERE id = 2`,
  );
  await rig.send();
  expect(await rig.states()).toEqual(['accepted', 'queued']);
  rig.market.goLive();
  rig.advance(60_000);
  await rig.send(readOnly);
  expect(await rig.intents()).toMatchObject([
    { state: 'confirmed' },
    { state: 'expired', marketplaceMessage: 'Not sent: Nobody has let prices be sent.' },
  ]);
  expect(rig.market.sent).toHaveLength(1);
});
