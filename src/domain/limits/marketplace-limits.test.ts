import { describe, expect, it } from 'vitest';
import { explain } from '#domain/decision/explain.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { checkManualPrice } from '#domain/decision/manual-price.ts';
import { refusalText } from '#domain/decision/manual-price-text.ts';
import { reasonNotToSend } from '#domain/sending/last-check.ts';
import { instant, minutes } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, chosen, usd } from '#tests/builders/facts.ts';
import { type MarketplaceLimits, outsideLimits } from './marketplace-limits.ts';

const none: MarketplaceLimits = { min: null, max: null, map: null };

/** $20.00 now, cost $10.00, 15% fee, margin 10%, on Amazon: the floor is $13.34. */
function listing(limits: Partial<MarketplaceLimits>, given: Partial<ListingFacts> = {}): ListingFacts {
  const { marketplace = 'amazon', offers = [] } = given;
  const there = offers.map((offer) => ({ ...offer, channel: marketplace }));
  const marketplaceLimits = { ...none, ...limits };
  return aListing({ ...given, marketplace, marketplaceLimits, offers: there });
}

function said(facts: ListingFacts): string {
  return explain(facts, chosen(), aPolicy()).sentence;
}

describe("the seller's limits on the marketplace are told in the reason", () => {
  const cheap = { offers: [anOffer(12)] };
  it.each<[string, ListingFacts, string]>([
    [
      'the minimum (C12)',
      listing({ min: usd(18) }, cheap),
      "Matched Corner Store's $12.00, limited to the minimum price of $18.00 that you set on Amazon.",
    ],
    [
      'the MAP price',
      listing({ map: usd(18) }, cheap),
      "Matched Corner Store's $12.00, limited to the MAP price of $18.00 on Amazon.",
    ],
    [
      'the maximum',
      listing({ max: usd(21) }, { offers: [anOffer(30)] }),
      "Matched Corner Store's $30.00, limited to the maximum price of $21.00 that you set on Amazon.",
    ],
    [
      'the limits of Best Offers',
      listing({ min: usd(18.01) }, { marketplace: 'ebay', ...cheap }),
      "Matched Corner Store's $12.00, limited to $18.01, the lowest price above your Best Offer limits on eBay.",
    ],
    [
      'the compare-at price',
      listing({ max: usd(20.99) }, { marketplace: 'shopify', offers: [anOffer(30)] }),
      "Matched Corner Store's $30.00, limited to $20.99, the highest price below the compare-at price in Shopify.",
    ],
    [
      'a floor above the maximum (C13)',
      listing({ max: usd(13) }),
      'The lowest price that keeps your 10% margin, $13.34, is above the maximum price of $13.00 that you set on Amazon.',
    ],
    [
      'a minimum there above the maximum here',
      listing({ min: usd(22) }, { maxPrice: usd(21) }),
      'The minimum price that you set on Amazon, $22.00, is above the maximum price, $21.00.',
    ],
    [
      'a minimum here above the maximum there',
      listing({ max: usd(21) }, { minPrice: usd(22) }),
      'The minimum price, $22.00, is above the maximum price of $21.00 that you set on Amazon.',
    ],
    [
      'a MAP price above the price ceiling',
      listing({ map: usd(31) }),
      'The MAP price on Amazon, $31.00, is above the price ceiling, $30.00.',
    ],
  ])('%s', (_, facts, sentence) => {
    expect(said(facts)).toBe(sentence);
  });
});

describe('a manual price', () => {
  it.each<[number, Partial<MarketplaceLimits>, string]>([
    [17, { min: usd(18) }, '$17.00 is below the minimum price of $18.00 that you set on Amazon.'],
    [17, { map: usd(18) }, '$17.00 is below the MAP price of $18.00 on Amazon.'],
    [22, { max: usd(21) }, '$22.00 is above the maximum price of $21.00 that you set on Amazon.'],
  ])('of $%d with %j is refused, and not sent', (price, limits, sentence) => {
    const facts = listing(limits);
    const choice = chosen();
    const margin = choice.minimumMargin;
    if (margin === null) throw new Error('The rule has a margin.');
    const check = checkManualPrice(facts, margin, usd(price));
    expect(check.isAllowed).toBe(false);
    expect(refusalText(check, usd(price), facts, margin)).toContain(sentence);
    expect(outsideLimits(usd(price), { ...none, ...limits }, 'amazon')).toBe(sentence);
    const policy = aPolicy();
    const order = {
      price: usd(price),
      fromPrice: usd(20),
      marginFloor: usd(13.34),
      isAutomatic: false,
      isRepair: false,
      isPastHalt: false,
      createdAt: policy.now,
      expiresAt: instant(policy.now + minutes(10)),
    };
    expect(reasonNotToSend(order, { facts, choice, policy }, minutes(10))).toBe(sentence);
  });
});

describe('limits that no price can have', () => {
  it.each([Number.NaN, -1, 0, 12.5, undefined, 'x'])('%s blocks the listing', (min) => {
    expect(explain(listing({ min: min as never }), chosen(), aPolicy()).decision).toMatchObject({
      kind: 'blocked',
      reason: 'unreadable_facts',
    });
  });
});
