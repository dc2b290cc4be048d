import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Cents, instant, isAmount, isPrice, type Ounces } from '#domain/units.ts';
import { aPart, aSku, aTier, costInputs } from '#tests/builders/costs.ts';
import { NOW } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import type { SkuCosts } from './cost.ts';
import { costOfListing } from './listing-cost.ts';

const UNREADABLE = fc.constantFrom(
  null,
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  0.5,
  -0,
  0,
  1e300,
);
const amount = fc.oneof({ weight: 12, arbitrary: fc.nat(5_000) }, { weight: 1, arbitrary: UNREADABLE });

const skuCosts: fc.Arbitrary<Partial<SkuCosts>> = fc
  .record({
    productCost: amount,
    weight: amount,
    isHazardous: fc.boolean(),
    packagingCost: amount,
    miscCost: amount,
  })
  .map((reported) => reported as Partial<SkuCosts>);

const inputs = fc
  .record({
    own: fc.option(skuCosts),
    parts: fc.array(fc.record({ quantity: amount, costs: fc.option(skuCosts), isBundle: fc.boolean() }), {
      maxLength: 3,
    }),
    shippingCost: fc.oneof(fc.constant(null), amount),
    fulfillmentCost: fc.oneof(fc.constant(null), amount),
    fulfillmentType: fc.constantFrom('FBA/WFS' as const, 'FBM' as const),
    marketplace: fc.constantFrom('amazon' as const, 'walmart' as const),
    now: fc.constantFrom(NOW, instant(Date.UTC(2026, 6, 1))),
    bundleUnconfirmed: fc.boolean(),
    tierCost: amount,
  })
  .map(({ own, parts, tierCost, ...told }) =>
    costInputs({
      ...told,
      shippingCost: told.shippingCost as Cents | null,
      fulfillmentCost: told.fulfillmentCost as Cents | null,
      own: own === null ? null : aSku(own),
      components: parts.map(({ quantity, costs, isBundle }, index) => ({
        ...aPart(`B-${index}`, quantity as number, costs),
        isBundle,
      })),
      tiers: [
        { ...aTier(0, 16, 5), cost: tierCost as Cents },
        aTier(16, 2_000, 7, { maxWeight: 4_000 as Ounces }),
        aTier(0, 4_000, 3, { fulfillmentType: 'FBA/WFS' }),
      ],
    }),
  );

describe('the cost of a listing', () => {
  law('is known exactly where nothing is missing, and then the sum of its parts', inputs, (reported) => {
    const { total, gaps, weight, estimate, toldSteps, reportedBy, publishedSteps, isHazardous, ...parts } =
      costOfListing(reported);
    expect(total === null).toBe(gaps.length > 0);
    const amounts = Object.values(parts);
    for (const part of amounts) if (part !== null && total !== null) expect(isAmount(part)).toBe(true);
    if (total === null) return;
    expect(amounts.every((part) => part !== null)).toBe(true);
    expect(total).toBe(amounts.reduce<number>((sum, part) => sum + (part ?? 0), 0));
    expect(isPrice(total) && isPrice(parts.product)).toBe(true);
    expect(weight === null || weight >= 0).toBe(true);
    expect(estimate !== null).toBe(
      reported.fulfillmentType === 'FBA/WFS' && reported.fulfillmentCost === null,
    );
  });

  law('names a gap for every part it does not know', inputs, (reported) => {
    const { total, gaps, weight, estimate, toldSteps, reportedBy, publishedSteps, isHazardous, ...parts } =
      costOfListing(reported);
    if (Object.values(parts).some((part) => part === null))
      expect([total, gaps.length > 0]).toEqual([null, true]);
    expect(weight).not.toBeNaN();
    expect(JSON.parse(JSON.stringify(gaps))).toEqual(gaps);
  });

  law('is never lower with a hazardous SKU in it, and what was unknown stays unknown', inputs, (told) => {
    const marked = (costs: SkuCosts | null, isHazardous: boolean) =>
      costs === null ? null : { ...costs, isHazardous };
    const withHazard = (isHazardous: boolean) =>
      costOfListing({
        ...told,
        own: marked(told.own, isHazardous),
        components: told.components.map((part) => ({ ...part, costs: marked(part.costs, isHazardous) })),
      });
    const [usual, stated, all] = [withHazard(false), costOfListing(told), withHazard(true)].map(
      ({ total }) => total ?? Number.POSITIVE_INFINITY,
    ) as [number, number, number];
    expect(stated).toBeGreaterThanOrEqual(usual);
    expect(all).toBeGreaterThanOrEqual(stated);
  });
});
