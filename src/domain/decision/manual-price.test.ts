import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { APPAREL, aCost, aListing, aRule, chosen, fees, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { isAllowedPrice, lowestByTrying } from '#tests/builders/oracle.ts';
import { priceTerms } from '#tests/builders/scenarios.ts';
import type { ListingFacts } from './facts.ts';
import { checkManualPrice, manualPriceMargin, nearestAllowed } from './manual-price.ts';
import { refusalText } from './manual-price-text.ts';

function checked(price: number, over: Partial<ListingFacts> = {}, margin = 10) {
  const facts = aListing(over);
  const judgement = checkManualPrice(facts, pct(margin), usd(price));
  return { limit: judgement.limit, text: refusalText(judgement, usd(price), facts, pct(margin)) };
}

describe('a manual price', () => {
  it('may be any price that keeps the margin, however far away', () => {
    // $10.00 cost, 15% fee, 10% margin: the floor is 10.00 / 0.75 = 13.34; the ceiling 1.5 x 20.00.
    expect(checked(13.34)).toEqual({ limit: null, text: null });
    expect(checked(30)).toEqual({ limit: null, text: null });
  });

  it('is rejected below the margin floor, with the margin floor', () => {
    expect(checked(13.33)).toEqual({
      limit: 'floor',
      text: '$13.33 is below $13.34, the lowest price that keeps your 10% margin. Use $13.34 or more.',
    });
  });

  it('needs a margin of at least 0 without a rule', () => {
    expect(checked(11.76, {}, 0)).toEqual({
      limit: 'floor',
      text: '$11.76 is below $11.77, the lowest price that loses no money. Use $11.77 or more.',
    });
  });

  it('is rejected above the price ceiling, which a maximum price replaces', () => {
    expect(checked(30.01)).toEqual({
      limit: 'ceiling',
      text: '$30.01 is above the price ceiling of $30.00. Use $30.00 or less, or set a maximum price for this listing.',
    });
    expect(checked(30.01, { maxPrice: usd(40) }).limit).toBeNull();
  });

  it("is rejected outside the listing's own limits", () => {
    const bounds = { minPrice: usd(15), maxPrice: usd(25) };
    expect(checked(14.99, bounds).text).toBe(
      "$14.99 is below this listing's minimum price of $15.00. Use $15.00 or more, or lower the minimum price.",
    );
    expect(checked(25.01, bounds).text).toBe(
      "$25.01 is above this listing's maximum price of $25.00. Use $25.00 or less, or raise the maximum price.",
    );
  });

  it('is rejected between two fee bands, with the nearest price on either side', () => {
    const apparel = { fees: APPAREL, cost: aCost(12.5) };
    expect(checked(15.2, apparel)).toEqual({
      limit: 'fee_band_gap',
      text: 'At $15.20 the fees are higher, so the price does not keep your 10% margin. Use $15.00 or $15.63.',
    });
    expect(checked(15.2, { ...apparel, maxPrice: usd(15.5) }).text).toMatch(/Use \$15\.00 or less\.$/);
  });

  it('is rejected while a cost is unknown, with what to enter', () => {
    const cost = {
      ...aCost(10),
      product: null,
      total: null,
      gaps: [{ kind: 'no_product_cost', sku: 'A-1' }],
    } as const;
    expect(checked(50, { cost })).toEqual({
      limit: 'unknown_cost',
      text: 'The total cost is unknown, so the margin cannot be checked. Enter the product cost of SKU A-1 under SKUs.',
    });
  });

  it('is rejected when nothing is allowed, with the fix', () => {
    expect(checked(20, { fees: fees([{ percent: 95 }]) }).text).toBe(
      'No price keeps your 10% margin. Lower the minimum margin: together with the fees it adds up to 100% of the price or more.',
    );
    expect(checked(12, { maxPrice: usd(12.5) }).text).toBe(
      '$12.00 is below $13.34, the lowest price that keeps your 10% margin. Raise the maximum price of A-1, lower its cost or lower the minimum margin.',
    );
    expect(
      checked(15.2, { fees: APPAREL, cost: aCost(12.5), minPrice: usd(15.1), maxPrice: usd(15.3) }).text,
    ).toMatch(/Widen the range between minimum and maximum price of A-1/);
  });
});

describe('the minimum margin of manual prices', () => {
  it("is the rule's on this marketplace, even if the rule is paused or does not apply", () => {
    const facts = aListing();
    const margins = { marketplaceMargins: { walmart: pct(22) } };
    expect(manualPriceMargin(chosen(margins), facts)).toBe(pct(22));
    expect(manualPriceMargin({ kind: 'own_paused', rule: aRule(margins), minimumMargin: null }, facts)).toBe(
      pct(22),
    );
    expect(manualPriceMargin({ kind: 'none', rule: null, minimumMargin: null }, facts)).toBe(0);
  });
});

describe('the allowed manual prices equal those found by checking every price', () => {
  const small = priceTerms(600);
  law('at every price', fc.tuple(small, fc.integer({ min: 1, max: 1_200 })), ([terms, price]) => {
    const facts = aListing({
      cost: aCost(terms.totalCost / 100),
      shippingCharge: terms.shippingCharge as Cents,
      fees: compileFees(terms.schedule),
      minPrice: terms.minPrice as Cents | null,
      maxPrice: terms.maxPrice as Cents | null,
      marketplaceLimits: terms.marketplaceLimits,
      anchorPrice: terms.anchorPrice as Cents | null,
    });
    const minimumMargin = terms.minimumMargin as Bps;
    const judgement = checkManualPrice(facts, minimumMargin, price as Cents);
    const floor = lowestByTrying(terms, 20_000);
    const outOfOrder = terms.minPrice !== null && terms.maxPrice !== null && terms.minPrice > terms.maxPrice;
    expect(judgement.isAllowed).toBe(!outOfOrder && floor !== null && isAllowedPrice(price, terms, floor));
    const text = refusalText(judgement, price as Cents, facts, minimumMargin);
    if (judgement.isAllowed) {
      expect(text).toBeNull();
      return;
    }
    expect(text).toMatch(/^[A-Z$].*\.$/);
    for (const near of judgement.set === null ? [] : nearestAllowed(judgement.set, price as Cents)) {
      expect(judgement.set !== null && isAllowed(judgement.set, near)).toBe(true);
      expect(checkManualPrice(facts, minimumMargin, near).isAllowed).toBe(true);
    }
  });
});
