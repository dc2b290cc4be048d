import type { ListingProblem } from '#contract/listings.ts';

interface ProblemWords {
  /** In two or three words, small: "120 no cost". */
  readonly name: string;
  /** What a person can do about it. */
  readonly fix: string;
}

/** Why a listing gets no price from the engine. */
export const PROBLEM_WORDS = {
  gone: {
    name: 'not found there',
    fix: 'List it on the marketplace again, or delete it here. It comes back by itself once it is seen there.',
  },
  no_sku: { name: 'no SKU', fix: 'Add this SKU with its cost and weight.' },
  no_product_cost: { name: 'no cost', fix: 'Enter the product cost of the SKU: Edit Costs.' },
  no_component: { name: 'component missing', fix: 'Add the SKU that is a part of this bundle.' },
  bundle_in_bundle: {
    name: 'bundle in a bundle',
    fix: 'A component is a bundle itself: put its own components in its place.',
  },
  no_weight: { name: 'no weight', fix: 'Enter the weight of the SKU, or a shipping cost for the listing.' },
  no_tier: {
    name: 'no shipping tier',
    fix: 'Add a shipping tier for this weight, or enter a shipping cost for the listing.',
  },
  no_fulfillment_cost: {
    name: 'no FBA/WFS fee',
    fix: 'Enter the FBA/WFS fee: Edit Costs. 0.00 if your shipping tier covers it.',
  },
  bundle_unconfirmed: {
    name: 'bundle removed',
    fix: 'Save the components again on Bundles, or confirm there that it is not a bundle.',
  },
  unreadable: { name: 'unreadable cost', fix: 'Correct the amounts: dollars and cents such as 19.99.' },
  no_fee_schedule: {
    name: 'no fee schedule',
    fix: 'Enter a fee schedule for the marketplace, or correct the fee category.',
  },
  unreadable_rule: {
    name: 'unreadable rule',
    fix: 'Correct the minimum margin and the offset of the rule.',
  },
  unreadable_price: {
    name: 'unreadable price',
    fix: 'Enter the current price as an amount above zero such as 19.99.',
  },
  unreadable_facts: {
    name: 'unreadable amounts',
    fix: 'Correct the amounts of this listing: dollars and cents such as 19.99.',
  },
  margin_impossible: {
    name: 'impossible margin',
    fix: 'Lower the minimum margin: together with the fee it takes 100% of the price or more.',
  },
  minimum_above_maximum: {
    name: 'minimum above maximum',
    fix: 'Lower the minimum price or raise the maximum price.',
  },
  floor_above_maximum: {
    name: 'maximum too low',
    fix: 'Raise the maximum price, or lower the cost or the minimum margin: up to it every price loses the margin.',
  },
  minimum_above_ceiling: {
    name: 'minimum too high',
    fix: 'Set a maximum price: the minimum is above the highest price allowed without one.',
  },
  range_not_legal: {
    name: 'range too tight',
    fix: 'Widen the range from minimum to maximum price: no price in it keeps the margin.',
  },
  no_rule: { name: 'no rule', fix: 'Give the listing a rule, or create one that fits it.' },
} as const satisfies Record<ListingProblem, ProblemWords>;

/** The name where it stands alone, as in a filter: "No cost". */
export function problemName(problem: ListingProblem): string {
  const { name } = PROBLEM_WORDS[problem];
  return name.charAt(0).toUpperCase() + name.slice(1);
}
