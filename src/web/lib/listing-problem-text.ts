import type { ListingProblem } from '#contract/listings.ts';

interface ProblemText {
  /** Two or three words in lowercase: "120 no cost". */
  readonly name: string;
  /** What the user can do about it. */
  readonly fix: string;
}

/** Why a listing cannot be repriced. */
export const PROBLEM_TEXT = {
  gone: {
    name: 'not found on marketplace',
    fix: 'Relist it on the marketplace, or delete it here. It is restored automatically when the next sync finds it.',
  },
  no_sku: { name: 'no SKU', fix: 'Add this SKU with its cost and weight.' },
  no_product_cost: { name: 'no cost', fix: 'Enter the product cost of the SKU under Edit Costs.' },
  no_component: { name: 'component missing', fix: 'Add the missing component SKU of this bundle.' },
  bundle_in_bundle: {
    name: 'bundle in a bundle',
    fix: 'A component is itself a bundle. Replace it with its components.',
  },
  no_weight: { name: 'no weight', fix: 'Enter the weight of the SKU, or a shipping cost for the listing.' },
  no_tier: {
    name: 'no shipping tier',
    fix: 'Add a shipping tier for this weight, or enter a shipping cost for the listing.',
  },
  no_fulfillment_cost: {
    name: 'no FBA/WFS fee',
    fix: 'Enter the FBA/WFS fee under Edit Costs, or size and weight of the SKU, from which it is estimated.',
  },
  bundle_unconfirmed: {
    name: 'bundle removed',
    fix: 'Save the components again under Bundles, or confirm there that it is not a bundle.',
  },
  unreadable: { name: 'invalid cost', fix: 'Correct the costs. Use dollars and cents such as 19.99.' },
  no_fee_schedule: {
    name: 'no fee schedule',
    fix: 'Enter a fee schedule for the marketplace, or correct the fee category.',
  },
  unreadable_rule: {
    name: 'invalid rule',
    fix: 'Correct the minimum margin and the offset of the rule.',
  },
  unreadable_price: {
    name: 'invalid price',
    fix: 'Enter a current price above zero such as 19.99.',
  },
  unreadable_facts: {
    name: 'invalid amounts',
    fix: 'Correct the amounts of this listing. Use dollars and cents such as 19.99.',
  },
  margin_impossible: {
    name: 'impossible margin',
    fix: 'Lower the minimum margin. With the fee it exceeds 100% of the price.',
  },
  minimum_above_maximum: {
    name: 'minimum above maximum',
    fix: 'Lower the minimum price or raise the maximum price.',
  },
  floor_above_maximum: {
    name: 'maximum too low',
    fix: 'Raise the maximum price, or lower the cost or the minimum margin. The margin floor is above the maximum price.',
  },
  minimum_above_ceiling: {
    name: 'minimum too high',
    fix: 'Set a maximum price. The minimum price is above the price ceiling.',
  },
  range_not_legal: {
    name: 'range too tight',
    fix: 'Widen the range between minimum and maximum price. No price in it keeps the margin.',
  },
  bounds_conflict: {
    name: 'limits conflict',
    fix: 'Change the limits on the marketplace, or the minimum price, MAP price, maximum price, cost or minimum margin here. No price fits both.',
  },
  group_blocked: {
    name: 'shared price',
    fix: 'It shares one price with another listing on its marketplace, and that listing has a problem. Fix that listing first.',
  },
  group_conflict: {
    name: 'no shared price',
    fix: 'It shares one price with other listings on its marketplace, and no price is allowed for all of them. Change their limits, costs or minimum margins.',
  },
  no_rule: { name: 'no rule', fix: 'Assign a rule to the listing, or create one that matches it.' },
} as const satisfies Record<ListingProblem, ProblemText>;

/** The label on its own, as in a filter: "No cost". */
export function problemName(problem: ListingProblem): string {
  const { name } = PROBLEM_TEXT[problem];
  return name.charAt(0).toUpperCase() + name.slice(1);
}
