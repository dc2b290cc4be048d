import { describe, expect, test } from 'vitest';
import type { StrategyPrice } from '#domain/decision/strategy-price.ts';
import { hours, type Instant } from '#domain/units.ts';
import { anOffer, NOW, usd } from '#tests/builders/facts.ts';
import { type Offer, sellerKey } from './offer.ts';
import { longestPriceWarStreak, NAMELESS, opponentKey, type RecentMove } from './recent-moves.ts';

/** Cuts of a cent, an hour apart. */
const cutsAgainst = (...against: readonly RecentMove['against'][]): RecentMove[] =>
  against.map((each, index) => ({
    oldPrice: usd(20 - index / 100),
    newPrice: usd(19.99 - index / 100),
    source: 'rule',
    at: (NOW + hours(index)) as Instant,
    against: each,
  }));

const pricedAgainst = (competitor: Offer | null): StrategyPrice => ({
  price: 19,
  reason: 'matched',
  competitor,
  line: null,
});

describe('cuts of a price', () => {
  test('against no competitor are no price war, such as those of a line that sells off', () => {
    expect(longestPriceWarStreak(cutsAgainst(null, null, null))).toBeNull();
    const acme = sellerKey('Acme');
    expect(longestPriceWarStreak(cutsAgainst(null, acme, null, acme))).toEqual({
      against: acme,
      times: 2,
      lastAt: NOW + hours(3),
    });
  });

  test('against offers without a seller count as against one', () => {
    const nameless = opponentKey(pricedAgainst(anOffer(19, { seller: null, sellerName: null })));
    expect(nameless).toBe(NAMELESS);
    expect(longestPriceWarStreak(cutsAgainst(nameless, null, nameless))).toMatchObject({
      against: '',
      times: 2,
    });
    expect(opponentKey(pricedAgainst(anOffer(19, { by: 'Acme' })))).toBe('acme');
    expect(opponentKey(pricedAgainst(null))).toBeNull();
    expect(opponentKey(null)).toBeNull();
  });
});
