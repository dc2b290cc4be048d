import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hours, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { newSettledFees, type SettledFee } from './new-settled-fees.ts';

/** A commission of a sale at $25.00 so many days ago, in dollars. */
const sold = (days: number, commission: number, over: Partial<SettledFee> = {}): SettledFee => ({
  listingId: 1,
  kind: 'commission',
  name: null,
  source: 'settled',
  fulfillmentType: 'FBM',
  askedPrice: usd(25),
  askedShipping: usd(0),
  amount: usd(commission),
  promotion: usd(0),
  toldAt: instant(NOW - hours(24) * days),
  isAccepted: false,
  ...over,
});
const brief = (fees: readonly SettledFee[]) =>
  fees.map(({ toldAt, amount }) => [(NOW - toldAt) / hours(24), amount / 100]);
const kept = (...reported: SettledFee[]) => brief(newSettledFees([], reported));

describe('fees of sales that are kept', () => {
  it('are the first ones of the same fee in a row', () => {
    expect(kept(sold(3, 4), sold(5, 4), sold(4, 4), sold(2, 4))).toEqual([
      [5, 4],
      [4, 4],
    ]);
    expect(brief(newSettledFees([sold(5, 4), sold(4, 4)], [sold(1, 4), sold(4, 4), sold(6, 4)]))).toEqual([]);
  });

  it('are those of each change, back to an earlier fee too', () => {
    const known = [sold(20, 4.25), sold(19, 4.25), sold(15, 3.75), sold(14, 3.75)];
    const rise = [sold(10, 4.25), sold(8, 4.25), sold(5, 4.25), sold(2, 4.25)];
    expect(brief(newSettledFees(known, rise))).toEqual([
      [10, 4.25],
      [8, 4.25],
    ]);
    // Read after what followed it.
    expect(brief(newSettledFees([sold(20, 4), sold(19, 4), sold(3, 4)], [sold(9, 5)]))).toEqual([[9, 5]]);
  });

  it('are kept on until two of them are a day apart, and again after a month', () => {
    expect(kept(sold(5.51, 4), sold(5.49, 4), sold(4.4, 4), sold(3, 4))).toHaveLength(3);
    expect(kept(sold(50, 4), sold(49, 4), sold(20, 4), sold(18.9, 4))).toHaveLength(3);
    expect(kept(sold(50, 4), sold(49, 4), sold(18, 4), sold(17, 4))).toHaveLength(3);
  });

  it('are of a day the highest share of what it was taken on', () => {
    const [low, high] = [
      sold(1, 5.14, { feeBase: usd(37.8) }),
      sold(1.1, 5.08, { feeBase: usd(35), toldAt: instant(NOW - hours(24) - 1) }),
    ];
    expect(newSettledFees([], [low, high])).toEqual([high]);
    expect(newSettledFees([low], [high])).toEqual([high]);
    expect(newSettledFees([high], [low])).toEqual([]);
  });

  const fee = fc
    .record({ days: fc.integer({ min: 0, max: 60 }), amount: fc.constantFrom(3, 4, 5) })
    .map(({ days, amount }) => sold(days, amount));
  law(
    'end with what was taken last, in whatever order the sales are reported',
    fc.array(fc.array(fee, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
    (parts) => {
      const known: SettledFee[] = [];
      // A kept fee makes the sales of its listing be reported again.
      for (const reported of parts) {
        for (let added = newSettledFees(known, reported); added.length > 0; ) {
          known.push(...added);
          added = newSettledFees(known, parts.flat());
        }
      }
      expect(lastOf(known).amount).toBe(lastOf(parts.flat()).amount);
    },
  );
});

function lastOf(fees: readonly SettledFee[]): SettledFee {
  return fees.reduce((last, fee) =>
    fee.toldAt > last.toldAt || (fee.toldAt === last.toldAt && fee.amount > last.amount) ? fee : last,
  );
}
