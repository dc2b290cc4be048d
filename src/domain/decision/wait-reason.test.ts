import { describe, expect, it } from 'vitest';
import type { Policy } from '#domain/limits/policy.ts';
import { type Cents, hours, type Instant, type Millis } from '#domain/units.ts';
import { APPAREL, aCost, aListing, anOffer, aPolicy, chosen, NOW, usd } from '#tests/builders/facts.ts';
import { decide } from './decide.ts';
import type { ListingFacts, PriceWarStreak } from './facts.ts';
import { allowsCorrection, waitReason } from './wait-reason.ts';

const ago = (age: number) => (NOW - age) as Instant;

/** From $20.00 to $19.00 by default. */
function wait(facts: Partial<ListingFacts>, policy: Partial<Policy> = {}, price: Cents | null = usd(19)) {
  return waitReason({ price, reason: 'beaten' }, true, aListing(facts), aPolicy(policy));
}

function cuts(times: number, age: Millis): { priceWarStreak: PriceWarStreak } {
  return { priceWarStreak: { against: null, times, lastAt: ago(age) } };
}

describe('a move that is allowed and within the move range may have to wait', () => {
  it('does not wait by default', () => {
    expect(wait({})).toBeNull();
    expect(wait({ pendingPrice: usd(18) })).toBeNull();
  });

  it('is no move without a price or at the current price', () => {
    const facts = { awaitingUpload: true, pendingPrice: usd(20) };
    expect(wait(facts, {}, null)).toBeNull();
    expect(wait(facts, {}, usd(20))).toBeNull();
  });

  it('waits for the upload of the price before it', () => {
    expect(wait({ awaitingUpload: true, pendingPrice: usd(19) })).toBe('awaiting_upload');
  });

  it('is already on its way', () => {
    expect(wait({ pendingPrice: usd(19) }, { minStep: usd(5) })).toBe('already_sent');
  });

  it('has at least the minimum step, up or down', () => {
    expect(wait({}, { minStep: usd(1) })).toBeNull();
    expect(wait({}, { minStep: usd(1.01) })).toBe('minimum_step');
    expect(wait({}, { minStep: usd(1.01) }, usd(21))).toBe('minimum_step');
    expect(wait({}, { minStep: usd(1) }, usd(21))).toBeNull();
    expect(wait({}, { minStep: Number.NaN as Cents })).toBe('minimum_step');
  });

  it('waits until the cooldown is over', () => {
    const cooldown = hours(1);
    expect(wait({ lastChangedAt: ago(hours(1)) }, { cooldown })).toBeNull();
    expect(wait({ lastChangedAt: ago(hours(1) - 1) }, { cooldown })).toBe('cooldown');
    expect(wait({ lastChangedAt: null }, { cooldown })).toBeNull();
    expect(wait({ lastChangedAt: NOW })).toBeNull();
    expect(wait({ lastChangedAt: ago(-1) })).toBe('cooldown');
    expect(wait({ lastChangedAt: ago(hours(9)) }, { cooldown: Number.NaN as Millis })).toBe('cooldown');
    expect(wait({ lastChangedAt: Number.NaN as Instant })).toBe('cooldown');
  });
});

describe('a price war', () => {
  it('is six cuts in a day, and pauses for six hours', () => {
    expect(wait(cuts(6, hours(0)))).toBe('price_war');
    expect(wait(cuts(7, hours(5.99)))).toBe('price_war');
    expect(wait(cuts(5, hours(0)))).toBeNull();
    expect(wait(cuts(6, hours(6)))).toBeNull();
    expect(wait(cuts(6, (hours(6) - 1) as Millis))).toBe('price_war');
  });

  it('pauses for up to a day, after which its cuts do not count', () => {
    const policy = { priceWarPause: hours(48) };
    expect(wait(cuts(6, hours(23.9)), policy)).toBe('price_war');
    expect(wait(cuts(6, hours(24)), policy)).toBeNull();
  });

  it('follows the limits that are set', () => {
    expect(wait(cuts(3, hours(1)), { priceWarThreshold: 3 })).toBe('price_war');
    expect(wait(cuts(6, hours(2)), { priceWarPause: hours(2) })).toBeNull();
    expect(wait(cuts(1, hours(1)), { priceWarThreshold: Number.NaN })).toBe('price_war');
    expect(wait(cuts(6, Number.NaN as Millis))).toBe('price_war');
  });
});

describe('a repair', () => {
  const rested = { lastChangedAt: NOW, ...cuts(9, hours(0)) };
  const limits = { minStep: usd(5), cooldown: hours(9) };
  const repair = (facts: Partial<ListingFacts>) =>
    waitReason(
      { price: usd(19), reason: 'repair' },
      false,
      aListing({ ...rested, ...facts }),
      aPolicy(limits),
    );

  it('waits for neither a cooldown nor an upload, only for the same pending price', () => {
    expect(repair({})).toBeNull();
    expect(repair({ awaitingUpload: true })).toBeNull();
    expect(repair({ pendingPrice: usd(19) })).toBe('already_sent');
  });

  it('replaces a move that would have to wait if the current price is not allowed', () => {
    const apparel = { cost: aCost(12.5), fees: APPAREL, offers: [anOffer(17)] };
    const match = (currentPrice: Cents, facts: Partial<ListingFacts>) =>
      decide(aListing({ ...apparel, currentPrice, ...facts }), chosen(), aPolicy(limits));
    const repaired = { kind: 'change', price: usd(15), reason: 'repair', reference: usd(17) };
    expect(match(usd(15.3), {})).toMatchObject(repaired);
    expect(match(usd(15.3), { lastChangedAt: NOW })).toMatchObject(repaired);
    expect(match(usd(15.3), cuts(6, hours(0)))).toMatchObject(repaired);
    expect(match(usd(15.3), { awaitingUpload: true })).toMatchObject(repaired);
    expect(match(usd(14.9), { awaitingUpload: true })).toMatchObject({
      kind: 'keep',
      reason: 'awaiting_upload',
    });
    const onItsWay = { kind: 'keep', price: usd(15.3), reason: 'already_sent' };
    expect(match(usd(15.3), { pendingPrice: usd(17) })).toMatchObject(onItsWay);
    expect(match(usd(15.3), { refusedPrices: [usd(17)] })).toMatchObject(repaired);
    expect(match(usd(15.3), { refusedPrices: [usd(17), usd(15)] })).toMatchObject({
      kind: 'keep',
      price: usd(15.3),
      reason: 'refused',
    });
    expect(match(usd(15.63), {})).toMatchObject({ kind: 'keep', reason: 'minimum_step', price: usd(15.63) });
  });
});

describe('reasons that still allow a correction', () => {
  it('are our own limits and a rejection', () => {
    for (const reason of ['minimum_step', 'cooldown', 'price_war', 'refused'] as const)
      expect(allowsCorrection(reason)).toBe(true);
    for (const reason of ['awaiting_upload', 'already_sent', 'no_rule'] as const)
      expect(allowsCorrection(reason)).toBe(false);
  });
});
