import { type Offer, type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import type { ListingCost } from '#domain/costs/cost.ts';
import { type ListingFacts, type ListingSignals, NO_SIGNALS } from '#domain/decision/facts.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { type FeeBand, type FeeSchedule, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { DEFAULT_LIMITS, type Policy } from '#domain/limits/policy.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { type Rule, type RuleChoice, WITHOUT_LINES, WITHOUT_SCOPE } from '#domain/rules/rule.ts';
import { bps, cents, hours, type Instant, instant, ounces } from '#domain/units.ts';
import { type Seeded, seeded } from './seeded.ts';

/** One question to the engine. */
export interface DecideCase {
  readonly facts: ListingFacts;
  readonly choice: RuleChoice;
  readonly policy: Policy;
}

const NOW = instant(Date.UTC(2026, 10, 21, 12));
const OWN_SELLERS = new Set([sellerKey('Our Shop'), sellerKey('Our Outlet')] as SellerKey[]);

/** Every guard on: staleness, step limit, daily limit, smallest change, cooldown, price war, own sellers, review reasons. */
const POLICY: Policy = {
  now: NOW,
  local: null,
  ...DEFAULT_LIMITS,
  minStep: cents(3),
  cooldown: hours(1),
  ownSellers: OWN_SELLERS,
  areOwnSellersKnown: true,
  mode: 'live',
  halted: false,
  autoRepricing: true,
  areFeeEstimatesAccepted: false,
};

/** Listings as a shop has them, each different: 5 offers, a banded fee, most free to move and some held by each guard. */
export function decideCases(count: number, seed = 1): DecideCase[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const rule = random.pick(RULES);
    return caseOf(factsOf(index, random, null), rule);
  });
}

function caseOf(facts: ListingFacts, rule: Rule): DecideCase {
  return { facts, choice: { kind: 'matched', rule, minimumMargin: rule.minimumMargin }, policy: POLICY };
}

/** The same listings under one rule with lines, a third of them with a known share of the buy box. */
export function lineCases(template: (typeof RULE_TEMPLATES)[number]['name'], count: number): DecideCase[] {
  const text = RULE_TEMPLATES.find(({ name }) => name === template)?.lines ?? '';
  const { lines } = parseLines(text);
  if (lines === null) throw new Error(`The template ${template} cannot be read.`);
  const rule = ruleOf(1, { name: template, lines, targetMargin: bps(3_500), onlySameShipping: false });
  const random = seeded(1);
  const ofSignals = seeded(2);
  return Array.from({ length: count }, (_, index) => {
    // The rule that `decideCases` would give it, so that all else is the same.
    random.pick(RULES);
    return caseOf(factsOf(index, random, signalsOf(ofSignals)), rule);
  });
}

function signalsOf(random: Seeded): ListingSignals | null {
  return random.chance(0.3) ? { ...NO_SIGNALS, boxShare: bps(random.whole(0, 10_000)) } : null;
}

/** In one place, like the program: a copy with a spread is slower to make, and slower to read. */
function factsOf(index: number, random: Seeded, signals: ListingSignals | null): ListingFacts {
  const price = random.whole(700, 18_000);
  return {
    marketplace: 'walmart',
    sku: `SKU-${index}`,
    fulfillmentType: random.chance(0.8) ? 'FBM' : 'FBA/WFS',
    currentPrice: cents(price),
    anchorPrice: cents(Math.round((price * random.whole(80, 120)) / 100)),
    minPrice: random.chance(0.2) ? cents(Math.round(price / 2)) : null,
    maxPrice: random.chance(0.2) ? cents(price * 3) : null,
    marketplaceLimits: null,
    greatestDiscount: bps(0),
    shippingCharge: cents(random.chance(0.3) ? 499 : 0),
    cost: costOf(Math.round((price * random.whole(35, 75)) / 100), random),
    fees: random.pick(FEES),
    isMissing: false,
    isPriceUnverified: false,
    offers: Array.from({ length: 5 }, (_, place) => offerOf(price, place, random)),
    readAt: before(1),
    coverage: 'all',
    ownPrices: [cents(price)],
    featuredPrice: null,
    elsewhere: [],
    autoRepricing: !random.chance(0.03),
    hold: random.chance(0.1)
      ? { until: before(random.whole(-5, 50)), by: 'ada', reason: 'typed a price' }
      : null,
    pendingPrice: random.chance(0.05) ? cents(price + 5) : null,
    refusedPrices: [],
    sendPause: null,
    awaitingUpload: random.chance(0.02),
    priceDayAgo: cents(Math.round((price * random.whole(85, 115)) / 100)),
    lastChangedAt: before(random.whole(0, 40)),
    priceWarStreak: random.chance(0.5)
      ? { against: sellerKey('Competitor 1'), times: random.whole(1, 6), lastAt: before(random.whole(0, 12)) }
      : null,
    salesCount: random.whole(0, 90),
    signals,
    group: null,
  };
}

function costOf(total: number, random: Seeded): ListingCost {
  const shipping = Math.round((total * random.whole(5, 20)) / 100);
  return {
    product: cents(total - shipping - 60),
    shipping: cents(shipping),
    fulfillment: cents(0),
    packaging: cents(50),
    misc: cents(10),
    weight: ounces(random.whole(1, 400) / 4),
    total: cents(total),
    gaps: [],
    estimate: null,
  };
}

function offerOf(price: number, place: number, random: Seeded): Offer {
  const seller = sellerOf(place, random);
  return {
    sellerName: seller,
    seller: sellerKey(seller),
    isMarketplace: seller === 'Walmart',
    price: cents(Math.round((price * random.whole(85, 130)) / 100)),
    shipping: cents(random.chance(0.3) ? random.whole(199, 799) : 0),
    fulfillmentType: random.chance(0.5) ? 'FBM' : 'FBA/WFS',
    isFeatured: place === 0,
    isOurs: false,
    seenAt: before(random.whole(0, 27)),
    rating: bps(random.whole(8_000, 10_000)),
    ratingCount: random.whole(0, 900),
    handlingDays: random.whole(0, 7),
    channel: 'walmart',
  };
}

function sellerOf(place: number, random: Seeded): string | null {
  if (place === 0 && random.chance(0.05)) return null;
  if (random.chance(0.12)) return random.pick(['Our Shop', 'Our Outlet']);
  return random.chance(0.1) ? 'Walmart' : `Competitor ${random.whole(1, 40)}`;
}

function before(hoursAgo: number): Instant {
  return instant(NOW - hours(hoursAgo));
}

const FILTER = {
  minRating: bps(8_500),
  minRatingCount: 25,
  maxHandlingDays: 5,
  ignoreSellers: new Set([sellerKey('Competitor 7'), sellerKey('Competitor 13')] as SellerKey[]),
  fulfillmentType: null,
};

const RULES: readonly [Rule, ...Rule[]] = [
  ruleOf(1, { name: 'Match' }),
  ruleOf(2, { name: 'Beat', strategy: 'Beat Competitor', competitorOffset: cents(5) }),
  ruleOf(3, { name: 'Match above', competitorOffset: cents(25), minimumMargin: bps(1_250) }),
  ruleOf(4, { name: 'Beat, skip', strategy: 'Beat Competitor', belowFloor: 'skip', noCompetitor: 'ceiling' }),
];

function ruleOf(order: number, rest: Partial<Rule>): Rule {
  return {
    id: `rule-${order}`,
    name: '',
    marketplace: 'walmart',
    fulfillmentType: 'All',
    strategy: 'Match Competitor',
    minimumMargin: bps(1_000),
    marketplaceMargins: {},
    competitorOffset: null,
    isActive: true,
    requiresReview: false,
    noCompetitor: 'keep',
    belowFloor: 'floor',
    otherChannels: false,
    refuseCrossChannel: false,
    filter: FILTER,
    order,
    ...WITHOUT_LINES,
    ...WITHOUT_SCOPE,
    ...rest,
  };
}

const FEES: readonly [FeeTable, ...FeeTable[]] = [
  compileFees(scheduleOf('whole', [band(1_500, 500), band(2_000, 1_000), band(null, 1_500)])),
  compileFees(scheduleOf('whole', [band(1_000, 800, 0, 30), band(null, 1_500, 0, 30)])),
  compileFees(scheduleOf('marginal', [band(30_000, 1_200), band(null, 800)])),
];

function scheduleOf(bandKind: FeeSchedule['bandKind'], bands: readonly FeeBand[]): FeeSchedule {
  return {
    marketplace: 'walmart',
    category: null,
    effectiveFrom: null,
    bandKind,
    edgeBase: 'revenue',
    bands,
  };
}

function band(upTo: number | null, percent: number, fixed = 0, minimum = 0): FeeBand {
  return {
    ...PLAIN_BAND,
    upTo: upTo === null ? null : cents(upTo),
    percent: bps(percent),
    fixed: cents(fixed),
    minimum: cents(minimum),
  };
}
