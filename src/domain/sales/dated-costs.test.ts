import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOfListing } from '#domain/costs/listing-cost.ts';
import { instant, ounces } from '#domain/units.ts';
import { aTier, costInputs } from '#tests/builders/costs.ts';
import { usd } from '#tests/builders/facts.ts';
import {
  backdatedCosts,
  type DatedListingCosts,
  type DatedSkuCosts,
  listingCostsAt,
  skuCostsAt,
  tiersAt,
  withCostsSince,
} from './dated-costs.ts';

const at = (text: string) => instant(Date.parse(`${text}Z`));
const NOV_1 = at('2026-11-01T00:00');
const NOV_10 = at('2026-11-10T00:00');
const NOV_23 = at('2026-11-23T00:00');

function cost(effectiveFrom: typeof NOV_10 | null, product: number | null): DatedSkuCosts {
  const productCost = product === null ? null : usd(product);
  const size = { lengthIn: null, widthIn: null, heightIn: null, isHazardous: false };
  return {
    effectiveFrom,
    productCost,
    weight: ounces(8),
    ...size,
    packagingCost: usd(0.5),
    miscCost: usd(0),
  };
}
const productAt = (rows: readonly DatedSkuCosts[], moment: typeof NOV_10) =>
  skuCostsAt('A-1', rows, moment)?.productCost;

describe('the cost at a moment', () => {
  it('example 23: is the newest one not after it', () => {
    const rows = [cost(null, 8), cost(NOV_10, 9)];
    expect(productAt(rows, at('2026-11-09T23:59'))).toBe(usd(8));
    expect(productAt(rows, NOV_10)).toBe(usd(9));
  });

  it('example 22: is the first one that became known where none was known yet', () => {
    expect(productAt([cost(null, null), cost(NOV_10, 8)], NOV_1)).toBe(usd(8));
    expect(productAt([cost(null, 0), cost(NOV_10, 8)], NOV_1)).toBe(usd(8));
  });

  it('example 22: brings the packaging and misc cost that were entered with it', () => {
    const rows = [cost(null, null), { ...cost(NOV_10, 8), packagingCost: usd(0.7), miscCost: usd(0.2) }];
    expect(skuCostsAt('A-1', rows, NOV_1)).toMatchObject({ packagingCost: usd(0.7), miscCost: usd(0.2) });
    const unknown = [cost(null, null), { ...cost(NOV_10, null), packagingCost: usd(0.7) }];
    expect(skuCostsAt('A-1', unknown, NOV_1)).toMatchObject({ packagingCost: usd(0.5), miscCost: usd(0) });
  });

  it('is unknown while it was removed', () => {
    const rows = [cost(null, 8), cost(NOV_1, null), cost(NOV_10, 9)];
    expect(productAt(rows, at('2026-11-05T00:00'))).toBeNull();
    expect(productAt([], NOV_1)).toBeUndefined();
  });

  it('is the one entered last of two from one moment', () => {
    expect(productAt([cost(null, 8), cost(NOV_10, 9), cost(NOV_1, 7), cost(NOV_10, 7)], NOV_10)).toBe(usd(7));
  });
});

describe('whether a SKU was hazardous at a moment', () => {
  const marked = (effectiveFrom: typeof NOV_10 | null, isHazardous: boolean) => ({
    ...cost(effectiveFrom, 8),
    isHazardous,
  });
  const hazardAt = (rows: readonly DatedSkuCosts[], moment: typeof NOV_10) =>
    skuCostsAt('A-1', rows, moment)?.isHazardous;

  it('is the newest mark not after it, and before all of them the first', () => {
    const rows = [marked(null, false), marked(NOV_10, true), marked(NOV_23, false)];
    expect([NOV_1, NOV_10, NOV_23].map((moment) => hazardAt(rows, moment))).toEqual([false, true, false]);
    expect(hazardAt([marked(NOV_10, true)], NOV_1)).toBe(true);
  });

  it('does not depend on when the first cost was entered', () => {
    const rows = [{ ...cost(null, null) }, marked(NOV_10, true)];
    expect([NOV_1, NOV_10].map((moment) => hazardAt(rows, moment))).toEqual([false, true]);
  });

  it('begins on an earlier day where that was chosen', () => {
    const rows = withCostsSince([marked(null, false)], { isHazardous: true }, NOV_10, NOV_23);
    expect([NOV_1, NOV_10, NOV_23].map((moment) => hazardAt(rows, moment))).toEqual([false, true, true]);
  });
});

describe('a cost that is entered for a day in the past', () => {
  const NOV_5 = at('2026-11-05T00:00');

  it('applies from that day on, and changes nothing before', () => {
    const rows = withCostsSince([cost(null, 8), cost(NOV_10, 9)], { productCost: usd(7) }, NOV_5, NOV_23);
    expect([NOV_1, NOV_5, NOV_10].map((moment) => productAt(rows, moment))).toEqual([usd(8), usd(7), usd(7)]);
  });

  it('can be replaced in turn', () => {
    const once = withCostsSince([cost(null, 8)], { productCost: usd(7) }, NOV_5, NOV_23);
    const rows = withCostsSince(once, { productCost: usd(6) }, NOV_10, NOV_23);
    expect([NOV_5, NOV_10].map((moment) => productAt(rows, moment))).toEqual([usd(7), usd(6)]);
  });

  it('leaves the others as they were on each day', () => {
    const rows = withCostsSince([cost(null, 8), cost(NOV_10, 9)], { weight: ounces(12) }, NOV_1, NOV_23);
    const costs = [at('2026-10-20T00:00'), NOV_5, NOV_10].map((moment) => skuCostsAt('A-1', rows, moment));
    expect(costs).toMatchObject([
      { productCost: usd(8), weight: 8 },
      { productCost: usd(8), weight: 12 },
      { productCost: usd(9), weight: 12 },
    ]);
  });

  it('adds nothing where no cost was edited', () => {
    expect(backdatedCosts([cost(null, 8), cost(NOV_10, 9)], {}, NOV_1)).toEqual([]);
  });
});

describe('a SKU that had no cost at first', () => {
  const none = cost(null, null);
  const NOV_24 = at('2026-11-24T00:00');
  const october = at('2026-10-20T00:00');
  const entered = withCostsSince([none], { productCost: usd(8) }, NOV_23, NOV_23);

  it('keeps the one that was entered first for the time before a day to which a later one is backdated', () => {
    const rows = withCostsSince(entered, { productCost: usd(9) }, NOV_1, NOV_24);
    expect([october, NOV_1].map((moment) => productAt(rows, moment))).toEqual([usd(8), usd(9)]);
  });

  it('has none from the day to which its removal is backdated', () => {
    const rows = withCostsSince(entered, { productCost: null }, NOV_1, NOV_24);
    expect([october, NOV_10].map((moment) => productAt(rows, moment))).toEqual([usd(8), null]);
  });

  it('keeps what is not edited, and what it had before the day to which an edit is backdated', () => {
    const amount = fc.integer({ min: 1, max: 9 }).map(usd);
    const change = fc.record(
      {
        productCost: fc.option(amount),
        packagingCost: amount,
        weight: fc.integer({ min: 1, max: 9 }).map(ounces),
      },
      { requiredKeys: [] },
    );
    const edit = fc.record({ change, back: fc.integer({ min: 0, max: 40 }) });
    const dayOf = (count: number) => instant(NOV_1 + count * 86_400_000);
    const days = Array.from({ length: 80 }, (_, day) => day - 45);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 2, maxLength: 6 }), (edits) => {
        let rows: DatedSkuCosts[] = [none];
        for (const [index, { change: edited, back }] of edits.entries()) {
          const before = rows;
          const since = index * 5 - back;
          rows = withCostsSince(before, edited, dayOf(since), dayOf(index * 5));
          // Only the first known product cost applies since ever.
          if (before.every(({ productCost }) => productCost === null)) continue;
          const expected = days.map((day) => ({
            ...skuCostsAt('A-1', before, dayOf(day)),
            ...(day < since ? {} : edited),
          }));
          expect(days.map((day) => skuCostsAt('A-1', rows, dayOf(day)))).toEqual(expected);
        }
      }),
      { seed: 20_261_123, numRuns: 50 },
    );
  });
});

describe('the costs of a listing at a moment', () => {
  const row = (over: Partial<DatedListingCosts>): DatedListingCosts => ({
    effectiveFrom: null,
    fulfillmentType: 'FBM',
    shipping: null,
    feeRate: null,
    fulfillment: null,
    isFulfillmentReported: false,
    feeCategory: null,
    productType: null,
    externalCategory: null,
    acceptedCategory: null,
    ...over,
  });

  it('keep who shipped it, and know the first fee since ever', () => {
    const rows = [
      row({}),
      row({ effectiveFrom: NOV_10, fulfillmentType: 'FBA/WFS', fulfillment: usd(4.09) }),
    ];
    expect(listingCostsAt(rows, NOV_1)).toMatchObject({ fulfillmentType: 'FBM', fulfillment: usd(4.09) });
    expect(listingCostsAt(rows, NOV_10)).toMatchObject({ fulfillmentType: 'FBA/WFS' });
    expect(listingCostsAt([], NOV_10)).toBeNull();
  });

  it('leave shipping to the tier until an own cost was entered', () => {
    const rows = [row({}), row({ effectiveFrom: NOV_10, shipping: usd(3) })];
    expect(listingCostsAt(rows, NOV_1)).toMatchObject({ shipping: null, firstShipping: usd(3) });
  });
});

describe('the shipping tiers at a moment', () => {
  const old = { ...aTier(0, 16, 4), effectiveFrom: null, effectiveUntil: NOV_10 };
  const newer = { ...aTier(0, 16, 5), effectiveFrom: NOV_10, effectiveUntil: null };
  const heavy = { ...aTier(16, 32, 7), effectiveFrom: NOV_10, effectiveUntil: null };
  const shippingAt = (weight: number, moment: typeof NOV_10) =>
    costOfListing(
      costInputs({
        tiers: tiersAt([newer, old, heavy], moment),
        own: {
          sku: 'A-1',
          productCost: usd(1),
          weight: ounces(weight),
          size: null,
          isHazardous: false,
          packagingCost: usd(0),
          miscCost: usd(0),
        },
      }),
    ).shipping;

  it('are those that applied then', () => {
    expect(shippingAt(8, NOV_1)).toBe(usd(4));
    expect(shippingAt(8, NOV_10)).toBe(usd(5));
  });

  it('are the first ones for a weight that had none', () => {
    expect(shippingAt(20, NOV_1)).toBe(usd(7));
  });
});
