import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Cents } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const fixture = sendingFixture();
const LIFE = 10 * MINUTE;

beforeEach(async () => {
  await fixture.seed(1);
  fixture.market.reactionTo = () => 'accept';
});

const setCompetitorPrice = (price: number) =>
  fixture.db.execute(
    sql`UPDATE competitor_offers SET price = ${price}, seen_at = ${new Date(fixture.now).toISOString()}`,
  );
const minute = () => Math.round((fixture.now - NOW) / MINUTE);

/** The engine and the sender until neither has anything to do. */
async function settleNow(): Promise<void> {
  await fixture.untilIdle();
  do await fixture.send();
  while ((await fixture.untilIdle()) > 0);
}

interface Sent {
  readonly price: Cents;
  readonly key: string;
  readonly minute: number;
  /** The engine's target price at that minute. */
  readonly wanted: Cents;
  /** Prices accepted by then and not visible yet, including this one. */
  readonly inFlight: number;
}

/** Minutes pass; a competitor changes every 5 minutes, and accepted prices are visible after `feed` minutes. */
async function play(
  minutes: number,
  feed: number,
  competitorAt: (minute: number) => number,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let passed = 0; passed < minutes; passed++) {
    if (passed > 0) fixture.advance(MINUTE);
    fixture.market.goLive(new Set(sent.filter((one) => minute() >= one.minute + feed).map(({ key }) => key)));
    const competitor = competitorAt(minute() - (minute() % 5));
    if (minute() % 5 === 0) await setCompetitorPrice(competitor);
    await settleNow();
    for (const { price, key } of fixture.market.sent.slice(sent.length)) {
      const inFlight = fixture.market.waiting.length;
      sent.push({ price, key, minute: minute(), wanted: usd(competitor - 0.01), inFlight });
    }
  }
  return sent;
}

describe('a feed of 20 minutes, and another price every five', () => {
  test('each price that leaves is seen before the next one leaves, which is the newest wanted', async () => {
    const sent = await play(110, 20, (at) => 19.51 - at * 0.002);
    // One after the other: live after 20 minutes, and seen at the next look, five minutes later at most.
    expect(sent.length).toBeGreaterThanOrEqual(5);
    for (const [at, { minute: left, price, wanted, inFlight }] of sent.entries()) {
      expect([price, inFlight]).toEqual([wanted, 1]);
      const next = sent[at + 1];
      if (next === undefined) continue;
      expect(next.minute - left).toBeGreaterThanOrEqual(20);
      expect(next.minute - left).toBeLessThanOrEqual(26);
    }
    const intents = await fixture.intents();
    const left = intents.filter(({ sentAt }) => sentAt !== null);
    expect(left.map(({ price }) => price)).toEqual(sent.map(({ price }) => price));
    // All but the last, which is in flight, became a price; none was given up or lost on the way.
    expect(left.slice(0, -1).map(({ state }) => state)).toEqual(left.slice(1).map(() => 'confirmed'));
    expect((await fixture.ledger()).map(({ newPrice }) => newPrice)).toEqual(
      sent.slice(0, -1).map(({ price }) => price),
    );
    for (const { sentAt, createdAt } of left) expect((sentAt ?? 0) - createdAt).toBeLessThan(LIFE);
    // What never left is over; one waits at most.
    const waiting = intents.filter(({ sentAt }) => sentAt === null).map(({ state }) => state);
    expect(waiting.filter((state) => state === 'queued').length).toBeLessThanOrEqual(1);
    expect(new Set(waiting.filter((state) => state !== 'queued'))).toEqual(new Set(['expired']));
  });

  test.runIf(IS_ALL)(
    'once the competitor stops, the last target price is sent once and current',
    async () => {
      const sent = await play(90, 20, (at) => 19.51 - Math.min(at, 30) * 0.002);
      expect(await fixture.prices()).toEqual([usd(19.51 - 0.06 - 0.01)]);
      expect(sent.filter(({ price }) => price === usd(19.44))).toHaveLength(1);
      expect(await fixture.states()).not.toContain('queued');
      expect(fixture.market.waiting).toEqual([]);
    },
  );
});

describe('a price that was accepted and never becomes visible', () => {
  test('delays the next one for 45 minutes, not forever', async () => {
    const sent = await play(100, 1_000, (at) => (at < 30 ? 19.51 : 19.41));
    expect(sent).toMatchObject([
      { price: beatenPrice(1), minute: 0 },
      { price: usd(19.4), minute: 45 },
    ]);
  });
});

test('a manual price does not wait behind one of the engine’s', async () => {
  await settleNow();
  await setPrice(
    { db: fixture.db, now: () => fixture.now },
    1,
    { price: usd(19.8), from: usd(20.01) },
    EDITOR,
  );
  await settleNow();
  expect(fixture.market.sent.map(({ price }) => price)).toEqual([beatenPrice(1), usd(19.8)]);
});

test('nothing is read more often for a price that nothing waits behind', async () => {
  await settleNow();
  const [{ nextReadAt } = { nextReadAt: null }] = await fixture.intents();
  fixture.advance(MINUTE);
  await settleNow();
  expect(nextReadAt).toBe(NOW + MINUTE);
  expect(await fixture.intents()).toMatchObject([{ nextReadAt: NOW + 5 * MINUTE }]);
  fixture.advance(4 * MINUTE);
  await settleNow();
  expect(await fixture.intents()).toMatchObject([{ nextReadAt: NOW + 15 * MINUTE }]);
  await setCompetitorPrice(19.3);
  await fixture.db.execute(sql`SELECT mark_due(ARRAY[1]::bigint[], 'test')`);
  await settleNow();
  expect(await fixture.intents()).toMatchObject([{ nextReadAt: NOW + 10 * MINUTE }, { state: 'queued' }]);
});
