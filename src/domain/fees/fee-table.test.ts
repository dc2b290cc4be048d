import { describe, expect, it } from 'vitest';
import { type Cents, MAX_CENTS } from '#domain/units.ts';
import { APPAREL, aFeeSchedule, fees, usd } from '#tests/builders/facts.ts';
import { compileFees } from './compose-fees.ts';
import { feeTimesWhole } from './fee-table.ts';

/** The fee in dollars on a revenue in dollars. */
function feeOn(table: typeof APPAREL, revenue: number): number {
  return feeTimesWhole(table, usd(revenue)) / 1_000_000;
}

const TIERED = fees([{ upTo: 300, percent: 12 }, { percent: 8 }], 'marginal');

describe('whole-price bands: the band that holds the revenue applies to all of it', () => {
  it.each([
    [10, 0.5],
    [15, 0.75],
    [15.01, 1.501],
    [20, 2],
    [20.01, 3.0015],
    [100, 15],
  ])('apparel: on $%d the fee is $%d', (revenue, fee) => {
    expect(feeOn(APPAREL, revenue)).toBeCloseTo(fee, 9);
  });

  it('keeps fractions of a cent', () => {
    expect(feeTimesWhole(fees([{ percent: 15 }]), 1999 as Cents)).toBe(1500 * 1999);
  });
});

describe('marginal bands: each applies to the part of the revenue inside it', () => {
  it.each([
    [100, 12],
    [300, 36],
    [300.01, 36.0008],
    [400, 44],
  ])('12%% to $300, then 8%%: on $%d the fee is $%d', (revenue, fee) => {
    expect(feeOn(TIERED, revenue)).toBeCloseTo(fee, 9);
  });

  it('adds up three bands', () => {
    const table = fees([{ upTo: 10, percent: 20 }, { upTo: 100, percent: 10 }, { percent: 5 }], 'marginal');
    expect(feeOn(table, 10)).toBeCloseTo(2, 9);
    expect(feeOn(table, 60)).toBeCloseTo(7, 9);
    expect(feeOn(table, 200)).toBeCloseTo(16, 9);
  });

  it('takes minimum and fixed part from the band that holds the revenue', () => {
    const bands = [
      { upTo: 10, percent: 10, fixed: 0.3, minimum: 0.5 },
      { percent: 20, fixed: 0.4, minimum: 1.5 },
    ];
    const table = fees(bands, 'marginal');
    expect(feeOn(table, 4)).toBeCloseTo(0.5 + 0.3, 9);
    expect(feeOn(table, 8)).toBeCloseTo(0.8 + 0.3, 9);
    expect(feeOn(table, 11)).toBeCloseTo(1.5 + 0.4, 9);
    expect(feeOn(table, 20)).toBeCloseTo(3 + 0.4, 9);
  });
});

describe('minimum and fixed part', () => {
  it('Amazon: 15%, at least $0.30', () => {
    const amazon = fees([{ percent: 15, minimum: 0.3 }]);
    expect(feeOn(amazon, 1)).toBeCloseTo(0.3, 9);
    expect(feeOn(amazon, 2)).toBeCloseTo(0.3, 9);
    expect(feeOn(amazon, 3)).toBeCloseTo(0.45, 9);
  });

  it('the fixed part comes on top of the minimum', () => {
    expect(feeOn(fees([{ percent: 10, minimum: 1, fixed: 0.4 }]), 2)).toBeCloseTo(1.4, 9);
  });
});

describe('the edges of a table', () => {
  it('covers the largest price with the largest shipping charge, and nothing beyond', () => {
    const table = fees([{ percent: 15 }]);
    expect(feeTimesWhole(table, (2 * MAX_CENTS) as Cents)).toBe(1500 * 2 * MAX_CENTS);
    expect(feeTimesWhole(table, (2 * MAX_CENTS + 1) as Cents)).toBeNaN();
  });

  it('names schedule, category, date and every band in its version', () => {
    expect(APPAREL.version).toBe('walmart/default@always whole 1500:500+0>0 2000:1000+0>0 up:1500+0>0');
    const schedule = aFeeSchedule([{ percent: 12, fixed: 0.3, minimum: 0.5 }], 'marginal');
    const dated = { ...schedule, category: 'apparel', effectiveFrom: 1_000 as never };
    expect(compileFees(dated).version).toBe('walmart/apparel@1000 marginal up:1200+30>50');
  });

  it('lays its pieces end to end', () => {
    expect(APPAREL.pieces.map(({ from, to }) => [from, to])).toEqual([
      [0, 1500],
      [1501, 2000],
      [2001, 2 * MAX_CENTS],
    ]);
    expect(APPAREL.pieces.map(({ carried }) => carried)).toEqual([0, 0, 0]);
    expect(TIERED.pieces.map(({ carried }) => carried)).toEqual([0, 30_000 * (1200 - 800)]);
  });
});
