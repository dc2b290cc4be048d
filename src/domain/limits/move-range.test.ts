import { describe, expect, it } from 'vitest';
import type { Bps, Cents } from '#domain/units.ts';
import { aPolicy, pct, usd } from '#tests/builders/facts.ts';
import type { AllowedPrices } from './allowed-prices.ts';
import { limitInTheWay, type MoveRange, moveRange, nearestInRange } from './move-range.ts';
import type { Policy } from './policy.ts';

const rangeOf = (current: number, dayAgo: number | null = null, policy: Partial<Policy> = {}) =>
  moveRange(usd(current), dayAgo === null ? null : usd(dayAgo), aPolicy(policy));

describe('how far one decision may move a price', () => {
  it('is 15% of the current price each way, rounded inwards', () => {
    expect(rangeOf(20)).toEqual({ low: 1700, high: 2300, lowBy: 'step_limit', highBy: 'step_limit' });
    expect(rangeOf(19.99)).toMatchObject({ low: 1700, high: 2298 });
    expect(rangeOf(20, null, { maxStep: pct(5) })).toMatchObject({ low: 1900, high: 2100 });
  });

  it('is at least one cent each way, and never below one cent', () => {
    expect(rangeOf(0.05)).toMatchObject({ low: 4, high: 6 });
    expect(rangeOf(0.01)).toMatchObject({ low: 1, high: 2 });
    expect(rangeOf(20, null, { maxStep: pct(0) })).toMatchObject({ low: 1999, high: 2001 });
    expect(rangeOf(0.06, null, { maxStep: pct(100) })).toMatchObject({ low: 1, high: 12 });
    expect(rangeOf(0.06, 0.06, { maxStep: pct(100), maxDailyChange: pct(100) })).toMatchObject({
      low: 1,
      high: 12,
    });
  });

  it('is also 30% of the price of a day ago, rounded inwards', () => {
    expect(rangeOf(20, 20)).toEqual({ low: 1700, high: 2300, lowBy: 'step_limit', highBy: 'step_limit' });
    expect(rangeOf(20, 25)).toEqual({ low: 1750, high: 2300, lowBy: 'daily_limit', highBy: 'step_limit' });
    expect(rangeOf(20, 16)).toEqual({ low: 1700, high: 2080, lowBy: 'step_limit', highBy: 'daily_limit' });
    expect(rangeOf(20, 16.01)).toMatchObject({ high: 2081 });
    expect(rangeOf(20, 25.01)).toMatchObject({ low: 1751 });
    expect(rangeOf(20, 20, { maxDailyChange: pct(10) })).toEqual({
      low: 1800,
      high: 2200,
      lowBy: 'daily_limit',
      highBy: 'daily_limit',
    });
  });

  it('names the step where both limits are the same', () => {
    expect(rangeOf(20, 20, { maxDailyChange: pct(15) })).toMatchObject({
      low: 1700,
      high: 2300,
      lowBy: 'step_limit',
      highBy: 'step_limit',
    });
  });

  it('is empty for an invalid limit', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 0.5] as Bps[]) {
      const byStep = rangeOf(20, 20, { maxStep: bad });
      expect([byStep.low, byStep.high]).toEqual([Number.NaN, Number.NaN]);
      const byDrift = rangeOf(20, 20, { maxDailyChange: bad });
      expect([byDrift.low, byDrift.high]).toEqual([Number.NaN, Number.NaN]);
    }
  });
});

describe('the limit before a target', () => {
  const some: MoveRange = { low: 1750, high: 2080, lowBy: 'daily_limit', highBy: 'step_limit' };

  it('is the one on its side', () => {
    expect(limitInTheWay(2081 as Cents, some)).toBe('step_limit');
    expect(limitInTheWay(1749 as Cents, some)).toBe('daily_limit');
    expect(limitInTheWay(1749 as Cents, { ...some, lowBy: 'step_limit' })).toBe('step_limit');
    expect(limitInTheWay(2081 as Cents, { ...some, highBy: 'daily_limit' })).toBe('daily_limit');
  });

  it('is the daily limit where both limits share no price', () => {
    const empty: MoveRange = { low: 2100, high: 2080, lowBy: 'step_limit', highBy: 'step_limit' };
    expect(limitInTheWay(2500 as Cents, empty)).toBe('daily_limit');
    expect(limitInTheWay(2080 as Cents, { ...empty, low: 2080 })).toBe('step_limit');
  });
});

describe('the price of L and R nearest to the target', () => {
  const set: AllowedPrices = {
    marginFloor: usd(14),
    priceCeiling: usd(30),
    ranges: [1400, 1500, 1800, 2000, 2200, 3000],
  };
  const around = (low: number, high: number): MoveRange => ({
    low,
    high,
    lowBy: 'step_limit',
    highBy: 'step_limit',
  });

  it.each<[string, MoveRange, number, number, number | null]>([
    ['the target itself', around(1700, 2300), 2000, 1850, 1850],
    ['the target at the lower end', around(1850, 2300), 2000, 1850, 1850],
    ['the target at the upper end', around(1700, 2250), 2000, 2250, 2250],
    ['as far down as one step goes', around(1850, 2300), 2000, 1400, 1850],
    ['as far down as the gap lets it', around(1600, 2300), 1900, 1450, 1800],
    ['as far up as one step goes', around(1700, 2250), 2000, 2900, 2250],
    ['as far up as the gap lets it', around(1700, 2100), 1900, 2900, 2000],
    ['up from a price that is not allowed', around(1510, 1890), 1700, 2900, 1890],
    ['down from a price that is not allowed', around(1480, 2000), 1700, 1400, 1480],
    ['nothing up but behind us', around(1530, 1750), 1700, 2900, null],
    ['nothing down but behind us', around(1530, 1900), 1700, 1400, null],
    ['nothing up below what the daily limit asks', around(2050, 2100), 2000, 2900, null],
    ['nothing down above what the daily limit allows', around(1850, 1820), 1900, 1400, null],
    ['nothing down when the daily limit lies below', around(1700, 1820), 1900, 1850, null],
    ['nothing up when the daily limit lies above', around(1950, 2000), 1900, 1920, null],
    ['where we are, when nothing nearer is allowed', around(1950, 2100), 2000, 2900, 2000],
    ['where we are, down', around(2100, 2300), 2200, 1400, 2200],
  ])('%s', (_, within, current, target, price) => {
    expect(nearestInRange(set, within, current as Cents, target as Cents)).toBe(price);
  });

  it('is null where no price is in range', () => {
    const nowhere = around(Number.NaN, Number.NaN);
    for (const target of [1850, 2900, 1900]) {
      expect(nearestInRange(set, nowhere, usd(19), target as Cents)).toBeNull();
    }
  });

  it('is never a target outside L', () => {
    expect(nearestInRange(set, around(1500, 1800), usd(17), usd(16))).toBeNull();
  });
});
