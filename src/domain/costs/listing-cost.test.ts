import { describe, expect, it } from 'vitest';
import type { FulfillmentAnswer } from '#domain/fees/fulfillment-answer.ts';
import { type Cents, hours, instant, MAX_CENTS, type Ounces, ounces } from '#domain/units.ts';
import { aCharge, aPart, aSku, aTier, costInputs } from '#tests/builders/costs.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import type { CostGap, CostInputs } from './cost.ts';
import { costOfListing, tiersOverlap } from './listing-cost.ts';

function gapsOf(overrides: Partial<CostInputs>): readonly CostGap[] {
  const cost = costOfListing(costInputs(overrides));
  expect(cost.total).toBeNull();
  return cost.gaps;
}

describe('the cost of a single listing', () => {
  it('adds product, shipping tier, packaging and misc', () => {
    const own = aSku({ packagingCost: usd(0.4), miscCost: usd(0.25) });
    expect(costOfListing(costInputs({ own }))).toEqual({
      product: usd(10),
      shipping: usd(5),
      fulfillment: 0,
      packaging: usd(0.4),
      misc: usd(0.25),
      weight: 8,
      total: usd(15.65),
      gaps: [],
      estimate: null,
    });
  });

  it('adds the stored fee of a warehouse listing, and none for our own shipping', () => {
    const tiers = [aTier(0, 16, 0, { fulfillmentType: 'FBA/WFS' })];
    const warehouse = costInputs({ fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(3.22), tiers });
    expect(costOfListing(warehouse)).toMatchObject({
      shipping: 0,
      fulfillment: usd(3.22),
      total: usd(13.22),
    });
    const own = costOfListing(costInputs({ fulfillmentCost: usd(3.22) }));
    expect(own).toMatchObject({ fulfillment: 0, total: usd(15) });
  });

  it('accepts a fee, shipping, packaging and misc cost of 0.00', () => {
    const inputs = costInputs({
      fulfillmentType: 'FBA/WFS',
      fulfillmentCost: usd(0),
      shippingCost: usd(0),
      tiers: [],
    });
    expect(costOfListing(inputs)).toMatchObject({ total: usd(10), gaps: [] });
  });

  it('prefers the shipping cost of the listing to any tier, and then needs no weight', () => {
    const inputs = costInputs({ shippingCost: usd(6.5), own: aSku({ weight: null }) });
    expect(costOfListing(inputs)).toMatchObject({
      shipping: usd(6.5),
      total: usd(16.5),
      weight: null,
      gaps: [],
    });
  });

  it('accepts a total up to the largest amount', () => {
    const dear = (productCost: Cents) => costInputs({ own: aSku({ productCost }), shippingCost: usd(0.01) });
    expect(costOfListing(dear((MAX_CENTS - 1) as Cents)).total).toBe(MAX_CENTS);
    expect(costOfListing(dear(MAX_CENTS))).toMatchObject({
      total: null,
      gaps: [{ kind: 'unreadable', what: 'total cost' }],
    });
  });
});

describe('shipping of a warehouse listing', () => {
  const warehouse = { fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(3.7) } as const;
  const tier = (from: number, to: number, cost: number) =>
    aTier(from, to, cost, { fulfillmentType: 'FBA/WFS' });

  it('is 0.00 without a tier and without a weight (example 19)', () => {
    const own = aSku({ productCost: usd(8), packagingCost: usd(0.5), miscCost: usd(0.2), weight: null });
    const cost = costOfListing(costInputs({ ...warehouse, marketplace: 'amazon', own, tiers: [] }));
    expect(cost).toMatchObject({ shipping: 0, fulfillment: usd(3.7), total: usd(12.4), gaps: [] });
  });

  it('does not come from tiers for parcels we ship ourselves', () => {
    expect(costOfListing(costInputs(warehouse))).toMatchObject({ shipping: 0, gaps: [] });
  });

  it.each([
    ['the tier of its weight', ounces(8), 2],
    ['the most expensive tier for a weight that none covers', ounces(33), 3],
    ['the most expensive tier for an unknown weight', null, 3],
  ])('is %s where tiers were entered for warehouses', (_, weight, dollars) => {
    const tiers = [tier(16, 32, 3), tier(0, 16, 2)];
    const cost = costOfListing(costInputs({ ...warehouse, own: aSku({ weight }), tiers }));
    expect(cost).toMatchObject({ shipping: usd(dollars), gaps: [] });
  });

  it('has an estimated fee where none was entered, by the size of the box for a bundle', () => {
    const blank = { ...warehouse, fulfillmentCost: null, tiers: [] };
    expect(costOfListing(costInputs(blank))).toMatchObject({
      fulfillment: usd(3.45),
      total: usd(13.45),
      estimate: { basis: 'weight', tier: '1 lb' },
    });
    const box = aSku({ weight: null, size: { length: 12, width: 10, height: 10 } });
    const components = [aPart('B-1', 6, { weight: ounces(16), size: { length: 1, width: 1, height: 1 } })];
    expect(costOfListing(costInputs({ ...blank, own: box, components }))).toMatchObject({
      fulfillment: usd(7.75),
      estimate: { basis: 'size', tier: '9 lb' },
    });
    expect(costOfListing(costInputs({ ...blank, own: null, components })).estimate?.basis).toBe('weight');
  });

  it('is the shipping cost of the listing if there is one', () => {
    const cost = costOfListing(costInputs({ ...warehouse, shippingCost: usd(1), tiers: [tier(0, 16, 2)] }));
    expect(cost).toMatchObject({ shipping: usd(1), total: usd(14.7) });
  });

  it('is unknown if any tier that could apply cannot be read', () => {
    const tiers = [tier(0, 16, 2), { ...tier(16, 32, 3), cost: Number.NaN as Cents }];
    expect(gapsOf({ ...warehouse, own: aSku({ weight: null }), tiers })).toEqual([
      { kind: 'unreadable', what: 'cost of the shipping tier' },
    ]);
  });
});

describe('the first charge of a fulfillment fee', () => {
  const charge = (fee: number, hoursAgo: number, units = 1) =>
    aCharge(fee, instant(NOW - hours(hoursAgo)), { units });
  /** A package of 44 oz, which the published table has at 5.45. */
  const costWith = (charges: readonly FulfillmentAnswer[], over: Partial<CostInputs> = {}) =>
    costOfListing(
      costInputs({
        fulfillmentType: 'FBA/WFS',
        own: aSku({ weight: ounces(44) }),
        reportedFulfillment: () => charges,
        ...over,
      }),
    );

  it('lowers no published fee before a second sale a day later shows it', () => {
    // 5.45 booked for four units, whose number the report left blank.
    const wrong = charge(1.37, 30, 4);
    expect(costWith([wrong])).toMatchObject({ fulfillment: usd(5.45), estimate: { basis: 'weight' } });
    expect(costWith([wrong])).not.toHaveProperty('toldSteps');
    expect(costWith([wrong, charge(1.37, 29)])).toMatchObject({ fulfillment: usd(5.45) });
    expect(costWith([wrong, charge(5.45, 1)])).toMatchObject({ fulfillment: usd(5.45), estimate: null });
    expect(costWith([wrong, charge(1.5, 6)])).toMatchObject({ fulfillment: usd(1.5), estimate: null });
  });

  it('counts at once where it is higher, or near the published fee', () => {
    for (const fee of [7.75, 5.45, 5.2]) {
      expect(costWith([charge(fee, 1)])).toMatchObject({ fulfillment: usd(fee), estimate: null });
    }
    expect(costWith([charge(5.1, 1)])).toMatchObject({ fulfillment: usd(5.45) });
  });

  it('counts at once where an administrator accepted it', () => {
    const accepted = { ...charge(1.37, 1), isAccepted: true };
    expect(costWith([accepted])).toMatchObject({ fulfillment: usd(1.37), estimate: null });
  });

  it('is compared with what was charged for another package, which is the least that the fee is', () => {
    const other = (fee: number, hoursAgo: number) => {
      const former = { isFormer: true, isOfOtherPackage: true } as const;
      return { ...charge(fee, hoursAgo), ...former };
    };
    const before = [other(3.45, 90), other(3.45, 60)];
    expect(costWith(before)).toMatchObject({ fulfillment: usd(5.45), estimate: { basis: 'weight' } });
    const heavy = [other(7.75, 90), other(7.75, 60)];
    expect(costWith(heavy)).toMatchObject({ fulfillment: usd(7.75), estimate: { isChargedHigher: true } });
    expect(costWith([...heavy, charge(5.45, 2)])).toMatchObject({ fulfillment: usd(5.45), estimate: null });
    expect(costWith([...heavy, charge(3.45, 2)])).toMatchObject({ fulfillment: usd(7.75) });
    // Where the published fee of the new package is near, it is no other fee, and the higher one counts.
    expect(costWith([other(5.5, 90)])).toMatchObject({ fulfillment: usd(5.5), estimate: null });
    expect(costWith([other(5.2, 90)])).toMatchObject({ fulfillment: usd(5.45), estimate: null });
  });

  it('waits below what the same package was charged before the fees changed, also near the published fee', () => {
    // Entered as 44 oz, it is heavier.
    const before = [90, 60].map((hoursAgo) => ({ ...charge(7.75, hoursAgo), isFormer: true as const }));
    const low = charge(5.45, 30);
    expect(costWith([...before, low])).toMatchObject({ fulfillment: usd(7.75) });
    expect(costWith([...before, low, charge(5.45, 29)])).toMatchObject({ fulfillment: usd(7.75) });
    expect(costWith([...before, low, charge(5.45, 6)])).toMatchObject({
      fulfillment: usd(5.45),
      estimate: null,
    });
    expect(costWith([...before, low, charge(7.9, 29)])).toMatchObject({ fulfillment: usd(7.9) });
  });

  it('is assumed while no fee is published for the package and one sale alone shows it', () => {
    const unknown = { own: aSku({ weight: null }) };
    const steps = (...charges: FulfillmentAnswer[]) => costWith(charges, unknown).toldSteps?.at(-1);
    expect(steps(charge(5, 30))).toEqual({ upTo: null, fee: usd(5), isAssumed: true });
    expect(steps(charge(5, 30), charge(5.5, 29))).toMatchObject({ fee: usd(5.5), isAssumed: true });
    expect(steps(charge(5, 30), charge(4, 29))).toMatchObject({ fee: usd(5), isAssumed: true });
    expect(steps(charge(5, 30), charge(4, 29), charge(4, 6))).toEqual({ upTo: null, fee: usd(5) });
    expect(steps(charge(5, 30), charge(5, 6))).toEqual({ upTo: null, fee: usd(5) });
  });
});

describe('the shipping tier', () => {
  const shippingAt = (weight: number, tiers = costInputs().tiers) =>
    costOfListing(costInputs({ own: aSku({ weight: ounces(weight) }), tiers })).shipping;

  it.each([
    [0.1, 5],
    [15.99, 5],
    [16, 7],
    [31.9, 7],
    [32, 7],
  ])('of %d oz costs $%d: a tier includes its start, and only the last its end', (weight, dollars) => {
    expect(shippingAt(weight)).toBe(usd(dollars));
  });

  it('starts at its lower end', () => {
    expect(shippingAt(4, [aTier(4, 16, 5)])).toBe(usd(5));
    expect(shippingAt(3.9, [aTier(4, 16, 5)])).toBeNull();
  });

  it('includes its end whatever the order of the list', () => {
    const backwards = [aTier(16, 32, 7), aTier(0, 16, 5)];
    expect(shippingAt(16, backwards)).toBe(usd(7));
    expect(shippingAt(32, backwards)).toBe(usd(7));
  });

  it('is that of the listing, not of another marketplace or fulfillment type', () => {
    const others = [
      aTier(0, 16, 1, { marketplace: 'ebay' }),
      aTier(0, 16, 2, { fulfillmentType: 'FBA/WFS' }),
    ];
    expect(shippingAt(8, [...others, aTier(0, 16, 5)])).toBe(usd(5));
    expect(gapsOf({ tiers: others })).toEqual([{ kind: 'no_tier', weight: 8 }]);
  });

  it('overlaps another when both hold some weight of the same series', () => {
    expect(tiersOverlap(aTier(0, 16, 5), aTier(15, 32, 7))).toBe(true);
    expect(tiersOverlap(aTier(15, 32, 7), aTier(0, 16, 5))).toBe(true);
    expect(tiersOverlap(aTier(0, 16, 5), aTier(16, 32, 7))).toBe(false);
    expect(tiersOverlap(aTier(16, 32, 7), aTier(0, 16, 5))).toBe(false);
    expect(tiersOverlap(aTier(0, 16, 5), aTier(15, 32, 7, { marketplace: 'ebay' }))).toBe(false);
    expect(tiersOverlap(aTier(0, 16, 5), aTier(15, 32, 7, { fulfillmentType: 'FBA/WFS' }))).toBe(false);
  });
});

describe('a gap leaves the total unknown and is named', () => {
  it.each<[string, Partial<CostInputs>, CostGap[]]>([
    ['no SKU', { own: null }, [{ kind: 'no_sku', sku: 'A-1' }]],
    ['no product cost', { own: aSku({ productCost: null }) }, [{ kind: 'no_product_cost', sku: 'A-1' }]],
    [
      'a product cost of 0.00',
      { own: aSku({ productCost: usd(0) }) },
      [{ kind: 'no_product_cost', sku: 'A-1' }],
    ],
    ['no weight', { own: aSku({ weight: null }) }, [{ kind: 'no_weight', sku: 'A-1' }]],
    [
      'a weight that cannot be read',
      { own: aSku({ weight: Number.NaN as Ounces }) },
      [{ kind: 'no_weight', sku: 'A-1' }],
    ],
    [
      'a weight without end',
      { own: aSku({ weight: Number.POSITIVE_INFINITY as Ounces }) },
      [{ kind: 'no_weight', sku: 'A-1' }],
    ],
    ['a weight of nothing', { own: aSku({ weight: ounces(0) }) }, [{ kind: 'no_weight', sku: 'A-1' }]],
    ['a negative weight', { own: aSku({ weight: -1 as Ounces }) }, [{ kind: 'no_weight', sku: 'A-1' }]],
    ['no tier', { own: aSku({ weight: ounces(33) }) }, [{ kind: 'no_tier', weight: 33 as Ounces }]],
    [
      'no warehouse fee',
      { fulfillmentType: 'FBA/WFS', marketplace: 'ebay' },
      [{ kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'no_table' }],
    ],
    [
      'no warehouse fee to be estimated at this price',
      { fulfillmentType: 'FBA/WFS', price: usd(9.99) },
      [{ kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'price' }],
    ],
    [
      'hazardous goods of FBA, however well measured',
      {
        fulfillmentType: 'FBA/WFS',
        marketplace: 'amazon',
        own: aSku({ isHazardous: true, size: { length: 5, width: 5, height: 5 } }),
      },
      [{ kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'hazardous' }],
    ],
    [
      'a bundle of FBA with a hazardous component',
      {
        fulfillmentType: 'FBA/WFS',
        marketplace: 'amazon',
        components: [aPart('B-1', 1), aPart('B-2', 1, { isHazardous: true })],
      },
      [{ kind: 'no_fulfillment_cost', sku: 'A-1', noEstimate: 'hazardous' }],
    ],
    ['an unconfirmed bundle', { bundleUnconfirmed: true }, [{ kind: 'bundle_unconfirmed', sku: 'A-1' }]],
    [
      'a negative shipping cost',
      { shippingCost: -1 as Cents },
      [{ kind: 'unreadable', what: 'shipping cost' }],
    ],
    [
      'a tier with a cost that cannot be read',
      { tiers: [{ ...aTier(0, 16, 5), cost: Number.NaN as Cents }] },
      [{ kind: 'unreadable', what: 'cost of the shipping tier' }],
    ],
    [
      'packaging that cannot be read',
      { own: aSku({ packagingCost: 0.5 as Cents }) },
      [{ kind: 'unreadable', what: 'packaging cost of SKU A-1' }],
    ],
    [
      'misc that cannot be read',
      { own: aSku({ miscCost: -3 as Cents }) },
      [{ kind: 'unreadable', what: 'misc cost of SKU A-1' }],
    ],
    [
      'a warehouse fee that cannot be read',
      { fulfillmentType: 'FBA/WFS', shippingCost: usd(0), fulfillmentCost: -3 as Cents },
      [{ kind: 'unreadable', what: 'FBA/WFS fee' }],
    ],
    [
      'two gaps at once',
      { own: aSku({ productCost: null, weight: null }) },
      [
        { kind: 'no_product_cost', sku: 'A-1' },
        { kind: 'no_weight', sku: 'A-1' },
      ],
    ],
  ])('%s', (_, overrides, expected) => {
    expect(gapsOf(overrides)).toEqual(expected);
  });

  it('leaves the parts that are known readable', () => {
    const cost = costOfListing(costInputs({ own: aSku({ weight: null }) }));
    expect(cost).toMatchObject({ product: usd(10), shipping: null, total: null });
    expect(costOfListing(costInputs({ own: null }))).toMatchObject({
      product: null,
      packaging: null,
      misc: null,
    });
  });
});

describe('the cost of a bundle', () => {
  const parts = [
    aPart('B-1', 2, { packagingCost: usd(0.1), miscCost: usd(0.05) }),
    aPart('B-2', 1, { productCost: usd(4), weight: ounces(3), packagingCost: usd(0.3) }),
  ];

  it('is the sum of its parts times their quantity', () => {
    const cost = costOfListing(costInputs({ own: null, components: parts }));
    expect(cost).toMatchObject({ product: usd(24), packaging: usd(0.5), misc: usd(0.1), weight: 19 });
    expect(cost).toMatchObject({ shipping: usd(7), total: usd(31.6), gaps: [] });
  });

  it.each([
    [5.3, 3, 15.9, 9],
    [0.1, 3, 0.3, 9],
    [5.3, 2, 15.9, 5],
  ])(
    'multiplies %s oz by %i without binary fractions, so that the tier from %s oz is exact',
    (each, quantity, edge, shipping) => {
      const heavy = [aPart('B-1', quantity, { weight: ounces(each) })];
      const tiers = [aTier(0, edge, 5), aTier(edge, 100, 9)];
      expect(costOfListing(costInputs({ components: heavy, tiers }))).toMatchObject({
        shipping: usd(shipping),
      });
    },
  );

  it('takes the packaging of the box it ships in, and nothing else of the box', () => {
    const own = aSku({
      productCost: usd(99),
      packagingCost: usd(1.2),
      miscCost: usd(9),
      weight: ounces(500),
    });
    const cost = costOfListing(costInputs({ own, components: parts }));
    expect(cost).toMatchObject({ product: usd(24), packaging: usd(1.2), misc: usd(0.1), weight: 19 });
    const torn = { ...own, packagingCost: -1 as Cents };
    expect(gapsOf({ own: torn, components: parts })).toEqual([
      { kind: 'unreadable', what: 'packaging cost of SKU A-1' },
    ]);
  });

  it('is the sum of its components even while it is unconfirmed', () => {
    expect(costOfListing(costInputs({ components: parts, bundleUnconfirmed: true })).gaps).toEqual([]);
  });

  it('reports all missing components at once', () => {
    const components = [aPart('B-1', 1, null), aPart('B-2', 1, { productCost: null }), aPart('B-3', 1, null)];
    const cost = costOfListing(costInputs({ components, own: null }));
    expect(cost).toMatchObject({ product: null, packaging: null, misc: null, weight: null, total: null });
    expect(cost.gaps).toEqual([
      { kind: 'no_component', sku: 'B-1' },
      { kind: 'no_product_cost', sku: 'B-2' },
      { kind: 'no_component', sku: 'B-3' },
    ]);
  });

  it('does not take the box of another bundle for its goods', () => {
    const set = { ...aPart('SET-9', 2, { productCost: usd(0.5) }), isBundle: true };
    const cost = costOfListing(costInputs({ components: [aPart('B-1', 1), set], own: null }));
    expect(cost).toMatchObject({ product: null, packaging: null, misc: null, weight: null, total: null });
    expect(cost.gaps).toEqual([{ kind: 'bundle_in_bundle', sku: 'SET-9' }]);
    const withoutSku = { ...aPart('SET-9', 2, null), isBundle: true };
    expect(gapsOf({ components: [withoutSku] })).toEqual([{ kind: 'bundle_in_bundle', sku: 'SET-9' }]);
  });

  it('does not return the sum of the known components as the total', () => {
    const components = [aPart('B-1', 1, { productCost: null, weight: null }), aPart('B-2', 1)];
    expect(costOfListing(costInputs({ components }))).toMatchObject({ product: null, weight: null });
    expect(costOfListing(costInputs({ components: components.toReversed() }))).toMatchObject({
      product: null,
      weight: null,
    });
  });

  it('reports the component without a weight', () => {
    const components = [aPart('B-1', 1), aPart('B-2', 1, { weight: null })];
    expect(gapsOf({ components })).toEqual([{ kind: 'no_weight', sku: 'B-2' }]);
    expect(gapsOf({ components: [...components, aPart('B-3', 1, { weight: null })] })).toEqual([
      { kind: 'no_weight', sku: 'B-2' },
    ]);
    const missing = [aPart('B-0', 1, null), aPart('B-2', 1)];
    expect(gapsOf({ components: missing })).toEqual([{ kind: 'no_component', sku: 'B-0' }]);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a quantity of %d', (quantity) => {
    const cost = costOfListing(costInputs({ components: [aPart('B-1', quantity)] }));
    expect(cost).toMatchObject({ product: null, misc: null, weight: null, total: null });
    expect(cost.gaps[0]).toEqual({ kind: 'unreadable', what: 'quantity of SKU B-1 in the bundle' });
  });

  it('reports invalid values of a component', () => {
    const components = [aPart('B-1', 1, { packagingCost: -1 as Cents, miscCost: Number.NaN as Cents })];
    expect(gapsOf({ components, own: null })).toEqual([
      { kind: 'unreadable', what: 'packaging cost of SKU B-1' },
      { kind: 'unreadable', what: 'misc cost of SKU B-1' },
    ]);
  });
});
