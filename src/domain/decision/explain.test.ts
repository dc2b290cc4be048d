import { describe, expect, it } from 'vitest';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import type { ScheduleWindow } from '#domain/rules/schedule.ts';
import { shopTime } from '#domain/time/local-time.ts';
import { hours, type Instant } from '#domain/units.ts';
import { APPAREL, aCost, aListing, anOffer, aPolicy, chosen, NOW, pct, usd } from '#tests/builders/facts.ts';
import { decide } from './decide.ts';
import { type Explanation, explain } from './explain.ts';
import type { ListingFacts } from './facts.ts';

function explained(
  facts: Partial<ListingFacts>,
  rule: Partial<Rule> = {},
  policy: Partial<Policy> = {},
): Explanation {
  return explain(aListing(facts), chosen(rule), aPolicy(policy));
}

/** Every day from this minute of the day for a minute. */
const window = (from: number): ScheduleWindow => ({ fromDay: 1, toDay: 7, from, to: from + 1 });
const ago = (age: number) => (NOW - age) as Instant;
const apparel = { cost: aCost(12.5), fees: APPAREL };

/** What only a rule with lines says of an offer. */
const BY_STRATEGY = { relation: null, want: null };

describe('an explanation', () => {
  it('describes all steps of a change', () => {
    const facts = { ...apparel, currentPrice: usd(17.7), offers: [anOffer(15.4)], priceDayAgo: usd(17) };
    const { decision, fix, trace } = explained(facts, { strategy: 'Beat Competitor' });
    expect(decision).toEqual(decide(aListing(facts), chosen({ strategy: 'Beat Competitor' }), aPolicy()));
    expect(fix).toBeNull();
    expect(trace).toEqual({
      lines: null,
      gapBelow: null,
      facts: {
        currentPrice: 1770,
        anchorPrice: 1770,
        minPrice: null,
        maxPrice: null,
        shippingCharge: 0,
        priceDayAgo: 1700,
        pendingPrice: null,
        cost: aCost(12.5),
      },
      rule: { id: 'rule-1', name: 'Match', strategy: 'Beat Competitor', why: 'matched', minimumMargin: 1000 },
      fees: APPAREL.version,
      allowed: { marginFloor: 1471, priceCeiling: 2942, ranges: [1471, 1500, 1563, 2942] },
      moveRange: { low: 1505, high: 2035 },
      competition: { status: 'competitors', readAt: NOW, because: null, isOnlyOurs: false },
      offers: [
        {
          seller: 'Corner Store',
          price: 1540,
          shipping: 0,
          landed: 1540,
          age: 0,
          status: 'counted',
          ...BY_STRATEGY,
        },
      ],
      steps: [
        { step: 'strategy_price', from: 1770, to: 1539, because: 'beaten' },
        { step: 'target', from: 1539, to: 1500, because: 'nearest_allowed' },
        { step: 'move_range', from: 1500, to: 1563, because: 'step_limit' },
        { step: 'result', from: 1563, to: 1563, because: 'change' },
      ],
      bandEdge: null,
      channelGap: null,
      margin: { before: 1937, after: 1002 },
    });
  });

  it('shows which offers counted, which did not and why, and their age', () => {
    const offers = [
      anOffer(19, { shipping: usd(1), seenAt: ago(hours(2)) }),
      anOffer(18, { by: 'Our Shop' }),
      anOffer(17, { seenAt: null, by: 'Undated' }),
      anOffer(12, { sellerName: null, seller: null, seenAt: ago(hours(25)) }),
    ];
    const ownSellers = new Set([sellerKey('our shop') as SellerKey]);
    expect(explained({ offers }, {}, { ownSellers }).trace.offers).toEqual([
      {
        seller: 'Corner Store',
        price: 1900,
        shipping: 100,
        landed: 2000,
        age: hours(2),
        status: 'counted',
        ...BY_STRATEGY,
      },
      { seller: 'Our Shop', price: 1800, shipping: 0, landed: 1800, age: 0, status: 'ours', ...BY_STRATEGY },
      {
        seller: 'Undated',
        price: 1700,
        shipping: 0,
        landed: 1700,
        age: null,
        status: 'no_time',
        ...BY_STRATEGY,
      },
      {
        seller: null,
        price: 1200,
        shipping: 0,
        landed: 1200,
        age: hours(25),
        status: 'too_old',
        ...BY_STRATEGY,
      },
    ]);
  });

  it('shows which offers were skipped below the floor, by landed price', () => {
    const offers = [anOffer(13.33), anOffer(13.34), anOffer(12, { isOurs: true })];
    const statuses = (rule: Partial<Rule>) =>
      explained({ currentPrice: usd(10), shippingCharge: usd(4), offers }, rule).trace.offers.map(
        (o) => o.status,
      );
    expect(statuses({ belowFloor: 'skip' })).toEqual(['below_floor', 'counted', 'ours']);
    expect(statuses({ belowFloor: 'keep' })).toEqual(['counted', 'counted', 'ours']);
    const blocked = explained({ maxPrice: usd(5), offers }, { belowFloor: 'skip' });
    expect(blocked.trace.offers.map((offer) => offer.status)).toEqual(['counted', 'counted', 'ours']);
    const charged = explained(
      { maxPrice: usd(5), shippingCharge: usd(30), offers, cost: aCost(60) },
      { belowFloor: 'skip' },
    );
    expect(charged.decision.kind).toBe('blocked');
    expect(charged.trace.offers.map((offer) => offer.status)).toEqual(['counted', 'counted', 'ours']);
    const paid = explained(
      { shippingCharge: usd(13.33), offers, currentPrice: usd(0.02) },
      { belowFloor: 'skip' },
    );
    expect(paid.decision.marginFloor).toBe(usd(0.01));
    expect(paid.trace.offers.map((offer) => offer.status)).toEqual(['below_floor', 'counted', 'ours']);
    const unknown = explained({ fees: null, offers }, { belowFloor: 'skip' });
    expect(unknown.trace.offers.map((offer) => offer.status)).toEqual(['counted', 'counted', 'ours']);
  });
});

describe('the steps', () => {
  it('keep the strategy price where no limit binds', () => {
    expect(explained({ offers: [anOffer(19)] }).trace.steps).toEqual([
      { step: 'strategy_price', from: 2000, to: 1900, because: 'matched' },
      { step: 'target', from: 1900, to: 1900, because: 'allowed' },
      { step: 'move_range', from: 1900, to: 1900, because: 'in_move_range' },
      { step: 'result', from: 1900, to: 1900, because: 'change' },
    ]);
  });

  it('end where a move has to wait', () => {
    const { steps } = explained({ offers: [anOffer(19)], awaitingUpload: true }).trace;
    expect(steps.slice(-2)).toEqual([
      { step: 'wait', from: 1900, to: 2000, because: 'awaiting_upload' },
      { step: 'result', from: 2000, to: 2000, because: 'awaiting_upload' },
    ]);
  });

  it('show when a wait ends', () => {
    const offers = [anOffer(19)];
    const priceWarStreak = { against: null, times: 6, lastAt: ago(hours(2)) };
    const war = explained({ offers, priceWarStreak });
    expect(war.trace.steps.at(-2)).toEqual({ step: 'wait', from: 1900, to: 2000, because: 'price_war' });
    expect(war.restEndsAt).toBe(NOW + hours(4));
    expect(explained({ offers, priceWarStreak }, {}, { priceWarPause: hours(48) }).restEndsAt).toBe(
      NOW + hours(22),
    );
    const changed = { offers, lastChangedAt: ago(hours(1)) };
    expect(explained(changed, {}, { cooldown: hours(3) }).restEndsAt).toBe(NOW + hours(2));
    expect(
      explained({ offers, priceWarStreak: { ...priceWarStreak, lastAt: Number.NaN as Instant } }).restEndsAt,
    ).toBeNull();
    expect(explained({ offers, awaitingUpload: true }).restEndsAt).toBeNull();
    expect(explained({ offers }).restEndsAt).toBeNull();
  });

  it('show when a hold, the hours of a rule and a raise end', () => {
    const offers = [anOffer(19)];
    const hold = { until: ago(hours(-5)), by: 'Sam', reason: 'Sale' };
    expect(explained({ offers, hold }).restEndsAt).toBe(NOW + hours(5));
    expect(explained({ offers, hold: { ...hold, until: null } }).restEndsAt).toBeNull();
    // A halt does not end with the hold.
    expect(explained({ offers, hold }, {}, { halted: true }).restEndsAt).toBeNull();
    const local = shopTime(NOW, null);
    const schedule = { activeFrom: null, activeUntil: null, windows: [window(local.minuteOfDay + 90)] };
    const offHours = { ...chosen({ schedule }), kind: 'own_off_hours', minimumMargin: null } as RuleChoice;
    expect(explain(aListing({ offers }), offHours, aPolicy({ local })).restEndsAt).toBe(NOW + hours(1.5));
    const lines = parseLines('otherwise: raise 1% every 24 h up to ceiling').lines;
    expect(explained({ offers, lastChangedAt: ago(hours(1)) }, { lines }).restEndsAt).toBe(NOW + hours(23));
  });

  it('end at the review reason', () => {
    const { steps } = explained({ offers: [anOffer(19)] }, {}, { halted: true }).trace;
    expect(steps.at(-1)).toEqual({ step: 'result', from: 1900, to: 1900, because: 'halted' });
  });

  it('skip the move range where no price is in it', () => {
    expect(explained({ currentPrice: usd(10), anchorPrice: null }).trace.steps).toEqual([
      { step: 'strategy_price', from: 1000, to: 1000, because: 'repair' },
      { step: 'target', from: 1000, to: 1334, because: 'nearest_allowed' },
      { step: 'result', from: 1334, to: 1334, because: 'outside_move_range' },
    ]);
  });

  it('are empty without a strategy price or with missing facts', () => {
    expect(explained({}).trace.steps).toEqual([]);
    expect(explained({ currentPrice: null }).trace.steps).toEqual([]);
  });
});

describe('an explanation without a result', () => {
  it('of a listing without a rule has neither allowed prices nor offers', () => {
    const choice = { kind: 'none', rule: null, minimumMargin: null } as const;
    const { decision, trace } = explain(aListing({ offers: [anOffer(19)] }), choice, aPolicy());
    expect(decision).toMatchObject({ kind: 'keep', reason: 'no_rule' });
    expect(trace).toMatchObject({ rule: null, allowed: null, moveRange: null, offers: [], steps: [] });
    expect(trace.margin).toEqual({ before: 3500, after: 3500 });
  });

  it('of a blocked listing has a fix and no margin after', () => {
    const { fix, trace } = explained({ fees: null });
    expect(fix).toContain('fee schedule');
    expect(trace).toMatchObject({ fees: null, allowed: null, margin: { before: null, after: null } });
    const impossible = explained({ maxPrice: usd(5) }).trace;
    expect(impossible.allowed).toEqual({ marginFloor: 1334, priceCeiling: 500, ranges: [] });
    expect(impossible.margin).toEqual({ before: 3500, after: null });
  });

  it.each<[string, Partial<ListingFacts>]>([
    ['price', { currentPrice: null }],
    ['price, though we charge for shipping,', { currentPrice: null, shippingCharge: usd(50) }],
    ['shipping charge', { shippingCharge: null }],
    ['cost', { cost: { ...aCost(10), total: null } }],
    ['fees', { fees: null }],
  ])('without a %s has no margin before', (_, facts) => {
    expect(explained(facts).trace.margin).toEqual({ before: null, after: null });
  });

  it('names the rule and why it won, also where it does not decide', () => {
    const choice = {
      kind: 'own_paused',
      rule: chosen({ minimumMargin: pct(7) }).rule,
      minimumMargin: null,
    } as const;
    if (choice.rule === null) throw new Error('a chosen rule is there');
    const { trace } = explain(aListing(), { ...choice, rule: choice.rule }, aPolicy());
    expect(trace.rule).toMatchObject({ id: 'rule-1', why: 'own_paused', minimumMargin: null });
  });
});
