import { describe, expect, it } from 'vitest';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import type { Cents } from '#domain/units.ts';
import {
  APPAREL,
  aCost,
  aListing,
  anOffer,
  aPolicy,
  aRule,
  chosen,
  fees,
  pct,
  usd,
} from '#tests/builders/facts.ts';
import { decide } from './decide.ts';
import type { Blocked, Decision } from './decision.ts';
import type { ListingFacts } from './facts.ts';

describe('apparel, cost $12.50, margin 10%', () => {
  const apparel = (current: number, competitor: number | null, rule: Partial<Rule> = {}) =>
    decide(
      aListing({
        currentPrice: usd(current),
        cost: aCost(12.5),
        fees: APPAREL,
        offers: competitor === null ? [] : [anOffer(competitor)],
      }),
      chosen({ strategy: 'Beat Competitor', ...rule }),
      aPolicy(),
    );

  it('at 17.70 against 15.40: 15.63 now, 15.00 next run', () => {
    expect(apparel(17.7, 15.4)).toEqual({
      kind: 'change',
      price: usd(15.63),
      reason: 'beaten',
      reviewReason: null,
      bindingLimit: 'step_limit',
      marginFloor: usd(14.71),
      reference: usd(15.4),
      line: null,
    });
    expect(apparel(15.63, 15.4)).toMatchObject({
      kind: 'change',
      price: usd(15),
      bindingLimit: 'fee_band_gap',
    });
    expect(apparel(15, 15.4)).toMatchObject({
      kind: 'keep',
      reason: 'already_there',
      bindingLimit: 'fee_band_gap',
    });
  });

  it('at 13.00, no competitor: corrected to 14.71', () => {
    expect(apparel(13, null)).toMatchObject({
      kind: 'change',
      price: usd(14.71),
      reason: 'repair',
      bindingLimit: 'floor',
    });
  });

  it('at 12.00, no competitor: 14.71 is outside the move range, so it needs review', () => {
    expect(apparel(12, null)).toMatchObject({
      kind: 'recommend',
      price: usd(14.71),
      reason: 'repair',
      reviewReason: 'outside_move_range',
      bindingLimit: 'step_limit',
    });
  });

  it('at 15.30, no competitor: corrected down to 15.00', () => {
    expect(apparel(15.3, null)).toMatchObject({
      kind: 'change',
      price: usd(15),
      reason: 'repair',
      bindingLimit: 'fee_band_gap',
    });
  });

  it('at 40.00 against 15.40: 34.00', () => {
    expect(apparel(40, 15.4)).toMatchObject({ kind: 'change', price: usd(34), bindingLimit: 'step_limit' });
  });

  it('a competitor below the floor does not prevent a correction where the rule keeps the price', () => {
    expect(apparel(15.3, 12, { belowFloor: 'keep' })).toMatchObject({
      kind: 'change',
      price: usd(15),
      reason: 'repair',
      reference: usd(12),
    });
  });
});

/** The seller's own limits on the marketplace, in dollars. */
function limits({ min, max, map }: { min?: number; max?: number; map?: number }): Partial<ListingFacts> {
  const amount = (limit: number | undefined) => (limit === undefined ? null : usd(limit));
  return { marketplaceLimits: { min: amount(min), max: amount(max), map: amount(map) } };
}

/** Cost $10.00, 15% fee, margin 10%: the floor is $13.34. */
function match(facts: Partial<ListingFacts>, policy: Partial<Policy> = {}): Decision {
  return decide(aListing(facts), chosen(), aPolicy(policy));
}

describe('the limit that bound', () => {
  const competitor = (price: number) => ({ offers: [anOffer(price)] });

  it.each<[string, Partial<ListingFacts>, number, Decision['bindingLimit']]>([
    ['none', competitor(19), 19, 'none'],
    ['the floor', { currentPrice: usd(14), ...competitor(12) }, 13.34, 'floor'],
    ['the minimum price', { minPrice: usd(18), ...competitor(12) }, 18, 'min_price'],
    ['the minimum there', { ...limits({ min: 18 }), ...competitor(12) }, 18, 'marketplace_min'],
    ['the MAP price', { ...limits({ min: 17.5, map: 18 }), ...competitor(12) }, 18, 'map_price'],
    [
      'the maximum there',
      { ...limits({ max: 21 }), maxPrice: usd(25), ...competitor(99) },
      21,
      'marketplace_max',
    ],
    ['the lower maximum', { ...limits({ max: 25 }), maxPrice: usd(21), ...competitor(99) }, 21, 'max_price'],
    [
      'the ceiling, not a maximum far above',
      { ...limits({ max: 9_999 }), currentPrice: usd(25), anchorPrice: usd(15), ...competitor(99) },
      26.68,
      'ceiling',
    ],
    ['the ceiling', { anchorPrice: usd(15), ...competitor(99), currentPrice: usd(25) }, 26.68, 'ceiling'],
    ['the maximum price', { maxPrice: usd(21), ...competitor(99) }, 21, 'max_price'],
    ['one step up', { ...competitor(29) }, 23, 'step_limit'],
    ['one step down', { ...competitor(14) }, 17, 'step_limit'],
    ['a day up', { priceDayAgo: usd(16), ...competitor(29) }, 20.8, 'daily_limit'],
    ['a day down', { priceDayAgo: usd(25), ...competitor(14) }, 17.5, 'daily_limit'],
  ])('%s', (_, facts, price, bindingLimit) => {
    expect(match(facts)).toMatchObject({ kind: 'change', price: usd(price), bindingLimit });
  });

  it('is the minimum price where that lies in a gap of the fees', () => {
    const gap = { cost: aCost(12.5), fees: APPAREL, minPrice: usd(15.2), currentPrice: usd(16) };
    expect(match({ ...gap, ...competitor(12) })).toMatchObject({
      price: usd(15.63),
      bindingLimit: 'min_price',
    });
  });

  it('is the floor where the minimum price is the same', () => {
    const same = { minPrice: usd(13.34), currentPrice: usd(14) };
    expect(match({ ...same, ...competitor(12) })).toMatchObject({ price: usd(13.34), bindingLimit: 'floor' });
  });
});

describe('a price stays', () => {
  it('where it already is the rule’s price', () => {
    const facts = { offers: [anOffer(20)] };
    expect(match(facts)).toMatchObject({
      kind: 'keep',
      price: usd(20),
      reason: 'already_there',
      bindingLimit: 'none',
    });
    expect(match({ ...facts, priceDayAgo: usd(10) })).toMatchObject({
      reason: 'already_there',
      bindingLimit: 'none',
    });
  });

  it('where the daily limit is used up', () => {
    const facts = { priceDayAgo: usd(15), offers: [anOffer(19.8)] };
    expect(match(facts)).toMatchObject({
      kind: 'keep',
      reason: 'held_by_limit',
      bindingLimit: 'daily_limit',
      price: usd(20),
    });
    expect(match({ ...facts, priceDayAgo: usd(10) })).toMatchObject({
      reason: 'held_by_limit',
      bindingLimit: 'daily_limit',
    });
    expect(match({ offers: [anOffer(20.5)], priceDayAgo: usd(30) })).toMatchObject({
      bindingLimit: 'daily_limit',
    });
  });

  it('where no allowed price lies within one step', () => {
    const facts = { cost: aCost(12.5), fees: APPAREL, currentPrice: usd(15.63), offers: [anOffer(14.9)] };
    expect(match(facts, { maxStep: pct(3) })).toMatchObject({
      kind: 'keep',
      reason: 'held_by_limit',
      bindingLimit: 'step_limit',
    });
  });

  it('where the rule’s price is on its way or not uploaded yet', () => {
    const offers = [anOffer(19)];
    expect(match({ offers, pendingPrice: usd(19) })).toMatchObject({ kind: 'keep', reason: 'already_sent' });
    expect(match({ offers, pendingPrice: usd(18) })).toMatchObject({ kind: 'change', price: usd(19) });
    expect(match({ offers, awaitingUpload: true })).toMatchObject({
      kind: 'keep',
      reason: 'awaiting_upload',
    });
  });

  it('where a cooldown is not over', () => {
    const facts = { offers: [anOffer(19)], lastChangedAt: aPolicy().now };
    expect(match(facts, { cooldown: 60_000 as never })).toMatchObject({
      kind: 'keep',
      reason: 'cooldown',
      bindingLimit: 'none',
    });
  });

  it.each<[RuleChoice, Decision['reason']]>([
    [{ kind: 'none', rule: null, minimumMargin: null }, 'no_rule'],
    [{ kind: 'own_missing', rule: null, minimumMargin: null }, 'own_rule_missing'],
    [{ kind: 'own_paused', rule: aRule(), minimumMargin: null }, 'own_rule_paused'],
    [{ kind: 'own_mismatch', rule: aRule(), minimumMargin: null }, 'own_rule_mismatch'],
  ])('where no rule decides: %o', (choice, reason) => {
    expect(decide(aListing({ offers: [anOffer(19)] }), choice, aPolicy())).toEqual({
      kind: 'keep',
      price: usd(20),
      reason,
      reviewReason: null,
      bindingLimit: 'none',
      marginFloor: null,
      reference: null,
      line: null,
    });
  });
});

describe('nothing allowed blocks', () => {
  it.each<[string, Partial<ListingFacts>, Partial<Blocked>]>([
    [
      'fee and margin take all revenue',
      { fees: fees([{ percent: 95 }]) },
      { reason: 'margin_impossible', marginFloor: null },
    ],
    [
      'the maximum is below the floor',
      { maxPrice: usd(13.33) },
      { reason: 'floor_above_maximum', marginFloor: usd(13.34) },
    ],
    [
      'the minimum is above the ceiling',
      { minPrice: usd(30.01) },
      { reason: 'minimum_above_ceiling', marginFloor: usd(13.34) },
    ],
    [
      'the range lies in a gap',
      { cost: aCost(12.5), fees: APPAREL, minPrice: usd(15.01), maxPrice: usd(15.62) },
      { reason: 'range_not_legal', marginFloor: usd(14.71) },
    ],
    [
      'the floor is above the maximum there',
      limits({ max: 13 }),
      { reason: 'bounds_conflict', marginFloor: usd(13.34) },
    ],
    [
      'the MAP price is above the maximum price',
      { ...limits({ map: 22 }), maxPrice: usd(21) },
      { reason: 'bounds_conflict' },
    ],
    ['the limits there contradict each other', limits({ min: 22, max: 21 }), { reason: 'bounds_conflict' }],
    [
      'no own limit fits either',
      { ...limits({ max: 13 }), maxPrice: usd(13) },
      { reason: 'floor_above_maximum' },
    ],
    [
      'the maximum alone ends in a gap, above the floor',
      { cost: aCost(12.5), fees: APPAREL, minPrice: usd(15.01), maxPrice: usd(15.01) },
      { reason: 'range_not_legal' },
    ],
  ])('%s', (_, facts, expected) => {
    expect(match({ offers: [anOffer(19)], ...facts })).toMatchObject({
      kind: 'blocked',
      price: null,
      ...expected,
    });
  });

  it('does not block at the edge', () => {
    expect(match({ maxPrice: usd(13.34), currentPrice: usd(14) })).toMatchObject({
      kind: 'change',
      price: usd(13.34),
    });
    expect(match({ minPrice: usd(30), currentPrice: usd(28), anchorPrice: usd(20) })).toMatchObject({
      price: usd(30),
    });
  });
});

describe('a recommendation outside the move range', () => {
  it('names the tighter limit on its side', () => {
    const cheap = { currentPrice: usd(10), anchorPrice: usd(10) };
    expect(match(cheap)).toMatchObject({
      kind: 'recommend',
      price: usd(13.34),
      reviewReason: 'outside_move_range',
      bindingLimit: 'step_limit',
    });
    expect(match({ ...cheap, priceDayAgo: usd(8) })).toMatchObject({
      reviewReason: 'outside_move_range',
      bindingLimit: 'daily_limit',
    });
    const dear = { currentPrice: usd(90), maxPrice: usd(40) };
    expect(match(dear)).toMatchObject({
      kind: 'recommend',
      price: usd(40),
      reviewReason: 'outside_move_range',
      bindingLimit: 'step_limit',
    });
    expect(match({ ...dear, priceDayAgo: usd(120) })).toMatchObject({
      price: usd(40),
      bindingLimit: 'daily_limit',
    });
  });

  it('wins over the review reasons that would follow', () => {
    const decision = match({ currentPrice: usd(10) }, { halted: true });
    expect(decision).toMatchObject({ kind: 'recommend', reviewReason: 'outside_move_range' });
  });

  it('follows the strategy price where it is outside the move range, even if a repair would not be', () => {
    const gap = { cost: aCost(12.5), fees: APPAREL, currentPrice: usd(15.01), offers: [anOffer(17)] };
    expect(match(gap, { maxStep: pct(1) })).toMatchObject({
      kind: 'recommend',
      price: usd(17),
      reason: 'matched',
    });
  });

  it('does not move a price within invalid limits', () => {
    const facts = { offers: [anOffer(19)] };
    const lost = { maxStep: Number.NaN as never };
    expect(match(facts, lost)).toMatchObject({ kind: 'keep', reason: 'held_by_limit' });
    expect(match({ ...facts, currentPrice: usd(13) }, lost)).toMatchObject({
      kind: 'recommend',
      price: usd(19),
    });
    expect(match({ currentPrice: 20.5 as Cents })).toMatchObject({
      kind: 'blocked',
      reason: 'unreadable_price',
    });
  });
});
