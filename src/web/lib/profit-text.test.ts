import { describe, expect, test } from 'vitest';
import { coverageText, marginText, profitPerSale, profitText, trendsOf } from './profit-text.ts';

test.each([
  [{ profit: '1240.55', sales: 10, known: 10, told: 10 }, '$1,240.55'],
  [{ profit: '1240.55', sales: 10, known: 10, told: 9 }, 'about $1,240.55'],
  [{ profit: '1240.55', sales: 11, known: 10, told: 10 }, 'about $1,240.55'],
  [{ profit: null, sales: 1, known: 0, told: 0 }, null],
  // Charges without a sale are not what sales earned that are unknown.
  [{ profit: '-39.99', sales: 1, known: 0, told: 0 }, null],
  [{ profit: '-39.99', sales: 0, known: 0, told: 0 }, '\u2212$39.99'],
])('%j is %s', (sums, text) => {
  expect(profitText(sums)).toBe(text);
});

test.each([
  [
    { profit: '9.00', sales: 1_410, known: 1_398, told: 1_301 },
    '1,398 of 1,410 sales; 93% with charged fees',
  ],
  [{ profit: '9.00', sales: 3, known: 3, told: 3 }, '3 sales; 100% with charged fees'],
  // Never rounded up to all.
  [{ profit: '9.00', sales: 1_000, known: 1_000, told: 999 }, '1,000 sales; 99% with charged fees'],
  [{ profit: '9.00', sales: 1, known: 1, told: 0 }, '1 sale, estimated'],
  [{ profit: null, sales: 2, known: 0, told: 0 }, 'unknown for 2 sales'],
  [
    { profit: '-39.99', sales: 1, known: 0, told: 0 },
    'unknown for 1 sale; \u2212$39.99 booked without a sale',
  ],
  [{ profit: null, sales: 0, known: 0, told: 0 }, '0 sales'],
])('%j is from %s', (sums, text) => {
  expect(coverageText(sums)).toBe(text);
});

test.each([
  [{ profit: '10.00', sales: 3, known: 3, told: 3 }, '$3.33'],
  [{ profit: '-10.00', sales: 3, known: 3, told: 2 }, 'about \u2212$3.33'],
  [{ profit: '-2.00', sales: 0, known: 0, told: 0 }, null],
])('%j is %s per sale', (sums, text) => {
  expect(profitPerSale(sums)).toBe(text);
});

test('a margin is about while a part of it is estimated', () => {
  expect(marginText({ margin: '18.60', sales: 2, told: 1 })).toBe('about 18.6%');
  expect(marginText({ margin: '18.60', sales: 2, told: 2 })).toBe('18.6%');
});

describe('a change against an earlier period', () => {
  const SUMS = {
    units: 10,
    revenue: '110.00',
    fees: null,
    ads: null,
    cost: null,
    shipping: null,
    refunds: null,
    profit: '22.00',
    margin: '18.50',
    sales: 100,
    known: 98,
    told: 0,
  };

  test('is in percent, and in percentage points for the margin', () => {
    const before = {
      ...SUMS,
      units: 20,
      revenue: '100.00',
      profit: '40.00',
      margin: '19.60',
      sales: 50,
      known: 47,
    };
    expect(trendsOf({ now: SUMS, before })).toEqual({
      revenue: '10.00',
      profit: '-45.00',
      margin: '-1.10',
      units: '-50.00',
    });
  });

  test('is none against nothing, or against a loss', () => {
    const none = { revenue: null, profit: null, margin: null, units: null };
    expect(trendsOf(null)).toEqual(none);
    const nothing = { ...SUMS, units: 0, revenue: '0.00', profit: null, margin: null, sales: 0, known: 0 };
    expect(trendsOf({ now: SUMS, before: nothing })).toEqual(none);
    expect(trendsOf({ now: SUMS, before: { ...SUMS, profit: '-3.00' } }).profit).toBeNull();
    expect(trendsOf({ now: SUMS, before: { ...SUMS, revenue: '10.00' } }).revenue).toBeNull();
  });

  test('of profit and margin is none where profit was known for far fewer sales', () => {
    const { revenue, profit, margin } = trendsOf({ now: SUMS, before: { ...SUMS, known: 80 } });
    expect({ revenue, profit, margin }).toEqual({ revenue: '0.00', profit: null, margin: null });
  });
});
