import { describe, expect, it } from 'vitest';
import { sellerKey } from './offer.ts';

describe('the key of a seller', () => {
  it('is the same for spellings of one name', () => {
    expect(sellerKey('  Our Shop ')).toBe(sellerKey('OUR SHOP'));
    expect(sellerKey('Straße')).toBe(sellerKey('STRASSE'));
    expect(sellerKey('Cafe\u0301 Noir')).toBe(sellerKey('Caf\u00e9 noir'));
    expect(sellerKey('Our Shop')).not.toBe(sellerKey('Our Shops'));
  });

  it('is null for a blank name, which is never us', () => {
    for (const blank of [null, undefined, '', '   ', '\t\n']) expect(sellerKey(blank)).toBeNull();
  });
});
