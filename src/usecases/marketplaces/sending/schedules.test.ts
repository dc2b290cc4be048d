import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import { listings } from '#db/schema/listings.ts';
import type { Cents } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { ANN, MINUTE } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import type { Reaction } from '#tests/support/fake-marketplace.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { watchedDatabase } from '#tests/support/watched-database.ts';
import { AppError } from '#usecases/app-error.ts';
import { type SeededRandom, seededRandom } from '#usecases/demo/seeded-random.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { compareShownPrices } from './compare-shown-prices.ts';
import { sendTick } from './sending-loop.ts';

const fixture = sendingFixture();
const LISTINGS = 3;
const REACTIONS = ['live', 'accept', 'reject', 'lose_answer', 'lose_order', 'busy'] as const;
/** Possible events; those listed more often happen more often. */
const ACTS = [
  ...(['send', 'send', 'send', 'send', 'send', 'send', 'decide', 'decide', 'decide', 'die', 'die'] as const),
  ...([
    'type',
    'cost',
    'halt',
    'edit',
    'compare',
    'goLive',
    'wait',
    'wait',
    'waitLong',
    'unreadable',
  ] as const),
] as const;
type Act = (typeof ACTS)[number];

/** A shop and its marketplace on which anything may happen, with what must hold whatever does. */
class Schedule {
  readonly #random: SeededRandom;
  /** Of one piece, in dollars. The rule keeps 15 % after a fee of 15 %. */
  #cost = 10;
  #isHalted = false;
  /** Since when an accepted price waits to go live; the marketplace needs an hour at most. */
  #waited = 0;
  /** External edits that were not read yet. */
  readonly #edited = new Set<number>();
  readonly #reactions = new Map<number, Reaction>();
  #processes = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  async begin(): Promise<void> {
    await fixture.seed(LISTINGS);
    await fixture.db.execute(sql`UPDATE app_settings SET price_war_threshold = 1000, hold_minutes = 1`);
    fixture.market.reactionTo = (order) => this.#react(order);
  }

  /** Does one action and checks all invariants. */
  async step(): Promise<void> {
    const action = this.#random.pick(ACTS);
    await this.#acts[action]();
    await this.#expectTruth(action);
  }

  readonly #acts: Readonly<Record<Act, () => Promise<void>>> = {
    send: async () => {
      await sendTick(fixture.desk({ owner: this.#random.pick(['one', 'two']) }));
    },
    die: async () => {
      let left = this.#random.whole(1, 45);
      const before = () => {
        if (--left <= 0) throw new Error('The connection was cut.');
      };
      const owner = `dying ${++this.#processes}`;
      const db = watchedDatabase(fixture.open.pool, { before });
      await sendTick(fixture.desk({ db, owner, onUnexpectedError: () => undefined })).catch(() => undefined);
    },
    decide: async () => {
      const price = 18 + this.#random.whole(0, 250) / 100;
      await fixture.db.execute(sql`UPDATE competitor_offers SET price = ${price} + listing_id / 100.0,
        seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`);
      await fixture.untilIdle();
    },
    type: async () => {
      const id = this.#random.whole(1, LISTINGS);
      const from = (await fixture.listing(id)).currentPrice;
      const price = usd(16 + this.#random.whole(0, 500) / 100);
      await setPrice({ db: fixture.db, now: () => fixture.now }, id, { price, from }, EDITOR).catch(
        (error) => {
          if (!(error instanceof AppError)) throw error;
        },
      );
    },
    cost: async () => {
      this.#cost = this.#random.whole(900, 1_250) / 100;
      await fixture.db.execute(sql`UPDATE skus SET product_cost = ${this.#cost}`);
    },
    halt: async () => {
      this.#isHalted = this.#random.happens(0.2);
      await fixture.db.execute(
        sql`UPDATE repricing_state SET halted = ${this.#isHalted}, changed_by = ${ANN.name}`,
      );
    },
    edit: async () => {
      const id = this.#random.whole(1, LISTINGS);
      fixture.market.edit(id, usd(17 + this.#random.whole(0, 400) / 100));
      this.#edited.add(id);
    },
    compare: async () => {
      const read = [...fixture.market.live].map(([listingId, price]) => ({ listingId, price }));
      const from = { source: 'item' as const, readAt: fixture.now };
      const { drifted } = await compareShownPrices(fixture.db, 'walmart', read, from, fixture.now);
      for (const id of drifted) expect(this.#edited.has(id)).toBe(true);
    },
    goLive: async () => this.#goLive(),
    wait: async () => this.#wait(this.#random.whole(1, 6)),
    waitLong: async () => this.#wait(this.#random.whole(30, 130)),
    unreadable: async () => {
      fixture.market.isUnreadable = this.#random.happens(0.2);
    },
  };

  async #wait(minutes: number): Promise<void> {
    this.#waited += minutes;
    if (this.#waited >= 60) await this.#goLive();
    fixture.advance(minutes * MINUTE);
    // The lease of a dead process has expired by then.
    if (minutes >= 3)
      await fixture.db.execute(
        sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond'`,
      );
  }

  async #goLive(): Promise<void> {
    // An order that was out during an edit is over for us; if it comes after all, it is found like another edit.
    const over = (await fixture.intents()).filter(
      ({ marketplaceMessage: answer }) => answer?.startsWith('Buyers see ') === true,
    );
    for (const { ref, sequence } of fixture.market.waiting) {
      const { listingId } = ref;
      const isOver = over.some((intent) => intent.listingId === listingId && intent.sequence === sequence);
      if (isOver) this.#edited.add(listingId);
    }
    fixture.market.goLive();
    this.#waited = 0;
  }

  #react({ ref: { listingId }, price, notAfter }: PriceOrder): Reaction {
    // Every price was allowed when it was sent, and nothing is sent during a halt or too late.
    expect(price * 0.7).toBeGreaterThanOrEqual(this.#cost * 100 - 1e-6);
    expect(this.#isHalted).toBe(false);
    expect(notAfter).toBeGreaterThan(fixture.now);
    const last = this.#reactions.get(listingId);
    const isUnseen = last === 'lose_answer' || last === 'lose_order';
    const since = fixture.market.asked
      .slice(0, -1)
      .findLast((requested) => requested.listingId === listingId);
    if (isUnseen) expect(since?.kind).toBe('read');
    const reaction = this.#random.pick(REACTIONS);
    this.#reactions.set(listingId, reaction);
    if (reaction === 'live' || reaction === 'lose_answer') this.#edited.delete(listingId);
    return reaction;
  }

  /** Buyers see the current price, an open one, or an external edit that was not read yet. */
  async #expectTruth(act: string): Promise<void> {
    const out = (await fixture.intents()).filter(({ state }) =>
      ['sent', 'accepted', 'unknown'].includes(state),
    );
    for (const { id, currentPrice } of await fixture.db.select().from(listings)) {
      const known: Cents[] = [
        currentPrice,
        ...out.filter(({ listingId }) => listingId === id).map(({ price }) => price),
      ];
      const live = fixture.market.live.get(id) as Cents;
      if (known.includes(live)) this.#edited.delete(id);
      else if (!this.#edited.has(id)) expect({ act, id, live }).toEqual({ act, id, live: known });
    }
  }
}

test.each(IS_ALL ? [3, 5, 6] : [5])(
  'whatever fails in whatever order, buyers see a known price that was allowed when it was sent (%i)',
  async (seed) => {
    const schedule = new Schedule(seed);
    await schedule.begin();
    for (let step = 0; step < 200; step++) await schedule.step();
    expect((await fixture.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    expect(fixture.market.sent.length).toBeGreaterThan(5);
    expect(new Set(await fixture.states())).toContain('confirmed');
    const keys = (await fixture.intents()).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(keys.length);
  },
);
