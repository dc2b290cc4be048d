import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { takeLease } from '#db/queries/leases.ts';
import { hours, instant } from '#domain/units.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { MINUTE } from '#tests/support/engine-rig.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import type { Reaction } from '#tests/support/fake-marketplace.ts';
import { sendingRig } from '#tests/support/sending-rig.ts';
import { type Watch, watchedDatabase } from '#tests/support/watched-database.ts';
import { sendingPass } from './sending-pass.ts';

const rig = sendingRig();
/** At every statement with --all, else at every third: at other ones for each answer. */
const STEP = asMany(3, 1);
const watched = (watch: Watch) => watchedDatabase(rig.open.pool, watch);
// Stored to the millisecond, rounded: the moment itself could still lie ahead.
const leaseRunsOut = () =>
  rig.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond'`);

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
  const { asked } = rig.market;
  return asked.some((one, at) => one.kind === 'sent' && asked[at + 1]?.kind === 'sent');
}

describe('a process that dies between any two steps', () => {
  test.each<[keyof Watch, Reaction, number]>([
    ['before', 'live', 1],
    ['after', 'live', 2],
    ['before', 'accept', 3],
    ['after', 'lose_answer', 1],
  ])(
    '%s a statement, with an answer of "%s", sends nothing twice unseen',
    async (when, reaction, first) => {
      await rig.seed(1);
      await rig.db.execute(sql`UPDATE app_settings SET war_limit = 1000`);
      let deaths = 0;
      for (let nth = IS_ALL ? 1 : first; ; nth += STEP) {
        await rig.db.execute(sql`
        UPDATE competitor_offers SET price = 19.51 - ${nth % 2} * 0.1, seen_at = ${new Date(rig.now).toISOString()}::timestamptz`);
        await rig.untilIdle();
        rig.market.asked.length = 0;
        rig.market.reactionTo = () => reaction;
        const cut = cutAt(nth, when);
        const dying = rig.desk({ db: watched(cut.watch), owner: `dying ${nth}`, onFault: () => undefined });
        for (let passes = 0; passes < 3; passes++) await sendingPass(dying).catch(() => undefined);
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

describe('two senders', () => {
  test('at once send every price once', async () => {
    await rig.seed(50);
    await rig.untilIdle();
    const one = rig.desk({ owner: 'one' });
    const two = rig.desk({ owner: 'two' });
    for (let round = 0; round < 6; round++) await Promise.all([sendingPass(one), sendingPass(two)]);
    expect(rig.market.sent).toHaveLength(50);
    expect(new Set(rig.market.sent.map(({ listingId }) => listingId)).size).toBe(50);
    expect(new Set(await rig.states())).toEqual(new Set(['confirmed']));
  });

  test('of which one slept past its lease in front of the marks: it marks nothing', async () => {
    await rig.seed(1);
    await rig.untilIdle();
    const taken: (number | undefined)[] = [];
    const before = async (statement: string) => {
      if (!statement.includes('FROM leases') || taken.length > 0) return;
      await leaseRunsOut();
      taken.push((await takeLease(rig.db, 'send:walmart', 'other', MINUTE))?.fence);
    };
    await rig.send(rig.desk({ db: watched({ before }) }));
    expect(taken).toEqual([2]);
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
    expect(await sendingPass(desk)).toBe('idle');
    expect(rig.market.sent).toEqual([]);
    expect(await rig.intents()).toMatchObject([
      { state: 'queued', sentAt: null, answer: 'It was not sent in time.' },
    ]);
  });

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
