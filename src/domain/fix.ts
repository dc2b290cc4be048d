import type { CostGap } from './cost.ts';
import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import { MARKETPLACE_NAMES } from './marketplaces.ts';

/** What a person can do about a blocked listing: what to enter and where. One sentence per gap. */
export function fixFor(reason: BlockReason, facts: ListingFacts): string {
  if (reason === 'unknown_cost') {
    const { gaps } = facts.cost;
    return gaps.length === 0 ? productCostFix(facts.sku) : gaps.map((gap) => gapFix(gap, facts)).join(' ');
  }
  return FIXES[reason](facts);
}

const FIXES = {
  gone: (facts) =>
    `List ${facts.sku} on ${MARKETPLACE_NAMES[facts.marketplace]} again, or delete it here. It comes back by itself once it is seen there.`,
  unreadable_price: (facts) =>
    `Enter the current price of ${facts.sku} as an amount above zero, such as 19.99.`,
  unreadable_facts: (facts) =>
    `Correct the amounts of ${facts.sku}: each has to be dollars and cents, such as 19.99.`,
  no_fee_schedule: (facts) =>
    `Enter a fee schedule for ${MARKETPLACE_NAMES[facts.marketplace]} and the fee category of ${facts.sku}, or clear the category.`,
  unreadable_rule: () =>
    'Correct the rule: minimum margin from 0 to 99.99 percent, offset in dollars and cents.',
  margin_impossible: () =>
    'Lower the minimum margin: together with the fee it takes 100% of the price or more.',
  minimum_above_maximum: (facts) => `Lower the minimum price of ${facts.sku} or raise its maximum price.`,
  floor_above_maximum: (facts) =>
    `Raise the maximum price of ${facts.sku}, lower its cost or lower the minimum margin.`,
  minimum_above_ceiling: (facts) =>
    `Set a maximum price for ${facts.sku}: its minimum price is above the ceiling that holds without one.`,
  range_not_legal: (facts) =>
    `Widen the range between minimum and maximum price of ${facts.sku}: no price in it keeps the margin.`,
} as const satisfies Record<Exclude<BlockReason, 'unknown_cost'>, (facts: ListingFacts) => string>;

function gapFix(gap: CostGap, facts: ListingFacts): string {
  switch (gap.kind) {
    case 'no_sku':
      return `Add SKU ${gap.sku} with its cost and weight to the SKUs file.`;
    case 'no_product_cost':
      return productCostFix(gap.sku);
    case 'no_component':
      return `Add SKU ${gap.sku}, a part of bundle ${facts.sku}, to the SKUs file.`;
    case 'bundle_in_bundle':
      return `SKU ${gap.sku} is a bundle itself: put its components into bundle ${facts.sku} in its place.`;
    case 'no_weight':
      return `Enter the weight of SKU ${gap.sku} in the SKUs file, or a shipping cost for ${facts.sku}.`;
    case 'no_tier':
      return `Add a shipping tier for ${MARKETPLACE_NAMES[facts.marketplace]} ${facts.fulfillmentType} that holds ${gap.weight} oz, or enter a shipping cost for ${facts.sku}.`;
    case 'no_fulfillment_cost':
      return `Enter the FBA/WFS fee for SKU ${gap.sku} on Costs; 0.00 if your shipping tier covers it.`;
    case 'bundle_unconfirmed':
      return `Save the components of bundle ${gap.sku} again on Bundles, or confirm there that it is not a bundle.`;
    case 'unreadable':
      return `Correct the ${gap.what} of ${facts.sku}.`;
  }
}

function productCostFix(sku: string): string {
  return `Enter the product cost of SKU ${sku} in the SKUs file.`;
}
