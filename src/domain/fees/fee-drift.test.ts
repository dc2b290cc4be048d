import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, hours, instant } from '#domain/units.ts';
import { aFeeSchedule, NOW, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { compileFees } from './compose-fees.ts';
import { feeDrift, simplestRate } from './fee-drift.ts';
import type { FeeFact } from './fee-fact.ts';

const fact = (dollars: number, amount: number, over: Partial<FeeFact> = {}): FeeFact => ({
  kind: 'commission',
  name: null,
  source: 'estimate',
  fulfillmentType: 'FBM',
  askedPrice: usd(dollars),
  askedShipping: usd(0),
  amount: usd(amount),
  promotion: usd(0),
  toldAt: NOW,
  isAccepted: false,
  ...over,
});
const fifteen = compileFees(aFeeSchedule([{ percent: 15, minimum: 0.3 }]));

describe('the drift of a reported fee', () => {
  test('example 30: reported 17%, priced with 15%', () => {
    expect(feeDrift([fact(14.29, 2.43)], 'FBM', fifteen, usd(20))).toEqual({ told: 1_700, scheduled: 1_500 });
  });

  test.each<[string, FeeFact[]]>([
    ['nothing told', []],
    ['the same', [fact(24.99, 3.75)]],
    ['a cent of rounding', [fact(24.99, 3.76)]],
    ['0.2 points', [fact(100, 15.2)]],
    ['the minimum fee', [fact(1.5, 0.3)]],
    ['another shipper', [fact(20, 4, { fulfillmentType: 'FBA/WFS' })]],
    ['another kind of fee', [fact(20, 4, { kind: 'closing' })]],
    [
      'an answer for another price than now',
      [fact(20, 3, { toldAt: instant(NOW - hours(1)) }), fact(10, 0.8)],
    ],
    ['an older answer', [fact(20, 4, { toldAt: instant(NOW - hours(1)) }), fact(20, 3)]],
  ])('%s is none', (_, facts) => {
    expect(feeDrift(facts, 'FBM', fifteen, usd(20))).toBeNull();
  });

  test('is measured on price and shipping charge, and only where the schedule is known', () => {
    const reported = [fact(20, 4, { askedShipping: usd(5) })];
    expect(feeDrift(reported, 'FBM', fifteen, usd(20))).toEqual({ told: 1_600, scheduled: 1_500 });
    expect(feeDrift(reported, 'FBM', null, usd(25))).toBeNull();
    expect(feeDrift(reported, 'FBM', { ...fifteen, pieces: [] }, usd(25))).toBeNull();
  });
});

law(
  'a whole percent that was reported at any price is found again, and gives the reported amount',
  fc.record({ revenue: fc.integer({ min: 201, max: 1_000_000 }), percent: fc.integer({ min: 1, max: 60 }) }),
  ({ revenue, percent }) => {
    const reported = cents(Math.round((percent * revenue) / 100));
    expect(simplestRate(reported, cents(revenue))).toBe(percent * 100);
  },
);

law(
  'the simplest rate of any amount is within a basis point of it',
  fc.record({ revenue: fc.integer({ min: 1, max: 1_000_000 }), share: fc.integer({ min: 0, max: 100 }) }),
  ({ revenue, share }) => {
    const reported = cents(Math.floor((share * revenue) / 100));
    const rate = simplestRate(reported, cents(revenue));
    expect(Math.abs((rate * revenue) / 10_000 - reported)).toBeLessThanOrEqual(
      Math.max(0.5, revenue / 20_000),
    );
  },
);
