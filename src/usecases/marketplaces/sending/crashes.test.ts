import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { acquireLease } from '#db/queries/background/leases.ts';
import { openSessionLock, type SessionLock } from '#db/session-lock.ts';
import { hours, instant } from '#domain/units.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import type { Reaction } from '#tests/support/fake-marketplace.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';
import { type Watch, watchedDatabase } from '#tests/support/watched-database.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { sendTick } from './sending-loop.ts';

const fixture = sendingFixture();
/**
 * At every statement with --all, else at every twenty-ninth: at other ones for each answer. An odd step, since each round wants
 * another price than the one before.
 */
const STEP = asMany(29, 1);
/** Prices of one call; two fifths of them are never sent. */
const MARKED = asMany(20, 100);
const NEVER_SENT = MARKED * 0.4;
const watched = (watch: Watch) => watchedDatabase(fixture.open.pool, watch);
// Times are rounded to milliseconds: the current time itself could still be in the future.
const leaseRunsOut = () =>
  fixture.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond'`);

const openSession = (): Promise<SessionLock> =>
  openSessionLock(String(fixture.open.pool.options.connectionString));
/** Simulates a process that dies or loses its database connection. */
const cutSessions = () =>
  fixture.db.execute(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'pricewright-session' AND datname = current_database()`);
const sender = async (): Promise<unknown> =>
  (await fixture.db.execute(sql`SELECT owner FROM leases WHERE name = 'send:walmart'`)).rows[0]?.owner;
/** Repeats the step until this process sends: PostgreSQL needs a moment to detect an ended session. */
const untilSends = (own: MarketplaceSender, owner: string) =>
  expect
    .poll(async () => {
      await sendTick(own);
      return sender();
    })
    .toBe(owner);

/** Cuts the connection at the nth statement: before it is executed, or after it, so that its result is lost. */
function cutAt(nth: number, when: keyof Watch): { readonly watch: Watch; wasCut(): boolean } {
  let statements = 0;
  const count = (): void => {
    if (++statements >= nth) throw new Error('The connection was cut.');
  };
  return { watch: { [when]: count }, wasCut: () => statements >= nth };
}

/** Whether a price was sent twice for a listing without a read-back in between. */
function sentBlindly(): boolean {
  const requested = fixture.market.asked.filter(({ listingId }) => listingId === 1);
  return requested.some((one, at) => one.kind === 'sent' && requested[at + 1]?.kind === 'sent');
}

describe('a process that dies between any two steps', () => {
  test.each<[keyof Watch, Reaction, number]>([
    ['before', 'live', 1],
    ['after', 'live', 3],
    ['before', 'accept', 5],
    ['after', 'lose_answer', 7],
  ])('%s a statement, with an answer of "%s", sends nothing twice unseen', async (when, reaction, first) => {
    await fixture.seed(1);
    await fixture.db.execute(sql`UPDATE app_settings SET price_war_threshold = 1000`);
    let deaths = 0;
    for (let nth = IS_ALL ? 1 : first; ; nth += STEP) {
      await fixture.db.execute(sql`
        UPDATE competitor_offers SET price = 19.51 - ${nth % 2} * 0.1, seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`);
      await fixture.untilIdle();
      fixture.market.asked.length = 0;
      fixture.market.reactionTo = () => reaction;
      const cut = cutAt(nth, when);
      const dying = fixture.desk({
        db: watched(cut.watch),
        owner: `dying ${nth}`,
        onUnexpectedError: () => undefined,
      });
      for (let passes = 0; passes < 3; passes++) await sendTick(dying).catch(() => undefined);
      if (cut.wasCut()) deaths++;
      // Its successor comes when its lease is over.
      await leaseRunsOut();
      fixture.market.goLive();
      fixture.advance(3 * MINUTE);
      const successor = fixture.desk({ owner: `successor ${nth}` });
      await fixture.send(successor);
      fixture.market.goLive();
      fixture.advance(3 * MINUTE);
      await fixture.send(successor);
      expect(sentBlindly()).toBe(false);
      expect(fixture.market.sent.length).toBeLessThanOrEqual(1);
      const { currentPrice } = await fixture.listing(1);
      expect(fixture.market.live.get(1)).toBe(currentPrice);
      await leaseRunsOut();
      fixture.advance(hours(3));
      await fixture.send(fixture.desk({ owner: `later ${nth}` }));
      if (!cut.wasCut()) break;
    }
    expect(deaths).toBeGreaterThan(15 / STEP);
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
  });
});

describe('a process that is killed in the middle of a call', () => {
  test('is replaced immediately, and what it marked is unknown for a minute at most', async () => {
    await fixture.seed(MARKED);
    await fixture.untilIdle();
    fixture.market.atOnce = MARKED;
    // Most arrived without a received response, and some were never sent.
    fixture.market.reactionTo = ({ ref }) =>
      ref.listingId <= MARKED - NEVER_SENT ? 'lose_answer' : 'lose_order';
    let isDead = false;
    const before = () => {
      if (isDead) throw new Error('It is dead.');
    };
    fixture.market.whileSending = async () => {
      isDead = true;
    };
    const session = await openSession();
    const dying = fixture.desk({
      db: watched({ before }),
      owner: 'dying',
      session,
      onUnexpectedError: () => undefined,
    });
    await sendTick(dying).catch(() => undefined);
    expect(fixture.market.sent).toHaveLength(MARKED);
    await session.close();
    const successor = fixture.desk({ owner: 'successor' });
    await untilSends(successor, 'successor');
    await fixture.send(successor);
    const count = async (state: string) => (await fixture.states()).filter((one) => one === state).length;
    expect([await count('confirmed'), await count('sent')]).toEqual([MARKED - NEVER_SENT, NEVER_SENT]);
    // Each was read back, and none unnecessarily again.
    const reads = () => fixture.market.asked.filter(({ kind }) => kind === 'read').length;
    expect(reads()).toBe(MARKED);
    fixture.advance(MINUTE - 1_000);
    await fixture.send(successor);
    expect(reads()).toBe(MARKED);
    fixture.advance(1_000);
    await fixture.send(successor);
    expect(reads()).toBe(MARKED + NEVER_SENT);
    expect(
      (await fixture.intents()).filter(({ state, reads }) => state === 'unknown' && reads === 1),
    ).toHaveLength(NEVER_SENT);
    // By then they are repriced.
    fixture.advance(14 * MINUTE);
    await fixture.send(successor);
    fixture.market.reactionTo = () => 'live';
    await fixture.untilIdle();
    await fixture.send(successor);
    const live = await fixture.db.execute(
      sql`SELECT DISTINCT listing_id FROM price_intents WHERE state = 'confirmed'`,
    );
    expect(live.rows).toHaveLength(MARKED);
    expect(fixture.market.sent).toHaveLength(MARKED + NEVER_SENT);
  });
});

describe('two senders', () => {
  test('at once send every price once', async () => {
    await fixture.seed(50);
    await fixture.untilIdle();
    const one = fixture.desk({ owner: 'one' });
    const two = fixture.desk({ owner: 'two' });
    for (let round = 0; round < 6; round++) await Promise.all([sendTick(one), sendTick(two)]);
    expect(fixture.market.sent).toHaveLength(50);
    expect(new Set(fixture.market.sent.map(({ listingId }) => listingId)).size).toBe(50);
    expect(new Set(await fixture.states())).toEqual(new Set(['confirmed']));
  });

  test('of which one slept past its lease in front of the marks: it marks nothing', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    const taken: (number | undefined)[] = [];
    let isMarked = false;
    const before = async (statement: string) => {
      isMarked ||= statement.includes("SET state = 'sent'");
      if (!statement.includes('FROM leases') || taken.length > 0) return;
      await leaseRunsOut();
      taken.push((await acquireLease(fixture.db, 'send:walmart', 'other', MINUTE))?.fence);
    };
    await fixture.send(fixture.desk({ db: watched({ before }) }));
    expect(taken).toEqual([2]);
    expect(isMarked).toBe(false);
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.states()).toEqual(['queued']);
  });

  test('of which one slept between mark and call: it does not call, and the price waits again', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    let slept = 0;
    const after = (statement: string) => {
      if (statement.includes("SET state = 'sent'")) slept = 30_000;
    };
    const own = fixture.desk({ db: watched({ after }), now: () => instant(fixture.now + slept) });
    expect(await sendTick(own)).toBe('idle');
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.intents()).toMatchObject([
      { state: 'queued', sentAt: null, marketplaceMessage: 'The price was not sent in time.' },
    ]);
  });

  test('of which another took over between mark and call: it does not call', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    const taken: (number | undefined)[] = [];
    const before = async (statement: string) => {
      const isLastLook = statement.includes('FROM leases') && !statement.includes('FOR SHARE');
      if (!isLastLook || taken.length > 0) return;
      await leaseRunsOut();
      taken.push((await acquireLease(fixture.db, 'send:walmart', 'other', MINUTE))?.fence);
    };
    await sendTick(fixture.desk({ db: watched({ before }) }));
    expect(taken).toEqual([2]);
    expect(fixture.market.sent).toEqual([]);
    expect(await fixture.states()).toEqual(['queued']);
  });

  test.each([0, 40_000, 120_000, -40_000])(
    'of which one is cut off during a call: the other acquires the lease at once and lets that price come, by a clock %i ms ahead',
    async (ahead) => {
      await fixture.seed(2);
      await fixture.db.execute(sql`UPDATE app_settings SET price_war_threshold = 1000`);
      await fixture.untilIdle();
      fixture.market.atOnce = 1;
      const sessions = [await openSession(), await openSession()] as const;
      const one = fixture.desk({ owner: 'one', session: sessions[0] });
      const two = fixture.desk({
        owner: 'two',
        session: sessions[1],
        now: () => instant(fixture.now + ahead),
      });
      let onTheWire = 0;
      fixture.market.whileSending = async () => {
        if (++onTheWire > 1) return;
        expect(await sendTick(two)).toBe('idle');
        await cutSessions();
        await untilSends(two, 'two');
        // Another price is decided before the first one is visible.
        await fixture.db.execute(sql`UPDATE competitor_offers SET price = price - 0.1`);
        await fixture.untilIdle();
        for (let seconds = 0; seconds < 55; seconds += 5) {
          await fixture.send(two);
          fixture.advance(5_000);
        }
        // The other listing's prices did not wait.
        expect(new Set(fixture.market.sent.map(({ listingId }) => listingId))).toEqual(new Set([2]));
      };
      await sendTick(one);
      const first = fixture.market.sent.at(-1);
      expect(first).toMatchObject({ listingId: 1 });
      // Its response was received: what was decided from the former price is decided again and may be sent.
      await fixture.send(two);
      await fixture.untilIdle();
      await fixture.send(two);
      expect((await fixture.intents()).filter(({ listingId }) => listingId === 1)).toMatchObject([
        { state: 'confirmed', price: first?.price },
        { state: 'expired' },
        { state: 'confirmed' },
      ]);
      await Promise.all(sessions.map((session) => session.close()));
    },
  );

  test('do not wait for a holder whose lease is from a clock that was ahead', async () => {
    expect(await acquireLease(fixture.db, 'read:amazon', 'one', MINUTE)).toMatchObject({ fence: 1 });
    await fixture.db.execute(sql`UPDATE leases SET expires_at = expires_at + interval '1 day'`);
    expect(await acquireLease(fixture.db, 'read:amazon', 'two', MINUTE)).toMatchObject({
      owner: 'two',
      fence: 2,
    });
  });

  test('never share a lease, and a new holder has a new fencing token', async () => {
    await fixture.seed(1);
    expect(await acquireLease(fixture.db, 'read:amazon', 'one', MINUTE)).toMatchObject({ fence: 1 });
    expect(await acquireLease(fixture.db, 'read:amazon', 'two', MINUTE)).toBeNull();
    expect(await acquireLease(fixture.db, 'read:amazon', 'one', MINUTE)).toMatchObject({ fence: 1 });
    expect(await acquireLease(fixture.db, 'read:ebay', 'two', MINUTE)).toMatchObject({ fence: 1 });
    await leaseRunsOut();
    expect(await acquireLease(fixture.db, 'read:amazon', 'two', MINUTE)).toMatchObject({
      owner: 'two',
      fence: 2,
    });
    await leaseRunsOut();
    // An own expired lease is acquired as a new one as well.
    expect(await acquireLease(fixture.db, 'read:amazon', 'two', MINUTE)).toMatchObject({ fence: 3 });
  });
});
