import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { type Cents, cents } from '#domain/units.ts';
import { aFeeSchedule, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { estimateFees as estimateByKind, type SoldLine, totalFees } from './sale-fees.ts';
import { saleFigures, saleMargin } from './sale-profit.ts';

const CLOTHING = compileFees(
  aFeeSchedule([
    { upTo: 15, percent: 5, minimum: 0.3 },
    { upTo: 20, percent: 10, minimum: 0.3 },
    { percent: 17, minimum: 0.3 },
  ]),
);
const EBAY = compileFees({
  ...aFeeSchedule([
    { upTo: 10, percentTaxed: 13.6, fixed: 0.3 },
    { percentTaxed: 13.6, fixed: 0.4 },
  ]),
  edgeBase: 'with_tax',
});
const ETSY = compileFees(aFeeSchedule([{ percent: 6.5, percentTaxed: 3, fixed: 0.25, perUnit: 0.2 }]));

function line(revenue: number, over: Partial<SoldLine> = {}): SoldLine {
  return {
    quantity: 1,
    revenue: usd(revenue),
    shipping: usd(0),
    fulfillmentType: 'FBM',
    fees: CLOTHING,
    scheduledFees: null,
    fulfillmentFee: null,
    ...over,
  };
}
const estimateFees = (...of: Parameters<typeof estimateByKind>) => estimateByKind(...of).map(totalFees);
const dollars = (fees: readonly (Cents | null)[]) => fees.map((fee) => (fee === null ? null : fee / 100));

describe('estimated fees of a sale', () => {
  it('example 20: Amazon rounds the commission of each unit and takes fulfillment for each', () => {
    const sold = line(49.98, { quantity: 2, fulfillmentType: 'FBA/WFS', fulfillmentFee: usd(4.09) });
    const [fees] = estimateFees('amazon', [sold]);
    expect(dollars([fees ?? null])).toEqual([16.68]);
    const { profit } = saleFigures({
      quantity: 2,
      revenue: usd(49.98),
      shippingRevenue: usd(0),
      fees: fees ?? null,
      unitCost: usd(8.7),
      unitShippingCost: usd(0),
    });
    expect(profit).toBe(usd(15.9));
  });

  it('example 24: eBay rounds the fee of the order, with its sales tax and shipping, and it is split over the lines', () => {
    const lines = [line(30, { shipping: usd(5), fees: EBAY }), line(10, { fees: EBAY })];
    expect(dollars(estimateFees('ebay', lines))).toEqual([5.45, 1.56]);
    // Alone, a line of $9.00 is in the lower band.
    expect(dollars(estimateFees('ebay', [line(9, { fees: EBAY })]))).toEqual([1.62]);
  });

  it('example 29: Etsy rounds commission and payment of the line, and charges the renewal of each unit', () => {
    const sold = line(24, { quantity: 2, shipping: usd(5), fees: ETSY });
    expect(dollars(estimateFees('etsy', [sold]))).toEqual([3.48]);
  });

  it('are those of the band of one unit, also where units differ by a cent', () => {
    // $12.00 each: 5 %, not the 17 % of $24.
    expect(dollars(estimateFees('walmart', [line(24, { quantity: 2 })]))).toEqual([1.2]);
    // $15.00 and $15.01.
    expect(dollars(estimateFees('walmart', [line(30.01, { quantity: 2 })]))).toEqual([2.25]);
  });

  it('take shipping from a warehouse back, without a commission on it', () => {
    const sold = line(10, { shipping: usd(4), fulfillmentType: 'FBA/WFS', fulfillmentFee: usd(3) });
    expect(dollars(estimateFees('amazon', [sold]))).toEqual([7.5]);
  });

  it('leave the seller the shipping of a marketplace without a warehouse, also for goods that another one sends', () => {
    const fba = { shipping: usd(5), fulfillmentType: 'FBA/WFS', fulfillmentFee: usd(3) } as const;
    // 13.6% of 35.00 with 8% tax and 0.40, as of goods that the seller sends.
    const [ownParcel = null] = estimateFees('ebay', [line(30, { shipping: usd(5), fees: EBAY })]);
    expect(ownParcel).toBe(usd(5.54));
    expect(estimateFees('ebay', [line(30, { ...fba, fees: EBAY })])).toEqual([usd(8.54)]);
  });

  it('are unknown without a schedule or a fulfillment fee, for that line alone', () => {
    const unknown = [line(10, { fees: null }), line(10, { fulfillmentType: 'FBA/WFS' })];
    expect(dollars(estimateFees('amazon', [...unknown, line(10)]))).toEqual([null, null, 0.5]);
    expect(dollars(estimateFees('ebay', [line(10, { fees: null }), line(10, { fees: EBAY })]))).toEqual([
      null,
      1.87,
    ]);
  });
});

const soldLine = fc.record({
  revenue: fc.nat(20_000),
  shipping: fc.nat(1_000),
  quantity: fc.integer({ min: 1, max: 5 }),
});

law(
  'L9: the fees of an order add up to its own, and none differs by a cent from its exact share',
  fc.array(soldLine, { minLength: 1, maxLength: 5 }),
  (rows) => {
    const lines = rows.map((row) =>
      line(0, {
        fees: EBAY,
        quantity: row.quantity,
        revenue: cents(row.revenue),
        shipping: cents(row.shipping),
      }),
    );
    const total = rows.reduce((sum, { revenue, shipping }) => sum + revenue + shipping, 0);
    // Exact in hundredths of a thousandth: 13.6 % of the total with 8 % tax. The edge of $10.00 with tax is $9.25.
    const fixed = total <= 925 ? 30 : 40;
    const exact = (revenue: number) => (1_360 * revenue * 10_800) / 100_000_000;
    const fees = estimateFees('ebay', lines).map((fee) => fee ?? Number.NaN);
    const charged = Math.floor(exact(total) + 0.5) + fixed;
    expect(fees.reduce<number>((sum, fee) => sum + fee, 0)).toBe(charged);
    rows.forEach(({ revenue, shipping }, index) => {
      const share = total === 0 ? 1 / rows.length : (revenue + shipping) / total;
      expect(Math.abs((fees[index] ?? Number.NaN) - share * charged)).toBeLessThan(1);
    });
  },
);

describe('the figures of a sale', () => {
  const parts = {
    quantity: 3,
    revenue: usd(30),
    shippingRevenue: usd(5),
    fees: usd(4),
    unitCost: usd(6),
    unitShippingCost: usd(1.5),
  };

  it('are what is left of price and shipping after fees and costs', () => {
    const { profit, ...rest } = saleFigures(parts);
    expect({ profit, ...rest }).toEqual({
      shippingCost: usd(4.5),
      totalCost: usd(22.5),
      profit: usd(8.5),
      profitPerUnit: usd(2.83),
    });
    expect(saleMargin(profit as Cents, usd(35))).toBe(2_428);
    expect(saleFigures({ ...parts, fees: usd(20.5) }).profitPerUnit).toBe(usd(-2.67));
    expect(saleMargin(usd(1), usd(0))).toBeNull();
  });

  it.each(['shippingRevenue', 'fees', 'unitCost', 'unitShippingCost'] as const)(
    'L12: without %s the profit is unknown',
    (part) => {
      expect(saleFigures({ ...parts, [part]: null })).toMatchObject({ profit: null, profitPerUnit: null });
    },
  );
});
