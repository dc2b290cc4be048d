import type { Db } from '#db/client.ts';
import { type ActiveRefusal, readActiveRefusals } from '#db/queries/marketplaces/sending/refusals.ts';
import { type ActivePause, readActivePauses } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { readRecentPrices } from '#db/queries/marketplaces/sync/recent-prices.ts';
import type { LineMemoryRow } from '#db/queries/repricing/line-memories.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import {
  type CaseRow,
  type OfferRow,
  readCaseRows,
  readOffers,
  readOtherChannelOffers,
  readRecentMoves,
  readSiblings,
  readTwins,
  readUnitsSold,
  type SiblingRow,
  TAG_SEPARATOR,
  type TwinRow,
} from '#db/queries/repricing/pricing-input-rows.ts';
import { newestSeen } from '#domain/competition/competition.ts';
import type { FeaturedPrice } from '#domain/competition/featured-price.ts';
import type { Offer, SellerKey } from '#domain/competition/offer.ts';
import { longestPriceWarStreak, priceDayAgo, type RecentMove } from '#domain/competition/recent-moves.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import type { ListingCost } from '#domain/costs/cost.ts';
import { feesAtAnyPrice } from '#domain/costs/cost-without-fees.ts';
import { groupCases } from '#domain/decision/decide-group.ts';
import { mapInForce } from '#domain/decision/entered-facts.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import type { FeeDrift } from '#domain/fees/fee-drift.ts';
import type { FeeFact } from '#domain/fees/fee-fact.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { groupBy } from '#domain/group-by.ts';
import { withOwnMap } from '#domain/limits/marketplace-limits.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type RecentPrices, recentlyShownPrices } from '#domain/readings/own-recent-prices.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { type ScopeFacts, scopeCost } from '#domain/rules/segment.ts';
import { type Bps, type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { CONFIRMATION_TIMEOUT } from './apply-decided-prices.ts';
import { type LineFacts, NO_LINE_FACTS, readLineFacts, signalsOf } from './line-facts.ts';
import {
  type AssumedCosts,
  COSTS_AS_STORED,
  type CostParts,
  chargedInstead,
  costOf,
  NOTHING_REPORTED,
  readCostParts,
} from './listing-costs.ts';
import { feesOf, withCountedShares } from './listing-fees.ts';
import type { PricingContext } from './pricing-context.ts';

/** One listing with everything its decision is made from. */
export interface PricingInput extends DecisionCase {
  readonly listing: CaseRow;
  /** What segments of rules ask about it. */
  readonly scope: ScopeFacts;
  /** Its price is sent through the API, and is current only once buyers see it. */
  readonly isConnected: boolean;
  /** Its marketplace is live, whether or not it is paused. */
  readonly isLive: boolean;
  /** Null where the marketplace reported no other commission than the fee schedule has. */
  readonly feeDrift: FeeDrift | null;
  /** What is charged for fulfilling a unit, where it differs from the entered fee; else null. */
  readonly chargedFee: Cents | null;
  /** Whether a lower commission waits to be reported again. */
  readonly isFeeHeld: boolean;
  /** What the marketplace reported of its fees, in any order. */
  readonly feeFacts: readonly FeeFact[];
  /**
   * What was taken of sales of each other listing by the category by which this one was last charged, or, never charged, others of
   * its product type; in any order.
   */
  readonly sameCategory: readonly (readonly FeeFact[])[];
  /** What lines remember of it, no matter of which rule; null for nothing. */
  readonly memory: LineMemoryRow | null;
  /** The other members of its price group, by ID; none without one. */
  readonly mates: readonly PricingInput[];
}

const DAY = hours(24);

/**
 * Loads what `decide` needs for these listings, by a constant number of statements.
 * @param ids a few thousand at most; deleted ones are omitted from the result
 * @param assumed costs of SKUs that replace the stored ones
 * @param since from when they apply: now, or an earlier moment
 * @returns by ID; a member of a price group is decided with the others, which are loaded as well
 */
export async function loadPricingInputs(
  db: Db,
  context: PricingContext,
  ids: readonly number[],
  assumed: AssumedCosts = COSTS_AS_STORED,
  since: Instant = context.facts.now,
): Promise<PricingInput[]> {
  const inputs = await loadUngrouped(db, context, ids, assumed, since);
  const mates = await missingMates(db, inputs);
  const others = mates.length === 0 ? [] : await loadUngrouped(db, context, mates, assumed, since);
  return withGroups(inputs, others);
}

async function loadUngrouped(
  db: Db,
  context: PricingContext,
  ids: readonly number[],
  assumed: AssumedCosts,
  since: Instant,
): Promise<PricingInput[]> {
  const listings = await readCaseRows(db, ids, instant(context.facts.now - CONFIRMATION_TIMEOUT));
  const parts = await readCostParts(db, context, listings, assumed, since);
  const chosen = listings.map((listing) => withRule(context, listing, parts));
  const choices = chosen.map(({ choice }) => choice);
  const known = { ...(await readRelatedData(db, context, listings, choices)), ...parts };
  return chosen.map((one) => caseOf(context, one, known));
}

/**
 * The same without competitors, sales, price moves and other channels, by a few statements: enough for costs, fees, rule and
 * margin floor.
 * @param alter replaces a listing by a hypothetical one
 */
export async function loadCosts(
  db: Db,
  context: PricingContext,
  ids: readonly number[],
  alter: (listing: CaseRow) => CaseRow = (listing) => listing,
): Promise<PricingInput[]> {
  const inputs = await loadUngroupedCosts(db, context, ids, alter);
  const mates = await missingMates(db, inputs);
  const others = mates.length === 0 ? [] : await loadUngroupedCosts(db, context, mates, alter);
  return withGroups(inputs, others);
}

async function loadUngroupedCosts(
  db: Db,
  context: PricingContext,
  ids: readonly number[],
  alter: (listing: CaseRow) => CaseRow,
): Promise<PricingInput[]> {
  const stored = await readCaseRows(db, ids, instant(context.facts.now - CONFIRMATION_TIMEOUT));
  const listings = stored.map(alter);
  const known: RelatedData = {
    offers: new Map(),
    siblings: new Map(),
    moves: new Map(),
    recent: new Map(),
    twins: new Map(),
    unitsSold: new Map(),
    refusals: new Map(),
    pauses: new Map(),
    lines: NO_LINE_FACTS,
    ...(await readCostParts(db, context, listings, COSTS_AS_STORED, context.facts.now)),
  };
  return listings.map((listing) => caseOf(context, withRule(context, listing, known), known));
}

/** The listings that have one price with some of these and are not among them. */
async function missingMates(db: Db, inputs: readonly PricingInput[]): Promise<number[]> {
  const grouped = inputs.flatMap(({ listing }) => (listing.groupKey === null ? [] : [listing.id]));
  if (grouped.length === 0) return [];
  const members = await readGroupMembers(db, grouped);
  const loaded = new Set(grouped);
  return members.filter((id) => !loaded.has(id));
}

/** Puts members of one price group together. @param others members that were not requested, and are not returned */
export function withGroups(inputs: readonly PricingInput[], others: readonly PricingInput[]): PricingInput[] {
  if (inputs.every(({ listing }) => listing.groupKey === null)) return [...inputs];
  const groups = groupBy([...inputs, ...others], ({ listing: { marketplace, groupKey, id } }) =>
    groupKey === null ? String(id) : `${marketplace} ${groupKey}`,
  );
  const grouped = new Map(
    [...groups.values()].flatMap((members) => {
      const cases = groupCases(members.map(alone));
      return cases.map((one): [number, PricingInput] => [
        one.listing.id,
        { ...one, mates: cases.filter((mate) => mate !== one) },
      ]);
    }),
  );
  return inputs.map((input) => grouped.get(input.listing.id) ?? input);
}

function alone(input: PricingInput): PricingInput {
  return { ...input, facts: { ...input.facts, group: null } };
}

/** Related data of the listings of a batch, by listing. */
interface RelatedData extends CostParts {
  readonly offers: ReadonlyMap<number, readonly OfferRow[]>;
  /** By SKU; includes the listing itself. */
  readonly siblings: ReadonlyMap<string, readonly SiblingRow[]>;
  readonly moves: ReadonlyMap<number, readonly RecentMove[]>;
  /** Own recent prices, of listings with an offer whose seller is unknown. */
  readonly recent: ReadonlyMap<number, RecentPrices>;
  /** Other listings of the same item, of those with such an offer. */
  readonly twins: ReadonlyMap<number, readonly TwinRow[]>;
  readonly unitsSold: ReadonlyMap<number, number>;
  readonly refusals: ReadonlyMap<number, readonly ActiveRefusal[]>;
  readonly pauses: ReadonlyMap<number, readonly ActivePause[]>;
  readonly lines: LineFacts;
}

async function readRelatedData(
  db: Db,
  context: PricingContext,
  listings: readonly CaseRow[],
  choices: readonly RuleChoice[],
): Promise<Omit<RelatedData, keyof CostParts>> {
  const dayAgo = (context.facts.now - DAY) as Instant;
  // Those of a clock that was ahead limit prices as others do, but not for as long as it was ahead.
  const inADay = (context.facts.now + DAY) as Instant;
  const idsWhere = (matches: (listing: CaseRow, choice: RuleChoice) => boolean): number[] =>
    listings.flatMap((listing, i) => (matches(listing, choices[i] as RuleChoice) ? [listing.id] : []));
  const beyond = idsWhere((_, { rule }) => rule?.otherChannels === true);
  const moved = idsWhere(({ priceSince }) => priceSince > dayAgo);
  const dynamic = idsWhere((_, { rule }) => rule?.lines === null && rule.strategy === 'Dynamic Pricing');
  const ids = idsWhere(() => true);
  const connected = idsWhere(({ marketplace }) => context.facts.connected.has(marketplace));
  const offers = [
    ...(await readOffers(db, ids)),
    ...(beyond.length === 0 ? [] : await readOtherChannelOffers(db, beyond)),
  ];
  const skus = [...new Set(listings.map(({ sku }) => sku))];
  const siblings = await readSiblings(db, skus);
  const moves = moved.length === 0 ? [] : await readRecentMoves(db, moved, dayAgo, inADay);
  const refusals = connected.length === 0 ? [] : await readActiveRefusals(db, connected);
  const pauses = connected.length === 0 ? [] : await readActivePauses(db, connected);
  const unnamed = offers.filter(isUnnamed);
  const doubtful = [...new Set(unnamed.flatMap((one) => (one.channel === null ? [one.listingId] : [])))];
  const twins = doubtful.length === 0 ? [] : await readTwins(db, doubtful);
  const compared = [...new Set([...unnamed.flatMap(listingsOf), ...twins.map(({ twinId }) => twinId)])];
  const recent: RelatedData['recent'] =
    compared.length === 0 ? new Map() : await readRecentPrices(db, compared, context.facts.now);
  return {
    offers: groupBy(offers, ({ listingId }) => listingId),
    siblings: groupBy(siblings, ({ sku }) => sku),
    moves: groupBy(moves, ({ listingId }) => listingId),
    recent,
    twins: groupBy(twins, ({ listingId }) => listingId),
    refusals: groupBy(refusals, ({ listingId }) => listingId),
    pauses: groupBy(pauses, ({ listingId }) => listingId),
    lines: await readLineFacts(db, context, listings, choices),
    unitsSold: dynamic.length === 0 ? new Map() : await readUnitsSold(db, dynamic),
  };
}

/** The listings of ours whose offer it could be: that which is decided, and the one on the channel where it was seen. */
function listingsOf({ listingId, offeredOn }: OfferRow): number[] {
  return offeredOn === null ? [listingId] : [listingId, offeredOn];
}

/** Only such an offer could be ours at a former price. */
function isUnnamed({ sellerKey, isMarketplace, isOurs }: OfferRow): boolean {
  return sellerKey === null && !isMarketplace && !isOurs;
}

/** A listing with its rule, and what that was chosen by. */
interface RuledListing {
  readonly listing: CaseRow;
  readonly cost: ListingCost;
  readonly scope: ScopeFacts;
  readonly choice: RuleChoice;
}

function withRule(context: PricingContext, listing: CaseRow, parts: CostParts): RuledListing {
  const { marketplace, fulfillmentType, ruleId } = listing;
  const ownRule = ruleId === null ? null : (context.ruleById.get(String(ruleId)) ?? 'missing');
  const cost = costOf(context, listing, parts);
  const scope = scopeOf(listing, cost, context.facts.now);
  const choice = context.ruleIndex.choose({ marketplace, fulfillmentType, ownRule, scope });
  return { listing, cost, scope, choice };
}

function scopeOf(listing: CaseRow, cost: ListingCost, now: Instant): ScopeFacts {
  return {
    brand: listing.brand,
    category: listing.category,
    tags: listing.tags === '' ? NO_TAGS : listing.tags.split(TAG_SEPARATOR),
    supplier: listing.supplier,
    ownPrice: listing.anchorPrice,
    cost: scopeCost(cost),
    listedDays: Math.floor((now - listing.createdAt) / DAY),
    stockAgeDays: listing.dayStockAge,
    stock: listing.dayStock,
  };
}

const NO_TAGS: readonly string[] = [];

function caseOf(context: PricingContext, ruled: RuledListing, around: RelatedData): PricingInput {
  const { listing, choice, scope } = ruled;
  const { id, marketplace } = listing;
  const offers = (around.offers.get(id) ?? []).map((row) => offerOf(row, marketplace));
  const channels: Marketplace[] = [marketplace];
  for (const { channel } of offers) if (!channels.includes(channel)) channels.push(channel);
  const marked = channels.filter((channel) =>
    offers.some((offer) => offer.isOurs && offer.channel === channel),
  );
  const feeFacts = around.feeFacts.get(id) ?? NOTHING_REPORTED;
  const sameCategory = around.sameCategory.get(id) ?? NOTHING_OF_OTHERS;
  const fees = feesOf(context.feeKnowledge, listing, feeFacts, sameCategory);
  const table = withCountedShares(fees.table, listing, context.facts.shares[marketplace]);
  return {
    listing,
    scope,
    isConnected: context.facts.connected.has(marketplace),
    isLive: context.facts.live.has(marketplace),
    choice,
    policy: context.policyFor(channels, marked),
    facts: factsOf(context, ruled, offers, table, around),
    feeDrift: fees.drift,
    chargedFee: chargedInstead(context, listing, feeFacts),
    isFeeHeld: fees.isHeld,
    feeFacts,
    sameCategory,
    memory: around.lines.memories.get(id) ?? null,
    mates: NO_MATES,
  };
}

const NO_DISCOUNT = 0 as Bps;
const NO_MATES: readonly PricingInput[] = [];

// Written out here and below instead of a spread: a full check creates three million offers, and V8 copies a spread property
// by property, twenty times as slowly, into objects that are also slower to read.
function factsOf(
  context: PricingContext,
  { listing, choice, cost }: RuledListing,
  offers: readonly Offer[],
  fees: FeeTable | null,
  around: RelatedData,
): ListingFacts {
  const { id, marketplace, sku, currentPrice } = listing;
  const moves = around.moves.get(id) ?? [];
  return {
    marketplace,
    sku,
    fulfillmentType: listing.fulfillmentType,
    currentPrice,
    anchorPrice: listing.anchorPrice,
    minPrice: listing.minPrice,
    maxPrice: listing.maxPrice,
    marketplaceLimits: limitsOf(context, listing),
    greatestDiscount: marketplace === 'etsy' ? context.facts.etsyDiscount : NO_DISCOUNT,
    shippingCharge: listing.shippingCharge,
    cost,
    fees: feesAtAnyPrice(fees, cost, listing.shippingCharge),
    offers,
    readAt: listing.readAt ?? newestSeen(offers, marketplace, context.facts.now),
    // Its offers come from files: none stored means that there is none.
    coverage: CAPABILITIES[marketplace].competitors === 'none' ? 'none' : (listing.coverage ?? 'all'),
    ownPrices: ownPricesOf(listing, around, context.facts.now),
    featuredPrice: featuredPriceOf(listing),
    elsewhere: elsewhereOf(listing, around.siblings.get(sku) ?? [], around, context.facts.now),
    autoRepricing: listing.autoRepricing,
    hold: holdOf(context, listing),
    pendingPrice: listing.pendingPrice,
    // Only where catalogs are still synced.
    isMissing: listing.isMissing && isRead(context, marketplace),
    isPriceUnverified: !listing.isPriceRead && context.facts.connected.has(marketplace),
    sendPause: pauseOf(around.pauses.get(id)?.[0]),
    refusedPrices: around.refusals.get(id)?.map(({ price }) => price) ?? NOTHING_REFUSED,
    // An upload mark from before the connection must not prevent sending.
    awaitingUpload: listing.awaitingUpload && !context.facts.connected.has(marketplace),
    priceDayAgo: priceDayAgo(currentPrice, moves),
    lastChangedAt: lastChangeOf(listing, context.facts.now),
    priceWarStreak: longestPriceWarStreak(moves),
    salesCount: around.unitsSold.get(id) ?? 0,
    signals: signalsOf(listing, choice, around.lines, {
      isStockReported: isRead(context, marketplace),
      now: context.facts.now,
    }),
    group: null,
  };
}

/** Later than the clocks of two processes differ: a clock was ahead, and when it really was is not known. */
const CLOCKS_DIFFER = hours(1);

/** Null for a change in the future, too: it would keep the price for as long as the clock was ahead. */
function lastChangeOf({ lastRepriced }: CaseRow, now: Instant): Instant | null {
  return lastRepriced !== null && lastRepriced > now + CLOCKS_DIFFER ? null : lastRepriced;
}

/** Only an offer whose seller is unknown is compared with more than the current price: it may be that of a twin, too. */
function ownPricesOf(
  { id, currentPrice }: CaseRow,
  { recent, twins }: Pick<RelatedData, 'recent' | 'twins'>,
  now: Instant,
): ListingFacts['ownPrices'] {
  const own = recent.get(id);
  if (own === undefined) return [currentPrice];
  const ofTwins = (twins.get(id) ?? []).flatMap(({ twinId, shippingCharge }) => {
    const known = recent.get(twinId);
    const prices = known === undefined ? [] : [...recentlyShownPrices(known, now)];
    return [...prices, ...prices.map((price) => (price + shippingCharge) as Cents)];
  });
  return [...new Set([...recentlyShownPrices(own, now), currentPrice, ...ofTwins])];
}

function featuredPriceOf({ featuredPrice, featuredStatus, featuredReadAt }: CaseRow): FeaturedPrice | null {
  if (featuredStatus === null || featuredReadAt === null) return null;
  return { price: featuredPrice, status: featuredStatus, readAt: featuredReadAt };
}

function isRead({ facts }: PricingContext, marketplace: Marketplace): boolean {
  return facts.connected.has(marketplace) || facts.readOnly.has(marketplace);
}

/** Those of the marketplace only where catalogs are still synced: others may have changed. */
function limitsOf(context: PricingContext, listing: CaseRow): ListingFacts['marketplaceLimits'] {
  const {
    sellerMin: min,
    sellerMax: max,
    mapPrice: map,
    ownMap,
    ownMapFrom: from,
    ownMapUntil: until,
  } = listing;
  const hasNone = min === null && max === null && map === null;
  const theirs = !hasNone && isRead(context, listing.marketplace) ? { min, max, map } : null;
  if (ownMap === null) return theirs;
  return withOwnMap(theirs, mapInForce({ price: ownMap, from, until }, context.local.day));
}

/** A user's hold hides the marketplace's own, which takes its place only with the first sync after its end. */
function holdOf(context: PricingContext, listing: CaseRow): ListingFacts['hold'] {
  const { marketplace, heldBy, heldUntil, holdReason, notRepriceableReason } = listing;
  if (heldBy === null) return null;
  const isOver = heldUntil !== null && heldUntil <= context.facts.now;
  if (isOver && notRepriceableReason !== null && isRead(context, marketplace)) {
    return { until: null, by: MARKETPLACE_NAMES[marketplace], reason: notRepriceableReason };
  }
  return { until: heldUntil, by: heldBy, reason: holdReason ?? '' };
}

function pauseOf(pause: ActivePause | undefined): ListingFacts['sendPause'] {
  return pause === undefined
    ? null
    : { why: pause.why, until: pause.until, allowsRepairs: pause.allowsRepairs };
}

const NOWHERE: ListingFacts['elsewhere'] = [];
const NOTHING_OF_OTHERS: PricingInput['sameCategory'] = [];
const NOTHING_REFUSED: ListingFacts['refusedPrices'] = [];

function elsewhereOf(
  { id, marketplace }: CaseRow,
  siblings: readonly SiblingRow[],
  { offers, recent }: Pick<RelatedData, 'offers' | 'recent'>,
  now: Instant,
): ListingFacts['elsewhere'] {
  // Nearly every SKU has one listing, which needs no array.
  if (siblings.length < 2) return NOWHERE;
  return siblings
    .filter((sibling) => sibling.marketplace !== marketplace)
    .map(({ marketplace: channel, price, shippingCharge }) => {
      const own = { marketplace: channel, price, shippingCharge };
      // Nothing else there is compared with our prices.
      const unnamed = offers.get(id)?.find((offer) => offer.channel === channel && isUnnamed(offer));
      const known = unnamed === undefined ? undefined : recent.get(unnamed.offeredOn ?? id);
      if (known === undefined) return own;
      return { ...own, ownPrices: [...new Set([...recentlyShownPrices(known, now), price])] };
    });
}

function offerOf(row: OfferRow, marketplace: Marketplace): Offer {
  return {
    sellerName: row.sellerName,
    seller: row.sellerKey as SellerKey | null,
    isMarketplace: row.isMarketplace,
    price: row.price,
    shipping: row.shipping,
    fulfillmentType: row.fulfillmentType,
    isFeatured: row.isFeatured,
    isOurs: row.isOurs,
    seenAt: row.seenAt,
    rating: row.rating,
    ratingCount: row.ratingCount,
    handlingDays: row.handlingDays,
    channel: row.channel ?? marketplace,
  };
}
