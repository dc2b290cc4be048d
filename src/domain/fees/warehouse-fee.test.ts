import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cents, type Instant, instant, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import {
  estimateFulfillment,
  type FulfillmentEstimate,
  feeAtPrice,
  type NoEstimate,
  type PackageSize,
  publishedRows,
  type WarehouseQuestion,
} from './warehouse-fee.ts';

const FEBRUARY = instant(Date.UTC(2026, 1, 10));
const SUMMER = instant(Date.UTC(2026, 6, 1));
const box = (length: number, width: number, height: number): PackageSize => ({ length, width, height });
const packed = (pounds: number, size: PackageSize | null, over: Partial<WarehouseQuestion> = {}) =>
  estimateFulfillment({
    marketplace: 'amazon',
    weight: ounces(pounds * 16),
    size,
    feeCategory: null,
    isHazardous: false,
    now: SUMMER,
    ...over,
  });
const wfs = (pounds: number, size: PackageSize | null, over: Partial<WarehouseQuestion> = {}) =>
  packed(pounds, size, { marketplace: 'walmart', ...over });
const known = (estimate: FulfillmentEstimate | NoEstimate): FulfillmentEstimate => {
  if (typeof estimate === 'string') throw new Error(estimate);
  return estimate;
};
const feeAt = (estimate: FulfillmentEstimate | NoEstimate, price: number) =>
  feeAtPrice(known(estimate).steps, usd(price));

describe('the FBA fee', () => {
  it('example 15: large standard, 12 oz, by price band', () => {
    const size = box(10, 6, 4);
    const bare = packed(0.75, box(10, 6, 1), { now: FEBRUARY });
    expect([feeAt(bare, 9.99), feeAt(bare, 10)]).toEqual([usd(3.38), usd(4.2)]);
    const charged = packed(0.75, box(10, 6, 1));
    expect([feeAt(charged, 9.99), feeAt(charged, 10), feeAt(charged, 50)]).toEqual([
      usd(3.5),
      usd(4.35),
      usd(4.35),
    ]);
    expect(feeAt(charged, 50.01)).toBe(usd(4.62));
    // 27.6 oz by its size.
    expect(feeAt(packed(0.75, size, { now: FEBRUARY }), 20)).toBe(usd(5.57));
  });

  it('example 17: the dimensional weight counts where it is greater', () => {
    const size = box(6, 12, 10);
    expect(feeAt(packed(1.2, size, { now: FEBRUARY }), 25)).toBe(usd(7.69));
    const charged = known(packed(1.2, size));
    expect(feeAt(charged, 25)).toBe(usd(7.96));
    expect(charged).toMatchObject({ basis: 'size', tier: 'large standard' });
    expect(charged.weight / 16).toBeCloseTo(5.18, 2);
  });

  it.each<[string, number, PackageSize | null, number | NoEstimate]>([
    ['small standard, by unit weight, to the end of a row', 0.125, box(15, 12, 0.75), 3.32],
    ['small standard, above it', 0.13, box(15, 12, 0.75), 3.42],
    ['a hair thicker is large standard', 0.125, box(15, 12, 0.76), 4.6],
    ['large standard at three pounds', 3, box(12, 4, 4), 6.67],
    ['and above them', 3.01, box(12, 4, 4), 7.05],
    ['small bulky, flat: two inches count', 1, box(30, 20, 0.5), 7.55 + 8 * 0.38],
    ['large bulky', 1, box(40, 10, 4), 9.35 + 11 * 0.38],
    ['extra-large', 60, box(60, 10, 10), 37.32 + 9 * 0.75],
    ['more than 150 lb', 160, box(60, 10, 10), 194.95 + 9 * 0.19],
    ['overmax by its girth', 10, box(60, 20, 20), 'oversize'],
    ['overmax by its length', 10, box(97, 5, 5), 'oversize'],
    ['by weight alone, as large standard', 0.5, null, 3.95],
    ['by weight alone, too heavy for standard', 21, null, 7.55 + 20 * 0.38],
  ])('%s', (_, pounds, size, expected) => {
    const estimate = packed(pounds, size, { now: FEBRUARY });
    expect(typeof estimate === 'string' ? estimate : feeAt(estimate, 20)).toBe(
      typeof expected === 'string' ? expected : usd(expected),
    );
  });

  it.each<[string, Partial<WarehouseQuestion>, NoEstimate]>([
    ['in the holiday season', { now: instant(Date.UTC(2026, 9, 15)) }, 'season'],
    ['until it ends', { now: (Date.UTC(2027, 0, 15) - 1) as Instant }, 'season'],
    ['before the first card', { now: instant(Date.UTC(2026, 0, 14)) }, 'no_table'],
    ['after the year of the last card', { now: instant(Date.UTC(2027, 0, 15)) }, 'no_table'],
    ['for apparel', { feeCategory: 'Clothing and Accessories' }, 'apparel'],
    ['for hazardous goods', { isHazardous: true }, 'hazardous'],
    ['for them without a weight too', { isHazardous: true, weight: null }, 'hazardous'],
    ['for them on another marketplace', { isHazardous: true, marketplace: 'ebay' }, 'no_table'],
    ['without a weight', { weight: null }, 'no_weight'],
    ['on another marketplace', { marketplace: 'ebay' }, 'no_table'],
  ])('is unknown %s', (_, over, why) => {
    expect(packed(1, box(5, 5, 5), over)).toBe(why);
  });

  it('has no published row for hazardous goods', () => {
    const question = { marketplace: 'amazon', feeCategory: null, now: SUMMER } as const;
    expect(publishedRows({ ...question, isHazardous: false }).length).toBeGreaterThan(0);
    expect(publishedRows({ ...question, isHazardous: true })).toEqual([]);
  });

  it('says when only the weight is known', () => {
    expect(packed(1, null)).toMatchObject({ basis: 'weight', weight: 16 });
  });
});

describe('the WFS fee', () => {
  it('example 18: dimensional weight, packaging and apparel', () => {
    const estimate = known(wfs(6, box(12, 10, 10)));
    expect([feeAt(estimate, 20), estimate.tier]).toEqual([usd(7.75), '9 lb']);
    expect(feeAt(wfs(0.6, box(12, 10, 10), { feeCategory: 'Apparel & Accessories' }), 20)).toBe(usd(3.95));
  });

  it.each<[string, number, PackageSize | null, number | NoEstimate]>([
    ['under a pound only the unit weight counts', 0.7, box(12, 10, 10), 3.45],
    ['the packaging makes a second pound', 0.76, null, 4.95],
    ['a new series of weights', 30, null, 14.55],
    ['a long side', 6, box(49, 5, 2), 6.95 + 3],
    ['a side without a known fee', 6, box(97, 5, 2), 'oversize'],
    ['more than the table has', 150, null, 'oversize'],
  ])('%s', (_, pounds, size, expected) => {
    const estimate = wfs(pounds, size);
    expect(typeof estimate === 'string' ? estimate : feeAt(estimate, 20)).toBe(
      typeof expected === 'string' ? expected : usd(expected),
    );
  });

  it('is $0.50 more for each unit of hazardous goods, and says so', () => {
    const goods = { isHazardous: true, feeCategory: 'Home' };
    expect(feeAt(wfs(6, box(12, 10, 10), goods), 20)).toBe(usd(8.25));
    expect(wfs(6, box(12, 10, 10), goods)).toMatchObject({ isHazardous: true });
    expect(wfs(6, box(12, 10, 10))).not.toHaveProperty('isHazardous');
    expect(feeAt(wfs(6, box(49, 5, 2), goods), 20)).toBe(usd(10.45));
    expect(feeAt(wfs(0.6, null, { ...goods, feeCategory: 'Apparel' }), 20)).toBe(usd(4.45));
    expect(feeAt(wfs(1, null, goods), 9.99)).toBeNull();
  });

  it('is unknown at prices below $10.00', () => {
    expect([feeAt(wfs(1, null), 9.99), feeAt(wfs(1, null), 10)]).toEqual([null, usd(4.95)]);
  });
});

const side = fc.integer({ min: 1, max: 12_000 }).map((hundredths) => hundredths / 100);
const questions = fc.record({
  marketplace: fc.constantFrom('amazon' as const, 'walmart' as const),
  weight: fc.integer({ min: 1, max: 40_000 }).map((tenths) => ounces(tenths / 10)),
  size: fc.option(fc.tuple(side, side, side).map((sides) => box(...sides))),
  feeCategory: fc.constantFrom(null, 'Home', 'Apparel'),
  isHazardous: fc.boolean(),
  now: fc.constantFrom(FEBRUARY, SUMMER),
});

describe('laws of the estimate', () => {
  law('does not depend on the order of the sides', questions, (question) => {
    const { size } = question;
    if (size === null) return;
    const turned = box(size.height, size.length, size.width);
    expect(estimateFulfillment({ ...question, size: turned })).toEqual(estimateFulfillment(question));
  });

  law('is a whole amount in every price band, or unknown', questions, (question) => {
    const estimate = estimateFulfillment(question);
    if (typeof estimate === 'string') return;
    expect(estimate.steps.at(-1)?.upTo).toBeNull();
    for (const { fee } of estimate.steps)
      expect(fee === null || (Number.isInteger(fee) && fee > 0)).toBe(true);
  });

  const prices = fc.integer({ min: 1, max: 100_000 }).map((price) => price as Cents);
  law(
    'hazardous goods never cost less, and unknown stays unknown',
    fc.tuple(questions, prices),
    ([of, price]) => {
      const [usual, hazardous] = [false, true].map((isHazardous) => {
        const estimate = estimateFulfillment({ ...of, isHazardous });
        return typeof estimate === 'string' ? null : feeAtPrice(estimate.steps, price);
      });
      if (of.marketplace === 'amazon' || usual == null) expect(hazardous).toBeNull();
      else expect(hazardous).toBe(usual + 50);
    },
  );

  law('a heavier package of the same size never costs less, up to 30 lb', questions, (question) => {
    const weight = Math.min(question.weight, 400);
    const heavier = estimateFulfillment({ ...question, weight: ounces(weight + 1) });
    const lighter = estimateFulfillment({ ...question, weight: ounces(weight) });
    if (typeof heavier === 'string' || typeof lighter === 'string') return;
    const price = usd(20);
    expect(feeAtPrice(heavier.steps, price) ?? 0).toBeGreaterThanOrEqual(
      feeAtPrice(lighter.steps, price) ?? 0,
    );
  });
});
