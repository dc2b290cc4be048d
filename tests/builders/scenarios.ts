import fc from 'fast-check';
import { type Offer, type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import type { ListingCost } from '#domain/costs/cost.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import type { FeeBasis, FeeSource } from '#domain/fees/fee-basis.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { BELOW_FLOOR, NO_COMPETITOR, type Rule, type RuleChoice, STRATEGIES } from '#domain/rules/rule.ts';
import { SEND_PAUSE_REASONS } from '#domain/sending/send-pause.ts';
import type { Bps, Cents, Instant, Millis } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, NOW } from './facts.ts';
import type { Terms } from './oracle.ts';

/** One decision to make, with the fee schedule its fees were compiled from. */
export interface Story {
  readonly facts: ListingFacts;
  readonly choice: RuleChoice;
  readonly policy: Policy;
  readonly schedule: FeeSchedule;
}

const OUR_NAME = 'Our Shop';
export const OUR_KEY = sellerKey(OUR_NAME) as SellerKey;

const amount = (min: number, max: number): fc.Arbitrary<Cents> =>
  fc.integer({ min, max }) as fc.Arbitrary<Cents>;
const share = (min: number, max: number): fc.Arbitrary<Bps> => fc.integer({ min, max }) as fc.Arbitrary<Bps>;
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });
const age = (most: number): fc.Arbitrary<Instant> =>
  fc.integer({ min: -3_600_000, max: most }).map((millis) => (NOW - millis) as Instant);
const HOUR = 3_600_000;
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const mostly = (usual: boolean): fc.Arbitrary<boolean> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(!usual) });

/**
 * Fee schedules of both kinds: one to four bands, ordinary shares mostly.
 * @param anyPercent how often of six a band takes any share
 */
export function feeSchedules(highestBand = 2_500, anyPercent = 1): fc.Arbitrary<FeeSchedule> {
  const percent = fc.oneof(
    { weight: 6 - anyPercent, arbitrary: share(0, 2_500) },
    { weight: anyPercent, arbitrary: share(0, 10_000) },
  );
  const band = fc.record({
    percent,
    percentTaxed: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0 as Bps) },
      { weight: 1, arbitrary: share(0, 1_500) },
    ),
    fixed: sometimes(60),
    perUnit: sometimes(30),
    minimum: sometimes(200),
  });
  return fc
    .record({
      bands: fc.array(band, { minLength: 1, maxLength: 4 }),
      ends: fc.uniqueArray(fc.integer({ min: 1, max: highestBand }), { minLength: 3, maxLength: 3 }),
      bandKind: fc.constantFrom('whole' as const, 'marginal' as const),
      edgeBase: fc.constantFrom('revenue' as const, 'revenue' as const, 'with_tax' as const),
    })
    .map(({ bands, ends, bandKind, edgeBase }) => {
      const rising = ends.toSorted((a, b) => a - b);
      const upTo = (index: number) =>
        index === bands.length - 1 ? null : ((rising[index] ?? null) as Cents | null);
      const rows: FeeBand[] = bands.map((row, index) => ({ upTo: upTo(index), ...row }));
      return { marketplace: 'walmart', category: null, effectiveFrom: null, bandKind, edgeBase, bands: rows };
    });
}

function sometimes(max: number): fc.Arbitrary<Cents> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(0 as Cents) },
    { weight: 1, arbitrary: amount(0, max) },
  );
}

export type ScheduleBasis = FeeBasis & { readonly source: Extract<FeeSource, { kind: 'schedule' }> };

/** Everything a fee is made of; the fulfillment fee is sometimes unknown above a price. */
export const feeBases: fc.Arbitrary<ScheduleBasis> = fc
  .record({
    schedule: feeSchedules(),
    salesTax: share(0, 1_100),
    fees: fc.array(amount(0, 900), { maxLength: 3 }),
    ends: fc.uniqueArray(amount(1, 5_000), { minLength: 3, maxLength: 3 }),
    isKnownAbove: fc.boolean(),
    shippingCharge: sometimes(500),
    adShare: sometimesShare(1_000),
    returnShare: sometimesShare(500),
  })
  .map(({ schedule, fees, ends, isKnownAbove, ...rest }) => {
    const rising = ends.toSorted((a, b) => a - b);
    const upTo = (index: number): Cents | null =>
      isKnownAbove && index === fees.length - 1 ? null : (rising[index] as Cents);
    const fulfillment = fees.map((fee, index) => ({ upTo: upTo(index), fee }));
    return { ...rest, source: { kind: 'schedule', schedule, category: 'none' }, fulfillment };
  });

function sometimesShare(max: number): fc.Arbitrary<Bps> {
  return fc.oneof(fc.constant(0 as Bps), share(0, max));
}

/** Minimum margins from 0 to 99.99%, ordinary ones mostly, both ends often enough. */
const margins: fc.Arbitrary<Bps> = fc.oneof(
  { weight: 6, arbitrary: share(0, 3_000) },
  { weight: 1, arbitrary: share(0, 9_999) },
  { weight: 1, arbitrary: fc.constantFrom(0 as Bps, 9_999 as Bps) },
);

/** Everything the set of allowed prices depends on; amounts up to `most` cents. */
export function priceTerms(most = 1_500): fc.Arbitrary<Terms> {
  return fc.record({
    totalCost: fc.integer({ min: 1, max: most }),
    shippingCharge: sometimes(most / 2),
    schedule: feeSchedules(Math.ceil(most * 1.6)),
    minimumMargin: margins,
    minPrice: maybe(fc.integer({ min: 1, max: most * 2 })),
    maxPrice: maybe(fc.integer({ min: 1, max: most * 2 })),
    marketplaceLimits: maybe(
      fc.record({
        min: maybe(amount(1, most * 2)),
        max: maybe(amount(1, most * 2)),
        map: maybe(amount(1, most * 2)),
      }),
    ),
    anchorPrice: maybe(fc.integer({ min: 1, max: most * 2 })),
  });
}

function costs(most: number): fc.Arbitrary<ListingCost> {
  const part = sometimes(Math.ceil(most / 10));
  return fc
    .record({ product: amount(1, most), shipping: part, fulfillment: part, packaging: part, misc: part })
    .map((parts) => {
      const { product, shipping, fulfillment, packaging, misc } = parts;
      const total = (product + shipping + fulfillment + packaging + misc) as Cents;
      return { ...parts, weight: null, total, gaps: [], estimate: null };
    });
}

/** Offers around a price: of competitors, of sellers without a name and of ourselves, fresh and stale. */
export function offersAround(
  price: number,
  seller: fc.Arbitrary<string | null> = fc.constantFrom('Corner Store', 'Other', OUR_NAME, null),
): fc.Arbitrary<Offer[]> {
  const offer: fc.Arbitrary<Offer> = fc
    .record({
      sellerName: seller,
      price: amount(Math.max(1, Math.floor(price * 0.75)), Math.ceil(price * 1.25)),
      shipping: sometimes(300),
      isMarketplace: mostly(false),
      isFeatured: fc.boolean(),
      isOurs: mostly(false),
      fulfillmentType: maybe(fc.constantFrom(...FULFILLMENT_TYPES)),
      seenAt: fc.oneof(
        { weight: 5, arbitrary: age(20 * HOUR) },
        { weight: 1, arbitrary: maybe(age(40 * HOUR)) },
      ),
      rating: maybe(share(8_000, 10_000)),
      ratingCount: maybe(fc.nat(100)),
      handlingDays: maybe(fc.nat(5)),
      channel: fc.constantFrom('walmart' as const, 'walmart' as const, 'ebay' as const),
    })
    .map((reported) => ({ ...anOffer(1), ...reported, seller: sellerKey(reported.sellerName) }));
  return fc.array(offer, { maxLength: 5 });
}

function factsFor(schedule: FeeSchedule, current: Cents): fc.Arbitrary<ListingFacts> {
  const near = (low: number, high: number) =>
    amount(Math.max(1, Math.floor(current * low)), Math.ceil(current * high));
  return fc
    .record({
      fulfillmentType: fc.constantFrom(...FULFILLMENT_TYPES),
      anchorPrice: maybe(near(0.6, 1.4)),
      minPrice: rarely(near(0.4, 1.1)),
      maxPrice: rarely(near(0.9, 1.8)),
      marketplaceLimits: rarely(
        fc.record({
          min: maybe(near(0.4, 1.1)),
          max: maybe(near(0.9, 1.8)),
          map: rarely(near(0.4, 1.1)),
        }),
      ),
      shippingCharge: sometimes(500),
      cost: costs(Math.max(1, Math.ceil(current * 0.7))),
      offers: offersAround(current),
      readAt: fc.oneof(
        { weight: 5, arbitrary: age(20 * HOUR) },
        { weight: 1, arbitrary: maybe(age(40 * HOUR)) },
      ),
      coverage: fc.constantFrom('all', 'all', 'top', 'box', 'none'),
      ownPrices: fc.array(near(0.8, 1.2), { maxLength: 3 }),
      featuredPrice: rarely(
        fc.record({
          price: maybe(near(0.8, 1.2)),
          status: fc.constantFrom('VALID_FOEP', 'NO_COMPETING_OFFER'),
          readAt: age(8 * HOUR),
        }),
      ),
      greatestDiscount: rarely(fc.integer({ min: 1, max: 5_000 })).map((share) => (share ?? 0) as Bps),
      elsewhere: rarely(ownPrices(current)).map((prices) => prices ?? []),
      autoRepricing: mostly(true),
      hold: rarely(
        fc.record({ until: maybe(age(HOUR)), by: fc.constant('ada'), reason: fc.constant('typed') }),
      ),
      pendingPrice: rarely(near(0.8, 1.2)),
      refusedPrices: rarely(near(0.8, 1.2)).map((price) => (price === null ? [] : [price])),
      sendPause: rarely(
        fc.record({
          why: fc.constantFrom(...SEND_PAUSE_REASONS),
          until: age(HOUR),
          allowsRepairs: fc.boolean(),
        }),
      ),
      awaitingUpload: mostly(false),
      priceDayAgo: maybe(near(0.7, 1.4)),
      lastChangedAt: maybe(age(3 * HOUR)),
      priceWarStreak: rarely(
        fc.record({ against: fc.constant(null), times: fc.nat(8), lastAt: age(8 * HOUR) }),
      ),
      salesCount: maybe(fc.nat(60)),
    })
    .map((reported) => aListing({ ...reported, currentPrice: current, fees: compileFees(schedule) }));
}

const ownPrices = (current: number) =>
  fc.uniqueArray(
    fc.record({
      marketplace: fc.constantFrom(...MARKETPLACES.filter((each) => each !== 'walmart')),
      price: amount(Math.max(1, Math.floor(current * 0.8)), Math.ceil(current * 1.2)),
      shippingCharge: sometimes(500),
    }),
    { maxLength: 3, selector: ({ marketplace }) => marketplace },
  );

const filters = fc.record({
  minRating: maybe(share(8_000, 10_000)),
  minRatingCount: maybe(fc.nat(50)),
  maxHandlingDays: maybe(fc.nat(5)),
  ignoreSellers: fc.constantFrom(new Set<SellerKey>(), new Set([sellerKey('Other') as SellerKey])),
  fulfillmentType: maybe(fc.constantFrom(...FULFILLMENT_TYPES)),
});

const rules: fc.Arbitrary<Rule> = fc
  .record({
    strategy: fc.constantFrom(...STRATEGIES),
    competitorOffset: maybe(amount(-300, 300)),
    requiresReview: mostly(false),
    noCompetitor: fc.constantFrom(...NO_COMPETITOR),
    belowFloor: fc.constantFrom(...BELOW_FLOOR),
    otherChannels: fc.boolean(),
    refuseCrossChannel: fc.boolean(),
    filter: rarely(filters),
  })
  .map((reported) => aRule(reported));

/** Rules with a strategy, as chosen for a listing. */
export const strategyChoices = fc.record({
  kind: fc.constantFrom('own', 'matched'),
  rule: rules,
  minimumMargin: margins,
});

const choices: fc.Arbitrary<RuleChoice> = fc.oneof(
  { weight: 24, arbitrary: strategyChoices },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('own_paused', 'own_mismatch'),
      rule: rules,
      minimumMargin: fc.constant(null),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'none', rule: null, minimumMargin: null } as const) },
);

const policies: fc.Arbitrary<Policy> = fc
  .record({
    maxStep: fc.oneof(fc.constant(1_500 as Bps), share(0, 4_000)),
    maxDailyChange: fc.oneof(fc.constant(3_000 as Bps), share(0, 6_000)),
    minStep: fc.oneof(
      { weight: 3, arbitrary: fc.constant(1 as Cents) },
      { weight: 1, arbitrary: amount(0, 50) },
    ),
    cooldown: fc.constantFrom(0 as Millis, 0 as Millis, HOUR as Millis),
    priceWarThreshold: fc.constant(6),
    mode: fc.oneof(
      { weight: 12, arbitrary: fc.constant('live' as const) },
      { weight: 1, arbitrary: fc.constantFrom('recommend_only' as const, 'paused' as const) },
    ),
    halted: mostly(false),
    autoRepricing: mostly(true),
    areOwnSellersKnown: mostly(true),
  })
  .map((reported) => aPolicy({ ...reported, ownSellers: new Set([OUR_KEY]) }));

/** Readable questions of every kind, about prices up to $25.00, so that every price can be tried. */
export const stories: fc.Arbitrary<Story> = fc
  .record({ schedule: feeSchedules(), current: amount(1, 2_500) })
  .chain(({ schedule, current }) =>
    fc.record({
      facts: factsFor(schedule, current),
      choice: choices,
      policy: policies,
      schedule: fc.constant(schedule),
    }),
  );

/**
 * The same without what keeps every price: a live listing that is not held, that a rule prices at once, read lately, with
 * a price that leaves more than it has to in most cases. Step limits, cooldowns and prices on their way remain.
 */
const settledStories: fc.Arbitrary<Story> = fc
  .record({ schedule: feeSchedules(2_500, 0), current: amount(400, 2_500) })
  .chain(({ schedule, current }) =>
    fc.record({
      facts: factsFor(schedule, current),
      cost: costs(Math.ceil(current * 0.22)),
      anchorPrice: amount(Math.ceil(current * 0.75), Math.ceil(current * 1.5)),
      isLimited: mostly(false),
      readAt: fc.integer({ min: 0, max: 20 * HOUR }),
      choice: strategyChoices,
      minimumMargin: share(0, 2_000),
      policy: policies,
      schedule: fc.constant(schedule),
    }),
  )
  .map(({ facts, cost, anchorPrice, isLimited, readAt, choice, minimumMargin, policy, schedule }) => ({
    facts: {
      ...facts,
      ...(isLimited ? {} : { minPrice: null, maxPrice: null, marketplaceLimits: null }),
      cost,
      anchorPrice,
      readAt: (NOW - readAt) as Instant,
      offers: facts.offers.map((offer) => ({ ...offer, seenAt: (NOW - readAt) as Instant })),
      autoRepricing: true,
      hold: null,
      sendPause: null,
      awaitingUpload: false,
    },
    choice: { ...choice, rule: { ...choice.rule, requiresReview: false }, minimumMargin } as RuleChoice,
    policy: { ...policy, mode: 'live', halted: false, autoRepricing: true, areOwnSellersKnown: true },
    schedule,
  }));

/** Mostly questions that a rule decides, and some of every kind. */
export const mostlySettledStories: fc.Arbitrary<Story> = fc.oneof(
  { weight: 4, arbitrary: settledStories },
  { weight: 1, arbitrary: stories },
);

/** The terms of a readable story, for the oracle; null where something is unknown. */
export function termsOf({ facts, choice, schedule }: Story): Terms | null {
  const { cost, shippingCharge, minPrice, maxPrice, anchorPrice, marketplaceLimits, greatestDiscount } =
    facts;
  const { minimumMargin } = choice;
  if (cost.total === null || shippingCharge === null || minimumMargin === null) return null;
  return {
    totalCost: cost.total,
    shippingCharge,
    schedule,
    minimumMargin,
    minPrice,
    maxPrice,
    anchorPrice,
    marketplaceLimits,
    greatestDiscount,
  };
}
