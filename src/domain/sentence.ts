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
import { moneyText, percentText } from './text.ts';
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
      return `${PRICE_TEXT[decision.reason](telling)}${BOUND_TEXT[decision.bound](telling)}.${gapText(telling, 'asks')}`;
    case 'recommend':
      return `${PRICE_TEXT[decision.reason](telling)}${recommendBound(telling)}. ${GATE_TEXT[decision.gate](telling)}${decision.gate === 'cross_channel' ? '' : gapText(telling, 'would ask')}`;
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
  no_competitor_floor: () => 'No competitor counts, and the rule then asks the lowest legal price',
  no_competitor_ceiling: () => 'No competitor counts, and the rule then asks the highest price allowed',
  below_floor_ceiling: (telling) =>
    `${startOf(competitorText(telling))} is below your lowest price, and the rule then asks the highest price allowed`,
  repair: (telling) => `The current price ${currentText(telling)} is outside your limits`,
} as const satisfies Record<PriceReason, Say>;

const BOUND_TEXT = {
  none: () => '',
  floor: (telling) => `, held at your ${marginText(telling)} margin floor of ${priceText(telling)}`,
  min_price: (telling) =>
    telling.decision.price === telling.facts.minPrice
      ? `, held at your minimum price of ${priceText(telling)}`
      : `, held at ${priceText(telling)}: the lowest price above your minimum of ${moneyOr(telling.facts.minPrice)} that keeps your ${marginText(telling)} margin`,
  legal_gap: (telling) =>
    `, lowered to ${priceText(telling)}: the fees above that leave less than your ${marginText(telling)} margin`,
  ceiling: (telling) => `, held at the ceiling of ${priceText(telling)}`,
  max_price: (telling) => `, held at your maximum price of ${priceText(telling)}`,
  step: (telling) =>
    `, moved to ${priceText(telling)}: one step may move a price by ${percentText(telling.policy.maxStep)}`,
  drift: (telling) =>
    `, moved to ${priceText(telling)}: a day may move a price by ${percentText(telling.policy.maxDailyChange)}`,
} as const satisfies Record<BindingLimit, Say>;

/** A price beyond reach was not limited to a step: it is the whole way, for a person to judge. */
function recommendBound(telling: SentenceContext): string {
  if (telling.decision.gate !== 'beyond_reach') return BOUND_TEXT[telling.decision.bound](telling);
  return `; the nearest price that keeps your ${marginText(telling)} margin is ${priceText(telling)}`;
}

const GATE_TEXT = {
  beyond_reach: (telling) => {
    const limit = telling.decision.bound === 'drift' ? telling.policy.maxDailyChange : telling.policy.maxStep;
    return `That is more than ${percentText(limit)} away, so a person has to apply it.`;
  },
  halted: () => 'Repricing is halted. Resume it to apply this price.',
  paused: (telling) => `${nameOf(telling)} is paused in the settings, so a person has to apply it.`,
  read_only: (telling) =>
    `No price is sent to ${nameOf(telling)} until that is allowed under Settings, Marketplace Integrations, so a person has to apply it.`,
  observe: (telling) => `Repricing only observes ${nameOf(telling)}, so a person has to apply it.`,
  unread: (telling) =>
    `${nameOf(telling)} was not read yet to ask the current price, so only a price that a person types is sent there until then.`,
  auto_off: () => 'Automatic repricing is switched off, so a person has to apply it.',
  listing_off: () => 'Auto-repricing is off for this listing, so a person has to apply it.',
  held: (telling) =>
    `This listing is held (${telling.facts.hold?.reason ?? 'no reason given'}), so a person has to apply it.`,
  ask_first: (telling) => `Rule ${ruleName(telling)} asks first, so a person has to apply it.`,
  own_sellers_unknown: (telling) =>
    `Nobody has said yet which sellers on ${nameOf(telling)} are you, so a person has to apply it.`,
  cross_channel: (telling) =>
    `${gapWords(telling.gap, 'would then ask')}, which rule ${ruleName(telling)} refuses, so a person has to apply it.`,
} as const satisfies Record<ReviewReason, Say>;

const KEEP_TEXT = {
  no_rule: (telling) => `No active rule matches ${nameOf(telling)} ${telling.facts.fulfillmentType}.`,
  own_rule_paused: (telling) => `The listing's own rule ${ruleName(telling)} is paused.`,
  own_rule_mismatch: (telling) =>
    `The listing's own rule ${ruleName(telling)} is not for ${nameOf(telling)} ${telling.facts.fulfillmentType}.`,
  own_rule_missing: () => "The listing's own rule no longer exists.",
  no_competitor: (telling) =>
    telling.rule?.strategy === 'Dynamic Pricing'
      ? `${learningText(telling)} and no competitor counts: the price stays.`
      : 'No competitor counts: the price stays.',
  competitor_below_floor: (telling) =>
    `${startOf(competitorText(telling))} is below your lowest price: the price stays.`,
  already_there: (telling) => `${currentText(telling)} is already the price the rule asks for.`,
  already_sent: (telling) =>
    `The price the rule asks for, ${moneyOr(telling.facts.pendingPrice)}, is already on its way.`,
  refused: (telling) =>
    `${nameOf(telling)} refused the price the rule asks for: the price stays until something changes.`,
  held_by_limit: (telling) =>
    telling.decision.bound === 'drift'
      ? `A day may move a price by ${percentText(telling.policy.maxDailyChange)} at most: the price stays.`
      : `No legal price within one step of ${percentText(telling.policy.maxStep)}: the price stays.`,
  minimum_step: (telling) =>
    `The change would be under ${moneyText(telling.policy.minStep)}: the price stays.`,
  cooldown: () => 'The price changed a short while ago: it rests before the next change.',
  price_war: (telling) =>
    `Lowered ${telling.facts.priceWarStreak?.times ?? 0} times in 24 hours against one competitor: the price rests.`,
  awaiting_upload: (telling) =>
    `The last price of this listing was not uploaded to ${nameOf(telling)} yet: the price stays until it is.`,
} as const satisfies Record<KeepReason, Say>;

const BLOCK_TEXT = {
  gone: (telling) => `Not found on ${nameOf(telling)}: its catalogue was read twice without this listing.`,
  unreadable_price: () => 'The current price is missing or unreadable.',
  unreadable_facts: () => 'A value of this listing is unreadable.',
  unknown_cost: () => 'The total cost is unknown.',
  no_fee_schedule: (telling) => `No fees are known for ${nameOf(telling)} and this category.`,
  unreadable_rule: (telling) => `Rule ${ruleName(telling)} has a number that cannot be used.`,
  margin_impossible: (telling) => `No price keeps your ${marginText(telling)} margin.`,
  minimum_above_maximum: (telling) =>
    `The minimum price ${moneyOr(telling.facts.minPrice)} is above the maximum price ${moneyOr(telling.facts.maxPrice)}.`,
  floor_above_maximum: (telling) =>
    `The lowest price that keeps your ${marginText(telling)} margin, ${moneyOr(telling.decision.floor)}, is above the maximum price ${moneyOr(telling.facts.maxPrice)}.`,
  minimum_above_ceiling: (telling) =>
    `The minimum price ${moneyOr(telling.facts.minPrice)} is above the ceiling ${moneyOr(telling.ceiling)}.`,
  range_not_legal: (telling) =>
    `No price between ${moneyText(telling.facts.minPrice ?? (1 as Cents))} and ${moneyOr(telling.ceiling)} keeps your ${marginText(telling)} margin.`,
} as const satisfies Record<BlockReason, Say>;

function gapText({ gap }: SentenceContext, asks: 'asks' | 'would ask'): string {
  return gap === null ? '' : ` ${gapWords(gap, asks === 'asks' ? 'then asks' : 'would then ask')}.`;
}

/** "Walmart then asks $1.00 more than eBay" */
function gapWords(gap: ChannelGap | null, asks: string): string {
  if (gap === null) return '';
  return `${MARKETPLACE_NAMES[gap.dear]} ${asks} ${moneyText(gap.by)} more than ${MARKETPLACE_NAMES[gap.cheap]}`;
}

function competitorText({ competitor }: SentenceContext): string {
  if (competitor === null) return 'the competitor';
  const landed = moneyText((competitor.price + competitor.shipping) as Cents);
  return competitor.sellerName === null
    ? `the lowest offer of ${landed}`
    : `${competitor.sellerName}'s ${landed}`;
}

function ruleName({ rule }: SentenceContext): string {
  return rule?.name ?? 'unknown';
}

function startOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why Dynamic Pricing prices as Match does. */
function learningText({ facts: { salesCount } }: SentenceContext): string {
  if (salesCount === null || !Number.isFinite(salesCount)) return 'Sales are not known yet';
  return salesCount < DYNAMIC_MIN_SALES
    ? `Not enough sales yet (${salesCount} of ${DYNAMIC_MIN_SALES})`
    : 'Dynamic Pricing does not learn from sales yet';
}

function offsetText(rule: Rule | null): string {
  const offset = rule?.competitorOffset ?? null;
  if (offset === null || offset === 0) return '';
  return offset > 0 ? ` plus ${moneyText(offset)}` : ` less ${moneyText(-offset as Cents)}`;
}

function chargeText({ facts }: SentenceContext): string {
  const charge = facts.shippingCharge;
  return charge === null || charge === 0 ? '' : ` (our ${moneyText(charge)} shipping taken off)`;
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
