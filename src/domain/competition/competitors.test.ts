import { describe, expect, it } from 'vitest';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { OfferFilter, Rule } from '#domain/rules/rule.ts';
import { type Bps, type Cents, hours, type Instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { landedPrice, lowestCompetitor, type OfferStatus, offerStatus } from './competitors.ts';
import { type Offer, type SellerKey, sellerKey } from './offer.ts';

interface Scene {
  facts?: Partial<ListingFacts>;
  rule?: Partial<Rule>;
  filter?: Partial<OfferFilter>;
}

const NO_FILTER: OfferFilter = {
  minRating: null,
  minRatingCount: null,
  maxHandlingDays: null,
  ignoreSellers: new Set(),
  fulfillmentType: null,
};
const POLICY = aPolicy({ ownSellers: new Set([sellerKey('Our Shop') as SellerKey]) });

function status(offer: Offer, { facts, rule, filter }: Scene = {}): OfferStatus {
  const filtered = filter === undefined ? {} : { filter: { ...NO_FILTER, ...filter } };
  return offerStatus(offer, aListing(facts), aRule({ ...rule, ...filtered }), POLICY);
}

const ago = (age: number) => (NOW - age) as Instant;
const unnamed = { sellerName: null, seller: null };

describe('an offer counts or is excluded for a reason', () => {
  it('counts when it is fresh, valid and from another seller', () => {
    expect(status(anOffer(19))).toBe('counted');
    expect(status(anOffer(19, unnamed))).toBe('counted');
    expect(status(anOffer(19, { shipping: usd(4) }))).toBe('counted');
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 19.5, null])(
    'a price of %s is unreadable',
    (price) => {
      expect(status(anOffer(19, { price: price as Cents }))).toBe('unreadable');
    },
  );

  it.each([-1, Number.NaN, 0.5, null])('a shipping of %s is unreadable', (shipping) => {
    expect(status(anOffer(19, { shipping: shipping as Cents }))).toBe('unreadable');
  });

  it('never counts our own offers, in any spelling', () => {
    expect(status(anOffer(19, { by: ' OUR SHOP ' }))).toBe('ours');
    expect(status(anOffer(19, { isOurs: true }))).toBe('ours');
    expect(status(anOffer(19, { by: 'Our Shop', channel: 'ebay' }), { rule: { otherChannels: true } })).toBe(
      'ours',
    );
    expect(status(anOffer(19, { by: 'Our Shop 2' }))).toBe('counted');
  });

  it('counts other channels only for rules that use them', () => {
    expect(status(anOffer(19, { channel: 'ebay' }))).toBe('other_channel');
    expect(status(anOffer(19, { channel: 'ebay' }), { rule: { otherChannels: true } })).toBe('counted');
  });

  it.each<[string, Instant | null, OfferStatus]>([
    ['just now', NOW, 'counted'],
    ['24 hours ago', ago(hours(24)), 'counted'],
    ['a moment longer ago', ago(hours(24) + 1), 'too_old'],
    ['in a moment', ago(-1), 'from_future'],
    ['at no known time', null, 'no_time'],
    ['at a time that cannot be read', Number.NaN as Instant, 'no_time'],
    ['before all time', Number.NEGATIVE_INFINITY as Instant, 'no_time'],
  ])('seen %s', (_, seenAt, expected) => {
    expect(status(anOffer(19, { seenAt }))).toBe(expected);
  });

  it('on another channel counts by the maximum age there', () => {
    const policy = { ...POLICY, otherOfferAges: { ebay: hours(72) } };
    const seenAt = ago(hours(25));
    const rule = aRule({ otherChannels: true });
    expect(offerStatus(anOffer(19, { channel: 'ebay', seenAt }), aListing(), rule, policy)).toBe('counted');
    expect(offerStatus(anOffer(19, { channel: 'amazon', seenAt }), aListing(), rule, policy)).toBe('too_old');
    expect(offerStatus(anOffer(19, { seenAt }), aListing(), rule, policy)).toBe('too_old');
  });

  it('is too old if the limit is invalid', () => {
    const policy = { ...POLICY, maxOfferAge: Number.NaN as never };
    expect(offerStatus(anOffer(19), aListing(), aRule(), policy)).toBe('too_old');
  });
});

describe('an offer without a seller at our own price', () => {
  it('could be ours, featured or not', () => {
    expect(status(anOffer(20, unnamed))).toBe('could_be_ours');
    expect(status(anOffer(20, { ...unnamed, isFeatured: true }))).toBe('could_be_ours');
    expect(status(anOffer(20.01, unnamed))).toBe('counted');
    expect(status(anOffer(19.99, unnamed))).toBe('counted');
  });

  it('is compared landed', () => {
    const facts = { shippingCharge: usd(4.99) };
    expect(status(anOffer(24.99, unnamed), { facts })).toBe('could_be_ours');
    expect(status(anOffer(15, { ...unnamed, shipping: usd(9.99) }), { facts })).toBe('could_be_ours');
    expect(status(anOffer(20, unnamed), { facts })).toBe('counted');
  });

  it('could be our pending price', () => {
    const facts = { pendingPrice: usd(18), shippingCharge: usd(1) };
    expect(status(anOffer(19, unnamed), { facts })).toBe('could_be_ours');
    expect(status(anOffer(18, unnamed), { facts })).toBe('counted');
  });

  it('could be ours on another channel at a price of ours there', () => {
    const rule = { otherChannels: true };
    const there = { marketplace: 'ebay', price: usd(18), shippingCharge: usd(2) } as const;
    const facts = { elsewhere: [{ ...there, ownPrices: [usd(18), usd(17)] }] };
    const seen = (price: number, over: Partial<Offer> = {}) =>
      status(anOffer(price, { ...unnamed, channel: 'ebay', ...over }), { facts, rule });
    for (const price of [18, 17, 20, 19]) expect(seen(price)).toBe('could_be_ours');
    expect(seen(18.01)).toBe('counted');
    expect(seen(18, { channel: 'amazon' })).toBe('counted');
    expect(seen(18, { channel: 'walmart' })).toBe('counted');
    expect(seen(18, { seller: 'corner store' as SellerKey })).toBe('counted');
    // Decisions from before these prices were compared.
    const then = { elsewhere: [there] };
    expect(status(anOffer(18, { ...unnamed, channel: 'ebay' }), { facts: then, rule })).toBe('counted');
  });

  it("is not ours when it is a named seller's or the marketplace's own", () => {
    expect(status(anOffer(20))).toBe('counted');
    expect(status(anOffer(20, { ...unnamed, isMarketplace: true }))).toBe('counted');
  });
});

describe('the competitors of an FBA/WFS listing', () => {
  it.each<[string, Partial<Offer>, OfferStatus]>([
    ["the marketplace's own offer", { isMarketplace: true }, 'counted'],
    ['the featured offer', { isFeatured: true }, 'counted'],
    ['a third party in the warehouse', { fulfillmentType: 'FBA/WFS' }, 'counted'],
    ['a third party that ships itself', { fulfillmentType: 'FBM' }, 'other_fulfillment'],
    ['a third party of unknown shipping', { fulfillmentType: null }, 'other_fulfillment'],
  ])('%s', (_, overrides, expected) => {
    const offer = anOffer(19, overrides);
    expect(status(offer, { facts: { fulfillmentType: 'FBA/WFS' } })).toBe(expected);
    expect(status(offer, { facts: { fulfillmentType: 'FBM' } })).toBe('counted');
  });
});

describe('the filter of a rule', () => {
  it.each<[string, Partial<OfferFilter>, Partial<Offer>, OfferStatus]>([
    ['a rating that is enough', { minRating: pct(95) }, { rating: pct(95) }, 'counted'],
    ['a lower rating', { minRating: pct(95) }, { rating: pct(94.99) }, 'rating'],
    ['an unknown rating', { minRating: pct(95) }, {}, 'rating'],
    ['an unknown rating against a limit of nothing', { minRating: -5 as Bps }, {}, 'rating'],
    ['a limit that cannot be read', { minRating: Number.NaN as Bps }, { rating: pct(100) }, 'rating'],
    ['enough ratings', { minRatingCount: 10 }, { ratingCount: 10 }, 'counted'],
    ['fewer ratings', { minRatingCount: 10 }, { ratingCount: 9 }, 'rating_count'],
    ['an unknown number of ratings', { minRatingCount: 0 }, {}, 'rating_count'],
    ['quick handling', { maxHandlingDays: 2 }, { handlingDays: 2 }, 'counted'],
    ['slow handling', { maxHandlingDays: 2 }, { handlingDays: 3 }, 'handling_days'],
    ['unknown handling', { maxHandlingDays: Number.POSITIVE_INFINITY }, {}, 'handling_days'],
    ['the same fulfillment', { fulfillmentType: 'FBM' }, {}, 'counted'],
    ['another fulfillment', { fulfillmentType: 'FBA/WFS' }, {}, 'other_fulfillment'],
    [
      'an ignored seller',
      { ignoreSellers: new Set([sellerKey('Corner Store') as SellerKey]) },
      {},
      'ignored_seller',
    ],
    [
      'an unknown seller',
      { ignoreSellers: new Set([sellerKey('Corner Store') as SellerKey]) },
      unnamed,
      'counted',
    ],
    ['no limits', {}, {}, 'counted'],
  ])('%s', (_, filter, overrides, expected) => {
    expect(status(anOffer(19, overrides), { filter })).toBe(expected);
  });
});

describe('the competitor to price against', () => {
  const lowest = (offers: Offer[], atLeast = Number.NEGATIVE_INFINITY) =>
    lowestCompetitor(aListing({ offers }), aRule(), POLICY, atLeast);

  it('is the lowest landed offer that counts', () => {
    const cheapItem = anOffer(17, { shipping: usd(3) });
    const delivered = anOffer(19.5);
    expect(landedPrice(cheapItem)).toBe(usd(20));
    expect(lowest([cheapItem, delivered])).toBe(delivered);
    expect(lowest([anOffer(15, { isOurs: true }), anOffer(16, { seenAt: null }), delivered])).toBe(delivered);
  });

  it('is the first of equal offers', () => {
    const first = anOffer(19, { by: 'First' });
    expect(lowest([anOffer(21), first, anOffer(19, { by: 'Second' })])).toBe(first);
  });

  it('is not below the requested price', () => {
    const enough = anOffer(18);
    expect(lowest([anOffer(17.99), enough, anOffer(19)], usd(18))).toBe(enough);
  });

  it('is null when no offer counts', () => {
    expect(lowest([])).toBeNull();
    expect(lowest([anOffer(19, { price: Number.NaN as Cents })])).toBeNull();
  });
});
