import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { law } from '#tests/builders/law.ts';
import { drawSample, isMassSuspect, readingCheckOutcome } from './reading-check.ts';

test.each([
  [1_000, 400, true],
  [1_000, 50, false],
  [1_000, 51, true],
  [100, 19, false],
  [100, 20, true],
  [20, 20, true],
])('of %d compared listings %d suspect ones: checked as a whole is %s', (compared, suspects, expected) => {
  expect(isMassSuspect(compared, suspects)).toBe(expected);
});

describe('a sample', () => {
  test('of 20 sets the reading aside with 18 in force, and not after 3 that differ', () => {
    expect(readingCheckOutcome(20, 17, 2)).toBe('checking');
    expect(readingCheckOutcome(20, 18, 2)).toBe('behind');
    expect(readingCheckOutcome(20, 0, 3)).toBe('changed');
    expect(readingCheckOutcome(20, 17, 3)).toBe('changed');
  });

  law(
    'holds 20 different ones of the listings, or all, and is repeatable',
    fc.record({
      items: fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { maxLength: 60 }),
      seed: fc.nat(),
    }),
    ({ items, seed }) => {
      const sample = drawSample(items, seed);
      expect(sample).toHaveLength(Math.min(20, items.length));
      expect(new Set(sample).size).toBe(sample.length);
      expect(items).toEqual(expect.arrayContaining(sample));
      expect(drawSample(items, seed)).toEqual(sample);
    },
  );
});
