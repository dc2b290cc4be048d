import { describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type BoxReadings, boxHolding } from './box-holding.ts';
import { sellerKey } from './offer.ts';

const OWN = new Set([sellerKey('My Shop')].filter((key) => key !== null));
const seen = (firstAt: number, lastAt: number, seller: string | null, over: Partial<BoxReadings> = {}) => ({
  firstAt: instant(firstAt),
  lastAt: instant(lastAt),
  seller,
  isOurs: false,
  isMarketplace: false,
  price: cents(1_999),
  ...over,
});
const holding = (...readings: readonly BoxReadings[]) => boxHolding(readings, 'amazon', OWN);

describe('who holds the buy box, since when', () => {
  test('is unknown without a reading', () => {
    expect(holding()).toBeNull();
  });

  test('since the first reading after the last one with another holder', () => {
    expect(holding(seen(30, 40, 'ACME '), seen(20, 25, 'Acme'), seen(10, 15, 'My shop'))).toEqual({
      holder: 'seller',
      seller: 'ACME ',
      price: 1_999,
      since: 20,
      isAtLeast: false,
      seenAt: 40,
      before: { holder: 'ours', seller: 'My shop', seenAt: 15 },
    });
  });

  test('at least since the oldest reading, where none shows another holder', () => {
    expect(holding(seen(30, 40, 'My Shop'), seen(20, 25, null, { isOurs: true }))).toMatchObject({
      holder: 'ours',
      since: 20,
      isAtLeast: true,
      before: null,
    });
  });

  test('the marketplace by its mark or its name, and another seller is another holder', () => {
    expect(
      holding(seen(30, 40, 'Amazon.com'), seen(20, 25, null, { isMarketplace: true }), seen(1, 2, 'Bolt')),
    ).toMatchObject({ holder: 'marketplace', since: 20, before: { holder: 'seller', seller: 'Bolt' } });
    expect(holding(seen(30, 40, 'Acme'), seen(20, 25, 'Bolt'))).toMatchObject({ since: 30 });
  });

  test('readings without a name neither end nor begin a holding, and have no beginning of their own', () => {
    expect(holding(seen(30, 40, 'Acme'), seen(20, 25, null), seen(10, 15, 'Acme'))).toMatchObject({
      since: 10,
      isAtLeast: true,
    });
    expect(holding(seen(30, 40, null), seen(20, 25, 'Acme'))).toMatchObject({
      holder: 'unnamed',
      since: null,
      isAtLeast: false,
      before: { holder: 'seller', seller: 'Acme', seenAt: 25 },
    });
  });
});
