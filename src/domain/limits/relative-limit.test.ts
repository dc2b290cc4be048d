import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bps, cents, MAX_CENTS } from '#domain/units.ts';
import { limitFrom } from './relative-limit.ts';

const base = fc.integer({ min: 0, max: MAX_CENTS }).map(cents);
const percent = fc.integer({ min: -9_999, max: 99_999 }).map(bps);

test('a share is exact: a minimum is the next cent up, a maximum the next one down', () => {
  expect(limitFrom(cents(10_01), { percent: bps(1_000) }, 'minPrice')).toBe(11_02);
  expect(limitFrom(cents(10_01), { percent: bps(1_000) }, 'maxPrice')).toBe(11_01);
  expect(limitFrom(cents(10_00), { percent: bps(1_000) }, 'minPrice')).toBe(11_00);
  expect(limitFrom(cents(14_29), { amount: cents(-29) }, 'minPrice')).toBe(14_00);
  fc.assert(
    fc.property(base, percent, (amount, share) => {
      const exact = BigInt(amount) * BigInt(10_000 + share);
      const least = limitFrom(amount, { percent: share }, 'minPrice');
      const most = limitFrom(amount, { percent: share }, 'maxPrice');
      const up = (exact + 9_999n) / 10_000n;
      const down = exact / 10_000n;
      const isPrice = (limit: bigint): boolean => limit > 0n && limit <= BigInt(MAX_CENTS);
      expect(least).toBe(isPrice(up) ? Number(up) : null);
      expect(most).toBe(isPrice(down) ? Number(down) : null);
    }),
  );
});

test('a larger share or base never gives a lower limit, and none leaves what a price can be', () => {
  fc.assert(
    fc.property(
      base,
      base,
      percent,
      fc.constantFrom('minPrice' as const, 'maxPrice' as const),
      (one, other, share, side) => {
        const [low, high] = [one, other].toSorted((a, b) => a - b) as [typeof one, typeof one];
        const lower = limitFrom(low, { percent: share }, side);
        const higher = limitFrom(high, { percent: share }, side);
        if (lower !== null && higher !== null) expect(lower).toBeLessThanOrEqual(higher);
        const shifted = limitFrom(low, { amount: high }, side);
        expect(shifted).toBe(low + high > 0 && low + high <= MAX_CENTS ? low + high : null);
      },
    ),
  );
});
