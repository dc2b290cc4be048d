import { reportedFulfillment } from '#domain/fees/reported-fulfillment.ts';
import { estimateFulfillment, feeAtPrice } from '#domain/fees/warehouse-fee.ts';
import { type Cents, isAmount, isPrice, MAX_CENTS, type Ounces } from '#domain/units.ts';
import { amount, bundleCost, type GoodsCost, singleGoods, weightOf } from './bundle-cost.ts';
import type { CostGap, CostInputs, ListingCost, ShippingTier, TierRange } from './cost.ts';

/**
 * Adds up the five cost parts of one unit of a listing.
 * A missing part stays null, is added to `gaps`, and leaves the total unknown.
 */
export function costOfListing(inputs: CostInputs): ListingCost {
  const gaps: CostGap[] = [];
  const goods = inputs.components.length > 0 ? bundleCost(inputs, gaps) : singleGoods(inputs, gaps);
  const shipping = shippingOf(inputs, goods.weight, gaps);
  const { fulfillment, ...origin } = fulfillmentOf(inputs, goods, gaps);
  const { product, packaging, misc, weight } = goods;
  const hazard = goods.isHazardous ? { isHazardous: true as const } : {};
  const total = gaps.length > 0 ? null : sum([product, shipping, fulfillment, packaging, misc]);
  if (gaps.length === 0 && total === null) gaps.push({ kind: 'unreadable', what: 'total cost' });
  return { product, shipping, fulfillment, packaging, misc, weight, total, gaps, ...origin, ...hazard };
}

/** Whether two tiers of the same marketplace and fulfillment type share a weight. */
export function tiersOverlap(a: TierRange, b: TierRange): boolean {
  return (
    a.marketplace === b.marketplace &&
    a.fulfillmentType === b.fulfillmentType &&
    a.minWeight < b.maxWeight &&
    b.minWeight < a.maxWeight
  );
}

function shippingOf(inputs: CostInputs, weight: Ounces | null, gaps: CostGap[]): Cents | null {
  if (inputs.shippingCost !== null) return amount(inputs.shippingCost, 'shipping cost', gaps);
  if (inputs.fulfillmentType === 'FBA/WFS') return warehouseShipping(inputs, weight, gaps);
  if (weight === null) {
    // Without the SKU the weight is unknown too: one gap is enough.
    if (!gaps.some(hidesWeight)) gaps.push({ kind: 'no_weight', sku: skuWithoutWeight(inputs) });
    return null;
  }
  const tier = tierFor(inputs, weight);
  if (tier === null) {
    gaps.push({ kind: 'no_tier', weight });
    return null;
  }
  return amount(tier.cost, TIER_COST, gaps);
}

/**
 * The warehouse's own fee pays for sending, so shipping is 0.00 unless tiers were entered for warehouses. A weight that
 * those do not cover, or that is unknown, gets the most expensive of them: never less than the seller pays.
 */
function warehouseShipping(inputs: CostInputs, weight: Ounces | null, gaps: CostGap[]): Cents | null {
  const tier = weight === null ? null : tierFor(inputs, weight);
  if (tier !== null) return amount(tier.cost, TIER_COST, gaps);
  let most = 0 as Cents;
  for (const other of inputs.tiers) {
    if (!isForListing(other, inputs)) continue;
    if (!isAmount(other.cost)) return amount(other.cost, TIER_COST, gaps);
    if (other.cost > most) most = other.cost;
  }
  return most;
}

const TIER_COST = 'cost of the shipping tier';

function isForListing(tier: ShippingTier, { marketplace, fulfillmentType }: CostInputs): boolean {
  return tier.marketplace === marketplace && tier.fulfillmentType === fulfillmentType;
}

/** An entered fee, else a reported one, else one estimated from size and weight, else unknown. */
function fulfillmentOf(
  inputs: CostInputs,
  { weight, size, isHazardous }: GoodsCost,
  gaps: CostGap[],
): Pick<ListingCost, 'fulfillment' | 'estimate' | 'toldSteps' | 'reportedBy' | 'publishedSteps'> {
  const { fulfillmentType, fulfillmentCost, marketplace, feeCategory, now, price, sku } = inputs;
  if (fulfillmentType === 'FBM') return { fulfillment: 0 as Cents, estimate: null };
  if (fulfillmentCost !== null) {
    return { fulfillment: amount(fulfillmentCost, 'FBA/WFS fee', gaps), estimate: null };
  }
  const estimate = estimateFulfillment({ marketplace, weight, size, feeCategory, isHazardous, now });
  const known = typeof estimate === 'string' ? null : estimate.steps;
  const answers = inputs.reportedFulfillment(known);
  const [newest] = answers.slice(-1);
  if (newest !== undefined) {
    const doubtedSince = inputs.fulfillmentDoubtedSince ?? null;
    const goods = { marketplace, feeCategory, isHazardous };
    const { steps, isReported } = reportedFulfillment({ ...goods, answers, doubtedSince, now }, known);
    const compared = known !== null && newest.source === 'settled' ? { publishedSteps: known } : {};
    const fulfillment = isPrice(price) ? feeAtPrice(steps, price) : null;
    if (fulfillment === null) gaps.push({ kind: 'no_fulfillment_cost', sku, noEstimate: 'not_told' });
    if (!isReported && typeof estimate !== 'string') {
      const isHigher = isPrice(price) && (fulfillment ?? 0) > (feeAtPrice(estimate.steps, price) ?? 0);
      const raised = { ...estimate, steps, ...(isHigher ? { isChargedHigher: true as const } : {}) };
      return { fulfillment, estimate: fulfillment === null ? null : raised, ...compared };
    }
    return { fulfillment, estimate: null, toldSteps: steps, reportedBy: newest.source, ...compared };
  }
  if (typeof estimate === 'string') {
    gaps.push({ kind: 'no_fulfillment_cost', sku, noEstimate: estimate });
    return { fulfillment: null, estimate: null };
  }
  const fulfillment = isPrice(price) ? feeAtPrice(estimate.steps, price) : null;
  if (fulfillment === null) gaps.push({ kind: 'no_fulfillment_cost', sku, noEstimate: 'price' });
  return { fulfillment, estimate: fulfillment === null ? null : estimate };
}

function tierFor(inputs: CostInputs, weight: Ounces): ShippingTier | null {
  let endsHere: ShippingTier | null = null;
  for (const tier of inputs.tiers) {
    if (!isForListing(tier, inputs)) continue;
    if (tier.minWeight <= weight && weight < tier.maxWeight) return tier;
    if (weight === tier.maxWeight) endsHere = tier;
  }
  // Only the last tier of a series includes its upper end: a tier that starts there was found above.
  return endsHere;
}

function hidesWeight({ kind }: CostGap): boolean {
  return ['no_sku', 'no_component', 'bundle_in_bundle', 'bundle_unconfirmed'].includes(kind);
}

function skuWithoutWeight({ sku, components }: CostInputs): string {
  return components.find(({ costs }) => costs !== null && weightOf(costs) === null)?.sku ?? sku;
}

function sum(parts: readonly (Cents | null)[]): Cents | null {
  let total = 0;
  for (const part of parts) {
    if (part === null) return null;
    total += part;
  }
  return total <= MAX_CENTS ? (total as Cents) : null;
}
