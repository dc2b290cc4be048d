import { describe, expect, it } from 'vitest';
import type { Rule } from '#domain/rules/rule.ts';
import { aListing, anOffer, aPolicy, chosen, pct, usd } from '#tests/builders/facts.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { ListingFacts } from './facts.ts';

/** Cost $10.00, 15% fee, margin 10%: the floor is $13.34; at $20.00 one step reaches 17.00 to 23.00. */
function priced(rule: Partial<Rule>, facts: Partial<ListingFacts> = {}): Decision {
  return decide(aListing(facts), chosen(rule), aPolicy());
}

const competitors = (...prices: number[]) => ({ offers: prices.map((price) => anOffer(price)) });

describe('Match Competitor', () => {
  const match = { strategy: 'Match Competitor' } as const;

  it.each([
    [null, 18.99],
    [0, 18.99],
    [0.5, 19.49],
    [-0.5, 18.49],
  ])('with an offset of %s asks $%d', (offset, price) => {
    const rule = { ...match, competitorOffset: offset === null ? null : usd(offset) };
    expect(priced(rule, competitors(18.99, 25))).toMatchObject({
      kind: 'change',
      price: usd(price),
      reason: 'matched',
      bindingLimit: 'none',
      reference: usd(18.99),
      marginFloor: usd(13.34),
    });
  });

  it('compares landed prices: competitor 24.99 with free shipping, our charge 4.99, parcel 6.50: price 20.00', () => {
    const facts = { currentPrice: usd(18.49), shippingCharge: usd(4.99), ...competitors(24.99) };
    expect(priced(match, facts)).toMatchObject({ kind: 'change', price: usd(20), reference: usd(20) });
  });

  it("counts the competitor's shipping charge", () => {
    const offers = [anOffer(15, { shipping: usd(3.5) }), anOffer(18.75)];
    expect(priced(match, { offers })).toMatchObject({ price: usd(18.5), reference: usd(18.5) });
  });
});

describe('Beat Competitor', () => {
  const beat = { strategy: 'Beat Competitor' } as const;

  it.each([
    [null, 18.98],
    [0.05, 18.94],
    [-0.05, 18.94],
    [0, 18.99],
  ])('with an offset of %s asks $%d', (offset, price) => {
    const rule = { ...beat, competitorOffset: offset === null ? null : usd(offset) };
    expect(priced(rule, competitors(18.99))).toMatchObject({
      kind: 'change',
      price: usd(price),
      reason: 'beaten',
    });
  });

  it('rises towards the next competitor when the lowest offer is our own', () => {
    const offers = [anOffer(20, { isOurs: true }), anOffer(22)];
    expect(priced(beat, { offers })).toMatchObject({ kind: 'change', price: usd(21.99) });
  });
});

describe('Fixed Margin', () => {
  const fixed = { strategy: 'Fixed Margin' } as const;

  it('uses the lowest allowed price regardless of competitors', () => {
    const facts = { currentPrice: usd(14), ...competitors(13.5) };
    const expected = { kind: 'change', price: usd(13.34), reason: 'fixed_margin', reference: null };
    expect(priced(fixed, facts)).toMatchObject(expected);
    expect(priced({ ...fixed, belowFloor: 'keep', noCompetitor: 'keep' }, facts)).toMatchObject(expected);
  });

  it('uses one cent where the shipping charge covers all costs', () => {
    const facts = { currentPrice: usd(0.02), shippingCharge: usd(50) };
    expect(priced(fixed, facts)).toMatchObject({
      kind: 'change',
      price: usd(0.01),
      marginFloor: usd(0.01),
      bindingLimit: 'none',
    });
  });

  it('uses the minimum price where that is higher', () => {
    expect(priced(fixed, { minPrice: usd(18) })).toMatchObject({ price: usd(18), marginFloor: usd(13.34) });
  });
});

describe('Dynamic Pricing before it has learned', () => {
  const dynamic = { strategy: 'Dynamic Pricing' } as const;

  it('matches with the offset as given', () => {
    const rule = { ...dynamic, competitorOffset: usd(-0.1) };
    expect(priced(rule, competitors(18.99))).toMatchObject({
      kind: 'change',
      price: usd(18.89),
      reason: 'dynamic_cold_start',
    });
  });

  it.each(['keep', 'floor', 'ceiling'] as const)(
    'keeps without competitors, whatever %s says',
    (noCompetitor) => {
      expect(priced({ ...dynamic, noCompetitor })).toMatchObject({
        kind: 'keep',
        price: usd(20),
        reason: 'no_competitor',
      });
    },
  );
});

describe('no competitor', () => {
  const nearFloor = { currentPrice: usd(15) };

  it('keep: the price stays', () => {
    expect(priced({}, nearFloor)).toEqual({
      kind: 'keep',
      price: usd(15),
      reason: 'no_competitor',
      reviewReason: null,
      bindingLimit: 'none',
      marginFloor: usd(13.34),
      reference: null,
      line: null,
    });
  });

  it('floor: the lowest allowed price', () => {
    const rule = { noCompetitor: 'floor' } as const;
    expect(priced(rule, nearFloor)).toMatchObject({ price: usd(13.34), reason: 'no_competitor_floor' });
  });

  it('ceiling: the highest price allowed', () => {
    const rule = { noCompetitor: 'ceiling' } as const;
    const facts = { currentPrice: usd(26), anchorPrice: usd(18.98), ...competitors() };
    expect(priced(rule, facts)).toMatchObject({
      price: usd(28.47),
      reason: 'no_competitor_ceiling',
      bindingLimit: 'none',
    });
  });

  it('counts the same when offers are there but none counts', () => {
    const offers = [anOffer(15, { isOurs: true }), anOffer(14, { channel: 'ebay' })];
    expect(priced({}, { offers })).toMatchObject({ kind: 'keep', reason: 'no_competitor' });
  });
});

describe('a competitor below our floor', () => {
  const cheap = { currentPrice: usd(15), ...competitors(12, 14.5) };

  it('floor: the margin floor', () => {
    expect(priced({}, cheap)).toMatchObject({ price: usd(13.34), reason: 'matched', bindingLimit: 'floor' });
  });

  it('keep: the price stays', () => {
    expect(priced({ belowFloor: 'keep' }, cheap)).toMatchObject({
      kind: 'keep',
      price: usd(15),
      reason: 'competitor_below_floor',
      reference: usd(12),
    });
  });

  it('ceiling: the highest price allowed', () => {
    expect(priced({ belowFloor: 'ceiling' }, { ...cheap, maxPrice: usd(16) })).toMatchObject({
      price: usd(16),
      reason: 'below_floor_ceiling',
      reference: usd(12),
    });
  });

  it('skip: the next competitor', () => {
    expect(priced({ belowFloor: 'skip' }, cheap)).toMatchObject({ price: usd(14.5), reference: usd(14.5) });
    expect(priced({ belowFloor: 'skip' }, { ...cheap, ...competitors(12) })).toMatchObject({
      reason: 'no_competitor',
    });
  });

  it('skip compares landed with the floor and our shipping charge', () => {
    // Floor $13.34 landed, shipping charge $4.00: our lowest price is $9.34, and a competitor at $13.34 is not below it.
    const facts = { currentPrice: usd(10), shippingCharge: usd(4) };
    expect(priced({ belowFloor: 'skip' }, { ...facts, ...competitors(13.33, 14) })).toMatchObject({
      price: usd(10),
    });
    expect(priced({ belowFloor: 'skip' }, { ...facts, ...competitors(13.34, 14) })).toMatchObject({
      price: usd(9.34),
    });
  });

  it('exactly at the floor is not below it', () => {
    for (const belowFloor of ['keep', 'ceiling', 'skip'] as const) {
      const facts = { currentPrice: usd(15), ...competitors(13.34, 14) };
      expect(priced({ belowFloor }, facts)).toMatchObject({ price: usd(13.34), reason: 'matched' });
    }
  });

  it('below the minimum price is below the floor too', () => {
    const facts = { minPrice: usd(19), ...competitors(18) };
    expect(priced({ belowFloor: 'keep' }, facts)).toMatchObject({ reason: 'competitor_below_floor' });
    expect(priced({ belowFloor: 'floor' }, facts)).toMatchObject({
      price: usd(19),
      bindingLimit: 'min_price',
    });
  });

  it('a margin of its own on the marketplace moves the floor', () => {
    const rule = { marketplaceMargins: { walmart: pct(20) } };
    expect(priced(rule, { currentPrice: usd(16), ...competitors(12) })).toMatchObject({ price: usd(15.39) });
  });
});
