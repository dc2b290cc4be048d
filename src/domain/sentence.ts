import { warPause } from './cooldown.ts';
import type { ChannelGap } from './cross-channel.ts';
import type {
  BindingLimit,
  BlockReason,
  Decision,
  KeepReason,
  PriceReason,
  ReviewReason,
} from './decision.ts';
import type { ListingFacts } from './facts.ts';
import { MARKETPLACE_NAMES } from './marketplaces.ts';
import type { Offer } from './offer.ts';
import type { Policy } from './policy.ts';
import type { Rule } from './rule.ts';
import { BEAT_BY, DYNAMIC_MIN_SALES } from './strategy-price.ts';
import { durationText, moneyText, percentText } from './text.ts';
import type { Bps, Cents } from './units.ts';

/** What a sentence is made of. */
export interface SentenceContext {
  readonly decision: Decision;
  readonly facts: ListingFacts;
  readonly rule: Rule | null;
  readonly minimumMargin: Bps | null;
  readonly policy: Policy;
  readonly competitor: Offer | null;
  readonly ceiling: Cents | null;
  /** What the price leaves between our channels; null for nothing. */
  readonly gap: ChannelGap | null;
}

/** The decision in plain English, every number taken from the decision itself. */
export function reasonSentence(telling: SentenceContext): string {
  const { decision } = telling;
  switch (decision.kind) {
    case 'change':
      return `${PRICE_TEXT[decision.reason](telling)}${BOUND_TEXT[decision.bindingLimit](telling)}.${gapText(telling, 'is')}`;
    case 'recommend':
      return `${PRICE_TEXT[decision.reason](telling)}${recommendBound(telling)}. ${GATE_TEXT[decision.reviewReason](telling)}${decision.reviewReason === 'cross_channel' ? '' : gapText(telling, 'would be')}`;
    case 'keep':
      return KEEP_TEXT[decision.reason](telling);
    case 'blocked':
      return BLOCK_TEXT[decision.reason](telling);
  }
}

type Say = (telling: SentenceContext) => string;

const PRICE_TEXT = {
  matched: (telling) => `Matched ${competitorText(telling)}${offsetText(telling.rule)}${chargeText(telling)}`,
  beaten: (telling) =>
    `Beat ${competitorText(telling)} by ${moneyText(Math.abs(telling.rule?.competitorOffset ?? BEAT_BY) as Cents)}${chargeText(telling)}`,
  fixed_margin: (telling) => `The lowest price that keeps your ${marginText(telling)} margin`,
  dynamic_cold_start: (telling) =>
    `${learningText(telling)}: matched the lowest competitor, ${competitorText(telling)}${offsetText(telling.rule)}${chargeText(telling)}`,
  no_competitor_floor: () => 'No competitor, so the rule uses the lowest allowed price',
  no_competitor_ceiling: () => 'No competitor, so the rule uses the highest allowed price',
  below_floor_ceiling: (telling) =>
    `${startOf(competitorText(telling))} is below your lowest allowed price, so the rule uses the highest allowed price`,
  repair: (telling) => `The current price ${currentText(telling)} is outside your limits`,
} as const satisfies Record<PriceReason, Say>;

const BOUND_TEXT = {
  none: () => '',
  floor: (telling) => `, limited to your ${marginText(telling)} margin floor of ${priceText(telling)}`,
  min_price: (telling) =>
    telling.decision.price === telling.facts.minPrice
      ? `, limited to your minimum price of ${priceText(telling)}`
      : `, limited to ${priceText(telling)}: the lowest price above your minimum of ${moneyOr(telling.facts.minPrice)} that keeps your ${marginText(telling)} margin`,
  fee_band_gap: (telling) =>
    `, lowered to ${priceText(telling)}: above that, higher fees leave less than your ${marginText(telling)} margin`,
  ceiling: (telling) => `, limited to the price ceiling of ${priceText(telling)}`,
  max_price: (telling) => `, limited to your maximum price of ${priceText(telling)}`,
  step_limit: (telling) =>
    `, moved to ${priceText(telling)}: the step limit is ${percentText(telling.policy.maxStep)}`,
  daily_limit: (telling) =>
    `, moved to ${priceText(telling)}: the daily limit is ${percentText(telling.policy.maxDailyChange)}`,
} as const satisfies Record<BindingLimit, Say>;

/** A price outside the move range was not limited to a step: it is the whole way, for a person to judge. */
function recommendBound(telling: SentenceContext): string {
  if (telling.decision.reviewReason !== 'outside_move_range')
    return BOUND_TEXT[telling.decision.bindingLimit](telling);
  return `; the nearest price that keeps your ${marginText(telling)} margin is ${priceText(telling)}`;
}

const GATE_TEXT = {
  outside_move_range: (telling) => {
    const limit =
      telling.decision.bindingLimit === 'daily_limit'
        ? telling.policy.maxDailyChange
        : telling.policy.maxStep;
    return `That is more than ${percentText(limit)} away, so it needs your review.`;
  },
  halted: () => 'Repricing is halted. Resume it to apply this price.',
  paused: (telling) => `${nameOf(telling)} is paused in Settings, so this price needs your review.`,
  read_only: (telling) =>
    `Sending prices to ${nameOf(telling)} is turned off under Settings, Marketplace Integrations, so this price needs your review.`,
  recommend_only: (telling) =>
    `${nameOf(telling)} is set to recommend only, so this price needs your review.`,
  unread: (telling) =>
    `The current price on ${nameOf(telling)} is not confirmed yet. Until the next sync, only manual prices are sent.`,
  auto_off: () => 'Automatic repricing is off, so this price needs your review.',
  listing_off: () => 'Auto-Reprice is off for this listing, so this price needs your review.',
  held: (telling) =>
    `This listing is on hold (${telling.facts.hold?.reason ?? 'no reason given'}), so this price needs your review.`,
  ask_first: (telling) => `Rule ${ruleName(telling)} requires review.`,
  own_sellers_unknown: (telling) =>
    `Your seller name on ${nameOf(telling)} is not set, so this price needs your review.`,
  cross_channel: (telling) =>
    `${gapWords(telling.gap, 'would then be')}, which rule ${ruleName(telling)} does not allow, so this price needs your review.`,
} as const satisfies Record<ReviewReason, Say>;

const KEEP_TEXT = {
  no_rule: (telling) => `No active rule matches ${nameOf(telling)} ${telling.facts.fulfillmentType}.`,
  own_rule_paused: (telling) => `The assigned rule ${ruleName(telling)} is paused.`,
  own_rule_mismatch: (telling) =>
    `The assigned rule ${ruleName(telling)} does not apply to ${nameOf(telling)} ${telling.facts.fulfillmentType}.`,
  own_rule_missing: () => 'The assigned rule no longer exists.',
  no_competitor: (telling) =>
    telling.rule?.strategy === 'Dynamic Pricing'
      ? `${learningText(telling)}, and there is no competitor: the price stays.`
      : 'No competitor: the price stays.',
  competitor_below_floor: (telling) =>
    `${startOf(competitorText(telling))} is below your lowest allowed price: the price stays.`,
  already_there: (telling) => `The current price ${currentText(telling)} already matches the rule.`,
  already_sent: (telling) =>
    `The price this rule sets, ${moneyOr(telling.facts.pendingPrice)}, is already on its way.`,
  refused: (telling) =>
    `${nameOf(telling)} rejected the price this rule sets. It is not sent again until something changes.`,
  held_by_limit: (telling) =>
    telling.decision.bindingLimit === 'daily_limit'
      ? `No allowed price within the ${percentText(telling.policy.maxDailyChange)} daily limit: the price stays.`
      : `No allowed price within the ${percentText(telling.policy.maxStep)} step limit: the price stays.`,
  minimum_step: (telling) =>
    `The change would be less than ${moneyText(telling.policy.minStep)}: the price stays.`,
  cooldown: (telling) =>
    `The price changed recently: waiting for the ${durationText(telling.policy.cooldown)} cooldown.`,
  price_war: (telling) =>
    `Lowered ${telling.facts.priceWarStreak?.times ?? 0} times in 24 hours against ${opponentText(telling)}: repricing is paused for ${durationText(warPause(telling.policy))}.`,
  awaiting_upload: (telling) =>
    `The last price is not uploaded to ${nameOf(telling)} yet: the price stays until you upload it.`,
} as const satisfies Record<KeepReason, Say>;

const BLOCK_TEXT = {
  gone: (telling) => `Not found on ${nameOf(telling)} in the last two syncs.`,
  unreadable_price: () => 'The current price is missing or invalid.',
  unreadable_facts: () => 'A value of this listing is invalid.',
  unknown_cost: () => 'The total cost is unknown.',
  no_fee_schedule: (telling) => `No fee schedule covers ${nameOf(telling)} and this category.`,
  unreadable_rule: (telling) => `Rule ${ruleName(telling)} has an invalid number.`,
  margin_impossible: (telling) => `No price keeps your ${marginText(telling)} margin.`,
  minimum_above_maximum: (telling) =>
    `The minimum price ${moneyOr(telling.facts.minPrice)} is above the maximum price ${moneyOr(telling.facts.maxPrice)}.`,
  floor_above_maximum: (telling) =>
    `The lowest price that keeps your ${marginText(telling)} margin, ${moneyOr(telling.decision.marginFloor)}, is above the maximum price ${moneyOr(telling.facts.maxPrice)}.`,
  minimum_above_ceiling: (telling) =>
    `The minimum price ${moneyOr(telling.facts.minPrice)} is above the price ceiling ${moneyOr(telling.ceiling)}.`,
  range_not_legal: (telling) =>
    `No price between ${moneyText(telling.facts.minPrice ?? (1 as Cents))} and ${moneyOr(telling.ceiling)} keeps your ${marginText(telling)} margin.`,
} as const satisfies Record<BlockReason, Say>;

function gapText({ gap }: SentenceContext, is: 'is' | 'would be'): string {
  return gap === null ? '' : ` ${gapWords(gap, is === 'is' ? 'is then' : 'would then be')}.`;
}

/** "The price on Walmart is then $1.00 higher than on eBay" */
function gapWords(gap: ChannelGap | null, is: string): string {
  if (gap === null) return '';
  return `The price on ${MARKETPLACE_NAMES[gap.dear]} ${is} ${moneyText(gap.by)} higher than on ${MARKETPLACE_NAMES[gap.cheap]}`;
}

function competitorText({ competitor }: SentenceContext): string {
  if (competitor === null) return 'the competitor';
  const landed = moneyText((competitor.price + competitor.shipping) as Cents);
  return competitor.sellerName === null
    ? `the lowest offer of ${landed}`
    : `${competitor.sellerName}'s ${landed}`;
}

/** The competitor of a price war, by its name where an offer of it still shows one. */
function opponentText({ facts }: SentenceContext): string {
  const against = facts.priceWarStreak?.against ?? null;
  if (against === null) return 'one competitor';
  return facts.offers.find(({ seller }) => seller === against)?.sellerName ?? against;
}

function ruleName({ rule }: SentenceContext): string {
  return rule?.name ?? 'unknown';
}

function startOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why Dynamic Pricing prices as Match does. */
function learningText({ facts: { salesCount } }: SentenceContext): string {
  if (salesCount === null || !Number.isFinite(salesCount)) return 'No sales data yet';
  return salesCount < DYNAMIC_MIN_SALES
    ? `Not enough sales yet (${salesCount} of ${DYNAMIC_MIN_SALES})`
    : 'Dynamic Pricing cannot learn from sales yet';
}

function offsetText(rule: Rule | null): string {
  const offset = rule?.competitorOffset ?? null;
  if (offset === null || offset === 0) return '';
  return offset > 0 ? ` plus ${moneyText(offset)}` : ` less ${moneyText(-offset as Cents)}`;
}

function chargeText({ facts }: SentenceContext): string {
  const charge = facts.shippingCharge;
  return charge === null || charge === 0 ? '' : ` (less your ${moneyText(charge)} shipping charge)`;
}

function marginText({ minimumMargin }: SentenceContext): string {
  return minimumMargin === null ? 'minimum' : percentText(minimumMargin);
}

function priceText({ decision }: SentenceContext): string {
  return moneyOr(decision.price);
}

function currentText({ facts }: SentenceContext): string {
  return moneyOr(facts.currentPrice);
}

function moneyOr(amount: Cents | null): string {
  return amount === null ? 'unknown' : moneyText(amount);
}

function nameOf({ facts }: SentenceContext): string {
  return MARKETPLACE_NAMES[facts.marketplace];
}
