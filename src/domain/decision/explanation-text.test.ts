import { describe, expect, it } from 'vitest';
import { type OfferStatus, offerStatus } from '#domain/competition/competitors.ts';
import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import type { FeeSource } from '#domain/fees/fee-basis.ts';
import type { OfferFilter, Rule } from '#domain/rules/rule.ts';
import { WHOLE_CATALOG } from '#domain/rules/segment.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import {
  aFeeSchedule,
  aListing,
  anOffer,
  aPolicy,
  aRule,
  chosen,
  NOW,
  pct,
  usd,
} from '#tests/builders/facts.ts';
import { explain } from './explain.ts';
import {
  bindingLimitText,
  feesSourceText,
  offerStatusText,
  otherMatches,
  whyThisRule,
} from './explanation-text.ts';
import type { ListingFacts } from './facts.ts';
import { stepText } from './trace-step-text.ts';

const NO_FILTER: OfferFilter = {
  minRating: null,
  minRatingCount: null,
  maxHandlingDays: null,
  ignoreSellers: new Set(),
  fulfillmentType: null,
};

/** The text for the status that the domain returns. */
function saying(
  offer: Partial<Offer> & { by?: string },
  over: Partial<ListingFacts> = {},
  rules: Partial<Rule> = {},
) {
  const question = {
    offer: anOffer(18, offer),
    facts: aListing(over),
    rule: aRule(rules),
    policy: aPolicy(),
  };
  const status = offerStatus(question.offer, question.facts, question.rule, question.policy);
  return [status, offerStatusText(status, question)];
}
const filtered = (filter: Partial<OfferFilter>): Partial<Rule> => ({ filter: { ...NO_FILTER, ...filter } });

describe('the text for an offer', () => {
  it.each<[OfferStatus, string, unknown[]]>([
    ['counted', 'Included.', saying({})],
    ['unreadable', 'Excluded: invalid price.', saying({ price: 0 as Cents })],
    ['ours', 'Excluded: your own offer.', saying({ isOurs: true })],
    [
      'other_channel',
      'Excluded: it is on eBay, and the rule uses offers on Walmart only.',
      saying({ channel: 'ebay' }),
    ],
    ['no_time', 'Excluded: its source gives no time.', saying({ seenAt: null })],
    ['from_future', 'Excluded: its time is in the future.', saying({ seenAt: (NOW + 1) as Instant })],
    [
      'too_old',
      'Excluded: seen 3 days ago; offers are used for up to 24 hours.',
      saying({ seenAt: (NOW - hours(72)) as Instant }),
    ],
    [
      'could_be_ours',
      'Excluded: no seller name and exactly your price, so it may be your own offer.',
      saying({ seller: null, sellerName: null, price: usd(20) }),
    ],
    [
      'other_fulfillment',
      'Excluded: shipped by its seller; an FBA/WFS listing is compared with FBA/WFS, featured and marketplace offers only.',
      saying({}, { fulfillmentType: 'FBA/WFS' }),
    ],
    [
      'other_fulfillment',
      'Excluded: shipped by its seller; the rule uses FBA/WFS offers only.',
      saying({}, {}, filtered({ fulfillmentType: 'FBA/WFS' })),
    ],
    [
      'rating',
      'Excluded: rated 88%; the rule requires 90%.',
      saying({ rating: pct(88) }, {}, filtered({ minRating: pct(90) })),
    ],
    [
      'rating_count',
      'Excluded: an unknown number of ratings; the rule requires 50.',
      saying({}, {}, filtered({ minRatingCount: 50 })),
    ],
    [
      'handling_days',
      'Excluded: ships within 9 days; the rule allows up to 3.',
      saying({ handlingDays: 9 }, {}, filtered({ maxHandlingDays: 3 })),
    ],
    [
      'ignored_seller',
      'Excluded: the rule ignores this seller.',
      saying({}, {}, filtered({ ignoreSellers: new Set([sellerKey('Corner Store') ?? never()]) })),
    ],
  ])('%s: %s', (status, text, said) => {
    expect(said).toEqual([status, text]);
  });
});

function never(): never {
  throw new Error('a name has a key');
}

describe('why a rule decides', () => {
  it.each([
    [{ kind: 'own' } as const, null, 'The rule assigned to this listing.'],
    [{ kind: 'matched' } as const, [], 'Most specific active rule for Walmart FBM.'],
    [
      { kind: 'matched' } as const,
      ['Match all'],
      'Most specific active rule for Walmart FBM; 1 other rule matches: Match all.',
    ],
    [
      { kind: 'matched' } as const,
      ['Match all', 'Beat all'],
      'Most specific active rule for Walmart FBM; 2 other rules match: Match all, Beat all.',
    ],
    [
      { kind: 'own_paused' } as const,
      null,
      'The rule assigned to this listing is paused. No other rule applies.',
    ],
    [
      { kind: 'own_off_hours', rule: aRule() } as const,
      null,
      'The rule assigned to this listing does not apply at this time. No other rule applies.',
    ],
    [
      { kind: 'own_mismatch', rule: aRule({ segment: { ...WHOLE_CATALOG, brands: ['Acme'] } }) } as const,
      null,
      'The rule assigned to this listing is for other listings. No other rule applies.',
    ],
    [
      { kind: 'matched', rule: aRule({ priority: 3 }) } as const,
      null,
      'Active rule with priority 3 for Walmart FBM.',
    ],
  ])('%j among %j', (choice, others, text) => {
    expect(whyThisRule({ rule: null, ...choice }, aListing(), others)).toBe(text);
  });
});

describe('the other rules that match', () => {
  it('are the active ones for that marketplace and fulfillment type', () => {
    const mine = aRule({ id: 'mine' });
    const rules = [
      mine,
      aRule({ id: '2', name: 'All' }),
      aRule({ id: '3', name: 'Walmart FBM', marketplace: 'walmart', fulfillmentType: 'FBM' }),
      aRule({ id: '4', name: 'Paused', isActive: false }),
      aRule({ id: '5', name: 'eBay', marketplace: 'ebay' }),
      aRule({ id: '6', name: 'Warehouse', fulfillmentType: 'FBA/WFS' }),
    ];
    expect(otherMatches(rules, mine, aListing(), null)).toEqual(['All', 'Walmart FBM']);
  });
});

const sourceText = (source: FeeSource, adShare = pct(0), returnShare = pct(0)): string =>
  feesSourceText({ source, adShare, returnShare }, (at) => new Date(at).toISOString().slice(0, 10));

describe('fees as text', () => {
  it.each([
    [aFeeSchedule([{ percent: 15 }]), '15%.'],
    [
      { ...aFeeSchedule([{ percent: 15, minimum: 0.3 }]), effectiveFrom: NOW },
      '15%, at least $0.30, in force since 2026-11-21.',
    ],
    [
      aFeeSchedule([
        { upTo: 10, percent: 13.6, fixed: 0.3 },
        { percent: 13.6, fixed: 0.4 },
      ]),
      '13.6% + $0.30 up to $10.00; 13.6% + $0.40 above, each on the whole price.',
    ],
    [
      aFeeSchedule([{ percent: 6.5, percentTaxed: 3, fixed: 0.25, perUnit: 0.2 }]),
      '6.5% + 3% of the total with sales tax + $0.25 + $0.20 per unit.',
    ],
    [aFeeSchedule([{ percentTaxed: 2.9 }]), '2.9% of the total with sales tax.'],
    [
      { ...aFeeSchedule([{ upTo: 300, percent: 12 }, { percent: 8 }], 'marginal'), category: 'Watches' },
      'Watches: 12% up to $300.00; 8% above, each on its part of the price.',
    ],
  ])('%#', (schedule, text) => {
    expect(sourceText({ kind: 'schedule', schedule, category: 'none' })).toBe(text);
  });

  it('an own rate, and what the marketplace reported, with day and price', () => {
    const schedule = aFeeSchedule([{ percent: 17 }]);
    const explained = {
      kind: 'told',
      marketplace: 'amazon',
      by: 'estimate',
      toldAt: NOW,
      askedPrice: usd(24.99),
      schedules: [schedule],
      rates: [],
    } as const;
    const rate = { percent: pct(17), perUnit: usd(1.8), from: usd(9.99), to: usd(24.99), isAssumed: false };
    expect(sourceText({ kind: 'person', rate: pct(12), by: 'Ann', schedule })).toMatch(
      /own rate of 12%, entered by Ann/,
    );
    expect(sourceText(explained)).toBe('Amazon, reported 2026-11-21 at $24.99: 17%.');
    expect(sourceText(explained, pct(4), pct(1.5))).toMatch(/ 4% for advertising and 1\.5% for returns/);
    expect(sourceText({ ...explained, schedules: [schedule, schedule] })).toMatch(/2 fee schedules/);
    expect(sourceText({ ...explained, schedules: [], rates: [rate] })).toMatch(
      /: 17% \+ \$1\.80 per unit from \$9\.99 to \$24\.99\.$/,
    );
  });
});

describe('the steps as text', () => {
  /** $20.00 now, $10.00 cost, 15% fee, 10% margin: the floor is $13.34, one step goes down to $17.00. */
  function steps(over: Partial<ListingFacts>, mode: 'live' | 'recommend_only' = 'live') {
    const policy = aPolicy({ mode });
    const explanation = explain(aListing(over), chosen(), policy);
    return explanation.trace.steps.map((step) => stepText(step, explanation, policy));
  }

  it('describe the way to a competitor price', () => {
    expect(steps({ offers: [anOffer(18.99)] })).toEqual([
      'Matching the lowest competitor gives $18.99.',
      '$18.99 is allowed.',
      '$18.99 is within the step and daily limits.',
      'The price changes to $18.99.',
    ]);
  });

  it('name the margin floor, the step limit and the review reason', () => {
    expect(steps({ offers: [anOffer(9)] }, 'recommend_only')).toEqual([
      'Matching the lowest competitor gives $9.00.',
      '$9.00 is not allowed; the nearest allowed price is $13.34.',
      'The step limit is 15%. The price for this run is $17.00.',
      'This marketplace is set to recommend only. $17.00 needs your review.',
    ]);
  });

  it('explain why nothing changes', () => {
    expect(steps({ offers: [anOffer(20)] }).at(-1)).toBe('The price stays at $20.00.');
    expect(steps({ currentPrice: usd(5) }).at(-1)).toBe(
      'The price is outside the step or daily limit. $13.34 needs your review.',
    );
  });
});

describe('the limit that bound', () => {
  it('is named with its number', () => {
    const question = { gapBelow: null, price: usd(13.34), minimumMargin: pct(10), policy: aPolicy() };
    expect(bindingLimitText('none', question)).toBeNull();
    expect(bindingLimitText('floor', question)).toBe('Limited to your 10% margin floor.');
    expect(bindingLimitText('fee_band_gap', { ...question, gapBelow: usd(15) })).toBe(
      'Limited: between $15.00 and this price, fees leave less than your 10% margin.',
    );
    expect(bindingLimitText('daily_limit', question)).toBe('The daily limit is 30%.');
  });
});
