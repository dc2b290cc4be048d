import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '#domain/decision/explain.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { stepText } from '#domain/decision/trace-step-text.ts';
import { ASSUMED_SALES_TAX, compileFees, composeFees } from '#domain/fees/compose-fees.ts';
import type { FulfillmentStep } from '#domain/fees/fee-basis.ts';
import { type FeeTable, feeTimesWhole } from '#domain/fees/fee-table.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { aCost, aFeeSchedule, aListing, anOffer, aPolicy, chosen, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { feeBases } from '#tests/builders/scenarios.ts';
import { allowedPrices, isAllowed } from './allowed-prices.ts';
import { bestPriceUpTo } from './fee-band-edge.ts';
import type { Policy } from './policy.ts';

const CLOTHING = compileFees(
  aFeeSchedule([
    { upTo: 15, percent: 5, minimum: 0.3 },
    { upTo: 20, percent: 10, minimum: 0.3 },
    { percent: 17, minimum: 0.3 },
  ]),
);
const BEAUTY = aFeeSchedule([
  { upTo: 10, percent: 8, minimum: 0.3 },
  { percent: 15, minimum: 0.3 },
]);
const FBA: FulfillmentStep[] = [
  { upTo: usd(9.99), fee: usd(3.5) },
  { upTo: null, fee: usd(4.35) },
];

/** The prices up to a limit that are never aimed at, as stretches. */
function avoided(fees: FeeTable, cost: number, margin: number, upTo: number): [number, number][] {
  const set = allowedPrices({
    totalCost: usd(cost),
    shippingCharge: usd(0),
    fees,
    minimumMargin: pct(margin),
    minPrice: null,
    maxPrice: usd(upTo),
    anchorPrice: null,
  });
  const stretches: [number, number][] = [];
  for (let price = 1; price <= usd(upTo); price += 1) {
    if (!isAllowed(set, price) || bestPriceUpTo(set, fees, usd(0), price as Cents) === price) continue;
    const last = stretches.at(-1);
    if (last !== undefined && last[1] === price - 1) last[1] = price;
    else stretches.push([price, price]);
  }
  return stretches;
}

describe('example 3: Clothing, cost $9.00, margin 15%', () => {
  const reported = (competitor: number, facts: Partial<ListingFacts> = {}, policy: Partial<Policy> = {}) =>
    explain(
      aListing({
        currentPrice: usd(21),
        cost: aCost(9),
        fees: CLOTHING,
        offers: [anOffer(competitor)],
        ...facts,
      }),
      chosen({ minimumMargin: pct(15) }),
      aPolicy(policy),
    );

  it('has two stretches that are never aimed at', () => {
    expect(avoided(CLOTHING, 9, 15, 30)).toEqual([
      [1_501, 1_583],
      [2_001, 2_168],
    ]);
  });

  it('a target of 20.90 becomes 20.00, and the reason says what that is worth', () => {
    const explanation = reported(20.9);
    const { decision, trace, sentence } = explanation;
    expect(decision).toMatchObject({ kind: 'change', price: usd(20), bindingLimit: 'fee_band_edge' });
    expect(trace.bandEdge).toEqual({ passedOver: usd(20.9), price: usd(20), gain: usd(0.65) });
    expect(trace.steps.slice(1, 3)).toEqual([
      { step: 'target', from: 2_090, to: 2_090, because: 'allowed' },
      { step: 'edge', from: 2_090, to: 2_000, because: 'leaves_more' },
    ]);
    expect(sentence).toContain('lowered to $20.00, which leaves you $0.65 more than $20.90');
    const [, , edge] = trace.steps;
    expect(edge && stepText(edge, explanation, aPolicy())).toContain('$0.65 more than $20.90');
  });

  it('says "as much" where the difference is below a cent', () => {
    const { trace, sentence } = reported(21.68, {
      fees: compileFees(aFeeSchedule([{ upTo: 20, percent: 10 }, { percent: 17.0 }])),
    });
    expect(trace.bandEdge?.gain).toBe(usd(0));
    expect(sentence).toContain('leaves you as much as $21.68');
  });

  it('a price above the stretch is a target, a step on the way may end inside, and a price there may stay', () => {
    expect(reported(21.69).decision).toMatchObject({ price: usd(21.69), bindingLimit: 'none' });
    expect(reported(15, { currentPrice: usd(24) }).decision).toMatchObject({ price: usd(20.4) });
    expect(reported(20.9, { offers: [], currentPrice: usd(20.5) }).decision).toMatchObject({ kind: 'keep' });
  });

  it('without the policy the target stays', () => {
    expect(reported(20.9, {}, { avoidBandEdges: false }).decision).toMatchObject({ price: usd(20.9) });
  });
});

it('example 16: Beauty with a fulfillment fee by price band, cost $3.00, margin 10%', () => {
  const fees = composeFees({
    source: { kind: 'schedule', schedule: BEAUTY, category: 'none' },
    salesTax: ASSUMED_SALES_TAX,
    fulfillment: FBA,
    shippingCharge: usd(0),
    adShare: pct(0),
    returnShare: pct(0),
  });
  expect(avoided(fees, 3, 10, 30)).toEqual([[1_000, 1_181]]);
});

law(
  'L4: the best price up to a target is the lowest that leaves the most, on any composed table',
  fc.record({
    basis: feeBases,
    totalCost: fc.integer({ min: 1, max: 400 }),
    margin: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 })),
    place: fc.nat(),
  }),
  ({ basis, totalCost, margin, place }) => {
    const fees = composeFees(basis);
    const { shippingCharge } = basis;
    const set = allowedPrices({
      totalCost: totalCost as Cents,
      shippingCharge,
      fees,
      minimumMargin: margin as Bps,
      minPrice: null,
      maxPrice: 1_500 as Cents,
      anchorPrice: null,
    });
    const allowed = Array.from({ length: 1_500 }, (_, index) => index + 1).filter((price) =>
      isAllowed(set, price),
    );
    const target = allowed[place % allowed.length];
    if (target === undefined) return;
    const left = (price: number) =>
      (price + shippingCharge) * WHOLE - feeTimesWhole(fees, (price + shippingCharge) as Cents);
    let best = allowed[0] as number;
    for (const price of allowed) if (price <= target && left(price) > left(best)) best = price;
    expect(bestPriceUpTo(set, fees, shippingCharge, target as Cents)).toBe(best);
  },
);
