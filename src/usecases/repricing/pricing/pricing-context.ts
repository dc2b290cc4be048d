import type { Db } from '#db/client.ts';
import {
  readFeeSchedules,
  readOwnSellers,
  readRules,
  readSettings,
  readShippingTiers,
  readSwitches,
  type SettingsRecord,
} from '#db/queries/repricing/pricing-context.ts';
import type { BreakerLimits } from '#domain/circuit-breaker.ts';
import type { ShippingTier } from '#domain/cost.ts';
import type { FeeSchedule } from '#domain/fee.ts';
import { type FeeBook, feeBook } from '#domain/fee-book.ts';
import { groupBy } from '#domain/group-by.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type SellerKey, sellerKey } from '#domain/offer.ts';
import type { Policy, RepricingMode } from '#domain/policy.ts';
import type { Rule } from '#domain/rule.ts';
import { type RuleBook, ruleBook } from '#domain/rule-choice.ts';
import type { Instant, Millis } from '#domain/units.ts';

/** Everything beside the listings that a decision depends on, as it is at one moment. Plain data: previews alter it. */
export interface ShopFacts {
  readonly now: Instant;
  /** Paused ones too; deleted ones not. */
  readonly rules: readonly Rule[];
  readonly feeSchedules: readonly FeeSchedule[];
  readonly tiers: readonly ShippingTier[];
  readonly ownSellers: readonly { readonly marketplace: Marketplace; readonly key: SellerKey }[];
  readonly limits: ShopLimits;
  readonly breaker: BreakerLimits;
  readonly autoRepricing: boolean;
  readonly halted: boolean;
  readonly live: ReadonlySet<Marketplace>;
  /** Keys are stored, and it is switched off or one of them is missing: only recommendations there. */
  readonly paused: ReadonlySet<Marketplace>;
  /** Read with stored keys, and not let to be written to: only recommendations there. */
  readonly readOnly: ReadonlySet<Marketplace>;
  /** Their prices are sent by calls; those of all others leave by file. */
  readonly connected: ReadonlySet<Marketplace>;
}

/** The limits of a policy, the same on every marketplace. */
export type ShopLimits = Pick<
  Policy,
  | 'maxOfferAge'
  | 'maxStep'
  | 'maxDailyChange'
  | 'minStep'
  | 'cooldown'
  | 'priceWarThreshold'
  | 'priceWarPause'
>;

/** {@link ShopFacts} made ready for many listings. */
export interface PricingContext {
  readonly facts: ShopFacts;
  readonly ruleBook: RuleBook;
  readonly ruleById: ReadonlyMap<string, Rule>;
  readonly fees: FeeBook;
  tiersOf(marketplace: Marketplace, fulfillmentType: FulfillmentType): readonly ShippingTier[];
  /**
   * The limits and switches for a listing.
   * @param channels the listing's own marketplace and the others whose offers its rule looks at
   * @param marked those of them whose source marks our offer, so that ours are known without a declaration
   */
  policyFor(channels: readonly Marketplace[], marked: readonly Marketplace[]): Policy;
}

/** Reads the shop as it is now. Small tables only: cheap enough for every batch. */
export async function loadPricingContext(db: Db, now: Instant): Promise<PricingContext> {
  const settings = await readSettings(db);
  const { halted, live, paused, readOnly, connected } = await readSwitches(db);
  return pricingContextFor({
    now,
    rules: await readRules(db),
    feeSchedules: await readFeeSchedules(db),
    tiers: await readShippingTiers(db),
    ownSellers: [...(await readOwnSellers(db)), ...amazonSeller(settings)],
    limits: limitsOf(settings),
    breaker: breakerLimitsOf(settings),
    autoRepricing: settings.autoRepricing,
    halted,
    live,
    paused,
    readOnly,
    connected,
  });
}

/** Makes a shop of given facts, such as those of today with another rule. */
export function pricingContextFor(facts: ShopFacts): PricingContext {
  const tiers = groupBy(facts.tiers, (tier) => `${tier.marketplace} ${tier.fulfillmentType}`);
  const sellers = groupBy(facts.ownSellers, ({ marketplace }) => marketplace);
  const policies = new Map<string, Policy>();
  return {
    facts,
    ruleBook: ruleBook(facts.rules),
    ruleById: new Map(facts.rules.map((rule) => [rule.id, rule])),
    fees: feeBook(facts.feeSchedules),
    tiersOf: (marketplace, fulfillmentType) => tiers.get(`${marketplace} ${fulfillmentType}`) ?? [],
    policyFor: (channels, marked) => {
      const key = `${channels.join(' ')}/${marked.join(' ')}`;
      const known = policies.get(key) ?? policyOf(facts, sellers, channels, marked);
      policies.set(key, known);
      return known;
    },
  };
}

type OwnSellers = ReadonlyMap<Marketplace, readonly { readonly key: SellerKey }[]>;

function policyOf(
  facts: ShopFacts,
  sellers: OwnSellers,
  channels: readonly Marketplace[],
  marked: readonly Marketplace[],
): Policy {
  const [own] = channels;
  return {
    now: facts.now,
    ...facts.limits,
    ownSellers: new Set(channels.flatMap((channel) => sellers.get(channel)?.map(({ key }) => key) ?? [])),
    // Every channel that is looked at, not just one: a competitor on an undeclared channel may be ourselves.
    areOwnSellersKnown: channels.every((channel) => sellers.has(channel) || marked.includes(channel)),
    mode: own === undefined ? 'recommend_only' : modeOn(own, facts),
    halted: facts.halted,
    autoRepricing: facts.autoRepricing,
  };
}

function modeOn(marketplace: Marketplace, { paused, readOnly, live }: ShopFacts): RepricingMode {
  if (paused.has(marketplace)) return 'paused';
  if (readOnly.has(marketplace)) return 'read_only';
  return live.has(marketplace) ? 'live' : 'recommend_only';
}

function limitsOf(settings: SettingsRecord): ShopLimits {
  const minutes = (count: number): Millis => (count * 60_000) as Millis;
  return {
    maxOfferAge: minutes(settings.maxOfferAgeMinutes),
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

/** The seller id of the Amazon account is us, without anybody declaring it. */
function amazonSeller(
  settings: SettingsRecord,
): { readonly marketplace: Marketplace; readonly key: SellerKey }[] {
  const key = sellerKey(settings.amazonSellerId);
  return key === null ? [] : [{ marketplace: 'amazon', key }];
}
