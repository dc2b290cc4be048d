import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, chosen, NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { OUR_KEY, stories } from '#tests/builders/scenarios.ts';
import { type Competition, competitionOf, EVERY_OFFER, type NotReadReason } from './competition.ts';
import { offerStatus } from './competitors.ts';
import { type Offer, type SellerKey, sellerKey } from './offer.ts';

const POLICY = aPolicy({ ownSellers: new Set([OUR_KEY]) });
const ago = (age: number) => (NOW - age) as Instant;
const unnamed = { sellerName: null, seller: null };
const IGNORED = sellerKey('Ignored Store') as SellerKey;
const NO_FILTER = {
  minRating: null,
  minRatingCount: null,
  maxHandlingDays: null,
  ignoreSellers: new Set<SellerKey>(),
  fulfillmentType: null,
};

function seen(facts: Partial<ListingFacts>, rule: Partial<Rule> = {}): Competition {
  return competitionOf(aListing(facts), aRule(rule), POLICY);
}

describe('what is known about competitors', () => {
  it('some, where a recent reading shows an offer that counts', () => {
    const readAt = ago(hours(24));
    expect(seen({ offers: [anOffer(19)], readAt })).toEqual({
      status: 'competitors',
      readAt,
      because: null,
      isOnlyOurs: false,
    });
  });

  it.each<[string, Partial<ListingFacts>, Partial<Rule>?]>([
    ['an empty reading', { offers: [] }],
    ['our own offer alone', { offers: [anOffer(20, { isOurs: true, isFeatured: true })] }],
    ['the first offers of more, all ours', { offers: [anOffer(20, { isOurs: true })], coverage: 'top' }],
    ['a marketplace that shows none, never read', { coverage: 'none', readAt: null }],
    [
      "a rule's filter that excludes all",
      { offers: [anOffer(19)] },
      { filter: { ...NO_FILTER, minRating: pct(95) } },
    ],
  ])('none: %s', (_, facts, rule) => {
    expect(seen(facts, rule)).toMatchObject({ status: 'alone', because: null });
  });

  it.each<[NotReadReason, string, Partial<ListingFacts>]>([
    ['never', 'no reading', { readAt: null }],
    ['never', 'no reading, whatever is stored', { readAt: null, offers: [anOffer(19)] }],
    ['never', 'a time that cannot be read', { readAt: Number.NaN as Instant }],
    ['from_future', 'a time in the future', { readAt: ago(-1) }],
    ['too_old', 'a reading of more than 24 hours ago', { readAt: ago(hours(24) + 1) }],
    [
      'offers_too_old',
      'a recent reading of old offers',
      { offers: [anOffer(19, { seenAt: ago(hours(25)) })] },
    ],
    ['offers_too_old', 'an offer without a time', { offers: [anOffer(19, { seenAt: null })] }],
    [
      'offers_too_old',
      'old offers from a file, where the marketplace shows none',
      { coverage: 'none', offers: [anOffer(19, { seenAt: ago(hours(25)) })] },
    ],
    [
      'former_price',
      'a nameless offer at a former price of ours',
      { ownPrices: [usd(20), usd(23)], offers: [anOffer(23, unnamed)] },
    ],
    ['box_only', 'a buy box without a price', { coverage: 'box' }],
    [
      'offer_unreadable',
      'an offer whose price cannot be read',
      { offers: [anOffer(19, { price: Number.NaN as Cents }), anOffer(20, { isOurs: true })] },
    ],
    [
      'offer_unreadable',
      'an offer whose shipping cannot be read',
      { offers: [anOffer(19, { shipping: -1 as Cents })] },
    ],
    [
      'offer_unreadable',
      'one from a file, where the marketplace shows none',
      { coverage: 'none', offers: [anOffer(19, { price: 0 as Cents })] },
    ],
    [
      'offers_too_old',
      'an old one whose price cannot be read',
      { offers: [anOffer(19, { price: 0 as Cents, seenAt: ago(hours(25)) })] },
    ],
  ])('nothing (%s): %s', (because, _, facts) => {
    expect(seen(facts)).toMatchObject({ status: 'not_read', because, isOnlyOurs: false });
  });

  it('nothing, where an offer cannot be read and the only other one is skipped as too low', () => {
    const facts = aListing({ offers: [anOffer(19), anOffer(1, { price: 0 as Cents })] });
    expect(competitionOf(facts, aRule(), POLICY, usd(19.01))).toMatchObject({ because: 'offer_unreadable' });
    expect(competitionOf(facts, aRule(), POLICY, usd(19))).toMatchObject({ status: 'competitors' });
  });

  it.each<[string, Partial<Offer>, Partial<Rule>?]>([
    ['ours', { isOurs: true }],
    ['of another channel, which the rule does not use', { channel: 'ebay' }],
    [
      'of a seller that the rule ignores',
      { sellerName: 'Ignored Store', seller: IGNORED },
      { filter: { ...NO_FILTER, ignoreSellers: new Set([IGNORED]) } },
    ],
  ])('none, where an offer that cannot be read is %s', (_, offer, rule) => {
    const offers = [anOffer(19, { price: 0 as Cents, ...offer })];
    expect(seen({ offers }, rule)).toMatchObject({ status: 'alone' });
  });

  it('nothing, where the only box that is shown is excluded by the rule', () => {
    const box = { coverage: 'box', offers: [anOffer(19, { ...unnamed, isFeatured: true })] } as const;
    expect(seen(box, { filter: { ...NO_FILTER, minRating: pct(95) } })).toMatchObject({
      because: 'box_only',
    });
    const facts = aListing(box);
    expect(competitionOf(facts, aRule(), POLICY, usd(19.01))).toMatchObject({ because: 'box_only' });
    expect(competitionOf(facts, aRule(), POLICY, usd(19))).toMatchObject({ status: 'competitors' });
  });

  it.each<[string, Partial<ListingFacts>]>([
    [
      'the only box that is shown',
      { coverage: 'box', offers: [anOffer(20, { isOurs: true, isFeatured: true })] },
    ],
    ['a nameless offer at our price', { offers: [anOffer(20, unnamed)] }],
    ['a nameless offer at the price on its way', { pendingPrice: usd(18), offers: [anOffer(18, unnamed)] }],
  ])('that others may sell it: %s is ours', (_, facts) => {
    expect(seen(facts)).toMatchObject({ status: 'competitors', isOnlyOurs: true });
  });

  it('counts offers of other channels only for rules that use them', () => {
    const facts = { coverage: 'none', readAt: null, offers: [anOffer(19, { channel: 'amazon' })] } as const;
    expect(seen(facts)).toMatchObject({ status: 'alone' });
    expect(seen(facts, { otherChannels: true })).toMatchObject({ status: 'competitors' });
  });

  it('in decisions from before readings were stored, what did not count was no competitor', () => {
    const former = { coverage: 'unrecorded', readAt: null } as const;
    expect(seen(former)).toMatchObject({ status: 'alone' });
    expect(seen({ ...former, offers: [anOffer(19, { seenAt: null })] })).toMatchObject({ status: 'alone' });
    expect(seen({ ...former, offers: [anOffer(19)] })).toMatchObject({ status: 'competitors' });
  });
});

describe('the buy box at our former price', () => {
  // Set from $23.00 to $25.00 a quarter of an hour ago.
  const facts = {
    currentPrice: usd(25),
    ownPrices: [usd(25), usd(23)],
    coverage: 'box',
    offers: [anOffer(23, { ...unnamed, isFeatured: true }), anOffer(25, { ...unnamed, isOurs: true })],
  } as const;
  const beat = chosen({ strategy: 'Beat Competitor', competitorOffset: usd(0.1) });

  it('is no competitor while it has no seller', () => {
    expect(decide(aListing(facts), beat, POLICY)).toMatchObject({ kind: 'keep', reason: 'not_read' });
  });

  it('is one with a seller, or at another price (C6)', () => {
    const named = {
      ...facts,
      coverage: 'top',
      offers: [anOffer(23), anOffer(25, { isOurs: true })],
    } as const;
    expect(decide(aListing(named), beat, POLICY)).toMatchObject({ kind: 'change', price: usd(22.9) });
    const other = { ...facts, offers: [anOffer(22.99, { ...unnamed, isFeatured: true })] } as const;
    expect(decide(aListing(other), beat, POLICY)).toMatchObject({ kind: 'change', price: usd(22.89) });
  });

  it.each([
    ['with our shipping charge', 27.99],
    ['without it', 23],
  ])('is compared %s', (_, landed) => {
    const charged = { ...facts, shippingCharge: usd(4.99), offers: [anOffer(landed, unnamed)] };
    expect(seen(charged)).toMatchObject({ because: 'former_price' });
  });
});

describe('holding the only box that is shown', () => {
  const held = (over: Partial<Offer> = {}) => anOffer(20, { isOurs: true, isFeatured: true, ...over });

  it('moves no price, whatever the rule says for no competitor', () => {
    for (const noCompetitor of ['keep', 'floor', 'ceiling'] as const) {
      const facts = aListing({ coverage: 'box', offers: [held()] });
      expect(decide(facts, chosen({ noCompetitor }), POLICY)).toMatchObject({
        kind: 'keep',
        reason: 'only_ours_shown',
      });
    }
  });

  it('lowers no price because of another channel, and may raise it', () => {
    const rule = chosen({ otherChannels: true });
    const nextTo = (price: number) =>
      aListing({ coverage: 'box', offers: [held(), anOffer(price, { channel: 'ebay' })] });
    expect(decide(nextTo(19), rule, POLICY)).toMatchObject({ kind: 'keep', reason: 'only_ours_shown' });
    expect(decide(nextTo(21), rule, POLICY)).toMatchObject({ kind: 'change', price: usd(21) });
  });

  it('corrects a price that is not allowed', () => {
    const facts = aListing({ currentPrice: usd(13), coverage: 'box', offers: [held({ price: usd(13) })] });
    expect(decide(facts, chosen(), POLICY)).toMatchObject({ kind: 'change', reason: 'repair' });
  });
});

describe('without a reading', () => {
  it.each(['Match Competitor', 'Beat Competitor', 'Dynamic Pricing'] as const)(
    '%s keeps the price',
    (strategy) => {
      for (const noCompetitor of ['keep', 'floor', 'ceiling'] as const) {
        const decision = decide(aListing({ readAt: null }), chosen({ strategy, noCompetitor }), POLICY);
        expect(decision).toMatchObject({ kind: 'keep', reason: 'not_read' });
      }
    },
  );

  it('Fixed Margin and corrections go on', () => {
    const fixed = chosen({ strategy: 'Fixed Margin' });
    expect(decide(aListing({ readAt: null, currentPrice: usd(14) }), fixed, POLICY)).toMatchObject({
      kind: 'change',
      price: usd(13.34),
    });
    const low = aListing({ readAt: null, currentPrice: usd(12) });
    expect(decide(low, chosen({ noCompetitor: 'ceiling' }), POLICY)).toMatchObject({
      kind: 'change',
      reason: 'repair',
      price: usd(13.34),
    });
  });
});

law('a rule that follows competitors moves no price for silence, except to correct it', stories, (story) => {
  const { facts, choice, policy } = story;
  if (choice.minimumMargin === null || choice.rule.strategy === 'Fixed Margin') return;
  const decision = decide(facts, choice, policy);
  const { status } = competitionOf(facts, choice.rule, policy);
  if (status === 'not_read' && decision.kind === 'change') expect(decision.reason).toBe('repair');
  if (/^no_competitor_/.test(decision.reason)) {
    // Excluded by the rule, if there are any: they are below its lowest allowed price.
    expect(status === 'alone' || choice.rule.belowFloor === 'skip').toBe(true);
    expect(facts.coverage).not.toBe('box');
  }
});

law(
  'a nameless offer at a price of ours of the last day never counts',
  stories,
  ({ facts, choice, policy }) => {
    for (const offer of facts.offers) {
      const landed = offer.price + offer.shipping;
      const own = [...facts.ownPrices, facts.pendingPrice ?? 0];
      const isAtOwn = own.some((price) => landed === price + (facts.shippingCharge ?? 0));
      if (offer.seller !== null || offer.isMarketplace || !isAtOwn) continue;
      expect(offerStatus(offer, facts, choice.rule ?? EVERY_OFFER, policy)).not.toBe('counted');
    }
  },
);

law(
  'the status does not depend on the order of the offers, and later silence only takes knowledge away',
  fc.tuple(stories, fc.integer({ min: 0, max: 60 })),
  ([{ facts, choice, policy }, later]) => {
    const rule = choice.rule ?? EVERY_OFFER;
    const now = competitionOf(facts, rule, policy);
    const reversed = { ...facts, offers: facts.offers.toReversed() };
    expect(competitionOf(reversed, rule, policy)).toEqual(now);
    const aged = competitionOf(facts, rule, { ...policy, now: (policy.now + hours(later)) as Instant });
    if (now.status === 'not_read' && now.because !== 'from_future' && now.because !== 'offers_too_old') {
      expect(aged.status).toBe('not_read');
    }
    if (later > 24 && facts.coverage !== 'none' && now.because !== 'from_future') {
      expect(aged.status).toBe('not_read');
    }
  },
);
