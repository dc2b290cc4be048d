import { describe, expect, test } from 'vitest';
import type { RunShares } from '#domain/decision/run-tally.ts';
import type { Bps } from '#domain/units.ts';
import {
  type BreakerLimits,
  circuitBreakerReason,
  DEFAULT_BREAKER,
  type HourShares,
} from './circuit-breaker.ts';

/** A run over 100 competitive listings without any unusual share. */
function aRun(over: Partial<RunShares> = {}): RunShares {
  return {
    mayChange: 100,
    competitive: 100,
    dropped: 0,
    rose: 0,
    movedUnread: 0,
    movedUnreadOf: 100,
    atMarginFloor: 0,
    newlyBlocked: 0,
    atSamePrice: 0,
    ...over,
  };
}
function breakerReason(
  run: RunShares,
  hour: HourShares | null,
  past: readonly RunShares[],
  limits: Partial<BreakerLimits> = {},
): string | null {
  return circuitBreakerReason(run, hour, past, { ...DEFAULT_BREAKER, ...limits });
}
const usual = (over: Partial<RunShares> = {}, runs = 3): RunShares[] =>
  Array.from({ length: runs }, () => aRun(over));

describe('big drops', () => {
  test.each([
    ['20 of 100 pass', { dropped: 20 }, null],
    [
      '21 of 100 stop it',
      { dropped: 21 },
      '21 of 100 listings that may change (21%) would drop by 10% or more. The limit is 20%.',
    ],
    [
      'slightly over it shows tenths: never "20%. The limit is 20%."',
      { dropped: 42, mayChange: 206 },
      '42 of 206 listings that may change (20.4%) would drop by 10% or more. The limit is 20%.',
    ],
    ['4 of 4 pass: too few to tell', { dropped: 4, mayChange: 4 }, null],
    ['large numbers are set in thousands', { dropped: 2_095, mayChange: 4_993 }, /^2,095 of 4,993 listings/],
    ['5 of 5 stop it', { dropped: 5, mayChange: 5 }, /^5 of 5 listings that may change \(100%\) would drop/],
    ['5 of 25 pass: not more than 20%', { dropped: 5, mayChange: 25 }, null],
    ['5 of 24 stop it', { dropped: 5, mayChange: 24 }, /^5 of 24/],
  ] as const)('%s', (_, run, expected) => {
    const said = breakerReason(aRun(run), null, usual());
    if (expected instanceof RegExp) expect(said).toMatch(expected);
    else expect(said).toBe(expected);
  });

  test('past drops do not raise the limit', () => {
    expect(breakerReason(aRun({ dropped: 21 }), null, usual({ dropped: 90 }))).not.toBeNull();
  });
});

describe('big rises', () => {
  test.each([
    ['20 of 100 pass', { rose: 20 }, null],
    [
      '21 of 100 stop it',
      { rose: 21 },
      '21 of 100 listings that may change (21%) would rise by 10% or more. The limit is 20%.',
    ],
    ['15 that rise and 15 that drop pass: they are counted apart', { rose: 15, dropped: 15 }, null],
    ['4 of 4 pass: too few to tell', { rose: 4, mayChange: 4 }, null],
  ] as const)('%s', (_, run, expected) => {
    expect(breakerReason(aRun(run), null, usual({ rose: 90 }))).toBe(expected);
  });
});

test('listings that move after their competitors could no longer be read are compared with their marketplace', () => {
  const run = (movedUnread: number) => aRun({ mayChange: 1_000, movedUnread, movedUnreadOf: 50 });
  expect(breakerReason(run(10), null, usual())).toBeNull();
  expect(breakerReason(run(11), null, usual())).toBe(
    '11 of 50 listings that may change (22%) would change after their competitor data became unavailable. The limit is 20%.',
  );
});

describe.each([
  ['atMarginFloor', 'would drop to their margin floor'],
  ['newlyBlocked', 'would be newly blocked'],
  ['atSamePrice', 'would get the same price'],
] as const)('the share of %s', (measure, words) => {
  test.each([
    ['with three quiet runs, 20% pass', 20, usual(), null],
    ['with three quiet runs, 21% stop it', 21, usual(), 'The limit is 20%.'],
    ['three times the highest passes', 30, usual({ [measure]: 10 }), null],
    [
      'more than three times the highest stops it',
      31,
      usual({ [measure]: 10 }),
      'The limit is 30%, three times the highest of the last ten runs.',
    ],
    ['the highest counts, not the mean', 90, [...usual(), aRun({ [measure]: 30 })], null],
    ['three times a low share is no limit below 20%', 20, usual({ [measure]: 1 }), null],
    ['with two runs, 50% pass', 50, usual({}, 2), null],
    ['with two runs, 51% stop it', 51, usual({}, 2), '50% while there are fewer than three runs'],
    ['with no run, 50% pass', 50, [], null],
    ['with no run, 51% stop it', 51, [], '50% while there are fewer than three runs'],
  ] as const)('%s', (_, count, past, expected) => {
    const said = breakerReason(aRun({ [measure]: count }), null, past);
    if (expected === null) return expect(said).toBeNull();
    expect(said).toContain(`${count} of 100 listings that may change (${count}%) ${words}.`);
    expect(said).toContain(expected);
  });

  test('four listings are too few, five are enough', () => {
    const small = { mayChange: 5, competitive: 5 };
    expect(breakerReason(aRun({ ...small, [measure]: 4 }), null, usual())).toBeNull();
    expect(breakerReason(aRun({ ...small, [measure]: 5 }), null, usual())).not.toBeNull();
  });
});

test('Fixed Margin listings do not count in the share at the margin floor', () => {
  expect(breakerReason(aRun({ atMarginFloor: 20, competitive: 90 }), null, usual())).toContain('20 of 90');
  expect(breakerReason(aRun({ atSamePrice: 20, competitive: 90 }), null, usual())).toBeNull();
});

describe('a rolling hour', () => {
  const anHour = (over: Partial<HourShares>): HourShares => ({
    mayChange: 100,
    dropped: 0,
    rose: 0,
    movedUnread: 0,
    atMarginFloor: 0,
    newlyBlocked: 0,
    atSamePrice: 0,
    ...over,
  });

  test('stops a series of small runs that would each pass', () => {
    const run = aRun({ mayChange: 4, competitive: 4, dropped: 4 });
    expect(breakerReason(run, anHour({ dropped: 20 }), usual())).toBeNull();
    expect(breakerReason(run, anHour({ dropped: 21 }), usual())).toBe(
      'Over one hour, 21 of 100 listings that may change (21%) would drop by 10% or more. The limit is 20%.',
    );
  });

  test.each(['atMarginFloor', 'newlyBlocked', 'atSamePrice'] as const)('holds for %s too', (measure) => {
    expect(breakerReason(aRun(), anHour({ [measure]: 21 }), usual())).toMatch(/^Over one hour, 21 of 100/);
    expect(breakerReason(aRun(), anHour({ [measure]: 20 }), usual())).toBeNull();
  });
});

describe('configured limits', () => {
  const limits = (over: Partial<Record<keyof BreakerLimits, number>>) => over as Partial<BreakerLimits>;

  test('the share of drops is the limit, and the sentence shows it with the depth', () => {
    const own = limits({ dropShare: 1_250, dropDepth: 500 });
    expect(breakerReason(aRun({ dropped: 12 }), null, usual(), own)).toBeNull();
    expect(breakerReason(aRun({ dropped: 13 }), null, usual(), own)).toBe(
      '13 of 100 listings that may change (13%) would drop by 5% or more. The limit is 12.5%.',
    );
  });

  test.each(['atMarginFloor', 'newlyBlocked', 'atSamePrice'] as const)(
    'the share limits %s in run and hour',
    (measure) => {
      const own = limits({ sameOutcomeShare: 3_500 });
      expect(breakerReason(aRun({ [measure]: 35 }), null, usual(), own)).toBeNull();
      expect(breakerReason(aRun({ [measure]: 36 }), null, usual(), own)).toContain('The limit is 35%.');
      const hour = {
        mayChange: 100,
        dropped: 0,
        rose: 0,
        movedUnread: 0,
        atMarginFloor: 0,
        newlyBlocked: 0,
        atSamePrice: 0,
        [measure]: 36,
      };
      expect(breakerReason(aRun(), hour, usual(), own)).toMatch(
        /^Over one hour, 36 of 100.*The limit is 35%\.$/,
      );
    },
  );

  test('a stricter share still allows three times the past share', () => {
    const own = limits({ sameOutcomeShare: 500 });
    expect(breakerReason(aRun({ atMarginFloor: 15 }), null, usual({ atMarginFloor: 5 }), own)).toBeNull();
    expect(breakerReason(aRun({ atMarginFloor: 6 }), null, usual({ atMarginFloor: 1 }), own)).toContain(
      'The limit is 5%.',
    );
  });

  test('the largest configurable share stops a run that sets one price for all listings', () => {
    const widest: BreakerLimits = {
      dropShare: 5_000 as Bps,
      dropDepth: 2_500 as Bps,
      sameOutcomeShare: 5_000 as Bps,
    };
    expect(breakerReason(aRun({ atSamePrice: 100 }), null, usual(), widest)).not.toBeNull();
    expect(breakerReason(aRun({ dropped: 51 }), null, usual(), widest)).not.toBeNull();
  });
});
