import { isAtPriceInForce, type OfferStatus } from '#domain/competition/competitors.ts';
import type { Offer } from '#domain/competition/offer.ts';
import type { FeeBasis, FeeCategorySource, FeeSource, ReportedRate } from '#domain/fees/fee-basis.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { BandEdge } from '#domain/limits/fee-band-edge.ts';
import { type LocalTime, maxOfferAgeOn, type Policy } from '#domain/limits/policy.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { isLeftToSegment, type PickQuestion, scopeMatcher } from '#domain/rules/rule-choice.ts';
import { isInSchedule } from '#domain/rules/schedule.ts';
import { ageText, moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents, Instant, Millis } from '#domain/units.ts';
import type { ChannelGap } from './cross-channel.ts';
import type { BindingLimit, ReviewReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

export interface OfferTextFields {
  readonly offer: Offer;
  readonly facts: ListingFacts;
  readonly rule: Rule;
  readonly policy: Policy;
}

/** Whether an offer counted, and if not, why, for the seller to read. */
export function offerStatusText(status: OfferStatus, question: OfferTextFields): string {
  return OFFER_STATUS_TEXTS[status](question);
}

const OFFER_STATUS_TEXTS = {
  counted: () => 'Included.',
  unreadable: () => 'Excluded: invalid price.',
  ours: () => 'Excluded: your own offer.',
  other_channel: ({ offer, facts }) =>
    `Excluded: it is on ${MARKETPLACE_NAMES[offer.channel]}, and the rule uses offers on ${MARKETPLACE_NAMES[facts.marketplace]} only.`,
  no_time: () => 'Excluded: its source gives no time.',
  from_future: () => 'Excluded: its time is in the future.',
  too_old: ({ offer, policy }) =>
    `Excluded: seen ${ageText((policy.now - (offer.seenAt ?? policy.now)) as Millis)} ago; offers are used for up to ${ageText(maxOfferAgeOn(offer.channel, policy))}.`,
  could_be_ours: ({ offer, facts }) =>
    `Excluded: no seller name and ${isAtPriceInForce(offer, facts) ? 'exactly your price' : 'one of your prices of the last 24 hours'}, so it may be your own offer.`,
  other_fulfillment: ({ offer, facts, rule }) =>
    `Excluded: ${shippedText(offer)}; ${rule.filter?.fulfillmentType ? 'the rule uses' : `an ${facts.fulfillmentType} listing is compared with`} ${rule.filter?.fulfillmentType ?? 'FBA/WFS, featured and marketplace'} offers only.`,
  rating: ({ offer, rule }) =>
    `Excluded: rated ${shareOr(offer.rating)}; the rule requires ${shareOr(rule.filter?.minRating)}.`,
  rating_count: ({ offer, rule }) =>
    `Excluded: ${offer.ratingCount ?? 'an unknown number of'} ratings; the rule requires ${rule.filter?.minRatingCount}.`,
  handling_days: ({ offer, rule }) =>
    `Excluded: ships within ${offer.handlingDays ?? 'an unknown number of'} days; the rule allows up to ${rule.filter?.maxHandlingDays}.`,
  ignored_seller: () => 'Excluded: the rule ignores this seller.',
  below_floor: () => 'Excluded: below your lowest allowed price, so the rule uses the next offer.',
} as const satisfies Record<OfferStatus, (question: OfferTextFields) => string>;

export interface LimitTextFields {
  /** The next allowed price below the gap at which a cut ends; null for none. */
  readonly gapBelow: Cents | null;
  readonly price: Cents | null;
  readonly minimumMargin: Bps | null;
  readonly policy: Policy;
}

/** The sentence for a binding limit; null for none. */
export function bindingLimitText(limit: BindingLimit, question: LimitTextFields): string | null {
  return LIMIT_TEXTS[limit](question);
}

const LIMIT_TEXTS = {
  none: () => null,
  floor: ({ minimumMargin }) => `Limited to your ${marginOr(minimumMargin)} margin floor.`,
  fee_band_gap: ({ minimumMargin, gapBelow }) =>
    gapBelow !== null
      ? `Limited: between ${moneyText(gapBelow)} and this price, fees leave less than your ${marginOr(minimumMargin)} margin.`
      : `Lowered: above that, higher fees leave less than your ${marginOr(minimumMargin)} margin.`,
  fee_band_edge: () => 'Lowered to the end of a fee band: higher fees above it would leave you less.',
  min_price: () => 'Limited to your minimum price.',
  ceiling: () =>
    'Limited to the price ceiling. Without a maximum price, it is 1.5 times the last manual or imported price or 2 times the margin floor, whichever is higher.',
  max_price: () => 'Limited to your maximum price.',
  marketplace_min: () => 'Limited to the minimum price that you set on the marketplace.',
  map_price: () => 'Limited to the MAP price: yours or the one on the marketplace, whichever is higher.',
  marketplace_max: () => 'Limited to the highest price that the marketplace allows for it.',
  step_limit: ({ policy }) => `The step limit is ${percentText(policy.maxStep)}.`,
  daily_limit: ({ policy }) => `The daily limit is ${percentText(policy.maxDailyChange)}.`,
} as const satisfies Record<BindingLimit, (question: LimitTextFields) => string | null>;

/** "leaves you $0.65 more than $20.90" */
export function edgePhrase({ gain, passedOver }: BandEdge): string {
  const than = moneyText(passedOver);
  return gain === 0 ? `leaves you as much as ${than}` : `leaves you ${moneyText(gain)} more than ${than}`;
}

/** "The price on Walmart is then $1.00 higher than on eBay." */
export function channelGapText({ dear, cheap, by }: ChannelGap): string {
  return `The price on ${MARKETPLACE_NAMES[dear]} is then ${moneyText(by)} higher than on ${MARKETPLACE_NAMES[cheap]}.`;
}

/** Why the price needs review. */
export const REVIEW_REASON_TEXTS = {
  outside_move_range: 'The price is outside the step or daily limit.',
  halted: 'Repricing is halted.',
  paused: 'The marketplace is turned off in Settings, or a credential is missing.',
  read_only: 'Sending prices to this marketplace is turned off under Settings, Marketplace Integrations.',
  recommend_only: 'This marketplace is set to recommend only.',
  unread:
    'The current price on the marketplace is not confirmed yet. The next sync does that within an hour.',
  auto_off: 'Automatic repricing is off.',
  listing_off: 'Auto-Reprice is off for this listing.',
  held: 'The listing is on hold.',
  ask_first: 'The rule requires review.',
  own_sellers_unknown: 'Your seller name on this marketplace is not set.',
  estimated_fee: 'The FBA/WFS fee is estimated, and no administrator has accepted estimated fees.',
  fees_doubted:
    'The marketplace reported different fees for many listings at once, which no administrator has accepted.',
  fee_not_told: 'The marketplace has not reported its fee at this price.',
  cross_channel:
    'It would price the SKU higher than on another of your channels, which the rule does not allow.',
  group_member: 'A listing that shares its price needs review.',
} as const satisfies Record<ReviewReason, string>;

/**
 * Why this rule prices the listing.
 * @param others names of the other active rules that match; null if unknown
 */
export function whyThisRule(
  { kind, rule }: Pick<RuleChoice, 'kind' | 'rule'>,
  facts: ListingFacts,
  others: readonly string[] | null,
): string {
  if (kind === 'own') return 'The rule assigned to this listing.';
  if (kind === 'own_paused') return 'The rule assigned to this listing is paused. No other rule applies.';
  if (kind === 'own_off_hours') {
    return 'The rule assigned to this listing does not apply at this time. No other rule applies.';
  }
  const place = `${MARKETPLACE_NAMES[facts.marketplace]} ${facts.fulfillmentType}`;
  if (kind === 'own_mismatch') {
    return rule !== null && isLeftToSegment(rule, facts)
      ? 'The rule assigned to this listing is for other listings. No other rule applies.'
      : `The rule assigned to this listing does not apply to ${place}. No other rule applies.`;
  }
  const priority = rule?.priority ?? null;
  const most =
    priority === null
      ? `Most specific active rule for ${place}`
      : `Active rule with priority ${priority} for ${place}`;
  if (others === null || others.length === 0) return `${most}.`;
  const count = others.length === 1 ? '1 other rule matches' : `${others.length} other rules match`;
  return `${most}; ${count}: ${others.join(', ')}.`;
}

/**
 * Names of the other active rules that match a listing and do not take precedence.
 * @param local the time of the shop
 */
export function otherMatches(
  rules: readonly Rule[],
  chosen: Rule | null,
  listing: PickQuestion,
  local: LocalTime | null,
): string[] {
  return rules
    .filter((rule) => rule.isActive && rule.id !== chosen?.id)
    .filter((rule) => isInSchedule(rule.schedule, local) && scopeMatcher(rule)(listing))
    .map(({ name }) => name);
}

/**
 * Where a listing's fee comes from, and what it is: "Amazon, reported 2026-11-21 at $24.99: 17%."
 * @param day a date as text
 */
export function feesSourceText(
  basis: Pick<FeeBasis, 'source' | 'adShare' | 'returnShare'>,
  day: (at: Instant) => string,
): string {
  const { source, adShare, returnShare } = basis;
  const shares = [
    ...(adShare > 0 ? [`${percentText(adShare)} for advertising`] : []),
    ...(returnShare > 0 ? [`${percentText(returnShare)} for returns`] : []),
  ];
  const counted = shares.length === 0 ? '' : ` In addition ${shares.join(' and ')}, as entered.`;
  return `${feeSourceText(source, day)}${counted}`;
}

function feeSourceText(source: FeeSource, day: (at: Instant) => string): string {
  switch (source.kind) {
    case 'schedule': {
      const { schedule, category, atLeast, isRaisedByType } = source;
      const since = schedule.effectiveFrom === null ? null : day(schedule.effectiveFrom);
      const text = feesText(schedule, since, CATEGORY_ORIGINS[category]);
      if (isRaisedByType)
        return `${text} Where ${MARKETPLACE_NAMES[schedule.marketplace]} charged more on sales of the same product type, that fee applies.`;
      if (atLeast === undefined) return text;
      return `${text} Until an administrator accepts this category, the default fee applies if it is higher.`;
    }
    case 'person':
      return `Your own rate of ${percentText(source.rate)}${source.by === null ? '' : `, entered by ${source.by}`}; the rest as in the fee schedule.`;
    case 'told': {
      const { marketplace, by, toldAt, askedPrice, schedules, rates } = source;
      const how = by === 'settled' ? 'settled' : 'reported';
      const reported = `${MARKETPLACE_NAMES[marketplace]}, ${how} ${day(toldAt)} at ${moneyText(askedPrice)}`;
      const [first] = schedules;
      if (first === undefined) return `${reported}: ${rates.map(rateText).join('; ')}.`;
      if (schedules.length === 1) return `${reported}: ${feesText(first, null)}`;
      return `${reported}: ${schedules.length} fee schedules may apply; the highest fee of them counts.`;
    }
  }
}

function rateText({ from, to, percent, perUnit }: ReportedRate): string {
  const plus = perUnit === 0 ? '' : ` + ${moneyText(perUnit)} per unit`;
  const where = from === to ? `at ${moneyText(from)}` : `from ${moneyText(from)} to ${moneyText(to)}`;
  return `${percentText(percent)}${plus} ${where}`;
}

/** How a fee category is found where no user entered it. */
const CATEGORY_ORIGINS: Readonly<Record<FeeCategorySource, string>> = {
  person: '',
  told: ', reported by the marketplace',
  inferred: ', as listings of the same product type',
  mapped: ', by what the marketplace calls the product',
  none: '',
};

/**
 * A fee schedule as text, such as "15%, at least $0.30, in force since 2026-01-01."
 * @param since the date it takes effect; null without one
 * @param origin where its category comes from, after its name
 */
function feesText({ category, bandKind, bands }: FeeSchedule, since: string | null, origin = ''): string {
  if (bands.length > MAX_BANDS_IN_TEXT) return `${rangeText(bands)}, by the price.`;
  const isTiered = bands.length > 1;
  const parts = bands.map((band, index) => bandText(band, isTiered, index > 0));
  const each = isTiered
    ? bandKind === 'whole'
      ? ', each on the whole price'
      : ', each on its part of the price'
    : '';
  const what = category === null ? '' : `${category}${origin}: `;
  return `${what}${parts.join('; ')}${each}${since === null ? '' : `, in force since ${since}`}.`;
}

/** Of what a marketplace took of many sales the lowest and the highest percentage are reported. */
const MAX_BANDS_IN_TEXT = 12;

function rangeText(bands: readonly FeeBand[]): string {
  const shares = bands.map(({ percent, percentTaxed }) => percent + percentTaxed);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return `${percentText(low as Bps)} to ${percentText(high as Bps)}`;
}

function bandText(band: FeeBand, isTiered: boolean, isAbove: boolean): string {
  const { upTo, percent, percentTaxed, fixed, perUnit, minimum } = band;
  const shares = [
    ...(percent > 0 || percentTaxed === 0 ? [percentText(percent)] : []),
    ...(percentTaxed > 0 ? [`${percentText(percentTaxed)} of the total with sales tax`] : []),
  ];
  const plus = `${fixed === 0 ? '' : ` + ${moneyText(fixed)}`}${perUnit === 0 ? '' : ` + ${moneyText(perUnit)} per unit`}`;
  const range = upTo === null ? (isTiered && isAbove ? ' above' : '') : ` up to ${moneyText(upTo)}`;
  const least = minimum === 0 ? '' : `, at least ${moneyText(minimum)}`;
  return `${shares.join(' + ')}${plus}${range}${least}`;
}

function shippedText({ fulfillmentType }: Offer): string {
  if (fulfillmentType === null) return 'fulfillment unknown';
  return fulfillmentType === 'FBM' ? 'shipped by its seller' : 'shipped by the marketplace';
}

function shareOr(share: Bps | null | undefined): string {
  return share === null || share === undefined ? 'unknown' : percentText(share);
}

function marginOr(share: Bps | null): string {
  return share === null ? 'minimum' : percentText(share);
}
