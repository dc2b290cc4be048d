import { describe, expect, test } from 'vitest';
import { isLooser } from './looser-limits.ts';

type Limits = Parameters<typeof isLooser>[0];

// Only the order of the numbers matters here, so plain numbers are used for amounts and shares.
const LIMITS = {
  autoRepricing: false,
  maxOfferAgeMinutes: 60,
  maxStep: 1_500,
  maxDailyChange: 3_000,
  minStep: 10,
  cooldownMinutes: 30,
  priceWarThreshold: 6,
  priceWarPauseMinutes: 360,
  holdMinutes: 1_440,
  breakerDropShare: 2_000,
  breakerDropDepth: 1_000,
  breakerSameOutcomeShare: 2_000,
} as Limits;

const UP = [
  'maxOfferAgeMinutes',
  'maxStep',
  'maxDailyChange',
  'priceWarThreshold',
  'breakerDropShare',
  'breakerDropDepth',
  'breakerSameOutcomeShare',
] as const;
const DOWN = ['minStep', 'cooldownMinutes', 'priceWarPauseMinutes', 'holdMinutes'] as const;

const moved = (name: keyof Limits, by: number): Limits => ({ ...LIMITS, [name]: Number(LIMITS[name]) + by });

describe('a limit is looser', () => {
  test('never by staying as it is', () => {
    expect(isLooser(LIMITS, LIMITS)).toBe(false);
  });

  test.each(UP)('%s: when it is higher, and not when it is lower', (name) => {
    expect(isLooser(LIMITS, moved(name, 1))).toBe(true);
    expect(isLooser(LIMITS, moved(name, -1))).toBe(false);
  });

  test.each(DOWN)('%s: when it is lower, and not when it is higher', (name) => {
    expect(isLooser(LIMITS, moved(name, -1))).toBe(true);
    expect(isLooser(LIMITS, moved(name, 1))).toBe(false);
  });

  test('when the engine is switched on, and not when it is switched off', () => {
    expect(isLooser(LIMITS, { ...LIMITS, autoRepricing: true })).toBe(true);
    expect(isLooser({ ...LIMITS, autoRepricing: true }, LIMITS)).toBe(false);
  });

  test('when one limit is tighter and another looser', () => {
    expect(isLooser(LIMITS, { ...moved('priceWarThreshold', -1), maxStep: 1_600 as Limits['maxStep'] })).toBe(
      true,
    );
  });
});
