import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import type { ListingCost } from '#domain/costs/cost.ts';
import { costOfListing } from '#domain/costs/listing-cost.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import type { BandKind, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import { NOTHING_COUNTS } from '#domain/fees/settled-fulfillment.ts';
import { DEFAULT_LIMITS, type Policy } from '#domain/limits/policy.ts';
import { type Rule, type RuleChoice, WITHOUT_LINES, WITHOUT_SCOPE } from '#domain/rules/rule.ts';
import { minimumMarginOf } from '#domain/rules/rule-choice.ts';
import { type Bps, bps, type Cents, cents, instant, ounces } from '#domain/units.ts';

/** The time of every scenario by default. */
export const NOW = instant(Date.UTC(2026, 10, 21, 12));

/** Dollars as users write them, for readable tests: `usd(12.5)` is 1250 cents. */
export function usd(dollars: number): Cents {
  return cents(Math.round(dollars * 100));
}

/** Percent as users write it: `pct(12.5)` is 1250 basis points. */
export function pct(percent: number): Bps {
  return bps(Math.round(percent * 100));
}

interface BandScenario {
  upTo?: number;
  percent?: number;
  percentTaxed?: number;
  fixed?: number;
  perUnit?: number;
  minimum?: number;
}

export function aFeeSchedule(bands: readonly BandScenario[], bandKind: BandKind = 'whole'): FeeSchedule {
  const schedule: FeeSchedule = {
    marketplace: 'walmart',
    category: null,
    effectiveFrom: null,
    bandKind,
    edgeBase: 'revenue',
    bands: bands.map(({ upTo, percent = 0, percentTaxed = 0, fixed = 0, perUnit = 0, minimum = 0 }) => ({
      upTo: upTo === undefined ? null : usd(upTo),
      percent: pct(percent),
      percentTaxed: pct(percentTaxed),
      fixed: usd(fixed),
      perUnit: usd(perUnit),
      minimum: usd(minimum),
    })),
  };
  const problem = checkFeeSchedule(schedule);
  if (problem !== null) throw new Error(problem);
  return schedule;
}

export function fees(bands: readonly BandScenario[], bandKind: BandKind = 'whole'): FeeTable {
  return compileFees(aFeeSchedule(bands, bandKind));
}

/** Walmart apparel: 5% up to $15, 10% up to $20, 15% above, each on the whole price. */
export const APPAREL = fees([{ upTo: 15, percent: 5 }, { upTo: 20, percent: 10 }, { percent: 15 }]);

/** A known total, all of it product cost. */
export function aCost(total: number): ListingCost {
  return costOfListing({
    sku: 'A-1',
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    price: usd(20),
    feeCategory: null,
    now: NOW,
    shippingCost: usd(0),
    fulfillmentCost: null,
    reportedFulfillment: NOTHING_COUNTS,
    own: {
      sku: 'A-1',
      productCost: usd(total),
      weight: ounces(8),
      size: null,
      isHazardous: false,
      packagingCost: usd(0),
      miscCost: usd(0),
    },
    components: [],
    bundleUnconfirmed: false,
    tiers: [],
  });
}

/** A Walmart listing we ship ourselves, $20.00 now, $10.00 cost, 15% fee, no other seller. */
export function aListing(overrides: Partial<ListingFacts> = {}): ListingFacts {
  const currentPrice = overrides.currentPrice === undefined ? usd(20) : overrides.currentPrice;
  return {
    marketplace: 'walmart',
    sku: 'A-1',
    fulfillmentType: 'FBM',
    currentPrice,
    anchorPrice: currentPrice,
    minPrice: null,
    maxPrice: null,
    marketplaceLimits: null,
    greatestDiscount: 0 as Bps,
    shippingCharge: usd(0),
    cost: aCost(10),
    fees: fees([{ percent: 15 }]),
    offers: [],
    readAt: NOW,
    coverage: 'all',
    ownPrices: [],
    featuredPrice: null,
    elsewhere: [],
    autoRepricing: true,
    hold: null,
    pendingPrice: null,
    isMissing: false,
    isPriceUnverified: false,
    refusedPrices: [],
    sendPause: null,
    awaitingUpload: false,
    priceDayAgo: null,
    lastChangedAt: null,
    priceWarStreak: null,
    salesCount: null,
    signals: null,
    group: null,
    ...overrides,
  };
}

/** A competitor's fresh offer, delivered free. */
export function anOffer(price: number, overrides: Partial<Offer> & { by?: string } = {}): Offer {
  const { by = 'Corner Store', ...rest } = overrides;
  return {
    sellerName: by,
    seller: sellerKey(by),
    isMarketplace: false,
    price: usd(price),
    shipping: usd(0),
    fulfillmentType: 'FBM',
    isFeatured: false,
    isOurs: false,
    seenAt: NOW,
    rating: null,
    ratingCount: null,
    handlingDays: null,
    channel: 'walmart',
    ...rest,
  };
}

/** An active rule for everything: match the lowest competitor, keep 10%. */
export function aRule(overrides: Partial<Rule> = {}): Rule {
  return {
    id: 'rule-1',
    name: 'Match',
    marketplace: null,
    fulfillmentType: 'All',
    strategy: 'Match Competitor',
    minimumMargin: pct(10),
    marketplaceMargins: {},
    competitorOffset: null,
    isActive: true,
    requiresReview: false,
    noCompetitor: 'keep',
    belowFloor: 'floor',
    otherChannels: false,
    refuseCrossChannel: false,
    filter: null,
    order: 1,
    ...WITHOUT_LINES,
    ...WITHOUT_SCOPE,
    ...overrides,
  };
}

/** A rule chosen for a Walmart listing. */
export function chosen(overrides: Partial<Rule> = {}): RuleChoice {
  const rule = aRule(overrides);
  return { kind: 'matched', rule, minimumMargin: minimumMarginOf(rule, 'walmart') };
}

/** Live, with the limits of a new install, our own sellers declared. */
export function aPolicy(overrides: Partial<Policy> = {}): Policy {
  return {
    now: NOW,
    local: null,
    ...DEFAULT_LIMITS,
    ownSellers: new Set(),
    areOwnSellersKnown: true,
    mode: 'live',
    halted: false,
    autoRepricing: true,
    areFeeEstimatesAccepted: false,
    ...overrides,
  };
}
