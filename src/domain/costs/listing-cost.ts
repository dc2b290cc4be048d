import { reportedSteps } from '#domain/fees/reported-fulfillment.ts';
import { estimateFulfillment, feeAtPrice, type PackageSize } from '#domain/fees/warehouse-fee.ts';
import { type Cents, isAmount, isPrice, MAX_CENTS, type Ounces } from '#domain/units.ts';
import type { CostGap, CostInputs, ListingCost, ShippingTier, SkuCosts, TierRange } from './cost.ts';

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

const WEIGHT_DECIMALS = 6;

/** Cost and weight of the products in one unit of a listing, without shipping; null is unknown. */
export interface BundleCost {
  readonly product: Cents | null;
  readonly packaging: Cents | null;
  readonly misc: Cents | null;
  readonly weight: Ounces | null;
  /** Of one packed unit: that of the SKU with the listing's own code, which for a bundle is its box. */
  readonly size: PackageSize | null;
  /** Any of the SKUs in it is hazardous. */
  readonly isHazardous: boolean;
}

const UNKNOWN_GOODS: BundleCost = {
  product: null,
  packaging: null,
  misc: null,
  weight: null,
  size: null,
  isHazardous: false,
};

function singleGoods({ sku, own, bundleUnconfirmed }: CostInputs, gaps: CostGap[]): BundleCost {
  if (bundleUnconfirmed) {
    gaps.push({ kind: 'bundle_unconfirmed', sku });
    return { ...UNKNOWN_GOODS, isHazardous: own?.isHazardous ?? false };
  }
  if (own === null) {
    gaps.push({ kind: 'no_sku', sku });
    return UNKNOWN_GOODS;
  }
  return {
    product: productCostOf(own, gaps),
    packaging: amount(own.packagingCost, `packaging cost of SKU ${own.sku}`, gaps),
    misc: amount(own.miscCost, `misc cost of SKU ${own.sku}`, gaps),
    weight: weightOf(own),
    size: own.size,
    isHazardous: own.isHazardous,
  };
}

/**
 * Adds up the components of a bundle.
 * @param inputs at least one component, and the bundle's own SKU, which represents its box
 * @param gaps receives what is missing
 */
export function bundleCost(
  { own, components }: Pick<CostInputs, 'own' | 'components'>,
  gaps: CostGap[],
): BundleCost {
  let product: number | null = 0;
  let packaging: number | null = 0;
  let misc: number | null = 0;
  let weight: number | null = 0;
  for (const { sku, quantity, costs, isBundle } of components) {
    if (costs === null || isBundle || !Number.isInteger(quantity) || quantity < 1) {
      gaps.push(whyNotAdded(sku, costs, isBundle));
      // Continue, so that the seller sees all gaps at once.
      product = packaging = misc = weight = null;
      continue;
    }
    product = plus(product, quantity, productCostOf(costs, gaps));
    packaging = plus(packaging, quantity, amount(costs.packagingCost, `packaging cost of SKU ${sku}`, gaps));
    misc = plus(misc, quantity, amount(costs.miscCost, `misc cost of SKU ${sku}`, gaps));
    weight = plus(weight, quantity, weightOf(costs));
  }
  return {
    product: product as Cents | null,
    // The bundle's own SKU is the box it ships in; without one each component has its own packaging.
    packaging:
      own === null
        ? (packaging as Cents | null)
        : amount(own.packagingCost, `packaging cost of SKU ${own.sku}`, gaps),
    misc: misc as Cents | null,
    weight: weight === null ? null : (withoutDrift(weight) as Ounces),
    size: own?.size ?? null,
    isHazardous: [own, ...components.map(({ costs }) => costs)].some((costs) => costs?.isHazardous === true),
  };
}

function whyNotAdded(sku: string, costs: SkuCosts | null, isBundle: boolean): CostGap {
  // Checked before the missing SKU: a bundle needs no SKU, and adding one would add only the cost of a box.
  if (isBundle) return { kind: 'bundle_in_bundle', sku };
  if (costs === null) return { kind: 'no_component', sku };
  return { kind: 'unreadable', what: `quantity of SKU ${sku} in the bundle` };
}

/** Rounds, because 3 x 5.3 is 15.899999999999999 in binary fractions and would be in the tier below 15.9. */
function withoutDrift(weight: number): number {
  return Number(weight.toFixed(WEIGHT_DECIMALS));
}

function productCostOf(costs: SkuCosts, gaps: CostGap[]): Cents | null {
  // Zero counts as unknown: a blank imported as 0.00 would sell the listing for one cent.
  if (isPrice(costs.productCost)) return costs.productCost;
  gaps.push({ kind: 'no_product_cost', sku: costs.sku });
  return null;
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
  { weight, size, isHazardous }: BundleCost,
  gaps: CostGap[],
): Pick<ListingCost, 'fulfillment' | 'estimate' | 'toldSteps' | 'reportedBy'> {
  const { fulfillmentType, fulfillmentCost, marketplace, feeCategory, now, price, sku } = inputs;
  if (fulfillmentType === 'FBM') return { fulfillment: 0 as Cents, estimate: null };
  if (fulfillmentCost !== null) {
    return { fulfillment: amount(fulfillmentCost, 'FBA/WFS fee', gaps), estimate: null };
  }
  const estimate = estimateFulfillment({ marketplace, weight, size, feeCategory, isHazardous, now });
  const answers = inputs.reportedFulfillment;
  const [newest] = answers.slice(-1);
  if (newest !== undefined) {
    const known = typeof estimate === 'string' ? null : estimate.steps;
    const doubtedSince = inputs.fulfillmentDoubtedSince ?? null;
    const goods = { marketplace, feeCategory, isHazardous };
    const steps = reportedSteps({ ...goods, answers, doubtedSince, now }, known);
    const fulfillment = isPrice(price) ? feeAtPrice(steps, price) : null;
    if (fulfillment === null) gaps.push({ kind: 'no_fulfillment_cost', sku, noEstimate: 'not_told' });
    return { fulfillment, estimate: null, toldSteps: steps, reportedBy: newest.source };
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

/** A weight of 0 counts as unknown: forms and other systems write 0 for a missing weight. */
function weightOf({ weight }: SkuCosts): Ounces | null {
  return weight !== null && Number.isFinite(weight) && weight > 0 ? weight : null;
}

function amount(value: Cents | null, what: string, gaps: CostGap[]): Cents | null {
  if (isAmount(value)) return value;
  gaps.push({ kind: 'unreadable', what });
  return null;
}

function plus(total: number | null, quantity: number, part: number | null): number | null {
  return total === null || part === null ? null : total + quantity * part;
}

function sum(parts: readonly (Cents | null)[]): Cents | null {
  let total = 0;
  for (const part of parts) {
    if (part === null) return null;
    total += part;
  }
  return total <= MAX_CENTS ? (total as Cents) : null;
}
