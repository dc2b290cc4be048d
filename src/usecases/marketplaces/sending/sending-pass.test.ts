import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS, beatenPrice } from '#tests/support/engine-shop.ts';
import { refusedFinally } from '#tests/support/fake-marketplace.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';

const fixture = sendingFixture();

describe('a change by the engine', () => {
  test('is queued, and changes no price before buyers see it', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    expect(await fixture.prices()).toEqual([usd(20.01), usd(20.02)]);
    expect(await fixture.ledger()).toEqual([]);
    expect(await fixture.intents()).toMatchObject(
      [1, 2].map((n) => ({
        listingId: n,
        sequence: 1,
        state: 'queued',
        source: 'rule',
        marketplace: 'walmart',
        price: beatenPrice(n),
        fromPrice: usd(20 + n / 100),
        createdAt: NOW,
        expiresAt: NOW + 10 * MINUTE,
      })),
    );
    expect((await fixture.listing(1)).awaitingUploadSince).toBeNull();
    // Decided again it is on its way already.
    await fixture.db.execute(sql`SELECT mark_due(ARRAY[1, 2]::bigint[], 'test')`);
    await fixture.untilIdle();
    expect(await fixture.states()).toEqual(['queued', 'queued']);
  });

  test('confirmed by the response is a ledger row immediately', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    await fixture.send();
    expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
    expect(await fixture.prices()).toEqual([beatenPrice(1), beatenPrice(2)]);
    const [run] = (await fixture.runs()).slice(-1);
    expect(await fixture.ledger()).toMatchObject(
      [2, 1]
        .map((n) => ({
          listingId: n,
          oldPrice: usd(20 + n / 100),
          newPrice: beatenPrice(n),
          source: 'rule',
          runId: run?.id,
          actor: null,
          timestamp: NOW,
        }))
        .sort((a, b) => a.listingId - b.listingId),
    );
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    // Its figures follow.
    expect(await fixture.due()).toEqual([1, 2]);
  });

  test('that is accepted is read back once the marketplace may show it', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    fixture.market.shownAfter = 5 * MINUTE;
    await fixture.send();
    const looked = { state: 'accepted', nextReadAt: NOW + 5 * MINUTE };
    expect(await fixture.intents()).toMatchObject([looked, looked]);
  });

  test('that is accepted becomes current once a read-back shows it', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'accepted', receipt: 'feed-1', nextReadAt: NOW + MINUTE, sentAt: NOW },
    ]);
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'accepted', reads: 1, nextReadAt: NOW + 5 * MINUTE },
    ]);
    expect(await fixture.prices()).toEqual([usd(20.01)]);
    fixture.market.goLive();
    fixture.advance(4 * MINUTE);
    await fixture.send();
    expect(await fixture.states()).toEqual(['confirmed']);
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
    expect(await fixture.ledger()).toMatchObject([{ timestamp: NOW + 5 * MINUTE, source: 'rule' }]);
    expect(fixture.market.sent).toHaveLength(1);
  });

  test('is read back after 1, 5, 15, 45 and 120 minutes, then rejected, and the listing repriced', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    const readAt: number[] = [];
    for (let minute = 1; minute <= 125; minute++) {
      fixture.advance(MINUTE);
      const before = fixture.market.asked.length;
      await fixture.send();
      if (fixture.market.asked.length > before) readAt.push(minute);
    }
    expect(readAt).toEqual([1, 5, 15, 45, 120]);
    expect(await fixture.intents()).toMatchObject([
      {
        state: 'rejected',
        marketplaceMessage: 'Two hours after sending, buyers still see the previous price.',
      },
    ]);
    expect(await fixture.due()).toEqual([1]);
  });

  test("that is rejected keeps the price, with the marketplace's message", async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'reject';
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'rejected', marketplaceMessage: 'The price is too low for this item.', settledAt: NOW },
    ]);
    expect(await fixture.prices()).toEqual([usd(20.01)]);
    // Another price may do: it is decided anew.
    expect(await fixture.due()).toEqual([1]);
  });

  test('that is rejected later is found by the read-back', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'accept';
    await fixture.send();
    fixture.market.refusals.set(1, refusedFinally('ERR-7: price outside of the\n allowed range'));
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      { state: 'rejected', marketplaceMessage: 'ERR-7: price outside of the allowed range' },
    ]);
  });

  describe('of a listing that a read-back does not find', () => {
    const later = async (time: number) => {
      fixture.advance(time);
      await fixture.send();
    };
    beforeEach(async () => {
      await fixture.seed(1);
      await fixture.untilIdle();
      fixture.market.reactionTo = () => 'accept';
      await fixture.send();
      fixture.market.missing.add(1);
      await later(MINUTE);
    });

    test('is rejected once it was not found twice, ten minutes apart', async () => {
      expect(await fixture.states()).toEqual(['accepted']);
      await later(9 * MINUTE);
      expect(await fixture.states()).toEqual(['accepted']);
      await later(MINUTE);
      expect(await fixture.intents()).toMatchObject([
        { state: 'rejected', marketplaceMessage: 'The listing is no longer on the marketplace.' },
      ]);
      expect(await fixture.prices()).toEqual([usd(20.01)]);
    });

    test('is confirmed where it was missing once', async () => {
      fixture.market.missing.clear();
      fixture.market.goLive();
      await later(10 * MINUTE);
      expect(await fixture.states()).toEqual(['confirmed']);
      expect(await fixture.prices()).toEqual([beatenPrice(1)]);
    });

    test('begins anew with a reading that found it, and after a clock that was set back', async () => {
      fixture.market.missing.clear();
      await later(10 * MINUTE);
      fixture.market.missing.add(1);
      await later(4 * MINUTE);
      expect(await fixture.states()).toEqual(['accepted']);
      fixture.advance(-3 * MINUTE);
      await fixture.db.execute(sql`UPDATE price_intents SET next_read_at = sent_at`);
      await fixture.send();
      await fixture.db.execute(sql`UPDATE price_intents SET next_read_at = sent_at`);
      await later(9 * MINUTE);
      expect(await fixture.states()).toEqual(['accepted']);
      await later(MINUTE);
      expect(await fixture.states()).toEqual(['rejected']);
    });

    test('stays in question while it cannot be read', async () => {
      fixture.market.isUnreadable = true;
      await later(10 * MINUTE);
      expect(await fixture.states()).toEqual(['accepted']);
      fixture.market.isUnreadable = false;
      await later(MINUTE);
      expect(await fixture.states()).toEqual(['rejected']);
    });
  });

  test('that was certainly not sent waits and is sent later', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.market.reactionTo = () => 'busy';
    const desk = fixture.desk();
    await fixture.send(desk);
    expect(await fixture.intents()).toMatchObject([
      { state: 'queued', sentAt: null, notBefore: NOW + 30_000, marketplaceMessage: 'Walmart is busy.' },
    ]);
    fixture.advance(29_000);
    await fixture.send(desk);
    expect(fixture.market.sent).toHaveLength(1);
    fixture.market.reactionTo = () => 'live';
    fixture.advance(1_000);
    await fixture.send(desk);
    expect(await fixture.states()).toEqual(['confirmed']);
  });

  test('that there was no time for goes with the next call, and others need not wait for it', async () => {
    await fixture.seed(3);
    await fixture.untilIdle();
    fixture.market.atOnce = 2;
    fixture.market.reactionTo = ({ ref }) => (ref.listingId === 3 ? 'live' : 'no_time');
    const desk = fixture.desk();
    await fixture.send(desk);
    expect(await fixture.states()).toEqual(['queued', 'queued', 'confirmed']);
    fixture.market.reactionTo = () => 'live';
    fixture.advance(5_000);
    await fixture.send(desk);
    expect(await fixture.states()).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  test('is sent before another one when it is the larger change in dollars, also within a call', async () => {
    await fixture.seed(3);
    await fixture.db.execute(
      sql`UPDATE competitor_offers SET price = price - listing_id / 100.0 WHERE listing_id IN (2, 3)`,
    );
    await fixture.untilIdle();
    await fixture.send();
    expect(fixture.market.sent.map(({ listingId }) => listingId)).toEqual([3, 2, 1]);
  });

  test.each([
    ['waited ten minutes', 10 * MINUTE],
    ['comes from the future, by a clock that was set back', -hours(1)],
  ])('that %s is not sent, and decided anew', async (_, by) => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.advance(by);
    await fixture.send();
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', marketplaceMessage: 'The price waited too long to be sent.' },
    ]);
    expect(await fixture.due()).toEqual([1]);
  });

  test.each([
    ['20 seconds after the mark', 0, 20_000],
    ['when its ten minutes are over', 595_000, 600_000],
  ])('leaves no later than %s', async (_, markedAfter, until) => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.advance(markedAfter);
    const moments: number[] = [];
    fixture.market.reactionTo = ({ notAfter }) => {
      moments.push(notAfter);
      return 'live';
    };
    await fixture.send();
    expect(moments).toEqual([NOW + until]);
  });

  test('is sent in calls of 20, the largest change in dollars first', async () => {
    await fixture.seed(45);
    await fixture.db.execute(sql`UPDATE competitor_offers SET price = price - (listing_id % 7) * 0.1`);
    await fixture.untilIdle();
    const calls: number[] = [];
    fixture.market.whileSending = async () => {
      calls.push(fixture.market.sent.length);
    };
    await fixture.send();
    expect(calls).toEqual([0, 20, 40]);
    const effects = await fixture.intents();
    const effectOf = (id: number): number => {
      const intent = effects.find(({ listingId }) => listingId === id);
      return intent === undefined ? 0 : intent.fromPrice - intent.price;
    };
    const first = fixture.market.sent.slice(0, 20).map(({ listingId }) => effectOf(listingId));
    const rest = fixture.market.sent.slice(20).map(({ listingId }) => effectOf(listingId));
    expect(Math.min(...first)).toBeGreaterThanOrEqual(Math.max(...rest));
    expect(new Set(effects.map(({ state }) => state))).toEqual(new Set(['confirmed']));
  });
});

test.each([
  [20, 3],
  [1_000, 1],
])('a marketplace that takes %d at once gets 50 prices in %d calls', async (atOnce, calls) => {
  await fixture.seed(50);
  fixture.market.atOnce = atOnce;
  await fixture.untilIdle();
  let called = 0;
  fixture.market.whileSending = async () => void called++;
  await fixture.send();
  expect(called).toBe(calls);
  expect(fixture.market.sent).toHaveLength(50);
});

test('writes that a killed process left are finished, also while nothing waits and repricing is halted', async () => {
  await fixture.seed(1);
  const { stateOf } = fixture.market.connections();
  const finished: string[] = [];
  const connections = {
    stateOf: async (marketplace: Marketplace) => {
      const state = await stateOf(marketplace);
      if (state.kind !== 'connected') return state;
      const finishWrites = async () => void finished.push(marketplace);
      const connector = Object.assign(state.connection.connector, { finishWrites });
      return { ...state, connection: { ...state.connection, connector } };
    },
  };
  const desk = fixture.desk({ connections });
  await fixture.send(desk);
  expect(finished).toEqual([]);
  await fixture.db.execute(sql`UPDATE repricing_state SET halted = true`);
  await fixture.db.execute(sql`INSERT INTO account_findings (marketplace, name, value, generation, found_at)
    SELECT marketplace, 'unfinished_writes', '[{}]', generation, now() FROM integrations WHERE marketplace = 'walmart'`);
  await fixture.send(desk);
  expect(finished).toEqual(['walmart']);
  await fixture.db.execute(sql`UPDATE account_findings SET value = '[]'`);
  await fixture.send(desk);
  expect(finished).toHaveLength(1);
});
