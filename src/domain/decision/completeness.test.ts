import { describe, expect, it } from 'vitest';
import type { ListingCost } from '#domain/costs/cost.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Bps, type Cents, MAX_CENTS } from '#domain/units.ts';
import { aCost, aListing, aPolicy, aRule, chosen, pct, usd } from '#tests/builders/facts.ts';
import { isReadableRule, missingFact } from './completeness.ts';
import { decide } from './decide.ts';
import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

const HOLD = [{ when: [], action: { kind: 'hold' }, turn: null, asksFirst: false } as const];

const UNREADABLE = [Number.NaN, Number.POSITIVE_INFINITY, -1, 19.5, MAX_CENTS + 1] as Cents[];

function blockOf(facts: Partial<ListingFacts>): BlockReason | null {
  const listing = aListing(facts);
  const missing = missingFact(listing);
  const decision = decide(listing, chosen({ strategy: 'Fixed Margin' }), aPolicy());
  if (missing !== null)
    expect(decision).toMatchObject({ kind: 'blocked', price: null, reason: missing, reviewReason: null });
  return missing;
}

describe('facts have to be complete before a price is decided', () => {
  it('are complete in the usual scenario', () => {
    expect(blockOf({})).toBeNull();
    const bounds = { minPrice: usd(15), maxPrice: usd(15), anchorPrice: null, priceDayAgo: usd(20) };
    expect(blockOf({ ...bounds, pendingPrice: usd(19), shippingCharge: usd(0) })).toBeNull();
  });

  it.each([null, 0, ...UNREADABLE])('a current price of %s', (price) => {
    expect(blockOf({ currentPrice: price as Cents | null, anchorPrice: usd(20) })).toBe('unreadable_price');
  });

  it('an unknown shipping charge: unknown is not zero', () => {
    for (const charge of [null, ...UNREADABLE]) {
      expect(blockOf({ shippingCharge: charge })).toBe('unreadable_facts');
    }
  });

  it.each(['minPrice', 'maxPrice', 'anchorPrice', 'priceDayAgo', 'pendingPrice'] as const)(
    '%s may be unset, but not unreadable or zero',
    (fact) => {
      expect(blockOf({ [fact]: null })).toBeNull();
      for (const price of [0 as Cents, ...UNREADABLE])
        expect(blockOf({ [fact]: price })).toBe('unreadable_facts');
    },
  );

  it('a listing that is missing on its marketplace, whatever else is missing', () => {
    expect(blockOf({ isMissing: true })).toBe('gone');
    expect(blockOf({ isMissing: true, fees: null, currentPrice: null })).toBe('gone');
  });

  it('no fee schedule', () => {
    expect(blockOf({ fees: null })).toBe('no_fee_schedule');
  });

  it('a minimum above the maximum', () => {
    expect(blockOf({ minPrice: usd(20.01), maxPrice: usd(20) })).toBe('minimum_above_maximum');
    expect(blockOf({ minPrice: usd(20), maxPrice: usd(20) })).toBeNull();
  });
});

describe('the cost has to be known', () => {
  const PARTS = ['product', 'shipping', 'fulfillment', 'packaging', 'misc', 'total'] as const;
  const withCost = (overrides: Partial<ListingCost>) => blockOf({ cost: { ...aCost(10), ...overrides } });

  it.each(PARTS)('unknown %s', (part) => {
    expect(withCost({ [part]: null })).toBe('unknown_cost');
  });

  it('a product cost of exactly 0.00 is unknown too', () => {
    expect(withCost({ product: usd(0), misc: usd(10) })).toBe('unknown_cost');
  });

  it('a known gap', () => {
    expect(withCost({ gaps: [{ kind: 'no_sku', sku: 'A-1' }] })).toBe('unknown_cost');
  });

  it.each(PARTS)('unreadable %s', (part) => {
    for (const value of UNREADABLE) expect(withCost({ [part]: value })).toBe('unreadable_facts');
  });

  it.each(PARTS.filter((part) => part !== 'total'))('invalid %s that another part compensates', (part) => {
    const other = part === 'misc' ? 'packaging' : 'misc';
    // Half a cent less here and half a cent more there: the sum is right, the parts are not.
    const halves = { [part]: (aCost(10)[part] ?? 0) - 0.5, [other]: 0.5 } as Partial<ListingCost>;
    expect(withCost(halves)).toBe('unreadable_facts');
  });

  it.each(PARTS.filter((part) => part !== 'total'))('one unreadable %s is enough', (part) => {
    const total = ((aCost(10).total ?? 0) + 0.5) as Cents;
    expect(withCost({ [part]: (aCost(10)[part] ?? 0) + 0.5, total })).toBe('unreadable_facts');
    const other = part === 'product' ? 'misc' : 'product';
    const negative = { [part]: -1, [other]: usd(10.01), total: usd(10) } as Partial<ListingCost>;
    expect(withCost(negative)).toBe('unreadable_facts');
  });

  it('a total beyond the largest amount', () => {
    const total = (MAX_CENTS + 1) as Cents;
    expect(withCost({ product: MAX_CENTS, misc: 1 as Cents, total })).toBe('unreadable_facts');
    expect(withCost({ product: (MAX_CENTS - 1) as Cents, misc: 1 as Cents, total: MAX_CENTS })).toBeNull();
  });

  it('a total without one of its parts', () => {
    expect(withCost({ shipping: usd(1) })).toBe('unreadable_facts');
    expect(withCost({ total: usd(9.99) })).toBe('unreadable_facts');
    const parts = { shipping: usd(1), fulfillment: usd(2), packaging: usd(3), misc: usd(4) };
    expect(withCost({ ...parts, total: usd(20) })).toBeNull();
  });
});

describe('a rule needs valid numbers', () => {
  it.each<[Bps, boolean]>([
    [pct(0), true],
    [pct(99.99), true],
    [pct(100), false],
    [pct(-0.01), false],
    [0.5 as Bps, false],
    [Number.NaN as Bps, false],
    [null as unknown as Bps, false],
  ])('a minimum margin of %s: %s', (margin, readable) => {
    expect(isReadableRule(aRule(), margin, 'walmart')).toBe(readable);
  });

  it.each<[number | null, boolean]>([
    [null, true],
    [0, true],
    [-500, true],
    [MAX_CENTS, true],
    [-MAX_CENTS, true],
    [MAX_CENTS + 1, false],
    [-MAX_CENTS - 1, false],
    [0.5, false],
    [Number.NaN, false],
  ])('an offset of %s: %s', (offset, readable) => {
    expect(isReadableRule(aRule({ competitorOffset: offset as Cents | null }), pct(10), 'walmart')).toBe(
      readable,
    );
  });

  it.each<[Partial<Rule>, boolean]>([
    [{ targetMargin: pct(35) }, true],
    [{ targetMargin: Number.NaN as Bps }, false],
    [{ targetMargin: pct(100) }, false],
    [{ marketplaceTargets: { walmart: -1 as Bps } }, false],
    [{ marketplaceTargets: { amazon: -1 as Bps } }, true],
    [{ winShare: pct(101) }, false],
    [{ ignoreUnderFloor: 0.5 as Bps }, false],
  ])('of a rule with lines, %j: %s', (terms, readable) => {
    expect(isReadableRule(aRule({ lines: HOLD, ...terms }), pct(10), 'walmart')).toBe(readable);
  });

  it('blocks otherwise, a chosen rule without any margin too', () => {
    const unreadable = { kind: 'blocked', reason: 'unreadable_rule', marginFloor: null };
    const offset = chosen({ competitorOffset: Number.NaN as Cents });
    expect(decide(aListing(), offset, aPolicy())).toMatchObject(unreadable);
    for (const kind of ['own', 'matched'] as const) {
      const choice = { kind, rule: aRule(), minimumMargin: null as unknown as Bps };
      expect(decide(aListing(), choice, aPolicy())).toMatchObject(unreadable);
    }
  });
});
