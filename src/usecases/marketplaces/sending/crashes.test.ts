import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { takeLease } from '#db/queries/background/leases.ts';
import { openSessionLock, type SessionLock } from '#db/session-lock.ts';
import { hours, instant } from '#domain/units.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import type { Reaction } from '#tests/support/fake-marketplace.ts';
import { sendingRig } from '#tests/support/sending-fixture.ts';
import { type Watch, watchedDatabase } from '#tests/support/watched-database.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { sendTick } from './sending-pass.ts';

const rig = sendingRig();
/**
 * At every statement with --all, else at every ninth: at other ones for each answer. An odd step, since each round wants
 * another price than the one before.
 */
const STEP = asMany(9, 1);
/** Prices of one call; two fifths of them never leave. */
const MARKED = asMany(20, 100);
const NEVER_LEFT = MARKED * 0.4;
const watched = (watch: Watch) => watchedDatabase(rig.open.pool, watch);
// Stored to the millisecond, rounded: the moment itself could still lie ahead.
const leaseRunsOut = () =>
  rig.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond'`);

const openSession = (): Promise<SessionLock> =>
  openSessionLock(String(rig.open.pool.options.connectionString));
/** As a process that dies, or is cut off from the database. */
const cutSessions = () =>
  rig.db.execute(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'pricewright-session' AND datname = current_database()`);
const sender = async (): Promise<unknown> =>
  (await rig.db.execute(sql`SELECT owner FROM leases WHERE name = 'send:walmart'`)).rows[0]?.owner;
/** Passes until it sends: PostgreSQL needs a moment to notice that a session is gone. */
const takesOver = (desk: MarketplaceSender, owner: string) =>
  expect
    .poll(
      async () => {
        await sendTick(desk);
        return sender();
      },
      { timeout: 15_000, interval: 20 },
    )
    .toBe(owner);

/** Cuts the connection at the nth statement: before it is done, or after, so that nobody hears that it was. */
function cutAt(nth: number, when: keyof Watch): { readonly watch: Watch; wasCut(): boolean } {
  let statements = 0;
  const count = (): void => {
    if (++statements >= nth) throw new Error('The connection was cut.');
  };
  return { watch: { [when]: count }, wasCut: () => statements >= nth };
}

/** A price sent twice for a listing without a look at what buyers see in between. */
function sentBlindly(): boolean {
  const asked = rig.market.asked.filter(({ listingId }) => listingId === 1);
  return asked.some((one, at) => one.kind === 'sent' && asked[at + 1]?.kind === 'sent');
}

describe('a process that dies between any two steps', () => {
  test.each<[keyof Watch, Reaction, number]>([
    ['before', 'live', 1],
    ['after', 'live', 3],
    ['before', 'accept', 5],
    ['after', 'lose_answer', 7],
  ])(
    '%s a statement, with an answer of "%s", sends nothing twice unseen',
    async (when, reaction, first) => {
      await rig.seed(1);
      await rig.db.execute(sql`UPDATE app_settings SET price_war_threshold = 1000`);
      let deaths = 0;
      for (let nth = IS_ALL ? 1 : first; ; nth += STEP) {
        await rig.db.execute(sql`
        UPDATE competitor_offers SET price = 19.51 - ${nth % 2} * 0.1, seen_at = ${new Date(rig.now).toISOString()}::timestamptz`);
        await rig.untilIdle();
        rig.market.asked.length = 0;
        rig.market.reactionTo = () => reaction;
        const cut = cutAt(nth, when);
        const dying = rig.desk({ db: watched(cut.watch), owner: `dying ${nth}`, onFault: () => undefined });
        for (let passes = 0; passes < 3; passes++) await sendTick(dying).catch(() => undefined);
        if (cut.wasCut()) deaths++;
        // Its successor comes when its lease is over.
        await leaseRunsOut();
        rig.market.goLive();
        rig.advance(3 * MINUTE);
        const successor = rig.desk({ owner: `successor ${nth}` });
        await rig.send(successor);
        rig.market.goLive();
        rig.advance(3 * MINUTE);
        await rig.send(successor);
        expect(sentBlindly()).toBe(false);
        expect(rig.market.sent.length).toBeLessThanOrEqual(1);
        const { currentPrice } = await rig.listing(1);
        expect(rig.market.live.get(1)).toBe(currentPrice);
        await leaseRunsOut();
        rig.advance(hours(3));
        await rig.send(rig.desk({ owner: `later ${nth}` }));
        if (!cut.wasCut()) break;
      }
      expect(deaths).toBeGreaterThan(15 / STEP);
      expect((await rig.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    },
    120_000,
  );
});

describe('a process that is killed in the middle of a call', () => {
  test('is followed at once, and what it marked is unknown for a minute at most', async () => {
    await rig.seed(MARKED);
    await rig.untilIdle();
    rig.market.atOnce = MARKED;
    // Most arrived and nobody heard it, and some never left.
    rig.market.reactionTo = ({ ref }) =>
      ref.listingId <= MARKED - NEVER_LEFT ? 'lose_answer' : 'lose_order';
    let isDead = false;
    const before = () => {
      if (isDead) throw new Error('It is dead.');
    };
    rig.market.whileSending = async () => {
      isDead = true;
    };
    const session = await openSession();
    const dying = rig.desk({ db: watched({ before }), owner: 'dying', session, onFault: () => undefined });
    await sendTick(dying).catch(() => undefined);
    expect(rig.market.sent).toHaveLength(MARKED);
    await session.close();
    const successor = rig.desk({ owner: 'successor' });
    await takesOver(successor, 'successor');
    await rig.send(successor);
    const count = async (state: string) => (await rig.states()).filter((one) => one === state).length;
    expect([await count('confirmed'), await count('sent')]).toEqual([MARKED - NEVER_LEFT, NEVER_LEFT]);
    // Each was looked at, and none in vain once more.
    const reads = () => rig.market.asked.filter(({ kind }) => kind === 'read').length;
    expect(reads()).toBe(MARKED);
    rig.advance(MINUTE - 1_000);
    await rig.send(successor);
    expect(reads()).toBe(MARKED);
    rig.advance(1_000);
    await rig.send(successor);
    expect(reads()).toBe(MARKED + NEVER_LEFT);
    expect(
      (await rig.intents()).filter(({ state, reads }) => state === 'unknown' && reads === 1),
    ).toHaveLength(NEVER_LEFT);
    // By then they are decided anew.
    rig.advance(14 * MINUTE);
    await rig.send(successor);
    rig.market.reactionTo = () => 'live';
    await rig.untilIdle();
    await rig.send(successor);
    const live = await rig.db.execute(
      sql`SELECT DISTINCT listing_id FROM price_intents WHERE state = 'confirmed'`,
    );
    expect(live.rows).toHaveLength(MARKED);
    expect(rig.market.sent).toHaveLength(MARKED + NEVER_LEFT);
  });
});

describe('two senders', () => {
  test('at once send every price once', async () => {
    await rig.seed(50);
    await rig.untilIdle();
    const one = rig.desk({ owner: 'one' });
    const two = rig.desk({ owner: 'two' });
    for (let round = 0; round < 6; round++) await Promise.all([sendTick(one), sendTick(two)]);
    expect(rig.market.sent).toHaveLength(50);
    expect(new Set(rig.market.sent.map(({ listingId }) => listingId)).size).toBe(50);
    expect(new Set(await rig.states())).toEqual(new Set(['confirmed']));
  });

  test('of which one slept past its lease in front of the marks: it marks nothing', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    const taken: (number | undefined)[] = [];
    let isMarked = false;
    const before = async (statement: string) => {
      isMarked ||= statement.includes("SET state = 'sent'");
      if (!statement.includes('FROM leases') || taken.length > 0) return;
      await leaseRunsOut();
      taken.push((await takeLease(rig.db, 'send:walmart', 'other', MINUTE))?.fence);
    };
    await rig.send(rig.desk({ db: watched({ before }) }));
    expect(taken).toEqual([2]);
    expect(isMarked).toBe(false);
    expect(rig.market.sent).toEqual([]);
    expect(await rig.states()).toEqual(['queued']);
  });

  test('of which one slept between mark and call: it does not call, and the price waits again', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    let slept = 0;
    const after = (statement: string) => {
      if (statement.includes("SET state = 'sent'")) slept = 30_000;
    };
    const desk = rig.desk({ db: watched({ after }), now: () => instant(rig.now + slept) });
    expect(await sendTick(desk)).toBe('idle');
    expect(rig.market.sent).toEqual([]);
    expect(await rig.intents()).toMatchObject([
      { state: 'queued', sentAt: null, marketplaceMessage: 'The price was not sent in time.' },
    ]);
  });

  test('of which another took over between mark and call: it does not call', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    const taken: (number | undefined)[] = [];
    const before = async (statement: string) => {
      const isLastLook = statement.includes('FROM leases') && !statement.includes('FOR SHARE');
      if (!isLastLook || taken.length > 0) return;
      await leaseRunsOut();
      taken.push((await takeLease(rig.db, 'send:walmart', 'other', MINUTE))?.fence);
    };
    await sendTick(rig.desk({ db: watched({ before }) }));
    expect(taken).toEqual([2]);
    expect(rig.market.sent).toEqual([]);
    expect(await rig.states()).toEqual(['queued']);
  });

  test.each([0, 40_000, 120_000, -40_000])(
    'of which one is cut off with a call on the wire: the other takes over at once and lets that price come, by a clock %i ms ahead',
    async (ahead) => {
      await rig.seed(2);
      await rig.db.execute(sql`UPDATE app_settings SET price_war_threshold = 1000`);
      await rig.untilIdle();
      rig.market.atOnce = 1;
      const sessions = [await openSession(), await openSession()] as const;
      const one = rig.desk({ owner: 'one', session: sessions[0] });
      const two = rig.desk({ owner: 'two', session: sessions[1], now: () => instant(rig.now + ahead) });
      let onTheWire = 0;
      rig.market.whileSending = async () => {
        if (++onTheWire > 1) return;
        expect(await sendTick(two)).toBe('idle');
        await cutSessions();
        await takesOver(two, 'two');
        // Another price is wanted meanwhile, and the first one is nowhere to be seen.
        await rig.db.execute(sql`UPDATE competitor_offers SET price = price - 0.1`);
        await rig.untilIdle();
        for (let seconds = 0; seconds < 55; seconds += 5) {
          await rig.send(two);
          rig.advance(5_000);
        }
        // The other listing's prices did not wait.
        expect(new Set(rig.market.sent.map(({ listingId }) => listingId))).toEqual(new Set([2]));
      };
      await sendTick(one);
      const first = rig.market.sent.at(-1);
      expect(first).toMatchObject({ listingId: 1 });
      // Its answer was heard: what was decided from the price before is decided anew, and may leave.
      await rig.send(two);
      await rig.untilIdle();
      await rig.send(two);
      expect((await rig.intents()).filter(({ listingId }) => listingId === 1)).toMatchObject([
        { state: 'confirmed', price: first?.price },
        { state: 'expired' },
        { state: 'confirmed' },
      ]);
      await Promise.all(sessions.map((session) => session.close()));
    },
  );

  test('do not wait for a holder whose lease is from a clock that was ahead', async () => {
    expect(await takeLease(rig.db, 'read:amazon', 'one', MINUTE)).toMatchObject({ fence: 1 });
    await rig.db.execute(sql`UPDATE leases SET expires_at = expires_at + interval '1 day'`);
    expect(await takeLease(rig.db, 'read:amazon', 'two', MINUTE)).toMatchObject({ owner: 'two', fence: 2 });
  });

  test('never share a duty, and a new holder has a new number', async () => {
    await rig.seed(1);
    expect(await takeLease(rig.db, 'read:amazon', 'one', MINUTE)).toMatchObject({ fence: 1 });
    expect(await takeLease(rig.db, 'read:amazon', 'two', MINUTE)).toBeNull();
    expect(await takeLease(rig.db, 'read:amazon', 'one', MINUTE)).toMatchObject({ fence: 1 });
    expect(await takeLease(rig.db, 'read:ebay', 'two', MINUTE)).toMatchObject({ fence: 1 });
    await leaseRunsOut();
    expect(await takeLease(rig.db, 'read:amazon', 'two', MINUTE)).toMatchObject({ owner: 'two', fence: 2 });
    await leaseRunsOut();
    // One's own that ran out is a new one as well.
    expect(await takeLease(rig.db, 'read:amazon', 'two', MINUTE)).toMatchObject({ fence: 3 });
  });
});
