import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { ChangeFilter, type ChangeFilterForm, UndoChanges } from '#contract/undo-changes.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { undoChanges } from '#usecases/catalog/bulk-actions/undo-changes.ts';
import { undoRun } from '#usecases/catalog/bulk-actions/undo-run.ts';
import { purgeRuns } from '#usecases/repricing/engine/purge-runs.ts';
import { previewUndo } from '#usecases/repricing/prices/preview-undo.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const fixture = sendingFixture();
const type = (price: number, from: number) =>
  setPrice({ db: fixture.db, now: () => fixture.now }, 1, { price: usd(price), from: usd(from) }, EDITOR);

describe('a price in an unknown state', () => {
  test('is read back immediately, and nothing else is sent for its listing before', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'lose_answer';
    fixture.market.isUnreadable = true;
    await fixture.send();
    expect(await fixture.states()).toEqual(['unknown']);
    await type(19.8, 20.01);
    await fixture.send();
    expect(await fixture.states()).toEqual(['unknown', 'queued']);
    expect(fixture.market.sent).toHaveLength(1);
    fixture.market.isUnreadable = false;
    fixture.market.reactionTo = () => 'live';
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
    expect(fixture.market.asked.map(({ kind }) => kind)).toEqual(['sent', 'read', 'read', 'sent']);
    expect(await fixture.ledger()).toMatchObject([
      { newPrice: beatenPrice(1), source: 'rule' },
      { oldPrice: beatenPrice(1), newPrice: usd(19.8), source: 'person', actor: 'Ann' },
    ]);
  });

  test('that did not arrive is still read back, while a newer one may be sent', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'lose_order';
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([{ state: 'unknown', reads: 1, nextReadAt: NOW + MINUTE }]);
    fixture.market.reactionTo = () => 'accept';
    await type(19.8, 20.01);
    await fixture.send();
    expect(await fixture.states()).toEqual(['unknown', 'accepted']);
    fixture.market.goLive();
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.states()).toEqual(['unknown', 'confirmed']);
    expect(await fixture.prices()).toEqual([usd(19.8)]);
    fixture.advance(hours(2));
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Replaced by a newer price.' },
      { state: 'confirmed' },
    ]);
  });

  test('that buyers do not see for 15 minutes is repriced, and still read back', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'lose_order';
    await fixture.send();
    fixture.advance(14 * MINUTE);
    await fixture.send();
    await fixture.db.execute(sql`SELECT mark_due(ARRAY[1]::bigint[], 'test')`);
    await fixture.untilIdle();
    expect(await fixture.states()).toEqual(['unknown']);
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.due()).toEqual([1]);
    await fixture.untilIdle();
    expect(await fixture.intents()).toMatchObject([
      { state: 'unknown', price: beatenPrice(1) },
      { state: 'queued', price: beatenPrice(1) },
    ]);
    fixture.market.reactionTo = () => 'live';
    await fixture.send();
    expect(fixture.market.asked.map(({ kind }) => kind)).toEqual(['sent', 'read', 'read', 'read', 'sent']);
    expect(await fixture.states()).toEqual(['unknown', 'confirmed']);
    fixture.advance(hours(2));
    await fixture.send();
    // Buyers see its price, whichever of the two was applied: one change.
    expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
    expect(await fixture.ledger()).toMatchObject([{ newPrice: beatenPrice(1), source: 'rule' }]);
  });

  describe('that arrives after a later one', () => {
    /** The engine's price is accepted, Ann's is live at once, and then the engine's arrives. */
    const arrivesLate = async (price: number) => {
      await fixture.seed(1);
      await fixture.untilIdle();
      fixture.market.reactionTo = () => 'accept';
      await fixture.send();
      fixture.market.reactionTo = () => 'live';
      await type(price, 20.01);
      await fixture.send();
      expect(await fixture.states()).toEqual(['accepted', 'confirmed']);
      fixture.market.goLive();
      fixture.advance(MINUTE);
    };

    test("of a user is our own change, and the user's price is sent again", async () => {
      await arrivesLate(19.8);
      await fixture.send();
      expect(await fixture.states()).toEqual(['confirmed', 'confirmed', 'confirmed']);
      expect(await fixture.ledger()).toMatchObject([
        { newPrice: usd(19.8), source: 'person' },
        { oldPrice: usd(19.8), newPrice: beatenPrice(1), source: 'rule' },
        { oldPrice: beatenPrice(1), newPrice: usd(19.8), source: 'person', actor: 'Ann' },
      ]);
      expect(fixture.market.live.get(1)).toBe(usd(19.8));
    });

    test('of a user who went back to the price before is, too', async () => {
      await arrivesLate(20.01);
      await fixture.send();
      expect((await fixture.ledger()).at(-1)).toMatchObject({ newPrice: usd(20.01), source: 'person' });
      expect(fixture.market.live.get(1)).toBe(usd(20.01));
    });

    test('of a user that is no longer allowed is not sent again', async () => {
      await arrivesLate(19.8);
      await fixture.db.execute(sql`UPDATE listings SET min_price = 19.9`);
      await fixture.send();
      expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
      expect(await fixture.due()).toEqual([1]);
    });

    test('whose hold was ended is repriced', async () => {
      await arrivesLate(19.8);
      await fixture.db.execute(
        sql`UPDATE listings SET held_by = NULL, held_until = NULL, hold_reason = NULL`,
      );
      await fixture.send();
      expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
      expect(await fixture.due()).toEqual([1]);
    });
  });

  test('that cannot be read for a day is rejected', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'lose_order';
    fixture.market.isUnreadable = true;
    await fixture.send();
    fixture.advance(hours(24));
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'rejected', marketplaceMessage: expect.stringContaining('Walmart does not answer.') },
    ]);
  });
});

describe('what is over', () => {
  test('goes after a month, but for the newest of each listing', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await type(19.9, 20.01);
    await fixture.send();
    expect(await fixture.states()).toEqual(['expired', 'confirmed']);
    await purgeRuns(fixture.db, instant(fixture.now + hours(29 * 24)));
    expect(await fixture.states()).toHaveLength(2);
    await purgeRuns(fixture.db, instant(fixture.now + hours(31 * 24)));
    expect(await fixture.intents()).toMatchObject([{ state: 'confirmed', sequence: 2 }]);
  });
});

describe('an edit on the marketplace itself', () => {
  test('is adopted and put on hold, and open prices are ended', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    fixture.market.live.set(1, usd(17));
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      {
        state: 'rejected',
        marketplaceMessage: 'Buyers see $17.00: the price was changed on the marketplace.',
      },
    ]);
    expect(await fixture.ledger()).toMatchObject([
      {
        oldPrice: usd(20.01),
        newPrice: usd(17),
        source: 'observed',
        actor: null,
        reason: expect.stringContaining('$17.00'),
      },
    ]);
    expect(await fixture.listing(1)).toMatchObject({
      currentPrice: usd(17),
      heldBy: 'Pricewright',
      holdReason: 'Price changed on Walmart',
    });
  });
});

describe('a newer decision', () => {
  test('replaces what is queued, never what was sent', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await type(19.9, 20.01);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'Replaced by a newer price before it was sent.' },
      { state: 'queued', sequence: 2, source: 'person', actor: 'Ann' },
    ]);
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    await type(19.7, 20.01);
    expect(await fixture.states()).toEqual(['expired', 'accepted', 'queued']);
  });

  test('that an older price replaces is made again, from the current price', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    await fixture.db.execute(sql`UPDATE competitor_offers SET price = price - 0.1`);
    await fixture.untilIdle();
    const wanted = cents(beatenPrice(1) - 10);
    const soon = new Date(fixture.now + 2 * MINUTE).toISOString();
    await fixture.db.execute(
      sql`UPDATE price_intents SET not_before = ${soon}::timestamptz WHERE state = 'queued'`,
    );
    fixture.market.goLive();
    fixture.advance(MINUTE);
    await fixture.send();
    // The engine's newer price is in progress, so it changes nothing.
    await fixture.untilIdle();
    expect(await fixture.states()).toEqual(['confirmed', 'queued']);
    fixture.advance(MINUTE);
    await fixture.send();
    await fixture.untilIdle();
    expect(await fixture.intents()).toMatchObject([
      { state: 'confirmed' },
      { state: 'expired', marketplaceMessage: 'The current price changed before the new one was sent.' },
      { state: 'queued', price: wanted, fromPrice: beatenPrice(1) },
    ]);
  });

  test('without a change withdraws the engine’s queued price', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    await fixture.db.execute(sql`UPDATE competitor_offers SET price = 20.02`);
    await fixture.untilIdle();
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'A newer decision replaced this price before it was sent.' },
    ]);
  });
});

describe('undoing prices that wait to be sent', () => {
  const deps = () => ({ db: fixture.db, now: () => fixture.now, queue: recordedQueue() });
  const assurance = { isStepUpFresh: true, twoFactor: 'none' } as const;
  const since = new Date(NOW - MINUTE).toISOString();
  const undoAll = async (filter: ChangeFilterForm = { since, ofRuns: 'true' }) => {
    const seen = await previewUndo(deps(), ChangeFilter.parse(filter));
    const { through, changes, openThrough } = seen;
    const requested = UndoChanges.parse({ filter, through, changes, openThrough });
    return { seen, outcome: await undoChanges(deps(), requested, EDITOR, assurance) };
  };
  /** The sender sends what it may, and the engine checks all listings again. */
  const goOn = async () => {
    await fixture.send();
    fixture.advance(hours(1));
    await fixture.untilIdle();
    await fixture.send();
  };

  test('of a run keeps the engine from queuing them again', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    const [intent] = await fixture.intents();
    const undone = { runId: intent?.runId ?? 0, whileHalted: false };
    expect(await undoRun(deps(), undone, EDITOR, assurance)).toMatchObject({ done: 2, refusedCount: 0 });
    await goOn();
    expect(await fixture.states()).toEqual(['expired', 'expired']);
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.listing(1)).toMatchObject({ heldBy: 'Ann' });
  });

  test('of a group sends none of them, and takes back those that buyers see', async () => {
    await fixture.seed(3);
    const before = await fixture.prices();
    await fixture.untilIdle();
    await fixture.db.execute(sql`UPDATE price_intents SET not_before = '2099-01-01' WHERE listing_id > 1`);
    await fixture.send();
    expect(await fixture.states()).toEqual(['confirmed', 'queued', 'queued']);
    const { seen, outcome } = await undoAll();
    expect(seen).toMatchObject({ changes: 1, goBack: 1, notSent: 2, inProgress: 0 });
    expect(outcome).toMatchObject({ done: 3, refusedCount: 0 });
    await goOn();
    expect(await fixture.states()).toEqual(['confirmed', 'expired', 'expired', 'confirmed']);
    expect(await fixture.prices()).toEqual(before);
  });

  test('names what has left, and leaves what the filter does not show', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    await fixture.db.execute(sql`UPDATE price_intents SET not_before = '2099-01-01' WHERE listing_id = 2`);
    await fixture.send();
    await type(19.8, 20.01);
    expect(await fixture.states()).toEqual(['accepted', 'queued', 'queued']);
    expect(await previewUndo(deps(), ChangeFilter.parse({ since, marketplace: 'ebay' }))).toMatchObject({
      notSent: 0,
      openThrough: null,
    });
    const { seen, outcome } = await undoAll();
    expect(seen).toMatchObject({ listings: 0, notSent: 1, inProgress: 1 });
    expect(outcome).toMatchObject({ done: 1, refused: [{ listingId: '1' }] });
    // Ann's manual price belongs to no run.
    expect(await fixture.states()).toEqual(['accepted', 'expired', 'queued']);
  });
});
