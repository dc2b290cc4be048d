import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cents, cents, type Instant, instant, minutes } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import {
  type AssessedReading,
  assessReading,
  type KnownPrice,
  type ReadingSource,
  SUSPECT_TIMEOUT,
  type SuspectPrice,
  stopsSending,
} from './assess-reading.ts';
import type { PriceInForce, PriceSent, RecentPrices } from './own-recent-prices.ts';

const at = (minute: number): Instant => instant(NOW + minutes(minute));
/** $20.00 until minute 1, and $19.00 of ours since then. */
const LOWERED: RecentPrices = {
  inForce: [
    { price: usd(20), since: at(-3 * 24 * 60), isOwn: false },
    { price: usd(19), since: at(1), isOwn: true },
  ],
  sent: [{ price: usd(19), at: at(0), isGivenUp: false }],
};
const known = (over: Partial<KnownPrice> = {}): KnownPrice => ({
  inForce: usd(19),
  recent: LOWERED,
  suspects: [],
  returns: 0,
  ...over,
});
const assess = (
  minute: number,
  source: ReadingSource,
  price: number,
  over: Partial<KnownPrice> = {},
): AssessedReading =>
  assessReading(known(over), { price: usd(price), source, readAt: at(minute) }, at(minute));
const openOnes = ({ suspects }: AssessedReading): SuspectPrice[] =>
  suspects.filter(({ openSince }) => openSince !== null);

describe('a list that shows', () => {
  test('a former price is behind: nothing follows but the time', () => {
    expect(assess(5, 'list', 20)).toEqual({
      result: 'stale',
      suspects: [],
      lags: [{ source: 'list', lag: minutes(4) }],
    });
  });

  test('a former price for more than an hour may be right: the item is read, and sending goes on', () => {
    const late = assess(62, 'list', 20);
    expect(late).toMatchObject({ result: 'suspect', suspects: [{ stopsSending: false, nextReadAt: null }] });
    expect(stopsSending(late.suspects, at(62))).toBe(false);
  });

  test('a price that ours replaced less than an hour ago is behind, even one that was adopted', () => {
    const inForce = [
      ...LOWERED.inForce,
      { price: usd(17), since: at(30), isOwn: false },
      { price: usd(18), since: at(60), isOwn: true },
    ];
    const over = { inForce: usd(18), recent: { ...LOWERED, inForce } };
    expect(assess(70, 'list', 17, over)).toMatchObject({ result: 'stale', lags: [{ lag: minutes(10) }] });
    expect(assess(121, 'list', 17, over)).toMatchObject({
      result: 'suspect',
      suspects: [{ stopsSending: true }],
    });
  });

  test('a price that was sent after the one in force and given up may be ahead: the item is read', () => {
    const sent = [...LOWERED.sent, { price: usd(18.5), at: at(3), isGivenUp: true }];
    const early = assess(5, 'list', 18.5, { recent: { ...LOWERED, sent } });
    expect(early).toMatchObject({ result: 'suspect', suspects: [{ stopsSending: false }] });
    expect(assess(6, 'item', 18.5, { recent: { ...LOWERED, sent }, suspects: early.suspects })).toEqual({
      result: 'arrived',
      suspects: [],
      lags: [],
    });
  });

  test.each(['list', 'document', 'event'] as const)(
    'a price that is not ours, as a %s, stops sending',
    (source) => {
      const shown = assess(5, source, 17.5);
      expect(shown).toMatchObject({
        result: 'suspect',
        suspects: [
          { source, price: usd(17.5), readAt: at(5), openSince: at(5), nextReadAt: null, refuted: 0 },
        ],
      });
      expect(stopsSending(shown.suspects, at(64))).toBe(true);
      expect(stopsSending(shown.suspects, instant(at(5) + SUSPECT_TIMEOUT))).toBe(false);
      expect(stopsSending(shown.suspects, at(4))).toBe(false);
    },
  );

  test('one for an hour, read again and again, proves no edit', () => {
    let { suspects } = assess(62, 'list', 17.5);
    for (let minute = 67; minute < 122; minute += 5) {
      const shown = assess(minute, 'list', 17.5, { suspects });
      expect(shown.result).toBe('suspect');
      suspects = shown.suspects;
    }
    expect(suspects).toMatchObject([{ openSince: at(62) }]);
  });

  test('it again does not stop sending for longer', () => {
    const first = assess(5, 'list', 17.5);
    const again = assess(60, 'list', 17.6, { suspects: first.suspects });
    expect(again.suspects).toMatchObject([{ price: usd(17.6), openSince: at(5) }]);
    expect(assess(66, 'list', 17.6, { suspects: again.suspects }).suspects).toMatchObject([
      { openSince: at(66) },
    ]);
  });

  test('the price in force ends what lists showed', () => {
    const { suspects } = assess(5, 'document', 17.5);
    expect(openOnes(assess(6, 'list', 19, { suspects }))).toEqual([]);
    expect(assess(6, 'document', 19, { suspects })).toEqual({ result: 'in_force', suspects: [], lags: [] });
  });
});

describe('an item that shows', () => {
  test('a price that is not ours proves an external edit', () => {
    const { suspects } = assess(5, 'list', 17.5);
    expect(assess(6, 'item', 17.5, { suspects })).toEqual({
      result: 'outside_edit',
      suspects: [],
      lags: [],
    });
  });

  test('the price in force refutes what others showed, as a sample of their lag', () => {
    const { suspects } = assess(5, 'list', 17.5);
    expect(assess(6, 'item', 19, { suspects })).toMatchObject({
      result: 'in_force',
      suspects: [{ openSince: null, nextReadAt: null, refuted: 1, refutedAt: at(6) }],
      lags: [{ source: 'list', lag: minutes(4) }],
    });
  });

  test('it three times in a row: the price is ignored for a day, another one is not', () => {
    let suspects: readonly SuspectPrice[] = [];
    for (let round = 0; round < 3; round++) {
      const shown = assess(10 * round + 5, 'list', 17.5, { suspects });
      expect(shown.result).toBe('suspect');
      suspects = assess(10 * round + 6, 'item', 19, { suspects: shown.suspects }).suspects;
    }
    expect(assess(40, 'list', 17.5, { suspects }).result).toBe('ignored');
    expect(assess(40, 'document', 17.5, { suspects }).result).toBe('suspect');
    expect(assess(40, 'list', 17.4, { suspects })).toMatchObject({
      result: 'suspect',
      suspects: [{ refuted: 0 }],
    });
    const nextDay = 26 + 24 * 60;
    expect(assess(nextDay, 'list', 17.5, { suspects }).result).toBe('suspect');
    // The price in force in between: it was behind, and shows no price of its own.
    expect(assess(40, 'list', 19, { suspects }).suspects).toEqual([]);
  });

  test('a former price is read again after ten minutes; then the marketplace went back to it', () => {
    const once = assess(60, 'item', 20);
    expect(once).toMatchObject({
      result: 'seen_once',
      suspects: [{ source: 'item', nextReadAt: at(70), stopsSending: true }],
    });
    const soon = assess(69, 'item', 20, { suspects: once.suspects });
    expect(soon).toMatchObject({ result: 'seen_once', suspects: [{ readAt: at(60), nextReadAt: at(70) }] });
    const twice = { suspects: soon.suspects };
    expect(assess(70, 'item', 20, twice).result).toBe('went_back');
    expect(assess(70, 'item', 20, { ...twice, returns: 1 }).result).toBe('went_back');
    expect(assess(70, 'item', 20, { ...twice, returns: 2 }).result).toBe('went_back_often');
    expect(assess(70, 'item', 19, twice)).toEqual({ result: 'in_force', suspects: [], lags: [] });
    expect(assess(70, 'list', 19, twice).suspects).toHaveLength(1);
  });

  test('a former price, after a day, is an external edit', () => {
    expect(assess(1 + 24 * 60, 'item', 20).result).toBe('outside_edit');
  });
});

/** What happens in the story of one listing, in minutes. */
type Act =
  | { readonly kind: 'move' | 'edit' | 'revert' }
  | { readonly kind: 'list' | 'document'; readonly behind: number };
const behind = fc.integer({ min: 0, max: 30 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Act>({ kind: 'move' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'edit' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'revert' }) },
  { weight: 5, arbitrary: behind.map((minutes): Act => ({ kind: 'list', behind: minutes })) },
  { weight: 2, arbitrary: behind.map((minutes): Act => ({ kind: 'document', behind: minutes })) },
);
const stories = fc.array(fc.record({ after: fc.integer({ min: 1, max: 45 }), act }), {
  minLength: 5,
  maxLength: 60,
});

/** A listing on a marketplace whose lists are behind its items, and what Pricewright believes of it. */
class Story {
  #now = 0;
  /** What buyers see, from the beginning. */
  readonly #truth: { price: Cents; since: number; by: 'us' | 'seller' }[] = [];
  readonly #inForce: PriceInForce[] = [];
  readonly #sent: PriceSent[] = [];
  readonly #returns: number[] = [];
  #suspects: readonly SuspectPrice[] = [];
  #next = 2_000;
  readonly adopted: Cents[] = [];

  constructor() {
    this.#truth.push({ price: usd(20), since: -1_000, by: 'us' });
    this.#inForce.push({ price: usd(20), since: at(-1_000), isOwn: false });
  }

  get believed(): Cents {
    return this.#inForce.at(-1)?.price ?? cents(0);
  }

  get actual(): Cents {
    return this.#shownAt(this.#now);
  }

  /** Prices that the seller set on the marketplace. */
  get edits(): Cents[] {
    return this.#truth.filter(({ by }) => by === 'seller').map(({ price }) => price);
  }

  pass(minutes: number): void {
    for (let step = 0; step < minutes; step++) {
      this.#now += 1;
      this.#readItemIfDue();
    }
  }

  do(one: Act): void {
    if (one.kind === 'move') this.#move();
    if (one.kind === 'edit') this.#change(this.#newPrice(), 'seller');
    if (one.kind === 'revert') this.#change(this.#inForce.at(-2)?.price ?? this.#newPrice(), 'seller');
    if (one.kind === 'list' || one.kind === 'document') {
      this.#read(one.kind, this.#shownAt(this.#now - one.behind));
      // The reading has ended: items are read.
      this.#suspects = this.#suspects.map((suspect) =>
        suspect.openSince === null || suspect.nextReadAt !== null
          ? suspect
          : { ...suspect, nextReadAt: at(this.#now) },
      );
      this.#readItemIfDue();
    }
  }

  /** A price of ours, sent, live and confirmed at once. */
  #move(): void {
    if (stopsSending(this.#suspects, at(this.#now))) return;
    const price = this.#newPrice();
    this.#sent.push({ price, at: at(this.#now), isGivenUp: false });
    this.#change(price, 'us');
    this.#inForce.push({ price, since: at(this.#now), isOwn: true });
  }

  #change(price: Cents, by: 'us' | 'seller'): void {
    if (price === this.actual) return;
    this.#truth.push({ price, since: this.#now, by });
    this.#now += 1;
  }

  #newPrice(): Cents {
    this.#next += 1;
    return cents(this.#next);
  }

  #shownAt(minute: number): Cents {
    return this.#truth.findLast(({ since }) => since <= minute)?.price ?? cents(0);
  }

  #readItemIfDue(): void {
    const isDue = this.#suspects.some(({ nextReadAt }) => nextReadAt !== null && nextReadAt <= at(this.#now));
    if (isDue) this.#read('item', this.actual);
  }

  #read(source: ReadingSource, price: Cents): void {
    const now = at(this.#now);
    const last = this.#inForce.at(-1);
    if (last === undefined || last.since >= now) return;
    const returns = this.#returns.filter((time) => time > this.#now - 24 * 60).length;
    const recent = { inForce: this.#inForce, sent: this.#sent };
    const reading = assessReading(
      { inForce: this.believed, recent, suspects: this.#suspects, returns },
      { price, source, readAt: now },
      now,
    );
    this.#suspects = reading.suspects;
    const { result } = reading;
    if (result === 'outside_edit') this.adopted.push(price);
    const isReturn = result === 'went_back' || result === 'went_back_often';
    if (isReturn) this.#returns.push(this.#now);
    if (result === 'outside_edit' || isReturn) this.#inForce.push({ price, since: now, isOwn: false });
  }
}

law('lists up to 30 minutes late: no false external edit, and no true one missed', stories, (acts) => {
  const story = new Story();
  for (const { after, act } of acts) {
    story.pass(after);
    story.do(act);
  }
  expect(story.edits).toEqual(expect.arrayContaining(story.adopted));
  // Lists that have caught up, for as long as a former price counts as late.
  for (let round = 0; round < 12; round++) {
    story.pass(15);
    story.do({ kind: 'list', behind: 0 });
  }
  expect(story.believed).toBe(story.actual);
});
