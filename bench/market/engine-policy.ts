import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import {
  longestPriceWarStreak,
  opponentKey,
  priceDayAgo,
  type RecentMove,
} from '#domain/competition/recent-moves.ts';
import { evaluate } from '#domain/decision/decide.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import { DEFAULT_LIMITS, type Policy as Limits, type LocalTime } from '#domain/limits/policy.ts';
import type { Weekday } from '#domain/lines/line.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { type Rule, type RuleChoice, WITHOUT_LINES, WITHOUT_SCOPE } from '#domain/rules/rule.ts';
import { type Bps, bps, cents, hours, type Instant, instant, ounces } from '#domain/units.ts';
import { MINIMUM_MARGIN } from './market.ts';
import {
  type KnownListing,
  type Observation,
  OUR_NAME,
  type Policy,
  type Pricing,
  type Reading,
} from './observation.ts';
import { signalsOf } from './signals.ts';

/** When every run begins; only differences of times matter. */
const START = Date.UTC(2026, 0, 5);
const HOURS_A_DAY = 24;
const DAY = hours(HOURS_A_DAY);

/** The limits of a new installation, in a shop that is live. */
const LIMITS: Omit<Limits, 'now'> = {
  ...DEFAULT_LIMITS,
  local: null,
  ownSellers: new Set([sellerKey(OUR_NAME)].filter((key) => key !== null)),
  areOwnSellersKnown: true,
  mode: 'live',
  halted: false,
  autoRepricing: true,
  areFeeEstimatesAccepted: false,
};

/** The product's own decision with a rule: the facts are what the product would have stored by then. */
export function engine(name: string, rule: Partial<Rule>): Policy {
  const whole = { ...PLAIN_RULE, name, ...rule };
  const choice: RuleChoice = { kind: 'matched', rule: whole, minimumMargin: whole.minimumMargin };
  return { name, start: (listing) => pricingBy(listing, choice) };
}

/**
 * The same with a rule whose lines decide.
 * @param targetMargin what `target margin` means
 * @throws Error for a text that is not understood
 */
export function linesEngine(name: string, text: string, targetMargin: Bps): Policy {
  const { lines, problem } = parseLines(text);
  if (lines === null) throw new Error(`${name}: ${JSON.stringify(problem)}`);
  return engine(name, { lines, targetMargin, onlySameShipping: false });
}

/** The same two objects for every hour, with fields that change: copies of both cost five times as much as the decision. */
function pricingBy(listing: KnownListing, choice: RuleChoice): Pricing {
  const facts: Changing<ListingFacts> = factsOf(listing);
  const limits: Changing<Limits> = { ...LIMITS, now: timeOf(0) };
  const memory = rememberedPrices(listing.startPrice);
  const signals = signalsOf();
  let against: string | null = null;
  let last: Reading | null = null;
  let day = dayOf(0);
  return {
    next(observation) {
      const { hour, reading, sold } = observation;
      const now = timeOf(hour);
      limits.now = now;
      if (hour % HOURS_A_DAY === 0) day = dayOf(hour);
      limits.local = localTime(hour, day);
      if (reading !== null && reading !== last) read(facts, reading);
      memory.fill(facts, observation, now, against);
      facts.salesCount = sold;
      facts.signals = signals.observe(observation, reading === last ? null : reading, now);
      last = reading;
      const { decision, strategyPrice } = evaluate(facts, choice, limits);
      signals.decided(decision, now);
      if (decision.kind !== 'change') return null;
      against = opponentKey(strategyPrice);
      return decision.price;
    },
  };
}

/** Every run begins on a Monday at midnight. */
function localTime(hour: number, day: string): LocalTime {
  return {
    minuteOfDay: (hour % HOURS_A_DAY) * 60,
    weekday: ((Math.floor(hour / HOURS_A_DAY) % 7) + 1) as Weekday,
    day,
  };
}

function dayOf(hour: number): string {
  return new Date(START + hours(hour)).toISOString().slice(0, 10);
}

type Changing<Facts> = { -readonly [Field in keyof Facts]: Facts[Field] };

/** Remembers the prices of a listing as the price history does: a change counts from when buyers see it. */
function rememberedPrices(startPrice: number): {
  fill(facts: Changing<ListingFacts>, observation: Observation, now: Instant, against: string | null): void;
} {
  let last = startPrice;
  let moves: RecentMove[] = [];
  return {
    fill(facts, { price, sent }, now, against) {
      if (price !== last) {
        moves.push(moveOf(last, price, now, against));
        last = price;
        facts.lastChangedAt = now;
      }
      const [oldest] = moves;
      if (oldest !== undefined && now - oldest.at > DAY) moves = moves.filter(({ at }) => now - at <= DAY);
      facts.currentPrice = cents(price);
      facts.pendingPrice = sent === null ? null : cents(sent);
      facts.ownPrices = ownPricesOf(price, sent, moves);
      facts.priceDayAgo = priceDayAgo(cents(price), moves);
      facts.priceWarStreak = longestPriceWarStreak(moves);
    },
  };
}

function moveOf(from: number, to: number, at: Instant, against: string | null): RecentMove {
  return { oldPrice: cents(from), newPrice: cents(to), source: 'rule', at, against };
}

function ownPricesOf(
  price: number,
  sent: number | null,
  moves: readonly RecentMove[],
): ListingFacts['ownPrices'] {
  const prices = new Set([cents(price)]);
  if (sent !== null) prices.add(cents(sent));
  for (const { oldPrice } of moves) if (oldPrice !== null) prices.add(oldPrice);
  return [...prices];
}

function read(facts: Changing<ListingFacts>, reading: Reading): void {
  const readAt = timeOf(reading.arrivedAt);
  facts.readAt = readAt;
  facts.offers = reading.offers.map(
    ({ seller, price, isWarehouse, isFeatured }): Offer => ({
      sellerName: seller,
      seller: sellerKey(seller),
      isMarketplace: false,
      price: cents(price),
      shipping: cents(0),
      fulfillmentType: isWarehouse ? 'FBA/WFS' : 'FBM',
      isFeatured,
      isOurs: false,
      seenAt: readAt,
      rating: null,
      ratingCount: null,
      handlingDays: null,
      channel: facts.marketplace,
    }),
  );
}

function timeOf(hour: number): Instant {
  return instant(START + hours(hour));
}

/** A listing at the start of a run: nothing read, nothing changed. */
function factsOf({
  marketplace,
  weShip,
  cost,
  startPrice,
  feeExpected,
  coverage,
}: KnownListing): ListingFacts {
  const nothing = cents(0);
  const band = { ...PLAIN_BAND, upTo: null, percent: bps(feeExpected), fixed: nothing, minimum: nothing };
  return {
    marketplace,
    sku: 'ITEM',
    fulfillmentType: weShip ? 'FBM' : 'FBA/WFS',
    currentPrice: cents(startPrice),
    anchorPrice: cents(startPrice),
    minPrice: null,
    maxPrice: null,
    marketplaceLimits: null,
    greatestDiscount: bps(0),
    shippingCharge: nothing,
    cost: {
      product: cents(cost),
      shipping: nothing,
      fulfillment: nothing,
      packaging: nothing,
      misc: nothing,
      weight: ounces(8),
      total: cents(cost),
      gaps: [],
      estimate: null,
    },
    fees: compileFees({
      marketplace,
      category: null,
      effectiveFrom: null,
      bandKind: 'whole',
      edgeBase: 'revenue',
      bands: [band],
    }),
    offers: [],
    readAt: null,
    coverage,
    ownPrices: [cents(startPrice)],
    featuredPrice: null,
    elsewhere: [],
    autoRepricing: true,
    hold: null,
    isMissing: false,
    isPriceUnverified: false,
    refusedPrices: [],
    sendPause: null,
    awaitingUpload: false,
    signals: null,
    group: null,
    pendingPrice: null,
    priceDayAgo: null,
    lastChangedAt: null,
    priceWarStreak: null,
    salesCount: null,
  };
}

const PLAIN_RULE: Rule = {
  id: 'bench',
  name: '',
  marketplace: null,
  fulfillmentType: 'All',
  strategy: 'Match Competitor',
  minimumMargin: bps(MINIMUM_MARGIN),
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
};
