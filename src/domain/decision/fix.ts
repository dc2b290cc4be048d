import type { CostGap, UnknownEstimate } from '#domain/costs/cost.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { listText } from '#domain/text.ts';
import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

/** Where the seller enters data: on screens, or in the files of the command line. */
export type DataPlace = 'screens' | 'files';

/** How to fix a blocked listing: what to enter and where, one sentence per gap. */
export function fixFor(reason: BlockReason, facts: ListingFacts, place: DataPlace = 'screens'): string {
  if (reason === 'unknown_cost') {
    const { gaps } = facts.cost;
    return gaps.length === 0
      ? productCostFix(facts.sku, place)
      : gaps.map((gap) => gapFix(gap, facts, place)).join(' ');
  }
  return FIXES[reason](facts);
}

const FIXES = {
  gone: (facts) =>
    `Relist ${facts.sku} on ${MARKETPLACE_NAMES[facts.marketplace]}, or delete it here. It is restored automatically when the next sync finds it.`,
  unreadable_price: (facts) =>
    `Enter the current price of ${facts.sku} as an amount above zero, such as 19.99.`,
  unreadable_facts: (facts) =>
    `Correct the amounts of ${facts.sku}: each has to be dollars and cents, such as 19.99.`,
  no_fee_schedule: (facts) =>
    `Enter a fee schedule for ${MARKETPLACE_NAMES[facts.marketplace]} and the fee category of ${facts.sku}, or clear the category.`,
  unreadable_rule: () =>
    'Correct the rule: minimum margin from 0 to 99.99 percent, offset in dollars and cents.',
  margin_impossible: () =>
    'Lower the minimum margin: together with the fees it adds up to 100% of the price or more.',
  minimum_above_maximum: (facts) => `Lower the minimum price of ${facts.sku} or raise its maximum price.`,
  floor_above_maximum: (facts) =>
    `Raise the maximum price of ${facts.sku}, lower its cost or lower the minimum margin.`,
  minimum_above_ceiling: (facts) =>
    `Set a maximum price for ${facts.sku}: its minimum price is above the price ceiling that applies without one.`,
  range_not_legal: (facts) =>
    `Widen the range between minimum and maximum price of ${facts.sku}: no price in it keeps the margin.`,
  bounds_conflict: (facts) =>
    `Change the limits of ${facts.sku} on ${MARKETPLACE_NAMES[facts.marketplace]}, or its minimum price, MAP price, maximum price, cost or minimum margin here.`,
  group_blocked: ({ group }) => `Correct ${group?.stop?.sku ?? 'the other listing'}: both share one price.`,
  group_conflict: ({ sku, group }) =>
    `Change the limits, costs or minimum margins of ${listText([sku, ...(group?.others ?? [])])}, or give them prices of their own on the marketplace.`,
} as const satisfies Record<Exclude<BlockReason, 'unknown_cost'>, (facts: ListingFacts) => string>;

function gapFix(gap: CostGap, facts: ListingFacts, place: DataPlace): string {
  switch (gap.kind) {
    case 'no_sku':
      return `Add SKU ${gap.sku} with its cost and weight ${INTO[place]}.`;
    case 'no_product_cost':
      return productCostFix(gap.sku, place);
    case 'no_component':
      return `Add SKU ${gap.sku}, a component of bundle ${facts.sku}, ${INTO[place]}.`;
    case 'bundle_in_bundle':
      return `SKU ${gap.sku} is itself a bundle: add its components to bundle ${facts.sku} instead.`;
    case 'no_weight':
      return `Enter the weight of SKU ${gap.sku} ${IN[place]}, or a shipping cost for ${facts.sku}.`;
    case 'no_tier':
      return `Add a shipping tier for ${MARKETPLACE_NAMES[facts.marketplace]} ${facts.fulfillmentType} that covers ${gap.weight} oz, or enter a shipping cost for ${facts.sku}.`;
    case 'no_fulfillment_cost':
      return `Enter the FBA/WFS fee for SKU ${gap.sku} under Costs${NO_ESTIMATE[gap.noEstimate ?? 'no_table'][place]}.`;
    case 'bundle_unconfirmed':
      return `Save the components of bundle ${gap.sku} again under Bundles, or confirm there that it is not a bundle.`;
    case 'unreadable':
      return `Correct the ${gap.what} of ${facts.sku}.`;
  }
}

/** Why the fee is not estimated, or how it would be. */
const NO_ESTIMATE = {
  no_table: both(''),
  no_weight: {
    screens: ', or its weight and size under SKUs',
    files: ', or its weight and size in the SKUs file',
  },
  season: both(': it cannot be estimated in the holiday season, which has fees of its own'),
  apparel: {
    screens:
      ': apparel has fees of its own that cannot be estimated. A connected marketplace reports it within a day; if this is not apparel, enter its fee category',
    files:
      ': apparel has fees of its own that cannot be estimated. If this is not apparel, correct its feeCategory',
  },
  hazardous: {
    screens:
      ': hazardous goods have FBA fees of their own that cannot be estimated. A connected marketplace reports it within a day; if nothing in it is hazardous, correct that under SKUs',
    files:
      ': hazardous goods have FBA fees of their own that cannot be estimated. If nothing in it is hazardous, correct isHazardous in the SKUs file',
  },
  oversize: both(': it cannot be estimated for a package this large or heavy'),
  price: both(': it cannot be estimated at this price'),
  not_told: both(': the marketplace has not reported it at this price yet'),
} as const satisfies Record<UnknownEstimate, Record<DataPlace, string>>;

function both(text: string): Record<DataPlace, string> {
  return { screens: text, files: text };
}

const IN = { screens: 'under SKUs', files: 'in the SKUs file' } as const satisfies Record<DataPlace, string>;
const INTO = { screens: 'under SKUs', files: 'to the SKUs file' } as const satisfies Record<
  DataPlace,
  string
>;

function productCostFix(sku: string, place: DataPlace): string {
  return `Enter the product cost of SKU ${sku} ${IN[place]}.`;
}
