import { describe, expect, test } from 'vitest';
import { marginFinding, priceDaysFinding } from './chart-findings.ts';

describe('the finding of the margins', () => {
  const found = (loss: number, low: number, thin: number, strong: number, unknown = 50) =>
    marginFinding([
      { band: 'loss', count: loss },
      { band: 'below_5', count: low },
      { band: 'below_10', count: thin },
      { band: 'below_15', count: 0 },
      { band: 'from_15', count: strong },
      { band: 'unknown', count: unknown },
    ]);

  test('the worst comes first; unknown margins are not counted', () => {
    expect(found(12, 3, 0, 397)).toBe('12 of 412 listings lose money');
    expect(found(1, 0, 0, 1_999)).toBe('1 of 2,000 listings loses money');
    expect(found(0, 1, 2, 2)).toBe('1 of 5 listings earns less than 5%');
    expect(found(0, 0, 2, 3)).toBe('3 of 5 listings earn 15% or more');
    expect(found(0, 0, 0, 3)).toBe('Every listing with a known margin earns 15% or more');
    expect(found(0, 0, 0, 3, 0)).toBe('Every listing earns 15% or more');
  });
});

test.each([
  [0, 0, 'No price changed in 14 days'],
  [1, 0, '1 price change in 14 days, all raises'],
  [0, 4, '4 price changes in 14 days, all drops'],
  [2, 2, '4 price changes in 14 days, as many raises as drops'],
  [5, 2, '7 price changes in 14 days, mostly raises'],
  [1, 1_000, '1,001 price changes in 14 days, mostly drops'],
])('%d raised and %d lowered: %s', (raised, lowered, words) => {
  const days = [
    { day: '2026-11-20', raised, lowered: 0 },
    { day: '2026-11-21', raised: 0, lowered },
  ];
  expect(priceDaysFinding(days, '14')).toBe(words);
});
