import { asc, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FoundRefusal } from '#connectors/connector.ts';
import { resumePaused } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { sendPauses } from '#db/schema/prices.ts';
import { revisionDayEnd } from '#domain/sending/revision-limits.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

const fixture = sendingFixture();
const deps = () => ({ db: fixture.db, now: () => fixture.now });
const sent = () => fixture.market.sent.map(({ listingId }) => listingId);
const pauses = () => fixture.db.select().from(sendPauses).orderBy(asc(sendPauses.listingId));
const decided = async () =>
  (
    await fixture.db.execute<{ reason: string }>(
      sql`SELECT reason_code AS reason FROM listing_metrics ORDER BY listing_id`,
    )
  ).rows.map(({ reason }) => reason);

/** Competitors are seen, what is due is decided, and the results are sent. */
async function pass(): Promise<void> {
  await fixture.db.execute(
    sql`UPDATE competitor_offers SET seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`,
  );
  for (let round = 0; round < 3; round++) {
    await fixture.untilIdle();
    await fixture.send();
  }
}
async function passAt(time: Instant): Promise<void> {
  fixture.advance(time - fixture.now);
  await pass();
}

describe('a listing that was changed too often today (C27)', () => {
  beforeEach(async () => {
    await fixture.seed(1);
    fixture.market.reactionTo = () => ({ why: 'revision_limit', until: null });
    await pass();
  });

  test('is not refused, and sent again after midnight in Los Angeles', async () => {
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', isRefusalActive: false, sentAt: null },
    ]);
    expect(await decided()).toEqual(['send_paused']);
    const until = revisionDayEnd(fixture.now);
    expect(await pauses()).toMatchObject([{ why: 'revision_limit', until, times: 1, endedAt: null }]);
    await passAt(instant(until - 1));
    expect(sent()).toEqual([1]);
    fixture.market.reactionTo = () => 'live';
    await passAt(instant(until + MINUTE));
    expect(sent()).toEqual([1, 1]);
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
    expect(await pauses()).toEqual([]);
  });

  test('and refused again is tried every two hours', async () => {
    await passAt(instant(revisionDayEnd(fixture.now) + MINUTE));
    expect(sent()).toEqual([1, 1]);
    expect(await pauses()).toMatchObject([{ times: 2, until: fixture.now + hours(2) }]);
  });
});

test('of listings that were changed too often a repair goes first on the next day (C27)', async () => {
  await fixture.seed(3);
  fixture.market.reactionTo = () => ({ why: 'revision_limit', until: null });
  fixture.market.atOnce = 1;
  await pass();
  expect(sent().toSorted()).toEqual([1, 2, 3]);
  await fixture.db.execute(sql`UPDATE skus SET product_cost = 15.2 WHERE sku = 'A-2'`);
  await pass();
  expect(sent()).toHaveLength(3);
  fixture.market.reactionTo = () => 'live';
  await passAt(instant(revisionDayEnd(fixture.now) + MINUTE));
  expect(sent().slice(3)).toEqual([2]);
  for (let minute = 0; minute < 10; minute++) await passAt(instant(fixture.now + MINUTE));
  expect(sent().slice(4).toSorted()).toEqual([1, 3]);
});

describe("a marketplace whose day's calls are used up (C28)", () => {
  test('gets no call until the reset; then repairs go first, then users, then the largest change', async () => {
    await fixture.seed(4);
    const until = instant(fixture.now + hours(3));
    fixture.market.reactionTo = () => ({ why: 'daily_limit', until });
    fixture.market.atOnce = 1;
    await fixture.db.execute(sql`UPDATE competitor_offers SET price = 19 WHERE listing_id = 3`);
    await pass();
    expect(sent()).toEqual([3]);
    expect(await decided()).toEqual(Array(4).fill('send_paused'));
    await setPrice(deps(), 4, { price: usd(19.9), from: usd(20.04) }, EDITOR);
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 15.2 WHERE sku = 'A-2'`);
    await pass();
    expect(sent()).toEqual([3]);
    fixture.market.reactionTo = () => 'live';
    await passAt(until);
    for (let minute = 0; minute < 11; minute++) await passAt(instant(fixture.now + MINUTE));
    expect(sent().slice(1)).toEqual([2, 4, 3, 1]);
    expect((await fixture.ledger()).map(({ source }) => source).sort()).toEqual(
      ['person', 'rule', 'rule', 'rule'].sort(),
    );
  });

  test('gets the prices that do not need these calls', async () => {
    await fixture.seed(4);
    const until = instant(fixture.now + hours(3));
    fixture.market.reactionTo = ({ ref: { listingId } }) =>
      listingId % 2 === 0 ? 'live' : { why: 'daily_limit', until, othersMayGo: true };
    fixture.market.atOnce = 1;
    await pass();
    expect(sent().toSorted()).toEqual([1, 2, 3, 4]);
    expect((await fixture.ledger()).map(({ listingId }) => listingId).toSorted()).toEqual([2, 4]);
    expect((await pauses()).map(({ listingId }) => listingId).toSorted()).toEqual([1, 3]);
    fixture.market.reactionTo = () => 'live';
    await passAt(until);
    for (let minute = 0; minute < 11; minute++) await passAt(instant(fixture.now + MINUTE));
    expect((await fixture.ledger()).map(({ listingId }) => listingId).toSorted()).toEqual([1, 2, 3, 4]);
  });

  test('of whose calls the rest is kept gets a price that ends a loss, also of a listing that waits', async () => {
    await fixture.seed(2);
    const until = instant(fixture.now + hours(3));
    fixture.market.reactionTo = ({ isUrgent }) =>
      isUrgent ? 'live' : { why: 'daily_limit', until, othersMayGo: true, urgentMayGo: true };
    await pass();
    expect(await pauses()).toMatchObject([{ allowsRepairs: true }, { allowsRepairs: true }]);
    await fixture.db.execute(sql`UPDATE skus SET product_cost = 15.2 WHERE sku = 'A-2'`);
    await pass();
    expect((await fixture.ledger()).map(({ listingId }) => listingId)).toEqual([2]);
  });

  test('decides the others again within ten minutes', async () => {
    await fixture.seed(12);
    const until = instant(fixture.now + hours(3));
    fixture.market.reactionTo = () => ({ why: 'daily_limit', until });
    await pass();
    expect(fixture.market.sent).toHaveLength(12);
    await resumePaused(fixture.db, 'walmart', { step: minutes(2), within: minutes(10) }, until);
    const places = (await pauses()).map(({ resumeAt }) => Number(resumeAt) - until).sort((a, b) => a - b);
    expect(places).toEqual(Array.from({ length: 12 }, (_, place) => place * 50_000));
    expect((await pauses()).filter(({ endedAt }) => endedAt !== null)).toHaveLength(1);
  });
});

describe('a refusal with an unknown code (C29)', () => {
  test('is tried three times more, a day apart, and then rests', async () => {
    await fixture.seed(1);
    fixture.market.reactionTo = () => 'refuse_unclearly';
    await pass();
    for (let day = 0; day < 3; day++) {
      expect(await decided()).toEqual(['send_paused']);
      await passAt(instant(fixture.now + hours(12)));
      await passAt(instant(fixture.now + hours(12) + MINUTE));
    }
    expect(sent()).toHaveLength(4);
    expect(await decided()).toEqual(['refused']);
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'rejected', isRefusalActive: true });
    await passAt(instant(fixture.now + hours(25)));
    expect(sent()).toHaveLength(4);
  });

  test('of a price that a user set is a rejection at once', async () => {
    await fixture.seed(1);
    await setPrice(deps(), 1, { price: usd(19.9), from: usd(20.01) }, EDITOR);
    fixture.market.reactionTo = () => 'refuse_unclearly';
    await fixture.send();
    expect(await fixture.states()).toEqual(['rejected']);
  });

  test('ends when the listing changes there', async () => {
    await fixture.seed(1);
    fixture.market.reactionTo = () => 'refuse_unclearly';
    await pass();
    await fixture.db.execute(sql`UPDATE listings SET title = 'Another one' WHERE id = 1`);
    expect(await pauses()).toEqual([]);
    fixture.market.reactionTo = () => 'live';
    await pass();
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
  });
});

test('a listing that is still being set up waits for a day after it was first seen', async () => {
  await fixture.seed(1);
  fixture.market.reactionTo = () => ({ why: 'too_new', until: null });
  await pass();
  expect(await pauses()).toMatchObject([{ why: 'too_new', until: fixture.now + hours(22) }]);
});

test('a price of which it is not reported what sets it is asked about again, and a user’s price waits', async () => {
  await fixture.seed(2);
  fixture.market.reactionTo = () => ({ why: 'not_told', until: null, othersMayGo: true });
  await setPrice(deps(), 2, { price: usd(19.9), from: usd(20.02) }, EDITOR);
  await pass();
  const until = instant(fixture.now + minutes(15));
  expect(await pauses()).toMatchObject([
    { listingId: 1, why: 'not_told', until, allowsRepairs: true },
    { listingId: 2, why: 'not_told', until },
  ]);
  expect((await decided())[0]).toBe('send_paused');
  expect(await fixture.states()).toEqual(['queued', 'expired']);
  fixture.market.reactionTo = () => 'live';
  await passAt(instant(until + 2 * MINUTE));
  expect(await fixture.prices()).toEqual([beatenPrice(1), usd(19.9)]);
  expect(await pauses()).toEqual([]);
});

describe('a listing that is not found right before its price is sent', () => {
  const notFound = { why: 'not_found', until: null, othersMayGo: true } as const;
  beforeEach(async () => {
    await fixture.seed(1);
    fixture.market.reactionTo = () => notFound;
    await pass();
  });

  test('once is no rejection: it is asked again ten minutes later, and then priced', async () => {
    const until = instant(fixture.now + minutes(10));
    expect(await fixture.intents()).toMatchObject([{ state: 'expired', isRefusalActive: false }]);
    expect(await decided()).toEqual(['send_paused']);
    expect(await pauses()).toMatchObject([{ why: 'not_found', until, times: 1, endedAt: null }]);
    fixture.market.reactionTo = () => 'live';
    await passAt(instant(until - 1));
    expect(sent()).toEqual([1]);
    await passAt(until);
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
    expect(await pauses()).toEqual([]);
  });

  test('twice is a rejection', async () => {
    await passAt(instant(fixture.now + minutes(10)));
    expect(sent()).toEqual([1, 1]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired' },
      { state: 'rejected', isRefusalActive: true },
    ]);
    expect(await decided()).toEqual(['refused']);
    await passAt(instant(fixture.now + hours(2)));
    expect(sent()).toEqual([1, 1]);
  });

  test('and is shown in between begins anew', async () => {
    fixture.market.reactionTo = () => 'accept';
    await passAt(instant(fixture.now + minutes(10)));
    expect(await pauses()).toEqual([]);
    fixture.market.reactionTo = () => notFound;
    await setPrice(deps(), 1, { price: usd(19.9), from: usd(20.01) }, EDITOR);
    await fixture.send();
    expect(await pauses()).toMatchObject([{ why: 'not_found', times: 1 }]);
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'queued' });
  });

  test('is not judged by a price that a user sets a moment later', async () => {
    fixture.advance(MINUTE);
    await setPrice(deps(), 1, { price: usd(19.9), from: usd(20.01) }, EDITOR);
    await fixture.send();
    expect(sent()).toEqual([1, 1]);
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'queued', isRefusalActive: false });
    expect(await pauses()).toMatchObject([{ until: fixture.now - MINUTE + minutes(10), endedAt: null }]);
    await passAt(instant(fixture.now + minutes(11)));
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'rejected' });
  });
});

describe('a refusal that is found when the price is read back', () => {
  const found = (refusal: FoundRefusal) => fixture.market.refusals.set(1, refusal);
  beforeEach(async () => {
    await fixture.seed(1);
    fixture.market.reactionTo = () => 'accept';
  });
  /** What was sent is read back after a minute. */
  async function passAndReadBack(): Promise<void> {
    await pass();
    await passAt(instant(fixture.now + MINUTE));
  }

  test('with an unknown code is none: the price goes again a day later, three times, and then rests', async () => {
    found({ kind: 'rejected', message: 'Something is wrong.', code: 'X99' });
    await passAndReadBack();
    expect(await fixture.intents()).toMatchObject([
      { state: 'expired', isRefusalActive: false, sentAt: expect.any(Number), nextReadAt: null },
    ]);
    for (let day = 0; day < 3; day++) {
      expect(await pauses()).toMatchObject([{ why: 'unclear', times: day + 1, endedAt: null }]);
      expect(await decided()).toEqual(['send_paused']);
      await passAt(instant(fixture.now + hours(24) + MINUTE));
      await passAndReadBack();
    }
    expect(sent()).toHaveLength(4);
    expect((await fixture.intents()).at(-1)).toMatchObject({ state: 'rejected', isRefusalActive: true });
    await passAt(instant(fixture.now + hours(25)));
    expect(sent()).toHaveLength(4);
    expect(await fixture.ledger()).toEqual([]);
  });

  test('is forgotten with the price that buyers see', async () => {
    found({ kind: 'rejected', message: 'Something is wrong.', code: 'X99' });
    await passAndReadBack();
    fixture.market.refusals.clear();
    await passAt(instant(fixture.now + hours(24) + MINUTE));
    fixture.market.goLive();
    await passAt(instant(fixture.now + MINUTE));
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
    expect(await pauses()).toEqual([]);
  });

  test('for a state that passes waits for its end', async () => {
    found({ kind: 'not_sent', message: 'Not set up.', why: 'too_new', until: null });
    await passAndReadBack();
    expect(await fixture.states()).toEqual(['expired']);
    expect(await pauses()).toMatchObject([{ why: 'too_new', until: fixture.now - MINUTE + hours(22) }]);
  });

  test('of a price that a user set is a rejection where its code is unknown, else the price waits', async () => {
    await setPrice(deps(), 1, { price: usd(19.9), from: usd(20.01) }, EDITOR);
    found({ kind: 'not_sent', message: 'Not set up.', why: 'too_new', until: null });
    await passAndReadBack();
    expect(await fixture.intents()).toMatchObject([{ state: 'queued', nextReadAt: null }]);
    const [pause] = await pauses();
    await passAt(instant(Number(pause?.until) + 2 * MINUTE));
    expect(sent()).toEqual([1, 1]);
    found({ kind: 'rejected', message: 'Something is wrong.', code: 'X99' });
    await passAt(instant(fixture.now + MINUTE));
    expect(await fixture.states()).toEqual(['rejected']);
  });
});
