import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowedPricesOf } from '#domain/decision/decide.ts';
import { type AllowedPrices, isAllowed } from '#domain/limits/allowed-prices.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { aCost, aListing, fees, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { type BusinessGaps, businessPlan, gapsOf, tooLowAfter } from './business-plan.ts';

/** Any price of a listing that costs 10.00 and pays 15%, at a minimum margin of 15%: from 14.29 on. */
const ALLOWED = allowedPricesOf(
  aListing({ currentPrice: usd(20), cost: aCost(10), fees: fees([{ percent: 15 }]) }),
  1_500 as Bps,
);
const bps = (share: number) => share as Bps;
const tier = (from: number, discount: number) => ({ from, discount: bps(discount) });

describe('business prices that follow', () => {
  test.each([
    [20, 19],
    [19.99, 18.99],
  ])('example 51: 5%% below %d is %d', (regular, price) => {
    expect(businessPlan({ price: bps(500), tiers: [] }, usd(regular), ALLOWED)).toEqual({
      price: usd(price),
      tiers: [],
      skipped: [],
    });
  });

  test('example 52: tiers of 12% and 30% at 20.00 are 17.60 and the margin floor', () => {
    const gaps = { price: null, tiers: [tier(10, 1_200), tier(25, 3_000)] };
    expect(businessPlan(gaps, usd(20), ALLOWED)?.tiers).toEqual([
      { from: 10, price: usd(17.6) },
      { from: 25, price: usd(14.29) },
    ]);
  });

  test('keep the distance that the seller has, by price and by tier (C34)', () => {
    const offer = {
      price: usd(28),
      tiers: [
        { from: 5, price: usd(27) },
        { from: 20, price: usd(25.5) },
      ],
    };
    const gaps = gapsOf(offer, usd(29.99));
    expect(gaps).toEqual({ price: 664, tiers: [tier(5, 997), tier(20, 1_497)] });
    expect(businessPlan(gaps, usd(27.5), ALLOWED)).toEqual({
      price: usd(25.67),
      tiers: [
        { from: 5, price: usd(24.75) },
        { from: 20, price: usd(23.38) },
      ],
      skipped: [],
    });
  });

  test('skip a tier that costs as much as the one before, and name it', () => {
    const gaps = { price: bps(2_900), tiers: [tier(5, 4_000), tier(20, 5_000)] };
    expect(businessPlan(gaps, usd(20), ALLOWED)).toEqual({ price: usd(14.29), tiers: [], skipped: [5, 20] });
  });

  test('have no distance where they are above the regular price, and are never free', () => {
    expect(gapsOf({ price: usd(30), tiers: [] }, usd(20)).price).toBe(0);
    expect(gapsOf({ price: usd(0.01), tiers: [] }, usd(9_000)).price).toBe(9_999);
  });

  test('are none where no price is allowed, or only prices above the regular one', () => {
    const none: AllowedPrices = { marginFloor: null, priceCeiling: null, ranges: [] };
    const gaps = { price: bps(500), tiers: [] };
    expect(businessPlan(gaps, usd(20), none)).toBeNull();
    expect(businessPlan(gaps, usd(14.28), ALLOWED)).toBeNull();
    expect(businessPlan({ price: null, tiers: [tier(5, 100)] }, usd(14.28), ALLOWED)).toBeNull();
  });

  test.each([
    ['tiers that are all skipped stay', { price: usd(14.29), tiers: [] }, { from: 20, price: usd(13) }],
    ['so do all where nothing can be sent', null, { from: 20, price: usd(13) }],
    ['a plan with tiers replaces them', { price: usd(18), tiers: [{ from: 5, price: usd(17) }] }, null],
  ])('%s: what is too low then', (_, plan, low) => {
    const shown = {
      price: usd(18),
      tiers: [
        { from: 5, price: usd(17) },
        { from: 20, price: usd(13) },
      ],
    };
    expect(tooLowAfter(shown, plan, usd(18.5), ALLOWED)).toEqual(low);
  });

  test('a tier by share of the business price follows it down, and is too low with it', () => {
    const shown = { price: usd(18), tiers: [{ from: 5, discount: bps(1_000) }] };
    expect(tooLowAfter(shown, null, usd(18.5), ALLOWED)).toBeNull();
    expect(tooLowAfter(shown, { price: usd(15), tiers: [] }, usd(15.5), ALLOWED)).toEqual({
      from: 5,
      price: usd(13.5),
    });
  });

  const share = fc.integer({ min: 0, max: 9_999 }).map(bps);
  const gaps: fc.Arbitrary<BusinessGaps> = fc.record({
    price: fc.option(share),
    tiers: fc
      .uniqueArray(fc.integer({ min: 2, max: 100 }), { maxLength: 5 })
      .chain((all) =>
        fc.tuple(
          ...all.toSorted((a, b) => a - b).map((from) => share.map((discount) => ({ from, discount }))),
        ),
      ),
  });
  const cents = fc.integer({ min: 1, max: 6_000 }).map((amount) => amount as Cents);
  /** With gaps: 14.29 to 16.00, 18.00 to 40.00. */
  const ranges = [1_429, 1_600, 1_800, 4_000];
  const allowed: AllowedPrices = { marginFloor: usd(14.29), priceCeiling: usd(40), ranges };

  law(
    'are allowed, fall with the quantity, and never exceed the regular price',
    fc.tuple(gaps, cents),
    ([kept, regular]) => {
      const plan = businessPlan(kept, regular, allowed);
      if (plan === null) return;
      const units = [...(plan.price === null ? [] : [plan.price]), ...plan.tiers.map(({ price }) => price)];
      for (const [at, price] of units.entries()) {
        expect(isAllowed(allowed, price)).toBe(true);
        expect(price).toBeLessThanOrEqual(regular);
        if (at > 0) expect(price).toBeLessThan(units[at - 1] ?? 0);
      }
      const named = [...plan.tiers.map(({ from }) => from), ...plan.skipped].toSorted((a, b) => a - b);
      expect(named).toEqual(kept.tiers.map(({ from }) => from));
    },
  );
});
