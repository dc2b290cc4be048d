import { describe, expect, test } from 'vitest';
import { cents, type Instant, instant } from '#domain/units.ts';
import { exactCommission, type FeeCategory, rounded } from './category.ts';
import { FeeTruth } from './fee-truth.ts';
import { type Measures, warehouseFee } from './warehouse-fees.ts';

const START = instant(Date.parse('2026-05-02T08:00:00Z'));
const DAY = 86_400_000;
const later = (days: number): Instant => instant(START + days * DAY);

function truthOf(marketplace: 'amazon' | 'walmart' | 'ebay' | 'etsy' | 'shopify' | 'michaels', plan = {}) {
  return new FeeTruth(marketplace, `test/${marketplace}`, START, plan);
}

/** A listing whose product type gives its category. */
function placed(truth: FeeTruth, category: string, fulfillmentType: 'FBM' | 'FBA/WFS' = 'FBM') {
  const skus = Array.from({ length: 30 }, (_, at) => `SKU-${at}`);
  const isPlaced = (sku: string) =>
    truth.categoryOf({ sku, category }, START) === truth.suggestedFor(category);
  const sku = skus.find((one) => isPlaced(one) && truth.promotionOf(one, START) === null) ?? '';
  return { sku, category, weightOunces: 12, fulfillmentType };
}

function basisOf(unitPrice: number, quantity = 1, shipping = 0, tax = 0) {
  return { unitPrice: cents(unitPrice), quantity, shipping: cents(shipping), tax: cents(tax), at: START };
}

describe('what marketplaces truly take', () => {
  test('bands apply to the whole amount or to their part of it, up to and including their bounds', () => {
    const amazon = truthOf('amazon');
    const fee = (category: FeeCategory) => (amount: number) => rounded(exactCommission(category, amount));
    const apparel = fee(amazon.suggestedFor('Apparel'));
    expect([1_500, 1_501, 2_000, 2_001].map(apparel)).toEqual([75, 150, 200, 340]);
    expect(fee(amazon.suggestedFor('Jewelry'))(30_000)).toBe(5_250);
  });

  test('each marketplace rounds and adds its own parts', () => {
    const amazon = truthOf('amazon');
    const books = amazon.feesFor(placed(amazon, 'Books'), basisOf(1_203, 2, 101));
    expect(books).toMatchObject({ commission: 188 + 188, closing: 360, fulfillment: 0 });
    expect(amazon.feesFor(placed(amazon, 'Home'), basisOf(150)).commission).toBe(30);
    const ebay = truthOf('ebay');
    const taxed = ebay.feesFor(placed(ebay, 'Home'), basisOf(4_000, 1, 500, 360));
    expect(taxed).toMatchObject({ commission: 661, perOrder: 40 });
    const etsy = truthOf('etsy');
    const card = etsy.feesFor(placed(etsy, 'Home'), basisOf(1_200, 2, 500, 232));
    expect(card).toMatchObject({ commission: 156 + 33, commissionOnShipping: 33, renewal: 40, payment: 119 });
  });

  test('the warehouse takes by the measured size and by the price', () => {
    const measured = (sides: Measures['sides'], ounces: number): Measures => ({ sides, ounces });
    const february = Date.parse('2026-02-01T00:00:00Z');
    const jar = measured([900, 500, 400], 12);
    const fees = [999, 1_000, 5_001].map((price) => warehouseFee('amazon', jar, price, february).fee);
    expect(fees).toEqual([460, 542, 568]);
    const box = measured([1_200, 1_000, 600], 19.2);
    expect(warehouseFee('amazon', box, 2_500, february)).toEqual({ size: 'Large Standard-Size', fee: 769 });
    expect(warehouseFee('amazon', box, 2_500, START).fee).toBe(796);
    expect(warehouseFee('walmart', measured([1_200, 1_000, 1_000], 96), 2_500, START).fee).toBe(775);
  });

  test('twelve categories are secret, and a tenth of the listings is in another than their type suggests', () => {
    for (const marketplace of ['amazon', 'walmart', 'ebay'] as const) {
      const truth = truthOf(marketplace);
      const secret = truth.categories().filter(({ name }) => name.startsWith('Special'));
      expect(secret).toHaveLength(12);
      expect(secret.some(({ closing }) => closing > 0)).toBe(marketplace === 'amazon');
      expect(secret).toContain(truth.suggestedFor('Craft'));
      const items = Array.from({ length: 500 }, (_, at) => ({ sku: `S-${at}`, category: 'Home' }));
      const usual = truth.suggestedFor('Home');
      const misplaced = items.filter((item) => truth.categoryOf(item, START) !== usual);
      expect(misplaced.length).toBeGreaterThan(25);
      expect(misplaced.length).toBeLessThan(80);
    }
  });

  test('rates and seasons change at their time and not before', () => {
    const season = { from: later(5), to: later(9) };
    const truth = truthOf('amazon', { ratesChangeAt: later(7), season });
    const stored = placed(truth, 'Home', 'FBA/WFS');
    const charge = (at: Instant) => truth.warehouseFeeOf(stored, cents(2_000), at).fee;
    const [before, during, after] = [later(4), later(6), later(9)].map(charge);
    expect(during).toBeGreaterThan(before ?? 0);
    expect(after).toBe(before);
    const items = Array.from({ length: 60 }, (_, at) => ({ sku: `S-${at}`, category: `Type ${at}` }));
    const changed = items.filter(
      (item) => truth.categoryOf(item, START) !== truth.categoryOf(item, later(8)),
    );
    expect(items.every((item) => truth.categoryOf(item, START) === truth.categoryOf(item, later(6)))).toBe(
      true,
    );
    expect(changed.length).toBeGreaterThan(5);
    expect(changed.length).toBeLessThan(40);
  });

  test('a true promotion lowers the commission until its end, a false one never does', () => {
    const truth = truthOf('amazon');
    const items = Array.from({ length: 200 }, (_, at) => ({ ...placed(truth, 'Home'), sku: `S-${at}` }));
    const promoted = items.flatMap((item) => {
      const promotion = truth.promotionOf(item.sku, START);
      return promotion === null ? [] : [{ item, promotion, fees: truth.feesFor(item, basisOf(2_000)) }];
    });
    const isFalse = promoted.map(({ promotion }) => promotion.isFalse);
    expect(new Set(isFalse)).toEqual(new Set([true, false]));
    for (const { item, promotion, fees } of promoted) {
      expect(fees.waived).toBe(promotion.isFalse ? 0 : rounded(fees.commission * promotion.share));
      expect(truth.promotionOf(item.sku, promotion.until)).toBeNull();
    }
  });
});
