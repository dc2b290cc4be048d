import type { PackageSize } from '#domain/fees/warehouse-fee.ts';
import { type Cents, isAmount, isPrice, type Ounces } from '#domain/units.ts';
import type { CostGap, CostInputs, SkuCosts } from './cost.ts';

/** Cost and weight of the products in one unit of a listing, without shipping; null is unknown. */
export interface GoodsCost {
  readonly product: Cents | null;
  readonly packaging: Cents | null;
  readonly misc: Cents | null;
  readonly weight: Ounces | null;
  /** Of one packed unit: that of the SKU with the listing's own code, which for a bundle is its box. */
  readonly size: PackageSize | null;
  /** Any of the SKUs in it is hazardous. */
  readonly isHazardous: boolean;
}

const UNKNOWN_GOODS: GoodsCost = {
  product: null,
  packaging: null,
  misc: null,
  weight: null,
  size: null,
  isHazardous: false,
};

/** @param gaps receives what is missing */
export function singleGoods({ sku, own, bundleUnconfirmed }: CostInputs, gaps: CostGap[]): GoodsCost {
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
): GoodsCost {
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

const WEIGHT_DECIMALS = 6;

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

/** A weight of 0 counts as unknown: forms and other systems write 0 for a missing weight. */
export function weightOf({ weight }: SkuCosts): Ounces | null {
  return weight !== null && Number.isFinite(weight) && weight > 0 ? weight : null;
}

/** @param gaps receives an amount that is none */
export function amount(value: Cents | null, what: string, gaps: CostGap[]): Cents | null {
  if (isAmount(value)) return value;
  gaps.push({ kind: 'unreadable', what });
  return null;
}

function plus(total: number | null, quantity: number, part: number | null): number | null {
  return total === null || part === null ? null : total + quantity * part;
}
