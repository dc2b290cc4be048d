import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedPrices, isAllowed } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';
import { aFeeSchedule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { feeBases } from '#tests/builders/scenarios.ts';
import { ASSUMED_SALES_TAX, compileFees, composeFees, scheduleAt } from './compose-fees.ts';
import type { FeeBasis, FeeSource, FulfillmentStep } from './fee-basis.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { type FeeTable, feeTimesWhole, MAX_REVENUE } from './fee-table.ts';

const NOTHING = 0 as Bps;

/** A table of a schedule with further parts. */
function composed(schedule: FeeSchedule, parts: Partial<FeeBasis> = {}): FeeTable {
  return composeFees({
    source: { kind: 'schedule', schedule, category: 'none' },
    salesTax: ASSUMED_SALES_TAX,
    fulfillment: [],
    shippingCharge: usd(0),
    adShare: NOTHING,
    returnShare: NOTHING,
    ...parts,
  });
}

const CLOTHING = compileFees(
  aFeeSchedule([
    { upTo: 15, percent: 5, minimum: 0.3 },
    { upTo: 20, percent: 10, minimum: 0.3 },
    { percent: 17, minimum: 0.3 },
  ]),
);
const EBAY: FeeSchedule = {
  ...aFeeSchedule([
    { upTo: 10, percentTaxed: 13.6, fixed: 0.3 },
    { percentTaxed: 13.6, fixed: 0.4 },
  ]),
  edgeBase: 'with_tax',
};
const ETSY = aFeeSchedule([{ percent: 6.5, percentTaxed: 3, fixed: 0.25, perUnit: 0.2 }]);
const BEAUTY = aFeeSchedule([
  { upTo: 10, percent: 8, minimum: 0.3 },
  { percent: 15, minimum: 0.3 },
]);
/** FBA large standard, 12 oz, with the surcharge of 3.5%, at prices below $10.00 and from there. */
const LARGE_STANDARD: FulfillmentStep[] = [
  { upTo: usd(9.99), fee: usd(3.5) },
  { upTo: null, fee: usd(4.35) },
];

const feeAt = (table: FeeTable, revenue: number): number =>
  Math.round(feeTimesWhole(table, usd(revenue)) / WHOLE) / 100;
const allowedAt = (fees: FeeTable, cost: number, margin: number) =>
  allowedPrices({
    totalCost: usd(cost),
    shippingCharge: usd(0),
    fees,
    minimumMargin: (margin * 100) as Bps,
    minPrice: null,
    maxPrice: usd(1_000),
    anchorPrice: null,
  });

describe('worked examples', () => {
  it('example 1: Clothing at its edges', () => {
    expect([15, 15.01, 20, 20.01].map((price) => feeAt(CLOTHING, price))).toEqual([0.75, 1.5, 2, 3.4]);
  });

  it('example 2: Clothing leaves a gap above its edge', () => {
    expect(allowedAt(CLOTHING, 14.8, 15).ranges).toEqual([1_974, 2_000, 2_177, 100_000]);
  });

  it('example 4: jewelry, marginal', () => {
    expect(
      feeAt(compileFees(aFeeSchedule([{ upTo: 250, percent: 20 }, { percent: 5 }], 'marginal')), 300),
    ).toBe(52.5);
  });

  it('example 5: the minimum fee', () => {
    expect(feeAt(compileFees(aFeeSchedule([{ percent: 15, minimum: 0.3 }])), 1.5)).toBe(0.3);
  });

  it('example 6: books pay a closing fee for each unit', () => {
    const books = compileFees(aFeeSchedule([{ percent: 15, perUnit: 1.8 }]));
    expect(feeAt(books, 12)).toBe(3.6);
    expect(allowedAt(books, 5, 15).marginFloor).toBe(usd(9.72));
  });

  it('example 8: 45%', () => {
    expect(allowedAt(compileFees(aFeeSchedule([{ percent: 45 }])), 4, 15).marginFloor).toBe(usd(10));
  });

  it('example 12: a commission on the total with sales tax', () => {
    const [low, high] = composed(EBAY).pieces;
    expect([low?.other, low?.to, high?.other]).toEqual([1_469, 925, 1_469]);
    expect(feeAt(composed(EBAY), 40)).toBe(6.28);
  });

  it('example 13: its margin floor, with and without tax', () => {
    expect(allowedAt(composed(EBAY), 10, 15).marginFloor).toBe(usd(14.8));
    expect(allowedAt(composed(EBAY, { salesTax: NOTHING }), 10, 15).marginFloor).toBe(usd(14.57));
  });

  it('example 14: commission on revenue, payment on the total with tax, fixed parts of both kinds', () => {
    const [piece] = composed(ETSY).pieces;
    expect([(piece?.percent ?? 0) + (piece?.other ?? 0), piece?.added]).toEqual([974, 45 * WHOLE]);
    expect(allowedAt(composed(ETSY), 10, 15).marginFloor).toBe(usd(13.89));
  });

  it('example 15: the fulfillment fee of the price band', () => {
    const free = composed(aFeeSchedule([{ percent: 0 }]), { fulfillment: LARGE_STANDARD });
    expect([feeAt(free, 9.99), feeAt(free, 10)]).toEqual([3.5, 4.35]);
  });

  it('example 16: both kinds of bands at once', () => {
    const beauty = composed(BEAUTY, { fulfillment: LARGE_STANDARD });
    expect(allowedAt(beauty, 3, 10).ranges).toEqual([793, 100_000]);
  });

  it('example 19: the floor with a reported fulfillment fee, without a shipping tier', () => {
    const fulfillment = [{ upTo: null, fee: usd(3.7) }];
    const table = composed(aFeeSchedule([{ percent: 15, minimum: 0.3 }]), { fulfillment });
    // Product, packaging and misc cost.
    expect(allowedAt(table, 8 + 0.5 + 0.2, 15).marginFloor).toBe(usd(17.72));
  });
});

describe('where the fee is unknown', () => {
  const steps = LARGE_STANDARD.slice(0, 1);
  const table = composed(aFeeSchedule([{ percent: 15 }]), { fulfillment: steps, shippingCharge: usd(2) });

  it('above the last price band of the fulfillment fee, by price without shipping', () => {
    expect(feeTimesWhole(table, usd(11.99))).toBe(1_500 * 1_199 + 350 * WHOLE);
    expect(feeTimesWhole(table, usd(12))).toBeNaN();
  });

  it('no price is allowed, also between two known ranges', () => {
    const [low] = table.pieces;
    const high = { ...low, from: usd(30), to: usd(60) };
    const gapped = { ...table, pieces: [low, high] } as FeeTable;
    expect(allowedAt(gapped, 3, 10).ranges).toEqual([867, 1_199, 3_000, 6_000]);
    expect(feeTimesWhole(gapped, usd(20))).toBeNaN();
    expect(isAllowed(allowedAt(gapped, 3, 10), usd(20))).toBe(false);
  });
});

describe('the version of a composed table', () => {
  it('names every part that counts', () => {
    expect(composed(ETSY, { adShare: 300 as Bps, returnShare: 100 as Bps }).version).toBe(
      'walmart/default@always whole up:650+300t+25+20u>0 tax 800 ads 300 returns 100',
    );
    expect(composed(EBAY, { fulfillment: LARGE_STANDARD, shippingCharge: usd(2) }).version).toBe(
      'walmart/default@always whole with_tax 1000:0+1360t+30>0 up:0+1360t+40>0 tax 800 fulfillment -200 999:350 up:435',
    );
  });
});

describe('laws of composition', () => {
  const requested = feeBases.chain((basis) =>
    fc.record({ basis: fc.constant(basis), revenue: revenuesOf(composeFees(basis)) }),
  );

  law('L1: the composed fee is the sum of its parts at every revenue', requested, ({ basis, revenue }) => {
    const { fulfillment, shippingCharge, adShare, returnShare, source, salesTax } = basis;
    const alone = feeTimesWhole(compileFees(source.schedule, salesTax), revenue);
    const step = fulfillment.find(({ upTo }) => upTo === null || revenue - shippingCharge <= upTo);
    const shipped = fulfillment.length === 0 ? 0 : (step?.fee ?? Number.NaN) * WHOLE;
    expect(feeTimesWhole(composeFees(basis), revenue)).toBe(
      alone + (adShare + returnShare) * revenue + shipped,
    );
  });

  law(
    'the schedule at a revenue charges what the table of its source charges',
    requested,
    ({ basis, revenue }) => {
      const { schedule } = basis.source;
      const reported = {
        kind: 'told',
        marketplace: 'amazon',
        by: 'estimate',
        toldAt: NOW,
        askedPrice: usd(9),
      } as const;
      const other = aFeeSchedule([{ percent: 12, perUnit: 0.5 }]);
      const rate = { from: usd(5), to: usd(20), percent: pct(14), perUnit: usd(1), isAssumed: false };
      const sources: FeeSource[] = [
        { kind: 'person', rate: pct(12), by: null, schedule },
        { kind: 'schedule', schedule, category: 'mapped', atLeast: other },
        { ...reported, schedules: [schedule, other], rates: [] },
        { ...reported, schedules: [], rates: [rate] },
      ];
      for (const source of sources) {
        const table = composed(schedule, { source, salesTax: basis.salesTax });
        const found = scheduleAt(table.basis, revenue);
        // Of a rate of its own a basis point less, since that one is rounded up.
        const roundedUp = source.kind === 'told' && source.schedules.length === 0 ? revenue : 0;
        expect(found === null ? Number.NaN : feeTimesWhole(compileFees(found, basis.salesTax), revenue)).toBe(
          feeTimesWhole(table, revenue) - roundedUp,
        );
      }
    },
  );

  law(
    'L15: what is taken with tax is never understated, and overstated by less than 0.01%',
    requested,
    (given) => {
      const { basis, revenue } = given;
      const schedule = { ...basis.source.schedule, bandKind: 'whole', edgeBase: 'revenue' } as const;
      const composedFee = feeTimesWhole(compileFees(schedule, basis.salesTax), revenue);
      const band = schedule.bands.find(({ upTo }) => upTo === null || revenue <= upTo);
      if (band === undefined) throw new Error('a schedule without a last band');
      const commission = Math.max(band.percent * revenue, band.minimum * WHOLE);
      // Times 10,000 once more, so that the share of the tax is a whole number too.
      const plain = BigInt(commission + (band.fixed + band.perUnit) * WHOLE) * 10_000n;
      const truth = plain + BigInt(band.percentTaxed * revenue) * BigInt(WHOLE + basis.salesTax);
      const over = BigInt(composedFee) * 10_000n - truth;
      expect(over >= 0n).toBe(true);
      expect(over === 0n || over < BigInt(revenue) * 10_000n).toBe(true);
    },
  );
});

/** Any revenue, and often one at the end of a piece. */
function revenuesOf({ pieces }: FeeTable): fc.Arbitrary<Cents> {
  const ends = pieces.flatMap(({ from, to }) => [from, to, Math.min(to + 1, MAX_REVENUE)]);
  return fc.oneof(
    fc.integer({ min: 0, max: 6_000 }),
    fc.integer({ min: 0, max: MAX_CENTS }),
    fc.constantFrom(...ends),
  ) as fc.Arbitrary<Cents>;
}
