import { describe, expect, test } from 'vitest';
import { type FeeBand, type FeeSchedule, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import { bps, cents } from '#domain/units.ts';
import { bandLines, calculateFee, percentLine, salesTaxText } from './fee-text.ts';

const usd = (dollars: number) => cents(Math.round(dollars * 100));
const band = (percent: number, upTo: number | null = null, over: Partial<FeeBand> = {}): FeeBand => ({
  ...PLAIN_BAND,
  upTo: upTo === null ? null : usd(upTo),
  percent: bps(percent * 100),
  fixed: usd(0),
  minimum: usd(0),
  ...over,
});
const fees = (bandKind: FeeSchedule['bandKind'], ...bands: FeeBand[]): FeeSchedule => ({
  marketplace: 'walmart',
  category: null,
  effectiveFrom: null,
  bandKind,
  edgeBase: 'revenue',
  bands,
});
const EIGHT = bps(800);
const APPAREL = fees('whole', band(5, 15), band(10, 20), band(15));
const FURNITURE = fees('marginal', band(12, 300), band(8, null, { fixed: usd(1), minimum: usd(0.5) }));

test.each([
  ['8.00', 'assumed', null, '8% sales tax (assumed)'],
  ['9.50', 'learned', 41, '9.5% sales tax (learned from 41 orders)'],
  ['9.50', 'learned', null, '9.5% sales tax (learned from your orders)'],
  ['8.00', 'entered', 41, '8% sales tax (entered)'],
] as const)('%s%% %s from %s orders is "%s"', (countedSalesTax, salesTaxSource, learnedFromOrders, shown) =>
  expect(salesTaxText({ countedSalesTax, salesTaxSource, learnedFromOrders })).toBe(shown),
);

describe('the bands of a schedule', () => {
  test.each([
    ['one band', fees('whole', band(15, null, { minimum: usd(0.3) })), ['15%, at least $0.30']],
    ['whole-price bands', APPAREL, ['5% up to $15.00', '10% up to $20.00', '15% above']],
    [
      'marginal bands',
      FURNITURE,
      ['12% on the part up to $300.00', '8% + $1.00 per order, at least $0.50 on the rest'],
    ],
  ])('%s', (_, schedule, lines) => expect(bandLines(schedule)).toEqual(lines));
});

test('the percentages of a schedule are named once each', () => {
  const lines = [fees('whole', band(8, 10, { fixed: usd(0.3) }), band(8)), APPAREL].map(percentLine);
  expect(lines).toEqual(['8%', '5%, 10% or 15%']);
});

describe('the fee on a price', () => {
  test.each([
    ['at the end of a band', 15, '$0.75', 'Band 1 (up to $15.00): 5% of $15.00 is $0.75.'],
    ['one cent above it', 15.01, 'about $1.50', 'Band 2 (up to $20.00): 10% of $15.01 is about $1.50.'],
    ['in the last band', 40, '$6.00', 'Band 3 (above $20.00): 15% of $40.00 is $6.00.'],
  ])('%s', (_, price, fee, step) => {
    expect(calculateFee(APPAREL, usd(price), EIGHT)).toMatchObject({ fee, steps: [step] });
  });

  test('marginal bands show each part and the addition of the last one', () => {
    expect(calculateFee(FURNITURE, usd(350), EIGHT)).toEqual({
      fee: '$41.00',
      left: '$309.00',
      steps: [
        '12% of the first $300.00 is $36.00.',
        '8% of the next $50.00 is $4.00.',
        'Plus $1.00 per order of the band for this price.',
      ],
    });
  });

  test('what is taken on the total with sales tax is counted with the assumed tax, and says so', () => {
    const payment = fees(
      'whole',
      band(6.5, null, { percentTaxed: bps(300), fixed: usd(0.25), perUnit: usd(0.2) }),
    );
    expect(bandLines(payment)).toEqual([
      '6.5% + 3% of the total with sales tax + $0.25 per order + $0.20 per unit',
    ]);
    expect(calculateFee(payment, usd(20), EIGHT)).toEqual({
      fee: 'about $2.40',
      left: 'about $17.60',
      steps: [
        '6.5% of $20.00 is $1.30.',
        '3% of the total with sales tax, counted as 3.24% of $20.00 is about $0.65.',
        '8% sales tax is counted.',
        'Plus $0.25 per order.',
        'Plus $0.20 per unit.',
      ],
    });
  });

  test('example 12: band ends on the total with sales tax are shown as such, and end earlier on revenue', () => {
    const taxed = { percentTaxed: bps(1_360) };
    const ebay: FeeSchedule = {
      ...fees(
        'whole',
        band(0, 10, { ...taxed, fixed: usd(0.3) }),
        band(0, null, { ...taxed, fixed: usd(0.4) }),
      ),
      edgeBase: 'with_tax',
    };
    expect(bandLines(ebay)[0]).toBe(
      '13.6% of the total with sales tax + $0.30 per order up to $10.00 with tax',
    );
    expect(calculateFee(ebay, usd(40), EIGHT)).toMatchObject({
      fee: 'about $6.28',
      steps: [
        'Band 2 (above $10.00 with tax): 13.6% of the total with sales tax, counted as 14.69% of $40.00 is about $5.88.',
        '8% sales tax is counted.',
        'Plus $0.40 per order.',
      ],
    });
    expect(calculateFee(ebay, usd(9.25), EIGHT).steps.at(-1)).toBe('Plus $0.30 per order.');
    expect(calculateFee(ebay, usd(9.26), EIGHT).steps.at(-1)).toBe('Plus $0.40 per order.');
  });

  test('a minimum that applies is shown', () => {
    const schedule = fees('whole', band(15, null, { minimum: usd(0.3), fixed: usd(0.1) }));
    expect(calculateFee(schedule, usd(1), EIGHT)).toMatchObject({
      fee: '$0.40',
      steps: ['15% of $1.00 is $0.15.', 'The minimum is $0.30, so that is charged.', 'Plus $0.10 per order.'],
    });
    expect(calculateFee(schedule, usd(10), EIGHT).steps).toEqual([
      '15% of $10.00 is $1.50.',
      'Plus $0.10 per order.',
    ]);
  });
});
