import { expect, it } from 'vitest';
import { hours, instant } from '#domain/units.ts';
import { aCharge } from '#tests/builders/costs.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { differingCharge } from './entered-fulfillment.ts';
import type { FulfillmentAnswer } from './fulfillment-answer.ts';

const charged = (fee: number, days: number, units = 1, price = 20) => {
  const at = instant(NOW - days * hours(24));
  return aCharge(fee, at, price === 20 ? { units } : { units, askedPrice: usd(price) });
};
const differing = (entered: number, ...charges: FulfillmentAnswer[]) =>
  differingCharge({ marketplace: 'walmart', price: usd(20), entered: usd(entered) }, charges, NOW);

it('is a median of three units or more that is over 5% away from the entered fee', () => {
  const usual = [charged(4.95, 9), charged(4.95, 5), charged(4.95, 3)];
  expect(differing(2, ...usual)).toBe(usd(4.95));
  expect(differing(8, ...usual)).toBe(usd(4.95));
  expect(differing(0, ...usual)).toBe(usd(4.95));
  expect(differing(4.72, ...usual)).toBeNull();
  expect(differing(4.71, ...usual)).toBe(usd(4.95));
  expect(differing(2, charged(4.95, 9), charged(4.95, 5))).toBeNull();
  expect(differing(2, charged(4.95, 9), charged(4.95, 5, 2))).toBe(usd(4.95));
});

it('is of the last 60 days, of the package of now, and of the price band of the current price', () => {
  const usual = [charged(4.95, 61), charged(4.95, 5), charged(4.95, 3)];
  expect(differing(2, ...usual)).toBeNull();
  expect(differing(2, ...usual, charged(4.95, 2, 1, 9))).toBeNull();
  expect(differing(2, ...usual, { ...charged(4.95, 2), isOfOtherPackage: true })).toBeNull();
  expect(differing(2, ...usual, charged(4.95, 2))).toBe(usd(4.95));
});
