import fc from 'fast-check';
import { expect, test } from 'vitest';
import { featuredPriceText } from '#domain/competition/featured-price-text.ts';
import type { Offer } from '#domain/competition/offer.ts';
import { decide, evaluate } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import { type ListingFacts, type ListingSignals, NO_SIGNALS } from '#domain/decision/facts.ts';
import { withOwnMap } from '#domain/limits/marketplace-limits.ts';
import { DEFAULT_LIMITS } from '#domain/limits/policy.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import {
  APPAREL,
  aCost,
  aListing,
  anOffer,
  aPolicy,
  aRule,
  fees,
  NOW,
  pct,
  usd,
} from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { refusedLine } from './check-lines.ts';
import { RULE_TEMPLATES } from './templates.ts';

const UNDER = '4% under the lowest (12% under faster, 4% under slower)';
const END = `${UNDER}, else next line; buy box share 20% or more: floor; otherwise: 10% over own price`;
const WIN_AND_HOLD = `alone: target margin; winning: hold; ${END}`;
const WIN_AND_CLIMB = `alone: target margin; winning: raise 1% every 24 h up to ${UNDER}; ${END}`;
const WAR_EXIT = `alone: target margin; winning: hold; ${UNDER}, else next line; floor, for 24 h then not for 48 h; otherwise: own price`;
const BOX_ONLY = `alone: target margin; winning: raise 1% every 48 h; 4% under the buy box (12% under faster, 4% under slower), else next line; ${END}`;
const FEATURED = `alone: target margin; winning: hold; featured price, else next line; ${UNDER}, else next line; otherwise: 10% over own price`;
const NIGHT = `alone: target margin; hours 22 to 4: own price; winning: hold; ${UNDER}`;
const SELL_OFF = `stock age 181 days or more: lower 2% every 24 h; alone: target margin; winning: hold; ${UNDER}; otherwise: floor`;
const LAST_UNITS = `stock 5 or less: raise 3% every 24 h up to margin 45%; alone: target margin; winning: hold; ${UNDER}, else next line; otherwise: target margin`;

const merchant = (price: number, rest: Partial<Offer> & { by?: string } = {}): Offer =>
  anOffer(price, { channel: 'amazon', ...rest });
const warehouse = (price: number, rest: Partial<Offer> = {}): Offer =>
  merchant(price, { by: 'BestGoods', fulfillmentType: 'FBA/WFS', ...rest });
const amazon = (price: number): Offer =>
  merchant(price, { by: 'Amazon', isMarketplace: true, fulfillmentType: null });

const SIGNALS: ListingSignals = {
  ...NO_SIGNALS,
  boxShare: pct(0),
  listedAt: (NOW - hours(24 * 40)) as Instant,
};
const AT_FLOOR = { currentPrice: usd(14.29) };
const NO_SHARE = { boxShare: null };
const ago = (time: number): Instant => (NOW - hours(time)) as Instant;

interface Example {
  readonly offers?: readonly Offer[];
  readonly facts?: Partial<ListingFacts>;
  readonly signals?: Partial<ListingSignals>;
  readonly margin?: number;
  readonly rule: string;
  readonly minuteOfDay?: number;
}

/** An Amazon listing of $20.00 that we ship, with a cost of $10.00 and a fee of 15%, read an hour ago. */
function caseOf({ offers = [], facts = {}, signals = {}, margin = 15, rule, minuteOfDay = 720 }: Example) {
  const price = facts.currentPrice ?? usd(20);
  const listing = aListing({
    marketplace: 'amazon',
    anchorPrice: usd(20),
    readAt: ago(1),
    offers,
    ownPrices: [price],
    ...facts,
    signals: { ...SIGNALS, ...signals },
  });
  const choice: RuleChoice = {
    kind: 'matched',
    rule: aRule({ lines: linesOf(rule), targetMargin: pct(35), onlySameShipping: false }),
    minimumMargin: pct(margin),
  };
  const policy = aPolicy({ local: { minuteOfDay, weekday: 6, day: '2026-11-21' } });
  return { listing, choice, policy };
}

type Expected = readonly [
  want: number | null,
  kind: 'change' | 'keep',
  price: number,
  line: number,
  reason?: string,
];

const EXAMPLES: readonly (readonly [number, Example, Expected])[] = [
  [1, { offers: [merchant(19.99)], rule: UNDER }, [19.19, 'change', 19.19, 1]],
  [2, { offers: [warehouse(24.99)], rule: UNDER }, [21.99, 'change', 21.99, 1]],
  [
    3,
    {
      offers: [merchant(18.33)],
      facts: { fulfillmentType: 'FBA/WFS' },
      rule: '4% under the lowest (12% under faster, 3% over slower)',
    },
    [18.87, 'change', 18.87, 1],
  ],
  [4, { offers: [amazon(18.99)], rule: '$0.05 under the lowest' }, [18.94, 'change', 18.94, 1]],
  [
    5,
    {
      offers: [merchant(17.5, { shipping: usd(5.49) })],
      facts: { shippingCharge: usd(4.99), currentPrice: usd(18) },
      rule: UNDER,
    },
    [17.08, 'change', 17.08, 1],
  ],
  [
    6,
    { offers: [merchant(20)], facts: { shippingCharge: usd(4.99), currentPrice: usd(15) }, rule: UNDER },
    [14.21, 'change', 14.21, 1],
  ],
  [7, { offers: [merchant(21), warehouse(22.5)], rule: UNDER }, [19.8, 'change', 19.8, 1]],
  [8, { offers: [warehouse(24), merchant(22)], rule: UNDER }, [21.12, 'change', 21.12, 1]],
  [9, { offers: [amazon(23.99)], rule: UNDER }, [21.11, 'change', 21.11, 1]],
  [10, { offers: [merchant(15, { isOurs: true }), merchant(21)], rule: UNDER }, [20.16, 'change', 20.16, 1]],
  [
    11,
    { offers: [merchant(20, { sellerName: null, seller: null }), merchant(21)], rule: UNDER },
    [20.16, 'change', 20.16, 1],
  ],
  [
    12,
    { offers: [merchant(15), warehouse(22.5)], rule: '10% under lowest warehouse' },
    [20.25, 'change', 20.25, 1],
  ],
  [
    13,
    { offers: [merchant(21, { by: 'Acme' }), merchant(18)], rule: '$0.25 over seller "Acme"' },
    [21.25, 'change', 21.25, 1],
  ],
  [14, { facts: { currentPrice: usd(19) }, signals: NO_SHARE, rule: WIN_AND_HOLD }, [20, 'change', 20, 1]],
  [
    15,
    { facts: { currentPrice: usd(19), readAt: ago(25) }, rule: WIN_AND_HOLD },
    [null, 'keep', 19, 0, 'not_read'],
  ],
  [
    16,
    { offers: [merchant(16, { seenAt: ago(30) })], facts: { currentPrice: usd(19) }, rule: WIN_AND_HOLD },
    [null, 'keep', 19, 0, 'not_read'],
  ],
  [
    17,
    { facts: { currentPrice: usd(14), readAt: null }, rule: WIN_AND_HOLD },
    [null, 'change', 14.29, 0, 'repair'],
  ],
  [
    18,
    {
      facts: {
        marketplace: 'shopify',
        coverage: 'none',
        readAt: null,
        currentPrice: usd(17),
        fees: fees([{ percent: 2.9, fixed: 0.3 }]),
      },
      signals: NO_SHARE,
      rule: WIN_AND_HOLD,
    },
    [16.59, 'change', 16.59, 1],
  ],
  [
    19,
    { offers: [merchant(25)], signals: { boxShare: pct(70) }, rule: WIN_AND_HOLD },
    [null, 'keep', 20, 2, 'line_hold'],
  ],
  [
    20,
    {
      offers: [merchant(25)],
      facts: { lastChangedAt: ago(25) },
      signals: { boxShare: pct(70) },
      rule: WIN_AND_CLIMB,
    },
    [20.2, 'change', 20.2, 2],
  ],
  [
    21,
    {
      offers: [merchant(25)],
      facts: { lastChangedAt: ago(3) },
      signals: { boxShare: pct(70) },
      rule: WIN_AND_CLIMB,
    },
    [null, 'keep', 20, 2, 'line_waits'],
  ],
  [
    22,
    {
      offers: [merchant(21)],
      facts: { lastChangedAt: ago(25) },
      signals: { boxShare: pct(70) },
      rule: WIN_AND_CLIMB,
    },
    [20.16, 'change', 20.16, 2],
  ],
  [
    23,
    {
      offers: [merchant(20, { isOurs: true, isFeatured: true })],
      facts: { coverage: 'box', lastChangedAt: ago(49) },
      signals: NO_SHARE,
      rule: BOX_ONLY,
    },
    [20.2, 'change', 20.2, 2],
  ],
  [
    24,
    {
      offers: [merchant(21, { isFeatured: true, fulfillmentType: null })],
      facts: { coverage: 'box' },
      signals: NO_SHARE,
      rule: BOX_ONLY,
    },
    [18.48, 'change', 18.48, 3],
  ],
  [25, { offers: [merchant(20)], signals: NO_SHARE, rule: WIN_AND_HOLD }, [null, 'keep', 20, 2, 'line_hold']],
  [
    26,
    {
      offers: [merchant(21)],
      facts: { lastChangedAt: ago(7) },
      signals: { boxSuppressedAt: ago(1) },
      rule: 'suppressed: lower 2% every 6 h down to margin 25%',
    },
    [19.6, 'change', 19.6, 1],
  ],
  [
    27,
    {
      offers: [warehouse(16)],
      facts: { currentPrice: usd(15) },
      signals: { boxShare: pct(25) },
      rule: WIN_AND_HOLD,
    },
    [14.29, 'change', 14.29, 4],
  ],
  [
    28,
    {
      offers: [warehouse(16)],
      facts: { currentPrice: usd(15) },
      signals: { boxShare: pct(8) },
      rule: WIN_AND_HOLD,
    },
    [22, 'change', 17.25, 5],
  ],
  [
    29,
    { offers: [warehouse(16)], facts: { currentPrice: usd(15) }, rule: UNDER },
    [14.08, 'change', 14.29, 1],
  ],
  [
    30,
    { offers: [warehouse(16)], facts: { currentPrice: usd(15) }, rule: `${UNDER}, else keep` },
    [null, 'keep', 15, 1, 'line_hold'],
  ],
  [
    31,
    { offers: [merchant(14), merchant(21, { by: 'Other' })], rule: `${UNDER}, else next competitor` },
    [20.16, 'change', 20.16, 1],
  ],
  [
    32,
    {
      offers: [merchant(16)],
      facts: { currentPrice: usd(18) },
      rule: `${UNDER}, not under margin 25%`,
    },
    [16.67, 'change', 16.67, 1],
  ],
  [
    33,
    {
      offers: [warehouse(16)],
      facts: { currentPrice: usd(14.29) },
      signals: { turns: { 4: ago(30) } },
      rule: WAR_EXIT,
    },
    [20, 'change', 16.43, 5],
  ],
  [
    34,
    { offers: [warehouse(16)], signals: { turns: { 4: ago(72) } }, rule: WAR_EXIT },
    [14.29, 'change', 17, 4],
  ],
  [
    35,
    {
      offers: [merchant(16)],
      facts: { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(16) },
      margin: 10,
      rule: UNDER,
    },
    [15.36, 'change', 15, 1],
  ],
  [
    36,
    { facts: { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(17) }, margin: 10, rule: 'margin 12%' },
    [16.03, 'change', 16.03, 1],
  ],
  [
    37,
    {
      facts: {
        marketplace: 'ebay',
        fees: fees([
          { upTo: 10, percent: 13.6, fixed: 0.3 },
          { percent: 13.6, fixed: 0.4 },
        ]),
      },
      rule: 'margin 30%',
    },
    [18.44, 'change', 18.44, 1],
  ],
  [38, { facts: { currentPrice: usd(15) }, rule: 'margin 5%' }, [14.29, 'change', 14.29, 1]],
  [
    39,
    {
      offers: [merchant(18)],
      facts: { currentPrice: usd(19), marketplaceLimits: { min: null, max: null, map: usd(18) } },
      rule: UNDER,
    },
    [17.28, 'change', 18, 1],
  ],
  [40, { facts: { maxPrice: usd(21) }, rule: 'margin 40%' }, [22.23, 'change', 21, 1]],
  [
    41,
    {
      offers: [warehouse(16)],
      facts: { currentPrice: usd(24), priceDayAgo: usd(20), anchorPrice: usd(25) },
      rule: WIN_AND_HOLD,
    },
    [27.5, 'change', 26, 5],
  ],
  [
    42,
    {
      offers: [merchant(19.99)],
      facts: { priceWarStreak: { against: null, times: 6, lastAt: ago(1) } },
      rule: UNDER,
    },
    [19.19, 'keep', 20, 1, 'price_war'],
  ],
  [
    43,
    {
      facts: {
        marketplace: 'shopify',
        coverage: 'none',
        elsewhere: [{ marketplace: 'amazon', price: usd(20), shippingCharge: usd(0) }],
      },
      rule: '5% under my amazon price',
    },
    [19, 'change', 19, 1],
  ],
  [
    44,
    {
      offers: [warehouse(19.99)],
      facts: { featuredPrice: { price: usd(18.75), status: 'VALID_FOEP', readAt: ago(1) } },
      rule: FEATURED,
    },
    [18.75, 'change', 18.75, 3],
  ],
  [
    45,
    {
      offers: [warehouse(19.99)],
      facts: { featuredPrice: { price: usd(13), status: 'VALID_FOEP', readAt: ago(1) } },
      rule: FEATURED,
    },
    [17.59, 'change', 17.59, 4],
  ],
  [46, { offers: [merchant(19.99)], signals: { stock: 4 }, rule: LAST_UNITS }, [20.6, 'change', 20.6, 1]],
  [47, { offers: [merchant(19.99)], rule: LAST_UNITS }, [19.19, 'change', 19.19, 4]],
  [48, { offers: [merchant(25)], signals: { stockAgeDays: 200 }, rule: SELL_OFF }, [19.6, 'change', 19.6, 1]],
  [
    49,
    { offers: [merchant(16)], facts: { currentPrice: usd(17) }, rule: NIGHT, minuteOfDay: 23 * 60 },
    [20, 'change', 19.55, 2],
  ],
  [50, { rule: '50% between floor and ceiling' }, [22.14, 'change', 22.14, 1]],
];

test('the examples of one line or more are numbered from 1 to 50', () => {
  expect(EXAMPLES.map(([number]) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

test.each(EXAMPLES)('example %i', (_, example, [want, kind, price, line, reason]) => {
  const { listing, choice, policy } = caseOf(example);
  const decision = decide(listing, choice, policy);
  expect(decision).toMatchObject({
    kind,
    price: usd(price),
    line: { number: line },
    reason: reason ?? 'line',
  });
  const { strategyPrice } = evaluate(listing, choice, policy);
  expect(strategyPrice?.price).toBe(want === null ? null : usd(want));
  expect(explain(listing, choice, policy).decision).toEqual(decision);
});

const MUG = { sku: 'MUG-2', price: usd(15), shippingCharge: usd(1) } as const;

test.each([
  ['external price', { externalPrice: { price: usd(18.5), at: ago(168) } }, 18.5, 1],
  ['5% under external price', { externalPrice: { price: usd(19.99), at: ago(1) } }, 18.99, 1],
  ['external price', { externalPrice: { price: usd(18.5), at: ago(169) } }, 20, 2],
  ['external price', { externalPrice: { price: usd(18.5), at: ago(-1) } }, 20, 2],
  ['external price', {}, 20, 2],
  ['price of SKU "MUG-2"', { sisters: [{ ...MUG, marketplace: 'amazon' as const }] }, 16, 1],
  ['$1 over price of SKU "MUG-2" on ebay', { sisters: [{ ...MUG, marketplace: 'ebay' as const }] }, 17, 1],
  ['price of SKU "MUG-2"', { sisters: [{ ...MUG, marketplace: 'ebay' as const }] }, 20, 2],
  ['price of SKU "mug-2"', { sisters: [{ ...MUG, marketplace: 'amazon' as const }] }, 20, 2],
] satisfies [string, Partial<ListingSignals>, number, number][])('%s, %j', (target, signals, want, line) => {
  const { listing, choice, policy } = caseOf({ signals, rule: `${target}; own price` });
  const { strategyPrice, decision } = evaluate(listing, choice, policy);
  expect([strategyPrice?.price, decision.line?.number]).toEqual([usd(want), line]);
});

const NO_SALES = { d1: 0, d7: 0, d30: 0 };
const UNNAMED = { sellerName: null, seller: null };
test.each<readonly [string, Partial<Example>, number | null]>([
  ['0 or less competitors', { offers: [] }, 21],
  ['1 or less competitors', {}, 21],
  ['1 or less competitors', { facts: { coverage: 'top' } }, null],
  ['1 or less competitors', { facts: { coverage: 'box' } }, null],
  ['1 or more competitors', { facts: { coverage: 'top' } }, 21],
  ['2 or more competitors', {}, null],
  ['0 or less warehouse competitors', {}, 21],
  [
    '0 or less warehouse competitors',
    { offers: [merchant(19, { ...UNNAMED, fulfillmentType: null })] },
    null,
  ],
  ['no sale for 30 days', { signals: { sold: { d1: 0, d7: 0, d30: 0 } } }, 21],
  ['no sale for 31 days', { signals: { sold: { d1: 0, d7: 0, d30: 0 } } }, null],
  ['no sale for 30 days', { signals: { sold: { d1: 0, d7: 0, d30: 1 } } }, null],
  ['no sale for 30 days', {}, null],
  ['no sale for 30 days', { signals: { sold: NO_SALES, listedAt: ago(24 * 30) } }, 21],
  ['no sale for 30 days', { signals: { sold: NO_SALES, listedAt: ago(24 * 30 - 1) } }, null],
  ['no sale for 14 days', { signals: { sold: NO_SALES, listedAt: ago(24 * 20) } }, 21],
  ['no sale for 14 days', { signals: { sold: NO_SALES, listedAt: ago(1) } }, null],
  ['no sale for 14 days', { signals: { sold: NO_SALES, listedAt: null } }, null],
  ['sold 0 or less in 7 days', { signals: { sold: NO_SALES, listedAt: ago(24 * 7) } }, 21],
  ['sold 0 or less in 7 days', { signals: { sold: NO_SALES, listedAt: ago(24 * 6) } }, null],
  ['sold 1 or more in 7 days', { signals: { sold: { d1: 1, d7: 1, d30: 1 }, listedAt: ago(24) } }, 21],
])('%s with %j: only what is known holds', (condition, example, want) => {
  const { listing, choice, policy } = caseOf({
    offers: [merchant(19)],
    ...example,
    rule: `${condition}: 5% over own price`,
  });
  expect(evaluate(listing, choice, policy).strategyPrice?.price ?? null).toEqual(
    want === null ? null : usd(want),
  );
});

test('the sentence names the external price and the other listing', () => {
  const signals = {
    externalPrice: { price: usd(19.99), at: ago(1) },
    sisters: [{ ...MUG, marketplace: 'ebay' as const }],
  };
  const sentence = (rule: string) => {
    const { listing, choice, policy } = caseOf({ signals, rule });
    return explain(listing, choice, policy).sentence;
  };
  expect(sentence('5% under external price')).toBe('5% under your external price of $19.99 is $18.99.');
  expect(sentence('$1 over price of SKU "MUG-2" on ebay')).toBe(
    '$1.00 over your price of $16.00 for MUG-2 on eBay is $17.00.',
  );
});

test('our own MAP price is named as ours, and above the ceiling both prices are', () => {
  const own = withOwnMap(null, usd(18));
  const held = caseOf({
    offers: [merchant(18)],
    facts: { currentPrice: usd(19), marketplaceLimits: own },
    rule: UNDER,
  });
  const { decision, sentence } = explain(held.listing, held.choice, held.policy);
  expect(decision).toMatchObject({ kind: 'change', price: usd(18), bindingLimit: 'map_price' });
  expect(sentence).toContain('limited to your MAP price of $18.00');
  const facts = { marketplaceLimits: own, maxPrice: usd(17) };
  const stopped = caseOf({ offers: [merchant(18)], facts, rule: UNDER });
  const blocked = explain(stopped.listing, stopped.choice, stopped.policy);
  expect(blocked.decision).toMatchObject({ kind: 'blocked', reason: 'bounds_conflict' });
  expect(blocked.sentence).toContain('Your MAP price, $18.00, is above the maximum price, $17.00.');
});

test('two listings that follow each other never go above their own ceilings', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_500, max: 4_000 }),
      fc.integer({ min: 1_500, max: 4_000 }),
      fc.integer({ min: 1, max: 100 }),
      fc.option(fc.integer({ min: 2_000, max: 5_000 })),
      (one, other, percent, most) => {
        const anchors = [one, other] as const;
        const prices: [number, number] = [one, other];
        const skus = ['A-1', 'A-2'] as const;
        const ceilings: (number | null)[] = [null, null];
        for (let turn = 0; turn < 60; turn += 1) {
          const at = turn % 2;
          const next = 1 - at;
          const price = prices[at] as Cents;
          const { listing, choice, policy } = caseOf({
            rule: `${percent}% over price of SKU "${skus[next]}"`,
            facts: {
              sku: skus[at] as string,
              currentPrice: price,
              anchorPrice: anchors[at] as Cents,
              maxPrice: at === 0 ? (most as Cents | null) : null,
            },
            signals: {
              sisters: [
                {
                  sku: skus[next] as string,
                  marketplace: 'amazon',
                  price: prices[next] as Cents,
                  shippingCharge: usd(0),
                },
              ],
            },
          });
          const { decision, trace } = explain(listing, choice, policy);
          // A person's price may be above it from the start.
          ceilings[at] ??= Math.max(trace.allowed?.priceCeiling ?? 0, price);
          if (decision.kind === 'change') prices[at] = decision.price;
          expect(prices[at]).toBeLessThanOrEqual(ceilings[at] as number);
        }
      },
    ),
    { seed: 18, numRuns: 60 },
  );
});

test('of two offers that want the same the lower one is named', () => {
  const { listing, choice, policy } = caseOf({ offers: [warehouse(24), merchant(22)], rule: UNDER });
  expect(evaluate(listing, choice, policy).strategyPrice?.competitor?.sellerName).toBe('Corner Store');
});

test('example 55: a price that is not allowed is corrected while competitors are not read', () => {
  const facts = { fees: APPAREL, cost: aCost(12.5), currentPrice: usd(15.3), readAt: null };
  const { listing, choice, policy } = caseOf({ facts, margin: 10, rule: UNDER });
  expect(decide(listing, choice, policy)).toMatchObject({ kind: 'change', price: usd(15), reason: 'repair' });
});

test('example 56: a line that waits for as many cuts as make a price war is refused', () => {
  const refused = (text: string) =>
    refusedLine(
      linesOf(text),
      { targetMargin: null, marketplaceTargets: {} },
      DEFAULT_LIMITS.priceWarThreshold,
    );
  expect(DEFAULT_LIMITS.priceWarThreshold).toBe(6);
  expect(refused('lowered 6 times or more in 24 h: own price; hold')).toMatchObject({ line: 1 });
  expect(refused('lowered 5 times or more in 24 h: own price; hold')).toBeNull();
});

test.each([
  [60, 22, 1],
  [40, 14.29, 2],
  [null, 14.4, 3],
])('competitors that followed %s%% of our raises', (share, want, line) => {
  const { listing, choice, policy } = caseOf({
    offers: [merchant(15)],
    signals: { followShare: share === null ? null : pct(share) },
    rule: 'competitors follow 50% or more: 10% over own price; competitors follow under 50%: floor; 4% under the lowest',
  });
  const { strategyPrice, decision } = evaluate(listing, choice, policy);
  expect(strategyPrice?.price).toBe(usd(want));
  expect(decision.line?.number).toBe(line);
});

/** Floor 14.29, ceiling 30.00, own price 20.00: 8% between is 15.54. */
test.each<readonly [string, Omit<Example, 'rule'>, line: number, want: number | null]>([
  ['at the floor at night: up', { facts: AT_FLOOR, minuteOfDay: 180 }, 2, 20],
  [
    'the next night: stays',
    { facts: AT_FLOOR, minuteOfDay: 180, signals: { turns: { 2: ago(24) } } },
    3,
    null,
  ],
  [
    'on the way up',
    { facts: { currentPrice: usd(16.43) }, minuteOfDay: 240, signals: { turns: { 2: ago(1) } } },
    4,
    20,
  ],
  ['by day a cent under', { offers: [merchant(19.99)] }, 6, 19.98],
  ['9% under the warehouse', { offers: [warehouse(22)] }, 6, 20.02],
  ['near the floor 2% under', { offers: [merchant(15)] }, 7, 14.7],
  [
    'where they follow, the next one',
    { offers: [merchant(14), merchant(21, { by: 'Acme' })], signals: { followShare: pct(20) } },
    5,
    20.99,
  ],
  [
    'where they do not, the lowest',
    { offers: [merchant(14), merchant(21, { by: 'Acme' })], signals: { followShare: pct(19) } },
    7,
    13.72,
  ],
])('the recommended template, %s', (_, { offers = [merchant(16)], ...rest }, line, want) => {
  const { listing, choice, policy } = caseOf({ offers, ...rest, rule: RULE_TEMPLATES[0].lines });
  const { decision, strategyPrice } = evaluate(listing, choice, policy);
  expect([decision.line?.number, strategyPrice?.price ?? null]).toEqual([
    line,
    want === null ? null : usd(want),
  ]);
});

test.each([
  ['a valid one', 18.75, 'VALID_FOEP', 1, usd(18.75)],
  ['none, since no other offer competes', null, 'NO_COMPETING_OFFER', 1, usd(20)],
  ['none, since the offer cannot win it', null, 'OFFER_NOT_ELIGIBLE', 1, usd(20)],
  ['one that is seven hours old', 18.75, 'VALID_FOEP', 7, usd(20)],
])(
  'of the featured prices only a valid and recent one is a target: %s (C39)',
  (_, reported, status, age, price) => {
    const featuredPrice = { price: reported === null ? null : usd(reported), status, readAt: ago(age) };
    const example = { offers: [warehouse(19.99)], facts: { featuredPrice }, rule: 'featured price' };
    const { listing, choice, policy } = caseOf(example);
    expect(decide(listing, choice, policy)).toMatchObject({
      kind: price === usd(20) ? 'keep' : 'change',
      price,
    });
  },
);

test('without another offer there is no featured price to follow, and the lines after it climb (C39)', () => {
  const featuredPrice = { price: null, status: 'NO_COMPETING_OFFER', readAt: ago(1) };
  const rule = 'featured price, else next line; otherwise: raise 1% every 24 h';
  const facts = { featuredPrice, ownPrices: [usd(20)] };
  const { listing, choice, policy } = caseOf({ offers: [warehouse(19.99)], facts, rule });
  expect(decide(listing, choice, policy)).toMatchObject({ kind: 'change', price: usd(20.2) });
});

test.each([
  ['it is not eligible', { price: null, status: 'OFFER_NOT_ELIGIBLE', readAt: ago(1) }, /not eligible/],
  [
    'no other offer competes',
    { price: null, status: 'NO_COMPETING_OFFER', readAt: ago(1) },
    /No other offer/,
  ],
  ['that is too old', { price: usd(18.75), status: 'VALID_FOEP', readAt: ago(7) }, /7 hours ago, too long/],
  ['it was not read', null, /not been synced yet/],
])('a price that stays without a featured price says why: %s (C39)', (_, featuredPrice, why) => {
  for (const rule of ['featured price', 'featured price, else next line; otherwise: hold']) {
    const example = { offers: [warehouse(19.99)], facts: { featuredPrice }, rule };
    const { listing, choice, policy } = caseOf(example);
    const { decision, sentence } = explain(listing, choice, policy);
    expect([decision.kind, decision.price]).toEqual(['keep', usd(20)]);
    expect(sentence).toMatch(why);
  }
});

test('elsewhere than on Amazon there is no featured price to wait for (C39)', () => {
  const example = {
    offers: [],
    facts: { featuredPrice: null, marketplace: 'walmart' },
    rule: 'featured price',
  } as const;
  const { listing, choice, policy } = caseOf(example);
  const { decision, sentence } = explain(listing, choice, policy);
  expect(decision.kind).toBe('keep');
  expect(sentence).toMatch(/Walmart has no featured offer price/);
  expect(sentence).not.toMatch(/Amazon/);
});

test('an offer that cannot be featured says so in the panel too (C39)', () => {
  const featuredPrice = { price: null, status: 'OFFER_NOT_ELIGIBLE', readAt: ago(1) };
  expect(featuredPriceText(featuredPrice, usd(20), NOW)).toContain('not eligible');
});

test('a featured price below the floor is not followed below it (C39)', () => {
  const featuredPrice = { price: usd(18), status: 'VALID_FOEP', readAt: ago(1) };
  const facts = { currentPrice: usd(22), minPrice: usd(20), anchorPrice: usd(22), featuredPrice };
  const { listing, choice, policy } = caseOf({ offers: [warehouse(19.99)], facts, rule: 'featured price' });
  expect(decide(listing, choice, policy)).toMatchObject({ kind: 'change', price: usd(20) });
  expect(featuredPriceText(featuredPrice, usd(20), NOW)).toContain('below your lowest allowed price');
  const { sentence } = explain(listing, choice, policy);
  expect(sentence).toMatch(/at \$18\.00 or less, so it will not win the buy box/);
  const there = caseOf({
    offers: [warehouse(19.99)],
    facts: { ...facts, currentPrice: usd(20) },
    rule: 'featured price',
  });
  expect(explain(there.listing, there.choice, there.policy)).toMatchObject({
    decision: { kind: 'keep', reason: 'already_there' },
    sentence: expect.stringContaining('will not win the buy box'),
  });
});

test('a featured price that is reached is not said to lose (C39)', () => {
  const featuredPrice = { price: usd(18.75), status: 'VALID_FOEP', readAt: ago(1) };
  const example = { offers: [warehouse(19.99)], facts: { featuredPrice }, rule: 'featured price' };
  const { listing, choice, policy } = caseOf(example);
  expect(explain(listing, choice, policy)).toMatchObject({
    decision: { price: usd(18.75) },
    sentence: expect.not.stringContaining('will not win'),
  });
});
