import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, NOW, usd } from '#tests/builders/facts.ts';
import {
  isBeyondRevisions,
  REVISION_LIMITS,
  type RevisionLimits,
  revisionDayEnd,
  revisionDayStart,
} from './revision-limits.ts';
import { LONGEST_SEND_PAUSE, type PassingRefusal, pauseEnd, SETUP_TIME } from './send-pause.ts';

const at = (iso: string): Instant => instant(Date.parse(iso));
const end = (over: Partial<PassingRefusal>, now = NOW): Instant | null =>
  pauseEnd({ why: 'unclear', until: null, timesBefore: 0, lastUntil: null, listedAt: NOW, ...over }, now);

describe('a day in Los Angeles', () => {
  it.each([
    ['winter', '2026-11-21T12:00:00Z', '2026-11-21T08:00:00Z', '2026-11-22T08:00:00Z'],
    ['summer', '2026-07-01T03:00:00Z', '2026-06-30T07:00:00Z', '2026-07-01T07:00:00Z'],
    ['midnight itself', '2026-07-01T07:00:00Z', '2026-07-01T07:00:00Z', '2026-07-02T07:00:00Z'],
    ['the day of 23 hours', '2026-03-08T12:00:00Z', '2026-03-08T08:00:00Z', '2026-03-09T07:00:00Z'],
    ['the day of 25 hours', '2026-11-01T12:00:00Z', '2026-11-01T07:00:00Z', '2026-11-02T08:00:00Z'],
  ])('%s', (_, now, start, next) => {
    expect(revisionDayStart(at(now))).toBe(at(start));
    expect(revisionDayEnd(at(now))).toBe(at(next));
  });

  it('lasts 23 to 25 hours and contains its moments', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }).map((time) => instant(time)),
        (now) => {
          const [start, next] = [revisionDayStart(now), revisionDayEnd(now)];
          expect(start <= now && now < next).toBe(true);
          expect([23, 24, 25]).toContain((next - start) / hours(1));
          expect(revisionDayStart(next)).toBe(next);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a pause ends', () => {
  it('when the marketplace says so, for the calls of a day, else after an hour', () => {
    const until = instant(NOW + hours(5));
    expect(end({ why: 'daily_limit', until })).toBe(until);
    expect(end({ why: 'daily_limit' })).toBe(NOW + hours(1));
    expect(end({ why: 'daily_limit', until: NOW })).toBe(NOW + hours(1));
  });

  it('after two days at the latest, whatever is reported or stored', () => {
    expect(end({ why: 'daily_limit', until: instant(NOW + hours(24 * 366)) })).toBe(NOW + LONGEST_SEND_PAUSE);
    expect(end({ why: 'too_new', listedAt: instant(NOW + hours(24 * 366)) })).toBe(NOW + LONGEST_SEND_PAUSE);
  });

  it('after a quarter of an hour, each time, where it is not reported what sets the price', () => {
    for (const timesBefore of [0, 100]) {
      expect(end({ why: 'not_told', timesBefore })).toBe(NOW + minutes(15));
    }
  });

  it('at midnight in Los Angeles for revisions, and refused again after two hours', () => {
    expect(end({ why: 'revision_limit' })).toBe(revisionDayEnd(NOW));
    expect(end({ why: 'revision_limit', timesBefore: 1 })).toBe(NOW + hours(2));
  });

  it('a day after the listing was first seen, when it cannot be set up; later it is refused for good', () => {
    const listedAt = instant(NOW - hours(20));
    expect(end({ why: 'too_new', listedAt })).toBe(NOW + hours(4));
    expect(end({ why: 'too_new', listedAt: instant(NOW - SETUP_TIME) })).toBeNull();
  });

  it('after a day for an unknown code, three times', () => {
    const ends = [0, 1, 2, 3].map((timesBefore) => end({ timesBefore }));
    expect(ends).toEqual([...Array<number>(3).fill(NOW + hours(24)), null]);
  });
});

describe('a listing that is not found right before its price', () => {
  const again = (lastUntil: Instant) => end({ why: 'not_found', timesBefore: 1, lastUntil });
  it('is asked again ten minutes later, and only then is it final', () => {
    const first = end({ why: 'not_found' });
    expect(first).toBe(NOW + minutes(10));
    expect(again(NOW)).toBeNull();
    expect(again(instant(NOW - hours(1)))).toBeNull();
  });

  it('is not judged by two readings a moment apart, nor by one of long ago', () => {
    expect(again(instant(NOW + minutes(9)))).toBe(NOW + minutes(9));
    expect(again(instant(NOW - hours(1) - 1))).toBe(NOW + minutes(10));
  });

  it('is asked anew after the clock was set back', () => {
    expect(again(instant(NOW + minutes(11)))).toBe(NOW + minutes(10));
  });
});

describe('revisions of eBay', () => {
  const limits = REVISION_LIMITS.ebay as RevisionLimits;
  it('are planned with 200, 30 kept for repairs and 20 for users', () => {
    const kinds = ['engine', 'repairs', 'users'] as const;
    const stopped = (count: number) => kinds.filter((kind) => isBeyondRevisions(limits, count, kind));
    expect([199, 200, 229, 230, 249, 250].map(stopped)).toEqual([
      [],
      ['engine'],
      ['engine'],
      ['engine', 'repairs'],
      ['engine', 'repairs'],
      ['engine', 'repairs', 'users'],
    ]);
  });

  it('that cannot be counted are beyond every plan', () => {
    expect(isBeyondRevisions(limits, Number.NaN, 'users')).toBe(true);
  });
});

describe('a decision during a pause', () => {
  const pause = { why: 'revision_limit', until: instant(NOW + minutes(1)), allowsRepairs: false } as const;
  const decided = (over: Partial<ListingFacts>) =>
    decide(
      aListing({ offers: [anOffer(19)], ...over }),
      { kind: 'matched', rule: aRule(), minimumMargin: aRule().minimumMargin },
      aPolicy(),
    );
  /** Costs and fees take more than $5.00. */
  const losing = { currentPrice: usd(5), anchorPrice: usd(20), priceDayAgo: null };

  it('keeps the price until it is over', () => {
    expect(decided({})).toMatchObject({ kind: 'change' });
    expect(decided({ sendPause: pause })).toMatchObject({ kind: 'keep', reason: 'send_paused' });
    expect(decided({ sendPause: { ...pause, until: NOW } })).toMatchObject({ kind: 'change' });
  });

  it('corrects a price that is not allowed only where the pause lets it', () => {
    const wide = aPolicy({ maxStep: 1_000_000 as never, maxDailyChange: 1_000_000 as never });
    const corrected = (allowsRepairs: boolean) =>
      decide(
        aListing({ ...losing, sendPause: { ...pause, allowsRepairs } }),
        { kind: 'matched', rule: aRule(), minimumMargin: aRule().minimumMargin },
        wide,
      );
    expect(corrected(true)).toMatchObject({ kind: 'change', reason: 'repair' });
    expect(corrected(false)).toMatchObject({ kind: 'keep', reason: 'send_paused' });
  });
});
