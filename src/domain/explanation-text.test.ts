import { describe, expect, it } from 'vitest';
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
import { type OfferStatus, offerStatus } from './competitors.ts';
import { explain } from './explain.ts';
import { boundText, feesText, offerStatusText, otherMatches, whyThisRule } from './explanation-text.ts';
import type { ListingFacts } from './facts.ts';
import { type Offer, sellerKey } from './offer.ts';
import type { OfferFilter, Rule } from './rule.ts';
import { stepText } from './step-text.ts';
import { type Cents, hours, type Instant } from './units.ts';

const NO_FILTER: OfferFilter = {
  minRating: null,
  minRatingCount: null,
  maxHandlingDays: null,
  ignoreSellers: new Set(),
  fulfillmentType: null,
};

/** The words for the verdict that the domain itself gives. */
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
  const verdict = offerStatus(question.offer, question.facts, question.rule, question.policy);
  return [verdict, offerStatusText(verdict, question)];
}
const filtered = (filter: Partial<OfferFilter>): Partial<Rule> => ({ filter: { ...NO_FILTER, ...filter } });

describe('the words for an offer', () => {
  it.each<[OfferStatus, string, unknown[]]>([
    ['counted', 'Counted.', saying({})],
    ['unreadable', 'Left out: its price cannot be read.', saying({ price: 0 as Cents })],
    ['ours', 'Left out: this is your own offer.', saying({ isOurs: true })],
    [
      'other_channel',
      'Left out: it is on eBay, and the rule looks at Walmart only.',
      saying({ channel: 'ebay' }),
    ],
    ['no_time', 'Left out: its source does not say when it was seen.', saying({ seenAt: null })],
    ['from_future', 'Left out: its time lies in the future.', saying({ seenAt: (NOW + 1) as Instant })],
    [
      'too_old',
      'Left out: seen 3 days ago, and offers count for 24 hours.',
      saying({ seenAt: (NOW - hours(72)) as Instant }),
    ],
    [
      'could_be_ours',
      'Left out: it names no seller and asks exactly your price, so it may be your own.',
      saying({ seller: null, sellerName: null, price: usd(20) }),
    ],
    [
      'other_fulfillment',
      'Left out: it is shipped by its seller, and an FBA/WFS listing looks at FBA/WFS, featured and marketplace offers only.',
      saying({}, { fulfillmentType: 'FBA/WFS' }),
    ],
    [
      'other_fulfillment',
      'Left out: it is shipped by its seller, and the rule looks at FBA/WFS offers only.',
      saying({}, {}, filtered({ fulfillmentType: 'FBA/WFS' })),
    ],
    [
      'rating',
      'Left out: rated 88%, and the rule wants 90%.',
      saying({ rating: pct(88) }, {}, filtered({ minRating: pct(90) })),
    ],
    [
      'rating_count',
      'Left out: an unknown number of ratings, and the rule wants 50.',
      saying({}, {}, filtered({ minRatingCount: 50 })),
    ],
    [
      'handling_days',
      'Left out: ships within 9 days, and the rule allows 3.',
      saying({ handlingDays: 9 }, {}, filtered({ maxHandlingDays: 3 })),
    ],
    [
      'ignored_seller',
      'Left out: the rule ignores this seller.',
      saying({}, {}, filtered({ ignoreSellers: new Set([sellerKey('rival') ?? never()]) })),
    ],
  ])('%s: %s', (verdict, text, said) => {
    expect(said).toEqual([verdict, text]);
  });
});

function never(): never {
  throw new Error('a name has a key');
}

describe('why a rule decides', () => {
  it.each([
    [{ kind: 'own' } as const, null, "The listing's own rule."],
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
      "The listing's own rule, which is paused: it never falls to another rule.",
    ],
  ])('%j among %j', (choice, others, text) => {
    expect(whyThisRule(choice, aListing(), others)).toBe(text);
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
    expect(otherMatches(rules, mine, aListing())).toEqual(['All', 'Walmart FBM']);
  });
});

describe('fees in words', () => {
  it.each([
    [aFeeSchedule([{ percent: 15 }]), null, '15%.'],
    [
      aFeeSchedule([{ percent: 15, minimum: 0.3 }]),
      '2026-01-01',
      '15%, at least $0.30, in force since 2026-01-01.',
    ],
    [
      aFeeSchedule([
        { upTo: 10, percent: 13.6, fixed: 0.3 },
        { percent: 13.6, fixed: 0.4 },
      ]),
      null,
      '13.6% + $0.30 up to $10.00; 13.6% + $0.40 above, each on the whole price.',
    ],
    [
      { ...aFeeSchedule([{ upTo: 300, percent: 12 }, { percent: 8 }], 'marginal'), category: 'Watches' },
      null,
      'Watches: 12% up to $300.00; 8% above, each on its part of the price.',
    ],
  ])('%#', (schedule, since, text) => {
    expect(feesText(schedule, since)).toBe(text);
  });
});

describe('the steps in words', () => {
  /** $20.00 now, $10.00 cost, 15% fee, 10% margin: the floor is $13.34, one step goes down to $17.00. */
  function steps(over: Partial<ListingFacts>, engine: 'armed' | 'observe' = 'armed') {
    const policy = aPolicy({ engine });
    const explanation = explain(aListing(over), chosen(), policy);
    return explanation.trace.steps.map((step) => stepText(step, explanation, policy));
  }

  it('tell the way to a competitor', () => {
    expect(steps({ offers: [anOffer(18.99)] })).toEqual([
      'Matching the lowest competitor asks $18.99.',
      '$18.99 is a legal price.',
      '$18.99 is within one step.',
      'The price becomes $18.99.',
    ]);
  });

  it('tell of the floor, of the step and of who decides', () => {
    expect(steps({ offers: [anOffer(9)] }, 'observe')).toEqual([
      'Matching the lowest competitor asks $9.00.',
      '$9.00 is not a legal price; the nearest is $13.34.',
      'One step may move a price by 15%. The step ends at $17.00.',
      'Repricing only observes this marketplace. $17.00 waits for a person to apply it.',
    ]);
  });

  it('tell why nothing moves', () => {
    expect(steps({ offers: [anOffer(20)] }).at(-1)).toBe('The price stays at $20.00.');
    expect(steps({ currentPrice: usd(5) }).at(-1)).toBe(
      'The price is further away than one step may go. $13.34 waits for a person to apply it.',
    );
  });
});

describe('the limit that bound', () => {
  it('is named with its number', () => {
    const question = { price: usd(13.34), minimumMargin: pct(10), policy: aPolicy() };
    expect(boundText('none', question)).toBeNull();
    expect(boundText('floor', question)).toBe('Held at the lowest price that keeps your 10% margin.');
    expect(boundText('drift', question)).toBe('A day may move a price by 30%.');
  });
});
