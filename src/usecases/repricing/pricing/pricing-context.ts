import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import { listCategoriesOfTypes } from '#db/queries/marketplaces/money/category-pairs.ts';
import { readDoubtedFees } from '#db/queries/marketplaces/money/fee-breakers.ts';
import { listOfferAges, maxOfferAges } from '#db/queries/repricing/offer-ages.ts';
import {
  readCountedShares,
  readFeeSchedules,
  readOwnSellers,
  readRules,
  readSalesTax,
  readSettings,
  readShippingTiers,
  readSwitches,
  type SettingsRecord,
} from '#db/queries/repricing/pricing-context.ts';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import type { ShippingTier } from '#domain/costs/cost.ts';
import { bpsFromDecimal } from '#domain/decimal.ts';
import type { MappedCategory } from '#domain/fees/fee-category.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { SalesTax } from '#domain/fees/fee-tables.ts';
import { groupBy } from '#domain/group-by.ts';
import type { BreakerLimits } from '#domain/limits/circuit-breaker.ts';
import { DEFAULT_LIMITS, type LocalTime, type Policy, type RepricingMode } from '#domain/limits/policy.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type RuleIndex, ruleIndex } from '#domain/rules/rule-choice.ts';
import { shopTime } from '#domain/time/local-time.ts';
import type { Bps, Instant, Millis } from '#domain/units.ts';
import { ignoringLabels } from './ignored-labels.ts';
import {
  type CategoryOfType,
  type CountedShares,
  type DoubtedFees,
  type FeeKnowledge,
  feeKnowledge,
} from './listing-fees.ts';

/** All facts besides the listings that a decision depends on, at one point in time. Plain data, so that previews can alter it. */
export interface StoreFacts {
  readonly now: Instant;
  /** Including paused rules, without deleted ones. */
  readonly rules: readonly Rule[];
  readonly feeSchedules: readonly FeeSchedule[];
  readonly salesTax: SalesTax;
  readonly shares: MarketplaceShares;
  readonly mappedCategories: readonly MappedCategory[];
  readonly categoriesOfTypes: readonly CategoryOfType[];
  readonly doubtedFees: readonly DoubtedFees[];
  readonly tiers: readonly ShippingTier[];
  readonly ownSellers: readonly { readonly marketplace: Marketplace; readonly key: SellerKey }[];
  readonly limits: StoreLimits;
  /** The maximum offer age on each marketplace. */
  readonly offerAges: Readonly<Record<Marketplace, Millis>>;
  readonly breaker: BreakerLimits;
  readonly autoRepricing: boolean;
  readonly areFeeEstimatesAccepted: boolean;
  /** The greatest discount that the seller gives on Etsy. */
  readonly etsyDiscount: Bps;
  /** Where the shop is; null: not entered, which counts as UTC. */
  readonly timeZone: string | null;
  readonly halted: boolean;
  readonly live: ReadonlySet<Marketplace>;
  /** Credentials are stored, but it is disabled or one is missing: prices are only recommended. */
  readonly paused: ReadonlySet<Marketplace>;
  /** Connected, but sending prices is turned off: prices are only recommended. */
  readonly readOnly: ReadonlySet<Marketplace>;
  /** Their prices are sent through the API; those of all others are uploaded by file. */
  readonly connected: ReadonlySet<Marketplace>;
}

/** The shares for advertising and returns on each marketplace. */
export type MarketplaceShares = Readonly<Partial<Record<Marketplace, CountedShares>>>;

/** The limits of a policy, the same on every marketplace. */
export type StoreLimits = Pick<
  Policy,
  'maxStep' | 'maxDailyChange' | 'minStep' | 'cooldown' | 'priceWarThreshold' | 'priceWarPause'
>;

/** {@link StoreFacts} prepared for many listings. */
export interface PricingContext {
  readonly facts: StoreFacts;
  /** The time of the shop. */
  readonly local: LocalTime;
  readonly ruleIndex: RuleIndex;
  readonly ruleById: ReadonlyMap<string, Rule>;
  readonly feeKnowledge: FeeKnowledge;
  tiersOf(marketplace: Marketplace, fulfillmentType: FulfillmentType): readonly ShippingTier[];
  /**
   * The limits and switches for a listing.
   * @param channels the listing's own marketplace and the others whose offers its rule compares with
   * @param marked those of them whose source marks our offers, so that they are known without a seller name
   */
  policyFor(channels: readonly Marketplace[], marked: readonly Marketplace[]): Policy;
}

/** Loads the current context. Small tables only: cheap enough for every batch. */
export async function loadPricingContext(db: Db, now: Instant): Promise<PricingContext> {
  const settings = await readSettings(db);
  const { halted, live, paused, readOnly, connected } = await readSwitches(db);
  return pricingContextFor({
    now,
    rules: await ignoringLabels(db, await readRules(db)),
    feeSchedules: await readFeeSchedules(db),
    salesTax: await readSalesTax(db),
    shares: await readCountedShares(db),
    mappedCategories: await listMappedCategories(db),
    categoriesOfTypes: await listCategoriesOfTypes(db, now),
    doubtedFees: await readDoubtedFees(db),
    tiers: await readShippingTiers(db),
    ownSellers: [...(await readOwnSellers(db)), ...amazonSeller(settings)],
    limits: limitsOf(settings),
    offerAges: maxOfferAges(await listOfferAges(db)),
    breaker: breakerLimitsOf(settings),
    autoRepricing: settings.autoRepricing,
    areFeeEstimatesAccepted: settings.areFeeEstimatesAccepted,
    etsyDiscount: bpsFromDecimal(settings.etsyGreatestDiscount ?? '0'),
    timeZone: settings.timeZone,
    halted,
    live,
    paused,
    readOnly,
    connected,
  });
}

/** Makes a context of given facts, such as the current ones with another rule. */
export function pricingContextFor(facts: StoreFacts): PricingContext {
  const tiers = groupBy(facts.tiers, (tier) => `${tier.marketplace} ${tier.fulfillmentType}`);
  const sellers = groupBy(facts.ownSellers, ({ marketplace }) => marketplace);
  const policies = new Map<string, Policy>();
  const local = shopTime(facts.now, facts.timeZone);
  return {
    facts,
    local,
    ruleIndex: ruleIndex(facts.rules, local),
    ruleById: new Map(facts.rules.map((rule) => [rule.id, rule])),
    feeKnowledge: feeKnowledge(facts),
    tiersOf: (marketplace, fulfillmentType) => tiers.get(`${marketplace} ${fulfillmentType}`) ?? [],
    policyFor: (channels, marked) => {
      const key = `${channels.join(' ')}/${marked.join(' ')}`;
      const known = policies.get(key) ?? policyOf(facts, local, sellers, channels, marked);
      policies.set(key, known);
      return known;
    },
  };
}

type OwnSellers = ReadonlyMap<Marketplace, readonly { readonly key: SellerKey }[]>;

function policyOf(
  facts: StoreFacts,
  local: LocalTime,
  sellers: OwnSellers,
  channels: readonly Marketplace[],
  marked: readonly Marketplace[],
): Policy {
  const [own] = channels;
  return {
    now: facts.now,
    ...facts.limits,
    ...offerAgesOf(channels, facts),
    avoidBandEdges: DEFAULT_LIMITS.avoidBandEdges,
    ownSellers: new Set(channels.flatMap((channel) => sellers.get(channel)?.map(({ key }) => key) ?? [])),
    // On every channel compared with, not just one: without your seller name, an offer there may be your own.
    areOwnSellersKnown: channels.every((channel) => sellers.has(channel) || marked.includes(channel)),
    mode: own === undefined ? 'recommend_only' : modeOn(own, facts),
    halted: facts.halted,
    autoRepricing: facts.autoRepricing,
    areFeeEstimatesAccepted: facts.areFeeEstimatesAccepted,
    local,
  };
}

/** The maximum offer age of a listing's own marketplace, and those of other channels that differ from it. */
function offerAgesOf(
  [own, ...others]: readonly Marketplace[],
  { offerAges }: StoreFacts,
): Pick<Policy, 'maxOfferAge' | 'otherOfferAges'> {
  const maxOfferAge = own === undefined ? DEFAULT_LIMITS.maxOfferAge : offerAges[own];
  const differing = others.filter((channel) => offerAges[channel] !== maxOfferAge);
  return {
    maxOfferAge,
    otherOfferAges: Object.fromEntries(differing.map((channel) => [channel, offerAges[channel]])),
  };
}

function modeOn(marketplace: Marketplace, { paused, readOnly, live }: StoreFacts): RepricingMode {
  if (paused.has(marketplace)) return 'paused';
  if (readOnly.has(marketplace)) return 'read_only';
  return live.has(marketplace) ? 'live' : 'recommend_only';
}

function limitsOf(settings: SettingsRecord): StoreLimits {
  const minutes = (count: number): Millis => (count * 60_000) as Millis;
  return {
    maxStep: settings.maxStep,
    maxDailyChange: settings.maxDailyChange,
    minStep: settings.minStep,
    cooldown: minutes(settings.cooldownMinutes),
    priceWarThreshold: settings.priceWarThreshold,
    priceWarPause: minutes(settings.priceWarPauseMinutes),
  };
}

function breakerLimitsOf(settings: SettingsRecord): BreakerLimits {
  return {
    dropShare: settings.breakerDropShare,
    dropDepth: settings.breakerDropDepth,
    sameOutcomeShare: settings.breakerSameOutcomeShare,
  };
}

/** The seller ID of the Amazon account is an own seller, without being entered. */
function amazonSeller(
  settings: SettingsRecord,
): { readonly marketplace: Marketplace; readonly key: SellerKey }[] {
  const key = sellerKey(settings.amazonSellerId);
  return key === null ? [] : [{ marketplace: 'amazon', key }];
}
