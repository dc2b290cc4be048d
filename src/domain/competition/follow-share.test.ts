import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bps, type Cents, hours, type Instant } from '#domain/units.ts';
import { NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { followShare, type KnownPrices, type Rise } from './follow-share.ts';

const before = (hoursAgo: number): Instant => (NOW - hours(hoursAgo)) as Instant;
/** @param up for so many hours; null: our price did not come down again */
const rise = (hoursAgo: number, from: number, to: number, up: number | null = null): Rise => ({
  at: before(hoursAgo),
  from: usd(from),
  to: usd(to),
  downAt: up === null ? null : before(hoursAgo - up),
});
/** From so many hours ago until the next one, or until it is too old. */
const prices = (
  hoursAgo: number,
  lowest: number,
  second = Number.POSITIVE_INFINITY,
  lasts = 10_000,
): KnownPrices => ({
  at: before(hoursAgo),
  until: (before(hoursAgo) + hours(lasts)) as Instant,
  lowest: lowest === Number.POSITIVE_INFINITY ? lowest : usd(lowest),
  second: second === Number.POSITIVE_INFINITY ? second : usd(second),
});

describe('how often competitors followed', () => {
  /** We go up by $2.00 every 5 days. */
  const RISES = [rise(480, 20, 22), rise(360, 20, 22), rise(240, 20, 22), rise(120, 20, 22)];
  const LOW = prices(700, 21);

  test.each([
    ['none came', [LOW], pct(0)],
    ['one of four came halfway and stayed', [LOW, prices(200, 22), prices(188, 21)], pct(25)],
    ['one came halfway and left after less than 12 hours', [LOW, prices(200, 22), prices(189, 21)], pct(0)],
    ['one came less than halfway', [LOW, prices(200, 21.99), prices(130, 21)], pct(0)],
    ['one came after 48 hours', [LOW, prices(192, 22), prices(150, 21)], pct(25)],
    ['one came later than that', [LOW, prices(191, 22), prices(150, 21)], pct(0)],
    ['all left', [LOW, prices(200, Number.POSITIVE_INFINITY), prices(150, 21)], pct(0)],
  ])('%s', (_, known, share) => {
    expect(followShare(RISES, known, NOW)).toBe(share);
  });

  test.each([
    ['came for the four hours that ours was up', [prices(199, 22), prices(196, 21)], pct(25)],
    ['came down before ours', [prices(199, 22), prices(197, 21)], pct(0)],
    [
      'came when ours was down again, and left after less than 12 hours',
      [prices(196, 22), prices(185, 21)],
      pct(0),
    ],
    ['came when ours was down again, and stayed', [prices(196, 22), prices(184, 21)], pct(25)],
  ])('while our price is up for four hours: one %s', (_, known, share) => {
    const nights = [480, 360, 280, 200].map((hoursAgo) => rise(hoursAgo, 20, 22, 4));
    expect(followShare(nights, [LOW, ...known], NOW)).toBe(share);
  });

  test('a competitor that goes up for some hours of every night follows one that does, and no one that stays up', () => {
    const nights = [20, 15, 10, 5].flatMap((day) => [prices(day * 24 - 1, 22), prices(day * 24 - 5, 21)]);
    const up = (hoursUp: number | null) => [20, 15, 10, 5].map((day) => rise(day * 24, 20, 22, hoursUp));
    expect(followShare(up(4), [LOW, ...nights], NOW)).toBe(pct(100));
    expect(followShare(up(24), [LOW, ...nights], NOW)).toBe(0);
    expect(followShare(up(null), [LOW, ...nights], NOW)).toBe(0);
  });

  test('of three occasions and more', () => {
    expect(followShare(RISES.slice(1), [LOW], NOW)).toBe(0);
    expect(followShare(RISES.slice(2), [LOW], NOW)).toBeNull();
  });

  test('of occasions of 30 days, at most the last 20', () => {
    const daily = Array.from({ length: 25 }, (_, day) => rise(24 * (29 - day), 20, 22));
    // They followed the first five.
    expect(followShare(daily, [prices(800, 21), prices(24 * 29 - 1, 23), prices(24 * 24 + 1, 21)], NOW)).toBe(
      0,
    );
    expect(followShare([rise(721, 20, 22), ...RISES.slice(2)], [prices(800, 21)], NOW)).toBeNull();
  });

  test('only where our price was the lowest or the next to lowest, and rose by 2% or more', () => {
    const second = prices(700, 19, 20);
    expect(followShare(RISES, [second], NOW)).toBe(0);
    expect(followShare(RISES, [prices(700, 19, 19.99)], NOW)).toBeNull();
    expect(followShare(RISES, [prices(700, Number.POSITIVE_INFINITY)], NOW)).toBeNull();
    const small = RISES.map((one) => ({ ...one, to: usd(20.39) }));
    expect(followShare(small, [LOW], NOW)).toBeNull();
    expect(
      followShare(
        small.map((one) => ({ ...one, to: usd(20.4) })),
        [LOW],
        NOW,
      ),
    ).toBe(0);
  });

  test('steps within 12 hours are one occasion, and half of the whole way has to be followed', () => {
    const steps = RISES.flatMap(({ at }) => [
      { at, from: usd(20), to: usd(22), downAt: null },
      { at: (at + hours(12)) as Instant, from: usd(22), to: usd(24), downAt: null },
    ]);
    expect(followShare(steps, [LOW, prices(200, 22.99), prices(130, 21)], NOW)).toBe(0);
    expect(followShare(steps, [LOW, prices(200, 23), prices(130, 21)], NOW)).toBe(pct(25));
  });

  test('not of what was not read, nor of what is not over', () => {
    // The last one was 30 hours ago: they can still come.
    const recent = [...RISES.slice(2), rise(30, 20, 22)];
    expect(followShare(recent, [LOW], NOW)).toBeNull();
    expect(followShare(recent, [LOW, prices(20, 22)], NOW)).toBe(pct(33.33));
    // Not read for a while after one of three.
    const gap = [prices(700, 21, undefined, 470), prices(225, 21)];
    expect(followShare(RISES.slice(1), gap, NOW)).toBeNull();
    expect(followShare(RISES, gap, NOW)).toBe(0);
  });
});

// The same by hours, one after the other, with nothing remembered from one to the next.

const SPAN = 504;

interface HourlyRise {
  readonly hour: number;
  readonly from: number;
  readonly to: number;
  /** The hour in which our price came down again; infinite for none. */
  readonly down: number;
}

/** A market in whole hours: what is known in each of them, null for nothing. */
interface HourlyMarket {
  readonly hours: readonly ({ readonly lowest: number; readonly second: number } | null)[];
  readonly rises: readonly HourlyRise[];
}

const hourly = fc.array(
  fc.record({
    lasts: fc.constantFrom(1, 11, 12, 13, 24, 36, 48),
    known: fc.option(
      fc.record({
        lowest: fc.constantFrom(1_900, 1_950, 2_000, 2_050, 2_100, Number.POSITIVE_INFINITY),
        more: fc.constantFrom(0, 50, 100),
      }),
      { freq: 30 },
    ),
  }),
  { minLength: 1, maxLength: 60 },
);

const market: fc.Arbitrary<HourlyMarket> = fc
  .tuple(
    hourly,
    fc.array(
      fc.record({
        hour: fc.integer({ min: 0, max: SPAN / 12 - 1 }).map((half) => half * 12),
        from: fc.constantFrom(1_950, 2_000, 2_050),
        more: fc.constantFrom(38, 39, 41, 100, 200),
        up: fc.constantFrom(Number.POSITIVE_INFINITY, 1, 4, 11, 30),
      }),
      { maxLength: 30 },
    ),
  )
  .map(([spans, ups]) => {
    const all = spans.flatMap(({ lasts, known }) =>
      Array.from({ length: lasts }, () =>
        known === null ? null : { lowest: known.lowest, second: known.lowest + known.more },
      ),
    );
    const rises = ups
      .toSorted((one, other) => one.hour - other.hour)
      .filter(({ hour }, index, sorted) => sorted[index - 1]?.hour !== hour)
      .map(({ hour, from, more, up }) => ({ hour, from, to: from + more, down: hour + up }));
    return { hours: Array.from({ length: SPAN }, (_, hour) => all[hour] ?? null), rises };
  });

const at = (hour: number): Instant => before(SPAN - hour);

type Occasion = { -readonly [Field in keyof HourlyRise]: HourlyRise[Field] } & { readonly lowest: number };

function naiveShare({ hours: known, rises }: HourlyMarket): Bps | null {
  const occasions: Occasion[] = [];
  for (const [index, { hour, from, to, down }] of rises.entries()) {
    if (to < from * 1.02) continue;
    // The steps of an occasion go from its first one, which is the last that was one.
    const first = occasions.at(-1);
    const isStep = first !== undefined && hour - first.hour <= 12 && !isInterrupted(rises, index, first.hour);
    if (isStep) {
      first.to = Math.max(first.to, to);
      first.down = Math.min(first.down, down);
      continue;
    }
    const now = known[hour];
    if (now == null || !Number.isFinite(now.lowest)) continue;
    if ([now.lowest, now.second].filter((price) => price < from).length > 1) continue;
    occasions.push({ hour, from, to, down, lowest: now.lowest });
  }
  const results = occasions.slice(-20).map((occasion) => naiveResult(occasion, known));
  const judged = results.filter((result) => result !== 'unknown');
  if (judged.length < 3) return null;
  const followed = judged.filter((result) => result === 'followed').length;
  return Math.floor((followed * 10_000) / judged.length) as Bps;
}

/** A rise more than 12 hours after the first step was no occasion, and nothing goes on behind it. */
function isInterrupted(rises: HourlyMarket['rises'], upTo: number, first: number): boolean {
  return rises.slice(0, upTo).some(({ hour, from, to }) => to >= from * 1.02 && hour > first + 12);
}

function naiveResult(
  { hour, from, to, down, lowest }: Occasion,
  known: HourlyMarket['hours'],
): 'followed' | 'not' | 'unknown' {
  const has = (one: number): boolean | null => {
    const then = known[one];
    if (then == null) return null;
    return Number.isFinite(then.lowest) && then.lowest >= lowest + (to - from) / 2;
  };
  for (let start = hour; start <= hour + 48; start += 1) {
    // Until our own price came down, where that was sooner.
    const length = start < down ? Math.min(12, down - start) : 12;
    const stay = Array.from({ length }, (_, more) => has(start + more));
    // What comes behind something unknown does not count.
    if (has(start) === null) return 'unknown';
    if (stay.every((one) => one === true)) return 'followed';
    const isStarting = start === hour || has(start - 1) !== true;
    const broken = stay.findIndex((one) => one !== true);
    if (isStarting && stay[broken] === null) return 'unknown';
  }
  return 'not';
}

law('the share is the one that is counted hour by hour', market, (story) => {
  const known = story.hours.flatMap((one, hour): KnownPrices[] =>
    one === null ? [] : [{ at: at(hour), until: at(hour + 1), ...one }],
  );
  const rises = story.rises.map(({ hour, from, to, down }) => ({
    at: at(hour),
    from: from as Cents,
    to: to as Cents,
    downAt: Number.isFinite(down) ? at(down) : null,
  }));
  expect(followShare(rises, known, NOW)).toBe(naiveShare(story));
});
