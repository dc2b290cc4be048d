import type { BundleComponent, CostInputs, ShippingTier, SkuCosts } from '#domain/costs/cost.ts';
import type { FulfillmentAnswer } from '#domain/fees/fulfillment-answer.ts';
import { NOTHING_COUNTS } from '#domain/fees/settled-fulfillment.ts';
import { type Instant, ounces } from '#domain/units.ts';
import { NOW, usd } from './facts.ts';

/** SKU A-1: $10.00, 8 oz, no packaging, no misc. */
export function aSku(overrides: Partial<SkuCosts> = {}): SkuCosts {
  return {
    sku: 'A-1',
    productCost: usd(10),
    weight: ounces(8),
    size: null,
    isHazardous: false,
    packagingCost: usd(0),
    miscCost: usd(0),
    ...overrides,
  };
}

/** A Walmart tier for parcels we ship ourselves, `from` up to below `to` ounces. */
export function aTier(
  from: number,
  to: number,
  cost: number,
  overrides: Partial<ShippingTier> = {},
): ShippingTier {
  return {
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    minWeight: ounces(from),
    maxWeight: ounces(to),
    cost: usd(cost),
    ...overrides,
  };
}

/** One component of a bundle, with the costs of {@link aSku} by default. */
export function aPart(sku: string, quantity: number, costs: Partial<SkuCosts> | null = {}): BundleComponent {
  return { sku, quantity, costs: costs === null ? null : aSku({ sku, ...costs }), isBundle: false };
}

/** What was charged for fulfilling one unit sold for $20.00. @param fee dollars */
export function aCharge(fee: number, at: Instant, over: Partial<FulfillmentAnswer> = {}): FulfillmentAnswer {
  return {
    source: 'settled',
    fulfillmentType: 'FBA/WFS',
    askedPrice: usd(20),
    askedShipping: usd(0),
    fee: usd(fee),
    toldAt: at,
    isAccepted: false,
    units: 1,
    ...over,
  };
}

/** Everything the cost of SKU A-1 on Walmart is made of; tiers: $5.00 below a pound, $7.00 to two. */
export function costInputs(overrides: Partial<CostInputs> = {}): CostInputs {
  return {
    sku: 'A-1',
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    price: usd(20),
    feeCategory: null,
    now: NOW,
    shippingCost: null,
    fulfillmentCost: null,
    reportedFulfillment: NOTHING_COUNTS,
    own: aSku(),
    components: [],
    bundleUnconfirmed: false,
    tiers: [aTier(0, 16, 5), aTier(16, 32, 7)],
    ...overrides,
  };
}
