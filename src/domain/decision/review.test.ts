import { describe, expect, it } from 'vitest';
import { composeFees, schedulesOf } from '#domain/fees/compose-fees.ts';
import type { ReportedRate } from '#domain/fees/fee-basis.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Instant, ounces } from '#domain/units.ts';
import {
  aCost,
  aListing,
  anOffer,
  aPolicy,
  aRule,
  chosen,
  fees,
  NOW,
  pct,
  usd,
} from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { decide, reviewReasonFor } from './decide.ts';
import type { ReviewReason } from './decision.ts';
import type { Hold, ListingFacts } from './facts.ts';

interface Story {
  facts?: Partial<ListingFacts>;
  rule?: Partial<Rule>;
  policy?: Partial<Policy>;
}

function reasonFor({ facts, rule, policy }: Story): ReviewReason | null {
  return reviewReasonFor(aListing(facts), aRule(rule), aPolicy(policy));
}

function held(until: Instant | null): { hold: Hold } {
  return { hold: { until, by: 'ada', reason: 'typed a price' } };
}

/** The same $10.00 in all, of which the fulfillment fee is estimated. */
const ESTIMATED = {
  ...aCost(10),
  estimate: { basis: 'size', tier: '1 lb', weight: ounces(16), steps: [{ upTo: null, fee: usd(0) }] },
} as const;

const TOLD = {
  kind: 'told',
  marketplace: 'amazon',
  by: 'estimate',
  toldAt: NOW,
  askedPrice: usd(20),
  schedules: [],
  rates: [],
} as const;

describe('whether a price needs review', () => {
  it('does not without a reason', () => {
    expect(reasonFor({})).toBeNull();
  });

  it.each<[ReviewReason, Story]>([
    ['halted', { policy: { halted: true } }],
    ['paused', { policy: { mode: 'paused' } }],
    ['read_only', { policy: { mode: 'read_only' } }],
    ['recommend_only', { policy: { mode: 'recommend_only' } }],
    ['unread', { facts: { isPriceUnverified: true } }],
    ['auto_off', { policy: { autoRepricing: false } }],
    ['listing_off', { facts: { autoRepricing: false } }],
    ['held', { facts: held(null) }],
    ['ask_first', { rule: { requiresReview: true } }],
    ['own_sellers_unknown', { policy: { areOwnSellersKnown: false } }],
    ['estimated_fee', { facts: { cost: ESTIMATED } }],
  ])('a person: %s', (expected, story) => {
    expect(reasonFor(story)).toBe(expected);
    const facts = aListing({ offers: [anOffer(19)], ...story.facts });
    expect(decide(facts, chosen(story.rule), aPolicy(story.policy))).toMatchObject({
      kind: 'recommend',
      price: usd(19),
      reason: 'matched',
      reviewReason: expected,
    });
  });

  it('does with a fee reported for many listings at once that no administrator has accepted', () => {
    const [schedule] = schedulesOf(fees([{ percent: 15 }]).basis.source);
    const explained = (over: object): ListingFacts['fees'] =>
      composeFees({
        ...fees([{ percent: 15 }]).basis,
        source: { ...TOLD, schedules: [schedule as FeeSchedule], ...over },
      });
    expect(reasonFor({ facts: { fees: explained({ isDoubted: true }) } })).toBe('fees_doubted');
    expect(reasonFor({ facts: { fees: explained({}) } })).toBeNull();
  });

  it('does not with a doubted fulfillment fee of a price band that the decision is not about', () => {
    const { basis } = fees([{ percent: 15 }]);
    const fulfillment = [
      { upTo: usd(9.99), fee: usd(3) },
      { upTo: usd(50), fee: usd(4) },
      { upTo: null, fee: usd(5), isDoubted: true },
    ] as const;
    const decided = (competitor: number) =>
      decide(
        aListing({
          cost: aCost(5),
          offers: [anOffer(competitor)],
          fees: composeFees({ ...basis, fulfillment }),
          maxPrice: usd(80),
        }),
        chosen(),
        aPolicy({ maxStep: pct(100), maxDailyChange: pct(100) }),
      );
    expect(decided(19)).toMatchObject({ kind: 'change', price: usd(19) });
    expect(decided(60)).toMatchObject({ kind: 'recommend', reviewReason: 'fees_doubted' });
  });

  it('returns the first reason that applies', () => {
    const story: Story = {
      facts: { isPriceUnverified: true, autoRepricing: false, ...held(null) },
      rule: { requiresReview: true },
      policy: { halted: true, mode: 'recommend_only', autoRepricing: false, areOwnSellersKnown: false },
    };
    const order: ReviewReason[] = [];
    const undo: Partial<Record<ReviewReason, () => void>> = {
      halted: () => Object.assign(story.policy ?? {}, { halted: false }),
      recommend_only: () => Object.assign(story.policy ?? {}, { mode: 'live' }),
      unread: () => Object.assign(story.facts ?? {}, { isPriceUnverified: false }),
      auto_off: () => Object.assign(story.policy ?? {}, { autoRepricing: true }),
      listing_off: () => Object.assign(story.facts ?? {}, { autoRepricing: true }),
      held: () => Object.assign(story.facts ?? {}, { hold: null }),
      ask_first: () => Object.assign(story.rule ?? {}, { requiresReview: false }),
      own_sellers_unknown: () => Object.assign(story.policy ?? {}, { areOwnSellersKnown: true }),
    };
    for (let next = reasonFor(story); next !== null; next = reasonFor(story)) {
      order.push(next);
      undo[next]?.();
    }
    expect(order).toEqual([
      'halted',
      'recommend_only',
      'unread',
      'auto_off',
      'listing_off',
      'held',
      'ask_first',
      'own_sellers_unknown',
    ]);
  });
});

it('a price from an estimated fee needs none once estimates are accepted', () => {
  expect(reasonFor({ facts: { cost: ESTIMATED }, policy: { areFeeEstimatesAccepted: true } })).toBeNull();
});

describe('a price whose fee is only assumed', () => {
  const rate = (from: number, to: number, percent: number, isAssumed = false): ReportedRate => ({
    from: usd(from),
    to: usd(to),
    percent: pct(percent),
    perUnit: usd(0),
    isAssumed,
  });
  const explained = (...rates: ReportedRate[]) =>
    composeFees({
      ...fees([{ percent: 15 }]).basis,
      source: { ...TOLD, rates },
    });
  const decided = (competitor: number, ...rates: ReportedRate[]) =>
    decide(aListing({ fees: explained(...rates), offers: [anOffer(competitor)] }), chosen(), aPolicy());
  // Cost $10.00, margin 10%: at 15% the margin floor is $13.34.
  const requested = [rate(13.34, 13.34, 15), rate(13.35, 24.99, 15), rate(25, 25, 15)];

  it('is only recommended between two prices with different rates, and changed where the rate was reported', () => {
    const mixed = [rate(13.34, 13.34, 15), rate(13.35, 24.99, 20, true), rate(25, 25, 20)];
    expect(decided(19, ...mixed)).toMatchObject({ kind: 'recommend', reviewReason: 'fee_not_told' });
    expect(decided(19, ...requested)).toMatchObject({ kind: 'change', price: usd(19) });
    // A step on the way to a target that was asked.
    expect(decided(25, ...mixed)).toMatchObject({ kind: 'change', price: usd(23) });
  });

  it('is only recommended at a margin floor that was not asked', () => {
    const low = { currentPrice: usd(14) };
    const floor = (...rates: ReportedRate[]) =>
      decide(aListing({ ...low, fees: explained(...rates), offers: [anOffer(12)] }), chosen(), aPolicy());
    expect(floor(...requested)).toMatchObject({ kind: 'change', price: usd(13.34) });
    expect(floor(rate(12, 25, 15))).toMatchObject({ kind: 'recommend', reviewReason: 'fee_not_told' });
  });

  it('is only recommended where the fulfillment fee was reported for lower prices only', () => {
    const fulfillment = [
      { upTo: usd(19.5), fee: usd(3) },
      { upTo: null, fee: usd(3), isAssumed: true as const },
    ];
    const facts = aListing({
      fees: composeFees({ ...fees([{ percent: 15 }]).basis, fulfillment }),
      currentPrice: usd(19),
    });
    const against = (competitor: number) =>
      decide({ ...facts, offers: [anOffer(competitor)] }, chosen(), aPolicy());
    expect(against(19.8)).toMatchObject({ kind: 'recommend', reviewReason: 'fee_not_told' });
    expect(against(19.4)).toMatchObject({ kind: 'change' });
  });
});

describe('a hold', () => {
  it('lasts until its end, or until a user resumes the listing', () => {
    expect(reasonFor({ facts: held(null) })).toBe('held');
    expect(reasonFor({ facts: held((NOW + 1) as Instant) })).toBe('held');
    expect(reasonFor({ facts: held(NOW) })).toBeNull();
    expect(reasonFor({ facts: held((NOW - 1) as Instant) })).toBeNull();
    expect(reasonFor({ facts: held(Number.NaN as Instant) })).toBe('held');
  });
});

describe('without seller names of ours', () => {
  const policy = { areOwnSellersKnown: false };

  it.each(['Match Competitor', 'Beat Competitor', 'Dynamic Pricing'] as const)(
    '%s only recommends',
    (strategy) => {
      expect(reasonFor({ rule: { strategy }, policy })).toBe('own_sellers_unknown');
    },
  );

  it.each([
    ['winning: hold; otherwise: floor', 'own_sellers_unknown'],
    ['the lowest, else next line; otherwise: floor', 'own_sellers_unknown'],
    ['we ship: floor; winning: hold', null],
    ['warehouse ships: ceiling; otherwise: floor', null],
  ])('%s: a line only recommends where it, or one above it, looks at competitors', (lines, reviewReason) => {
    const rule = { lines: linesOf(lines), strategy: 'Fixed Margin' as const };
    expect(decide(aListing(), chosen(rule), aPolicy(policy))).toMatchObject({
      kind: reviewReason === null ? 'change' : 'recommend',
      price: usd(17),
      reviewReason,
    });
  });

  it('Fixed Margin ignores competitors and changes the price', () => {
    expect(reasonFor({ rule: { strategy: 'Fixed Margin' }, policy })).toBeNull();
  });
});
