import { describe, expect, test } from 'vitest';
import { hours, instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, NOW } from '#tests/builders/facts.ts';
import { holdsBuyBox } from './buy-box.ts';
import { type Offer, type SellerKey, sellerKey } from './offer.ts';

const WE_ARE_KNOWN = {
  ownSellers: new Set([sellerKey('Our Shop') as SellerKey]),
  areOwnSellersKnown: true,
};
const featured = (over: Partial<Offer> & { by?: string } = {}): Offer =>
  anOffer(15, { isFeatured: true, ...over });
const holds = (offers: Offer[], policy: Parameters<typeof aPolicy>[0] = WE_ARE_KNOWN) =>
  holdsBuyBox(aListing({ offers }), aPolicy(policy));

describe('whether we hold the buy box', () => {
  test('ours by name in any spelling, or as marked by the source', () => {
    expect(holds([featured({ by: ' our SHOP ' })])).toBe(true);
    expect(holds([featured({ by: 'Unknown', isOurs: true })])).toBe(true);
  });

  test('not ours when another seller or the marketplace itself is featured', () => {
    expect(holds([anOffer(14, { by: 'Our Shop' }), featured()])).toBe(false);
    expect(holds([featured({ isMarketplace: true, sellerName: null, seller: null })])).toBe(false);
  });

  test('unknown without a featured offer or without its seller name', () => {
    expect(holds([anOffer(15)])).toBeNull();
    expect(holds([featured({ sellerName: null, seller: null })])).toBeNull();
  });

  test('unknown without seller names of ours, except for offers of the marketplace', () => {
    const unknown = { ownSellers: new Set<SellerKey>(), areOwnSellersKnown: false };
    expect(holds([featured()], unknown)).toBeNull();
    expect(holds([featured({ isMarketplace: true })], unknown)).toBe(false);
  });

  test.each([
    ['too old', { seenAt: instant(NOW - hours(24) - 1) }],
    ['from the future', { seenAt: instant(NOW + 1) }],
    ['without a time', { seenAt: null }],
    ['of another channel', { channel: 'amazon' as const }],
  ])('an offer %s says nothing', (_, over) => {
    expect(holds([featured(over)])).toBeNull();
  });

  test('an offer as old as the limit still counts', () => {
    expect(holds([featured({ seenAt: instant(NOW - hours(24)) })])).toBe(false);
  });
});
