import { describe, expect, it } from 'vitest';
import type { CostGap } from '#domain/costs/cost.ts';
import { ounces } from '#domain/units.ts';
import { aCost, aListing } from '#tests/builders/facts.ts';
import type { BlockReason } from './decision.ts';
import { fixFor } from './fix.ts';

describe('the fix for a blocked listing', () => {
  it.each<[BlockReason, string]>([
    [
      'gone',
      'Relist A-1 on Walmart, or delete it here. It is restored automatically when the next sync finds it.',
    ],
    ['unreadable_price', 'Enter the current price of A-1 as an amount above zero, such as 19.99.'],
    ['unreadable_facts', 'Correct the amounts of A-1: each has to be dollars and cents, such as 19.99.'],
    ['unknown_cost', 'Enter the product cost of SKU A-1 under SKUs.'],
    [
      'no_fee_schedule',
      'Enter a fee schedule for Walmart and the fee category of A-1, or clear the category.',
    ],
    [
      'unreadable_rule',
      'Correct the rule: minimum margin from 0 to 99.99 percent, offset in dollars and cents.',
    ],
    [
      'margin_impossible',
      'Lower the minimum margin: together with the fees it adds up to 100% of the price or more.',
    ],
    ['minimum_above_maximum', 'Lower the minimum price of A-1 or raise its maximum price.'],
    ['floor_above_maximum', 'Raise the maximum price of A-1, lower its cost or lower the minimum margin.'],
    [
      'minimum_above_ceiling',
      'Set a maximum price for A-1: its minimum price is above the price ceiling that applies without one.',
    ],
    [
      'range_not_legal',
      'Widen the range between minimum and maximum price of A-1: no price in it keeps the margin.',
    ],
    [
      'bounds_conflict',
      'Change the limits of A-1 on Walmart, or its minimum price, MAP price, maximum price, cost or minimum margin here.',
    ],
  ])('%s', (reason, fix) => {
    expect(fixFor(reason, aListing())).toBe(fix);
  });
});

describe('the fix for an unknown cost', () => {
  const fixOf = (...gaps: CostGap[]) =>
    fixFor('unknown_cost', aListing({ cost: { ...aCost(10), total: null, gaps } }));

  it.each<[CostGap, string]>([
    [{ kind: 'no_sku', sku: 'A-1' }, 'Add SKU A-1 with its cost and weight under SKUs.'],
    [{ kind: 'no_product_cost', sku: 'B-2' }, 'Enter the product cost of SKU B-2 under SKUs.'],
    [{ kind: 'no_component', sku: 'B-2' }, 'Add SKU B-2, a component of bundle A-1, under SKUs.'],
    [
      { kind: 'bundle_in_bundle', sku: 'SET-9' },
      'SKU SET-9 is itself a bundle: add its components to bundle A-1 instead.',
    ],
    [
      { kind: 'no_weight', sku: 'B-2' },
      'Enter the weight of SKU B-2 under SKUs, or a shipping cost for A-1.',
    ],
    [
      { kind: 'no_tier', weight: ounces(33) },
      'Add a shipping tier for Walmart FBM that covers 33 oz, or enter a shipping cost for A-1.',
    ],
    [{ kind: 'no_fulfillment_cost', sku: 'A-1' }, 'Enter the FBA/WFS fee for SKU A-1 under Costs.'],
    [
      { kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'no_weight' },
      'Enter the FBA/WFS fee for SKU A-1 under Costs, or its weight and size under SKUs.',
    ],
    [
      { kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'season' },
      'Enter the FBA/WFS fee for SKU A-1 under Costs: it cannot be estimated in the holiday season, which has fees of its own.',
    ],
    [
      { kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'apparel' },
      'Enter the FBA/WFS fee for SKU A-1 under Costs: apparel has fees of its own that cannot be estimated. A connected marketplace reports it within a day; if this is not apparel, enter its fee category.',
    ],
    [
      { kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'hazardous' },
      'Enter the FBA/WFS fee for SKU A-1 under Costs: hazardous goods have FBA fees of their own that cannot be estimated. A connected marketplace reports it within a day; if nothing in it is hazardous, correct that under SKUs.',
    ],
    [
      { kind: 'bundle_unconfirmed', sku: 'A-1' },
      'Save the components of bundle A-1 again under Bundles, or confirm there that it is not a bundle.',
    ],
    [{ kind: 'unreadable', what: 'shipping cost' }, 'Correct the shipping cost of A-1.'],
  ])('%o', (gap, fix) => {
    expect(fixOf(gap)).toBe(fix);
  });

  it('names the file where the data comes from files', () => {
    const gaps: CostGap[] = [
      { kind: 'no_sku', sku: 'A-1' },
      { kind: 'no_product_cost', sku: 'B-2' },
    ];
    expect(fixFor('unknown_cost', aListing({ cost: { ...aCost(10), total: null, gaps } }), 'files')).toBe(
      'Add SKU A-1 with its cost and weight to the SKUs file. Enter the product cost of SKU B-2 in the SKUs file.',
    );
  });

  it('says all of it at once', () => {
    expect(fixOf({ kind: 'no_product_cost', sku: 'A-1' }, { kind: 'no_weight', sku: 'A-1' })).toBe(
      'Enter the product cost of SKU A-1 under SKUs. Enter the weight of SKU A-1 under SKUs, or a shipping cost for A-1.',
    );
  });
});
