import type { Competition } from '#domain/competition/competition.ts';
import { notReadText } from '#domain/competition/competition-text.ts';
import type { Offer } from '#domain/competition/offer.ts';
import { NAMELESS } from '#domain/competition/recent-moves.ts';
import type { BandEdge } from '#domain/limits/fee-band-edge.ts';
import {
  highestText,
  type LowerLimit,
  lowerLimit,
  lowestText,
  type MarketplaceLimits,
  mapText,
  NO_LIMITS,
} from '#domain/limits/marketplace-limits.ts';
import type { Policy } from '#domain/limits/policy.ts';
import {
  featuredLineText,
  type LineSentence,
  lineHoldText,
  linePriceText,
  lineWaitsText,
} from '#domain/lines/line-sentence.ts';
import type { LineStep } from '#domain/lines/lines-price.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { isLeftToSegment } from '#domain/rules/rule-choice.ts';
import { sendPauseText } from '#domain/sending/send-pause.ts';
import { durationText, listText, moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents } from '#domain/units.ts';
import type { ChannelGap } from './cross-channel.ts';
import type {
  BindingLimit,
  BlockReason,
  Decision,
  KeepReason,
  PriceReason,
  ReviewReason,
} from './decision.ts';
import { edgePhrase } from './explanation-text.ts';
import { type ListingFacts, NO_SIGNALS } from './facts.ts';
import type { GroupStopReason, StrategySource } from './price-group.ts';
import { DEFAULT_BEAT_OFFSET, DYNAMIC_MIN_SALES } from './strategy-price.ts';
import { effectivePriceWarPause } from './wait-reason.ts';

export interface SentenceContext {
  readonly decision: Decision;
  readonly facts: ListingFacts;
  readonly rule: Rule | null;
  readonly minimumMargin: Bps | null;
  readonly policy: Policy;
  readonly competitor: Offer | null;
  readonly competition: Competition;
  readonly ceiling: Cents | null;
  /** The gap between our channels at that price; null for none. */
  readonly gap: ChannelGap | null;
  /** The target that was given up for a lower price that leaves at least as much; null for none. */
  readonly bandEdge: BandEdge | null;
  /** The next allowed price below the gap at which a cut ends; null for none. */
  readonly gapBelow: Cents | null;
  /** What became of the lines of the rule, as far as they were gone through. */
  readonly lineSteps: readonly LineStep[];
  /** The member of a price group whose competitors the lines went by; null for the listing itself. */
  readonly source: StrategySource | null;
}

/** The decision in plain English, with all numbers from the decision itself. */
export function reasonSentence(context: SentenceContext): string {
  if (isTaken(context)) return takenText(context);
  return `${ownText(context)}${featuredText(context)}${discountText(context)}${alsoText(context)}`;
}

/** Whether the price is expected to be featured, where a line of the rule asks for that. */
function featuredText({ decision, rule, facts, policy, lineSteps }: SentenceContext): string {
  const lines = rule?.lines ?? null;
  if (lines === null || decision.kind === 'blocked') return '';
  const isKept = NO_LINE_PRICE.has(decision.reason);
  const text = featuredLineText({ steps: lineSteps, lines, facts, policy }, decision.price, isKept);
  return text === null ? '' : ` ${text}`;
}

/** No line of the rule found a price. */
const NO_LINE_PRICE: ReadonlySet<Decision['reason']> = new Set(['no_line', 'line_hold', 'line_waits']);

/** That the allowed prices hold after a discount. */
function discountText({ decision, facts: { greatestDiscount, marketplace } }: SentenceContext): string {
  if (greatestDiscount === 0 || decision.kind === 'keep') return '';
  return ` Your margin is kept after a discount of ${percentText(greatestDiscount)} on ${MARKETPLACE_NAMES[marketplace]}.`;
}

/** Whose price it is besides. */
function alsoText({ decision, source, facts: { sku, group } }: SentenceContext): string {
  if (group == null || (decision.kind !== 'change' && decision.kind !== 'recommend')) return '';
  const whose = source === null || source.sku === sku ? '' : ` That competitor offers ${source.sku}.`;
  return `${whose} This is also the price of ${listText(group.others)}.`;
}

function ownText(context: SentenceContext): string {
  const { decision } = context;
  switch (decision.kind) {
    case 'change':
      return `${PRICE_TEXT[decision.reason](context)}${LIMIT_TEXT[decision.bindingLimit](context)}.${gapText(context, 'is')}`;
    case 'recommend':
      return `${PRICE_TEXT[decision.reason](context)}${recommendedLimitText(context)}. ${REVIEW_TEXT[decision.reviewReason](context)}${decision.reviewReason === 'cross_channel' ? '' : gapText(context, 'would be')}`;
    case 'keep':
      return KEEP_TEXT[decision.reason](context);
    case 'blocked':
      return BLOCK_TEXT[decision.reason](context);
  }
}

type SentencePart = (context: SentenceContext) => string;

/** Whether the price was decided with another listing, with which this one shares it. */
function isTaken({ decision, facts }: SentenceContext): boolean {
  return facts.group?.decision != null && decision.kind !== 'blocked';
}

/** The sentence of a member of a price group whose price another one decided. */
function takenText(context: SentenceContext): string {
  const { decision, facts } = context;
  const by = `Priced together with ${facts.group?.decider}, whose rule "${facts.group?.rule?.name}"`;
  if (decision.kind === 'keep') {
    return decision.reason === 'already_sent' ? `${by} has already sent a price.` : `${by} keeps the price.`;
  }
  const sets = `${by} sets ${priceText(context)}.`;
  return decision.reviewReason === null ? sets : `${sets} ${REVIEW_TEXT[decision.reviewReason](context)}`;
}

/** What stops the group of a listing: "TS-BLUE, which has no cost". */
function stopText({ facts: { group, marketplace } }: SentenceContext): string {
  if (group?.stop == null) return 'another listing';
  const why = STOP_TEXT[group.stop.because] ?? (() => 'for which no price can be decided');
  return `${group.stop.sku}, ${why(MARKETPLACE_NAMES[marketplace])}`;
}

/** For the others no price can be decided. */
const STOP_TEXT: Readonly<Partial<Record<GroupStopReason, (name: string) => string>>> = {
  unreadable_price: () => 'whose current price is missing or invalid',
  unreadable_facts: () => 'of which a value is invalid',
  unknown_cost: () => 'which has no cost',
  no_fee_schedule: () => 'which no fee schedule covers',
  unreadable_rule: () => 'whose rule has an invalid number',
  no_rule: () => 'which no active rule matches',
  own_rule_paused: () => 'whose assigned rule is paused',
  own_rule_mismatch: () => 'whose assigned rule does not apply to it',
  own_rule_off_hours: () => 'whose assigned rule does not apply at this time',
  own_rule_missing: () => 'whose assigned rule no longer exists',
  prices_differ: (name) => `which has another price here although ${name} gives both the same`,
  unread: (name) => `whose current price on ${name} is not confirmed yet`,
  listing_off: () => 'for which Auto-Reprice is off',
  held: () => 'which is on hold',
  ask_first: () => 'whose rule requires review',
  own_sellers_unknown: () => 'for which your seller name is not set',
  estimated_fee: () => 'whose FBA/WFS fee is estimated',
  fees_doubted: () => 'whose reported fees need review',
  fee_not_told: (name) => `for which ${name} has not reported its fee at this price`,
  cross_channel: () => 'which would then be higher than on another channel',
};

const PRICE_TEXT = {
  matched: (context) => `Matched ${competitorText(context)}${offsetText(context.rule)}${chargeText(context)}`,
  beaten: (context) =>
    `Beat ${competitorText(context)} by ${moneyText(Math.abs(context.rule?.competitorOffset ?? DEFAULT_BEAT_OFFSET) as Cents)}${chargeText(context)}`,
  fixed_margin: (context) => `The lowest price that keeps your ${marginText(context)} margin`,
  dynamic_cold_start: (context) =>
    `${learningText(context)}: matched the lowest competitor, ${competitorText(context)}${offsetText(context.rule)}${chargeText(context)}`,
  no_competitor_floor: () => 'No competitor, so the rule uses the lowest allowed price',
  no_competitor_ceiling: () => 'No competitor, so the rule uses the highest allowed price',
  below_floor_ceiling: (context) =>
    `${startOf(competitorText(context))} is below your lowest allowed price, so the rule uses the highest allowed price`,
  line: (context) => withLine(context, linePriceText, 'The price of the rule'),
  repair: (context) => `The current price ${currentText(context)} is outside your limits`,
} as const satisfies Record<PriceReason, SentencePart>;

const LIMIT_TEXT = {
  none: () => '',
  floor: (context) => `, limited to your ${marginText(context)} margin floor of ${priceText(context)}`,
  min_price: (context) =>
    context.decision.price === context.facts.minPrice
      ? `, limited to your minimum price of ${priceText(context)}`
      : `, limited to ${priceText(context)}: the lowest price above your minimum of ${moneyOr(context.facts.minPrice)} that keeps your ${marginText(context)} margin`,
  fee_band_gap: (context) =>
    context.gapBelow === null
      ? `, lowered to ${priceText(context)}: above that, higher fees leave less than your ${marginText(context)} margin`
      : `, limited to ${priceText(context)}: ${feeGapText(context, context.gapBelow)}`,
  fee_band_edge: ({ decision, bandEdge }) =>
    bandEdge === null
      ? ''
      : `, lowered to ${moneyOr(decision.price)}, which ${edgePhrase(bandEdge)}: fees are higher above it`,
  ceiling: (context) => `, limited to the price ceiling of ${priceText(context)}`,
  max_price: (context) => `, limited to your maximum price of ${priceText(context)}`,
  marketplace_min: (context) =>
    lowerLimitText(context, lowestText(limitsOf(context).min ?? (0 as Cents), context.facts.marketplace)),
  map_price: (context) => lowerLimitText(context, mapText(limitsOf(context), context.facts.marketplace)),
  marketplace_max: (context) =>
    `, limited to ${highestText(limitsOf(context).max ?? (0 as Cents), context.facts.marketplace)}`,
  step_limit: (context) =>
    `, moved to ${priceText(context)}: the step limit is ${percentText(context.policy.maxStep)}`,
  daily_limit: (context) =>
    `, moved to ${priceText(context)}: the daily limit is ${percentText(context.policy.maxDailyChange)}`,
} as const satisfies Record<BindingLimit, SentencePart>;

/** Why a cut stays above prices that are not allowed. */
function gapHoldText(context: SentenceContext): string {
  const { gapBelow } = context;
  if (gapBelow === null) return '';
  return ` ${startOf(feeGapText(context, gapBelow))}, and the next allowed price, ${moneyText(gapBelow)}, is beyond the step or the end of this line.`;
}

/** @param below the next allowed price below that of the decision */
function feeGapText(context: SentenceContext, below: Cents): string {
  const from = ((context.decision.price ?? 0) - 1) as Cents;
  const to = (below + 1) as Cents;
  const gap = from === to ? `at ${moneyText(from)}` : `from ${moneyText(from)} down to ${moneyText(to)}`;
  return `${gap}, fees leave less than your ${marginText(context)} margin`;
}

/** A price outside the move range is recommended as a whole, without a step. */
function recommendedLimitText(context: SentenceContext): string {
  if (context.decision.reviewReason !== 'outside_move_range')
    return LIMIT_TEXT[context.decision.bindingLimit](context);
  return `; the nearest price that keeps your ${marginText(context)} margin is ${priceText(context)}`;
}

const REVIEW_TEXT = {
  outside_move_range: (context) => {
    const limit =
      context.decision.bindingLimit === 'daily_limit'
        ? context.policy.maxDailyChange
        : context.policy.maxStep;
    return `That is more than ${percentText(limit)} away, so it needs your review.`;
  },
  halted: () => 'Repricing is halted. Resume it to apply this price.',
  paused: (context) => `${nameOf(context)} is paused in Settings, so this price needs your review.`,
  read_only: (context) =>
    `Sending prices to ${nameOf(context)} is turned off under Settings, Marketplace Integrations, so this price needs your review.`,
  recommend_only: (context) =>
    `${nameOf(context)} is set to recommend only, so this price needs your review.`,
  unread: (context) =>
    `The current price on ${nameOf(context)} is not confirmed yet. Until the next sync, only manual prices are sent.`,
  auto_off: () => 'Automatic repricing is off, so this price needs your review.',
  listing_off: () => 'Auto-Reprice is off for this listing, so this price needs your review.',
  held: (context) =>
    `This listing is on hold (${context.facts.hold?.reason ?? 'no reason given'}), so this price needs your review.`,
  ask_first: (context) => `Rule ${ruleName(context)} requires review.`,
  own_sellers_unknown: (context) =>
    `Your seller name on ${nameOf(context)} is not set, so this price needs your review.`,
  estimated_fee: ({ facts }) =>
    `The FBA/WFS fee is estimated from ${facts.cost.estimate?.basis === 'size' ? 'size and weight' : 'the weight alone'}, so this price needs your review.`,
  fees_doubted: (context) =>
    `${nameOf(context)} reported different fees for many listings at once. This price needs your review until an administrator accepts or rejects the fees.`,
  fee_not_told: (context) =>
    `${nameOf(context)} has not reported its fee at ${priceText(context)} yet, so this price needs your review.`,
  cross_channel: (context) =>
    `${channelGapPhrase(context.gap, 'would then be')}, which rule ${ruleName(context)} does not allow, so this price needs your review.`,
  group_member: (context) => `It is also the price of ${stopText(context)}, so this price needs your review.`,
} as const satisfies Record<ReviewReason, SentencePart>;

const KEEP_TEXT = {
  no_rule: (context) => `No active rule matches ${nameOf(context)} ${context.facts.fulfillmentType}.`,
  own_rule_paused: (context) => `The assigned rule ${ruleName(context)} is paused.`,
  own_rule_mismatch: (context) =>
    context.rule !== null && isLeftToSegment(context.rule, context.facts)
      ? `The assigned rule ${ruleName(context)} is for other listings.`
      : `The assigned rule ${ruleName(context)} does not apply to ${nameOf(context)} ${context.facts.fulfillmentType}.`,
  own_rule_off_hours: (context) =>
    `The assigned rule ${ruleName(context)} does not apply at this time: the price stays.`,
  own_rule_missing: () => 'The assigned rule no longer exists.',
  no_competitor: (context) =>
    context.rule?.strategy === 'Dynamic Pricing'
      ? `${learningText(context)}, and there is no competitor: the price stays.`
      : 'No competitor: the price stays.',
  not_read: (context) =>
    `${notReadText({ ...context, competition: context.source?.competition ?? context.competition })}: the price stays.`,
  only_ours_shown: () => 'Only your own offer is visible, so other sellers are unknown: the price stays.',
  competitor_below_floor: (context) =>
    `${startOf(competitorText(context))} is below your lowest allowed price: the price stays.`,
  line_hold: (context) => `${withLine(context, lineHoldText, 'The price stays.')}${gapHoldText(context)}`,
  line_waits: (context) => withLine(context, lineWaitsText, 'The price stays.'),
  no_line: (context) => `No line of rule ${ruleName(context)} applies: the price stays.`,
  already_there: (context) => `The current price ${currentText(context)} already matches the rule.`,
  already_sent: (context) =>
    `The price this rule sets, ${moneyOr(context.facts.pendingPrice)}, is already on its way.`,
  refused: (context) =>
    `${nameOf(context)} rejected the price this rule sets. It is not sent again until something changes.`,
  send_paused: ({ facts }) =>
    `${sendPauseText(facts.sendPause?.why ?? null, facts)} The listing is repriced after that.`,
  held_by_limit: (context) =>
    context.decision.bindingLimit === 'daily_limit'
      ? `No allowed price within the ${percentText(context.policy.maxDailyChange)} daily limit: the price stays.`
      : `No allowed price within the ${percentText(context.policy.maxStep)} step limit: the price stays.`,
  minimum_step: (context) =>
    `The change would be less than ${moneyText(context.policy.minStep)}: the price stays.`,
  cooldown: (context) =>
    `The price changed recently: waiting for the ${durationText(context.policy.cooldown)} cooldown.`,
  price_war: (context) =>
    `Lowered ${context.facts.priceWarStreak?.times ?? 0} times in 24 hours against ${opponentText(context)}: repricing is paused for ${durationText(effectivePriceWarPause(context.policy))}.`,
  awaiting_upload: (context) =>
    `The last price is not uploaded to ${nameOf(context)} yet: the price stays until you upload it.`,
} as const satisfies Record<KeepReason, SentencePart>;

const BLOCK_TEXT = {
  gone: (context) => `Not found on ${nameOf(context)} in the last two syncs.`,
  unreadable_price: () => 'The current price is missing or invalid.',
  unreadable_facts: () => 'A value of this listing is invalid.',
  unknown_cost: () => 'The total cost is unknown.',
  no_fee_schedule: (context) => `No fee schedule covers ${nameOf(context)} and this category.`,
  unreadable_rule: (context) => `Rule ${ruleName(context)} has an invalid number.`,
  margin_impossible: (context) => `No price keeps your ${marginText(context)} margin.`,
  minimum_above_maximum: (context) =>
    `The minimum price ${moneyOr(context.facts.minPrice)} is above the maximum price ${moneyOr(context.facts.maxPrice)}.`,
  floor_above_maximum: (context) =>
    `The lowest price that keeps your ${marginText(context)} margin, ${moneyOr(context.decision.marginFloor)}, is above the maximum price ${moneyOr(context.facts.maxPrice)}.`,
  minimum_above_ceiling: (context) =>
    `The minimum price ${moneyOr(context.facts.minPrice)} is above the price ceiling ${moneyOr(context.ceiling)}.`,
  range_not_legal: (context) =>
    `No price between ${moneyText(context.facts.minPrice ?? (1 as Cents))} and ${moneyOr(context.ceiling)} keeps your ${marginText(context)} margin.`,
  bounds_conflict: (context) => conflictText(context),
  group_blocked: (context) => `Priced together with ${stopText(context)}.`,
  group_conflict: ({ facts, decision, ceiling }) =>
    `No price is allowed for both it and ${listText(facts.group?.others ?? [])}: together they need at least ${moneyOr(decision.marginFloor)} and allow at most ${moneyOr(ceiling)}.`,
} as const satisfies Record<BlockReason, SentencePart>;

/** @param otherwise for a decision that no line made */
function withLine(
  context: SentenceContext,
  text: (sentence: LineSentence) => string,
  otherwise: string,
): string {
  const { lineSteps, rule, policy, source } = context;
  const { line } = context.decision;
  const lines = rule?.lines ?? null;
  if (line === null || rule === null || lines === null) return otherwise;
  const facts = factsSeen(context);
  const competition = source?.competition ?? context.competition;
  return text({ line, steps: lineSteps, lines, facts, rule, policy, competition });
}

/** What the lines went by. */
function factsSeen({ facts, source }: SentenceContext): ListingFacts {
  if (source === null || source.sku === facts.sku) return facts;
  const { shippingCharge, fulfillmentType, boxShare } = source;
  return {
    ...facts,
    shippingCharge,
    fulfillmentType,
    signals: { ...(facts.signals ?? NO_SIGNALS), boxShare },
  };
}

function limitsOf({ facts }: SentenceContext): MarketplaceLimits {
  return facts.marketplaceLimits ?? NO_LIMITS;
}

/** @param limit "the minimum price of $22.00 that you set on Amazon" */
function lowerLimitText(context: SentenceContext, limit: string): string {
  const { decision, facts } = context;
  const isAtLimit = decision.price === lowerLimit(facts.minPrice, facts.marketplaceLimits)?.price;
  return isAtLimit
    ? `, limited to ${limit}`
    : `, limited to ${priceText(context)}: the lowest price that keeps your ${marginText(context)} margin above ${limit}`;
}

/** Both limits that no price fits, with who set them. */
function conflictText(context: SentenceContext): string {
  const { decision, facts, ceiling } = context;
  const { max } = limitsOf(context);
  const own = lowerLimit(facts.minPrice, facts.marketplaceLimits);
  const isFloorHighest = own === null || (decision.marginFloor ?? 0) >= own.price;
  const from = isFloorHighest
    ? `The lowest price that keeps your ${marginText(context)} margin, ${moneyOr(decision.marginFloor)},`
    : `${LOWER_LIMIT_NAMES[own.by](context)}, ${moneyText(own.price)},`;
  const isTheirs = max !== null && max === ceiling && max !== facts.maxPrice;
  const to = isTheirs
    ? highestText(max, facts.marketplace)
    : `the ${facts.maxPrice === null ? 'price ceiling' : 'maximum price'}, ${moneyOr(ceiling)}`;
  const lowest = Math.max(own?.price ?? 0, decision.marginFloor ?? 0);
  if (ceiling === null || lowest > ceiling) return `${from} is above ${to}.`;
  return `No price between ${moneyText(lowest as Cents)} and ${moneyOr(ceiling)}, the limits on ${nameOf(context)}, keeps your ${marginText(context)} margin.`;
}

const LOWER_LIMIT_NAMES = {
  min_price: () => 'The minimum price',
  marketplace_min: (context) =>
    context.facts.marketplace === 'ebay'
      ? 'The lowest price above your Best Offer limits on eBay'
      : `The minimum price that you set on ${nameOf(context)}`,
  map_price: (context) =>
    limitsOf(context).isMapOurs === true ? 'Your MAP price' : `The MAP price on ${nameOf(context)}`,
} as const satisfies Record<LowerLimit['by'], SentencePart>;

function gapText({ gap }: SentenceContext, is: 'is' | 'would be'): string {
  return gap === null ? '' : ` ${channelGapPhrase(gap, is === 'is' ? 'is then' : 'would then be')}.`;
}

/** "The price on Walmart is then $1.00 higher than on eBay" */
function channelGapPhrase(gap: ChannelGap | null, is: string): string {
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

/** The competitor of a price war, with the name from its offer if there is one. */
function opponentText({ facts }: SentenceContext): string {
  const against = facts.priceWarStreak?.against ?? null;
  // Null in decisions of earlier releases.
  if (against === null) return 'one competitor';
  if (against === NAMELESS) return 'competitors without a name';
  return facts.offers.find(({ seller }) => seller === against)?.sellerName ?? against;
}

function ruleName({ rule }: SentenceContext): string {
  return rule?.name ?? 'unknown';
}

function startOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why Dynamic Pricing uses the strategy of Match. */
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
