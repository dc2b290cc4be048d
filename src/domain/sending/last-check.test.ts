import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { marginOf } from '#domain/costs/margin.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { compileFees, composeFees, schedulesOf } from '#domain/fees/compose-fees.ts';
import type { FeeBasis, FeeSource } from '#domain/fees/fee-basis.ts';
import { type FeeSchedule, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Bps, type Cents, hours, instant, isPrice, minutes } from '#domain/units.ts';
import { aCost, aListing, aPolicy, chosen, fees, NOW, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { keepsMargin, type Terms } from '#tests/builders/oracle.ts';
import { feeBases, feeSchedules, priceTerms, type ScheduleBasis } from '#tests/builders/scenarios.ts';
import { type PriceToSend, reasonNotToSend } from './last-check.ts';

const LIFE = minutes(10);
const doubted = (): FeeTable => {
  const { basis } = fees([{ percent: 15 }]);
  const reported = { kind: 'told', marketplace: 'amazon', by: 'estimate', toldAt: NOW, rates: [] } as const;
  const source = { ...reported, askedPrice: usd(20), schedules: schedulesOf(basis.source) };
  return composeFees({ ...basis, source: { ...source, isDoubted: true } });
};
const order = (given: Partial<PriceToSend> = {}): PriceToSend => ({
  price: usd(18),
  fromPrice: usd(20),
  marginFloor: usd(14.29),
  isAutomatic: true,
  isRepair: false,
  isPastHalt: false,
  createdAt: NOW,
  expiresAt: instant(NOW + LIFE),
  ...given,
});
type Story = {
  order?: Partial<PriceToSend>;
  facts?: Partial<ListingFacts>;
  policy?: Partial<Policy>;
  rule?: Partial<Rule>;
};
const check = ({ order: given, facts, policy, rule }: Story = {}): string | null =>
  reasonNotToSend(
    order(given),
    {
      facts: aListing({ currentPrice: usd(20), cost: aCost(10), fees: fees([{ percent: 15 }]), ...facts }),
      choice: chosen({ minimumMargin: 1_500 as Bps, ...rule }),
      policy: aPolicy({ mode: 'live', now: NOW, ...policy }),
    },
    LIFE,
  );

test('a price that is still allowed may be sent', () => {
  expect(check()).toBeNull();
  // 14.29 is left.
  expect(check({ order: { price: usd(17.87) }, facts: { greatestDiscount: 2_000 as Bps } })).toBeNull();
});

describe('the prices for businesses that go with a price', () => {
  const business = (...all: [number, number][]) => ({
    order: { business: all.map(([from, price]) => ({ from, price: usd(price) })) },
  });

  test('may be the price itself for one unit, and fall to the margin floor', () => {
    expect(check(business([1, 18], [5, 17], [20, 14.29]))).toBeNull();
    expect(check(business([5, 17.99]))).toBeNull();
  });

  test('are not bound by MAP and the limits on the marketplace', () => {
    const marketplaceLimits = { min: usd(18), max: null, map: usd(18) };
    expect(check({ ...business([1, 17]), facts: { marketplaceLimits } })).toBeNull();
  });

  test.each<[string, Story]>([
    ['below the margin by a cent', business([1, 18], [5, 14.28])],
    ['below the minimum price', { ...business([1, 17]), facts: { minPrice: usd(17.01) } }],
    ['above the price', business([1, 18.01])],
    ['a tier at the price before', business([1, 17], [5, 17])],
    ['a tier at the price for everyone', business([5, 18])],
    ['in another order', business([20, 16], [5, 15])],
    ['of no amount', { order: { business: [{ from: 1, price: Number.NaN as Cents }] } }],
  ])('stop it: %s', (_, story) => {
    expect(check(story)).not.toBeNull();
  });
});

describe('a price is not sent', () => {
  test.each<[string, Story, RegExp]>([
    [
      'that no longer keeps the margin after the greatest discount',
      { order: { price: usd(17.8) }, facts: { greatestDiscount: 2_000 as Bps } },
      /greatest discount/,
    ],
    [
      'with a greatest discount that is invalid',
      { facts: { greatestDiscount: Number.NaN as Bps } },
      /discount is invalid/,
    ],
    ['under a halt', { policy: { halted: true } }, /halted/],
    [
      'of a listing that its marketplace no longer has',
      { facts: { isMissing: true } },
      /no longer on its marketplace/,
    ],
    [
      'set by hand, of such a listing',
      { order: { isAutomatic: false }, facts: { isMissing: true } },
      /no longer on/,
    ],
    ['from a price that was not read yet', { facts: { isPriceUnverified: true } }, /not confirmed/],
    ['when it is too old', { policy: { now: instant(NOW + LIFE) } }, /too long/],
    ['when its end has come', { order: { expiresAt: NOW } }, /too long/],
    ['when it comes from the future', { policy: { now: instant(NOW - hours(1)) } }, /too long/],
    ['when the clock cannot be read', { order: { createdAt: Number.NaN as never } }, /too long/],
    ['below the margin by a cent', { order: { price: usd(14.28) } }, /minimum margin/],
    ['without a cost', { facts: { cost: { ...aCost(10), total: null } } }, /no longer known/],
    ['without fees', { facts: { fees: null } }, /no longer known/],
    ['below the minimum', { facts: { minPrice: usd(18.01) } }, /minimum price of \$18\.01/],
    ['above the maximum', { facts: { maxPrice: usd(17.99) } }, /maximum price of \$17\.99/],
    ['far above everything known', { order: { price: usd(180) } }, /above the price ceiling of \$30\.00/],
    ['as no price', { order: { price: 0 as Cents } }, /invalid/],
    ['as NaN', { order: { price: Number.NaN as Cents } }, /invalid/],
    ['of the engine on a marketplace that is not live', { policy: { mode: 'recommend_only' } }, /turned off/],
    ['with repricing off', { policy: { autoRepricing: false } }, /turned off/],
    ['with repricing off for it', { facts: { autoRepricing: false } }, /turned off/],
    ['while held', { facts: { hold: { until: null, by: 'Ann', reason: 'Sale' } } }, /on hold/],
    ['with fees that are doubted', { facts: { fees: doubted() } }, /fees for many listings/],
    ['by a rule that asks first', { rule: { requiresReview: true } }, /rule changed/],
    ['from another price than it was decided from', { order: { fromPrice: usd(21) } }, /price changed/],
  ])('%s', (_, story, words) => {
    expect(check(story)).toMatch(words);
  });
});

test('a doubted fulfillment fee stops a price in its band alone', () => {
  const { basis } = fees([{ percent: 15 }]);
  const bands = (isLower: boolean) =>
    composeFees({
      ...basis,
      fulfillment: [
        { upTo: usd(10), fee: usd(0), ...(isLower && { isDoubted: true as const }) },
        { upTo: null, fee: usd(0), ...(!isLower && { isDoubted: true as const }) },
      ],
    });
  const cost = { ...aCost(10), fulfillment: usd(0) };
  expect(check({ facts: { fees: bands(true), cost } })).toBeNull();
  expect(check({ facts: { fees: bands(false), cost } })).toMatch(/fees for many listings/);
});

test('a price confirmed despite the halt is sent if it is allowed', () => {
  const past = { isAutomatic: false, isPastHalt: true };
  expect(check({ order: past, policy: { halted: true } })).toBeNull();
  expect(check({ order: { ...past, price: usd(14.28) }, policy: { halted: true } })).toMatch(
    /minimum margin/,
  );
});

test('limits of the engine do not stop a manual price', () => {
  const byPerson = { isAutomatic: false, fromPrice: usd(21) };
  const hold = { until: null, by: 'Ann', reason: 'Sale' };
  expect(check({ order: byPerson, policy: { mode: 'recommend_only' }, facts: { hold } })).toBeNull();
  expect(check({ order: { ...byPerson, price: usd(14.28) } })).toMatch(/minimum margin/);
});

describe('at the edge of a fee band the lower band still holds', () => {
  const expensive = { ...PLAIN_BAND, percent: 2_000 as Bps, fixed: 50 as Cents, minimum: 0 as Cents };
  const cheap = { ...PLAIN_BAND, percent: 1_000 as Bps, fixed: 0 as Cents, minimum: 0 as Cents };
  /** Whether a price with this revenue and schedule may be sent at a minimum margin of 0. */
  const mayLeave = (
    bandKind: FeeSchedule['bandKind'],
    bands: FeeSchedule['bands'],
    revenue: number,
    cost: number,
  ): boolean => {
    const schedule: FeeSchedule = {
      marketplace: 'walmart',
      category: null,
      effectiveFrom: null,
      bandKind,
      edgeBase: 'revenue',
      bands,
    };
    const price = (revenue - 300) as Cents;
    return (
      check({
        order: { price, isAutomatic: false, marginFloor: price },
        facts: {
          shippingCharge: 300 as Cents,
          fees: compileFees(schedule),
          cost: { ...aCost(1), total: cost as Cents },
        },
        rule: { minimumMargin: 0 as Bps },
      }) === null
    );
  };
  const upTo = (edge: number | null, band: typeof expensive) => ({ ...band, upTo: edge as Cents | null });

  // The whole cost that the fee of the lower band leaves room for; one cent more never passes, on either side.
  test.each<[FeeSchedule['bandKind'], string, FeeSchedule['bands'], number, number]>([
    ['whole', 'with a higher fee above', [upTo(2_000, cheap), upTo(null, expensive)], 2_000, 1_800],
    ['whole', 'with a lower fee above', [upTo(2_000, expensive), upTo(null, cheap)], 2_000, 1_550],
    ['marginal', 'with a higher fee above', [upTo(2_000, cheap), upTo(null, expensive)], 2_000, 1_800],
    ['marginal', 'with a lower fee above', [upTo(2_000, expensive), upTo(null, cheap)], 2_000, 1_550],
    [
      'whole',
      'in the middle with a higher fee above',
      [upTo(1_000, expensive), upTo(2_000, cheap), upTo(null, expensive)],
      2_000,
      1_800,
    ],
    [
      'whole',
      'in the middle with a lower fee above',
      [upTo(1_000, cheap), upTo(2_000, expensive), upTo(null, cheap)],
      2_000,
      1_550,
    ],
    [
      'marginal',
      'in the middle with a higher fee above',
      [upTo(1_000, expensive), upTo(2_000, cheap), upTo(null, expensive)],
      2_000,
      1_700,
    ],
    [
      'marginal',
      'in the middle with a lower fee above',
      [upTo(1_000, cheap), upTo(2_000, expensive), upTo(null, cheap)],
      2_000,
      1_650,
    ],
  ])('%s, %s', (bandKind, _, bands, edge, room) => {
    expect(mayLeave(bandKind, bands, edge, room)).toBe(true);
    expect(mayLeave(bandKind, bands, edge, room + 1)).toBe(false);
    // One cent above the edge the next band applies: its fixed fee is 50 cents higher or lower.
    const isHigher = bands.at(-1)?.fixed === 50;
    expect(mayLeave(bandKind, bands, edge + 1, room + (isHigher ? 0 : 1))).toBe(!isHigher);
  });
});

/** Any price, and equally often one whose revenue is at the edge of a fee band or one cent away. */
function pricesOf({ schedule, shippingCharge }: Terms): fc.Arbitrary<number> {
  const edges = compileFees(schedule)
    .pieces.flatMap(({ from }) => [from - 1, from, from + 1])
    .map((revenue) => revenue - shippingCharge)
    .filter((price) => price > 0);
  const any = fc.integer({ min: 1, max: 2_000 });
  return edges.length === 0 ? any : fc.oneof(any, fc.constantFrom(...edges));
}

/** Its arithmetic differs from the decision's and the oracle's: all three must agree. */
law(
  'it allows a price if and only if it keeps the margin, on any fee schedule',
  fc
    .oneof(priceTerms(600), priceTerms(30_000_000))
    .chain((terms) => fc.record({ terms: fc.constant(terms), price: pricesOf(terms) })),
  ({ terms, price }) => {
    const { schedule, minimumMargin, shippingCharge, totalCost } = terms;
    const reason = reasonNotToSend(
      order({ price: price as Cents, isAutomatic: false, marginFloor: price as Cents }),
      {
        facts: aListing({
          shippingCharge: shippingCharge as Cents,
          fees: compileFees(schedule),
          minPrice: null,
          maxPrice: null,
          cost: { ...aCost(1), total: totalCost as Cents },
        }),
        choice: chosen({ minimumMargin: minimumMargin as Bps, marketplaceMargins: {} }),
        policy: aPolicy({ now: NOW }),
      },
      LIFE,
    );
    expect(reason === null).toBe(keepsMargin(price, terms));
  },
);

law(
  'it takes the same fee as the decision on any composed table, and none where it is unknown',
  fc
    .record({ basis: feeBases, more: feeSchedules(), rate: fc.nat(4_000), kind: fc.nat(4) })
    .map(ofAnySource)
    .chain((basis) =>
      fc.record({
        basis: fc.constant(basis),
        price: pricesAt(composeFees(basis)),
        cost: fc.integer({ min: 1, max: 3_000 }),
      }),
    ),
  ({ basis, price, cost }) => {
    const fees = composeFees(basis);
    const total = cost as Cents;
    const reason = reasonNotToSend(
      order({ price, isAutomatic: false, marginFloor: price }),
      {
        facts: aListing({ shippingCharge: basis.shippingCharge, fees, cost: { ...aCost(1), total } }),
        choice: chosen({ minimumMargin: 1_000 as Bps, marketplaceMargins: {} }),
        policy: aPolicy({ now: NOW }),
      },
      LIFE,
    );
    const margin = marginOf(price, basis.shippingCharge, total, fees);
    expect(reason === null).toBe(margin !== null && margin >= 1_000);
  },
);

/** The same basis with another source. */
function ofAnySource({ basis, more, rate, kind }: OtherSource): FeeBasis {
  const { schedule } = basis.source;
  const reported = {
    kind: 'told',
    marketplace: 'amazon',
    by: 'estimate',
    toldAt: NOW,
    askedPrice: usd(20),
  } as const;
  const range = { percent: rate as Bps, perUnit: usd(0.2), from: usd(3), to: usd(30), isAssumed: false };
  const sources: FeeSource[] = [
    basis.source,
    { kind: 'schedule', schedule, category: 'mapped', atLeast: more },
    { kind: 'person', rate: rate as Bps, by: null, schedule },
    { ...reported, schedules: [schedule, more], rates: [] },
    { ...reported, schedules: [], rates: [range, { ...range, from: usd(40), to: usd(50) }] },
  ];
  return { ...basis, source: sources[kind] ?? basis.source };
}

interface OtherSource {
  readonly basis: ScheduleBasis;
  readonly more: FeeSchedule;
  readonly rate: number;
  readonly kind: number;
}

/** Any price, and equally often one at the edge of a piece. */
function pricesAt({ pieces, basis }: FeeTable): fc.Arbitrary<Cents> {
  const edges = pieces
    .flatMap(({ from, to }) => [from, to, to + 1])
    .map((revenue) => revenue - basis.shippingCharge)
    .filter((price) => isPrice(price));
  const any = fc.integer({ min: 1, max: 9_000 });
  return (edges.length === 0 ? any : fc.oneof(any, fc.constantFrom(...edges))) as fc.Arbitrary<Cents>;
}
