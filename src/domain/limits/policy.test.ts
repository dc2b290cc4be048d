import { expect, it } from 'vitest';
import { hours } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { DEFAULT_LIMITS } from './policy.ts';

it('a new install moves a price by 15% at most, 30% in a day, and pauses six hours after six cuts', () => {
  expect(DEFAULT_LIMITS).toEqual({
    maxOfferAge: hours(24),
    otherOfferAges: {},
    maxStep: pct(15),
    maxDailyChange: pct(30),
    avoidBandEdges: true,
    minStep: usd(0.01),
    cooldown: 0,
    priceWarThreshold: 6,
    priceWarPause: hours(6),
  });
});
