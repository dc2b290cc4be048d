import type { OfferStatus } from './competitors.ts';
import type { ChannelGap } from './cross-channel.ts';
import type { BindingLimit, ReviewReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { FeeBand, FeeSchedule } from './fee.ts';
import { MARKETPLACE_NAMES } from './marketplaces.ts';
import type { Offer } from './offer.ts';
import type { Policy } from './policy.ts';
import type { Rule, RuleChoice } from './rule.ts';
import { ageText, moneyText, percentText } from './text.ts';
import type { Bps, Cents, Millis } from './units.ts';

/** What the words about one offer need. */
export interface OfferQuestion {
  readonly offer: Offer;
  readonly facts: ListingFacts;
  readonly rule: Rule;
  readonly policy: Policy;
}

/** Whether an offer counted, and if not, why, for the seller to read. */
export function offerStatusText(verdict: OfferStatus, question: OfferQuestion): string {
  return VERDICTS[verdict](question);
}

const VERDICTS = {
  counted: () => 'Counted.',
  unreadable: () => 'Left out: its price cannot be read.',
  ours: () => 'Left out: this is your own offer.',
  other_channel: ({ offer, facts }) =>
    `Left out: it is on ${MARKETPLACE_NAMES[offer.channel]}, and the rule looks at ${MARKETPLACE_NAMES[facts.marketplace]} only.`,
  no_time: () => 'Left out: its source does not say when it was seen.',
  from_future: () => 'Left out: its time lies in the future.',
  too_old: ({ offer, policy }) =>
    `Left out: seen ${ageText((policy.now - (offer.seenAt ?? policy.now)) as Millis)} ago, and offers count for ${ageText(policy.maxOfferAge)}.`,
  could_be_ours: () => 'Left out: it names no seller and asks exactly your price, so it may be your own.',
  other_fulfillment: ({ offer, facts, rule }) =>
    `Left out: it is ${shippedText(offer)}, and ${rule.filter?.fulfillmentType ? 'the rule' : `an ${facts.fulfillmentType} listing`} looks at ${rule.filter?.fulfillmentType ?? 'FBA/WFS, featured and marketplace'} offers only.`,
  rating: ({ offer, rule }) =>
    `Left out: rated ${shareOr(offer.rating)}, and the rule wants ${shareOr(rule.filter?.minRating)}.`,
  rating_count: ({ offer, rule }) =>
    `Left out: ${offer.ratingCount ?? 'an unknown number of'} ratings, and the rule wants ${rule.filter?.minRatingCount}.`,
  handling_days: ({ offer, rule }) =>
    `Left out: ships within ${offer.handlingDays ?? 'an unknown number of'} days, and the rule allows ${rule.filter?.maxHandlingDays}.`,
  ignored_seller: () => 'Left out: the rule ignores this seller.',
  below_floor: () => 'Left out: below your lowest price, and the rule then looks at the next offer.',
} as const satisfies Record<OfferStatus, (question: OfferQuestion) => string>;

/** What the words about a bound need. */
export interface BoundQuestion {
  readonly price: Cents | null;
  readonly minimumMargin: Bps | null;
  readonly policy: Policy;
}

/** The limit that made the price differ from the wanted one; null when none did. */
export function boundText(bound: BindingLimit, question: BoundQuestion): string | null {
  return BOUNDS[bound](question);
}

const BOUNDS = {
  none: () => null,
  floor: ({ minimumMargin }) => `Held at the lowest price that keeps your ${marginOr(minimumMargin)} margin.`,
  legal_gap: ({ minimumMargin }) =>
    `Lowered: the fees above that leave less than your ${marginOr(minimumMargin)} margin.`,
  min_price: () => "Held at the listing's minimum price.",
  ceiling: () =>
    'Held at the ceiling, which stands in for a maximum price: one and a half times the last price a person set, or twice the lowest legal price.',
  max_price: () => "Held at the listing's maximum price.",
  step: ({ policy }) => `One step may move a price by ${percentText(policy.maxStep)}.`,
  drift: ({ policy }) => `A day may move a price by ${percentText(policy.maxDailyChange)}.`,
} as const satisfies Record<BindingLimit, (question: BoundQuestion) => string | null>;

/** "Walmart then asks $1.00 more than eBay." */
export function channelGapText({ dear, cheap, by }: ChannelGap): string {
  return `${MARKETPLACE_NAMES[dear]} then asks ${moneyText(by)} more than ${MARKETPLACE_NAMES[cheap]}.`;
}

/** Why the engine did not change the price itself. */
export const GATES = {
  beyond_reach: 'The price is further away than one step may go.',
  halted: 'Repricing is halted.',
  paused: 'The marketplace is paused in the settings: switched off, or a key is missing.',
  read_only:
    'The marketplace is only read: prices are sent there once that is allowed under Settings, Marketplace Integrations.',
  observe: 'Repricing only observes this marketplace.',
  unread:
    'No reading has shown yet that the marketplace asks the current price. One that works does within the hour.',
  auto_off: 'Automatic repricing is switched off.',
  listing_off: 'Auto-repricing is off for this listing.',
  held: 'The listing is held.',
  ask_first: 'The rule asks first.',
  own_sellers_unknown: 'Nobody has said yet which sellers on this marketplace are you.',
  cross_channel: 'It would leave the SKU dearer than on another channel of yours, which the rule refuses.',
} as const satisfies Record<ReviewReason, string>;

/**
 * Why this rule decides and no other.
 * @param others names of the other active rules that match; null when nobody knows any more
 */
export function whyThisRule(
  { kind }: Pick<RuleChoice, 'kind'>,
  facts: ListingFacts,
  others: readonly string[] | null,
): string {
  if (kind === 'own') return "The listing's own rule.";
  if (kind === 'own_paused')
    return "The listing's own rule, which is paused: it never falls to another rule.";
  const place = `${MARKETPLACE_NAMES[facts.marketplace]} ${facts.fulfillmentType}`;
  if (kind === 'own_mismatch') {
    return `The listing's own rule, which is not for ${place}: it never falls to another rule.`;
  }
  const most = `Most specific active rule for ${place}`;
  if (others === null || others.length === 0) return `${most}.`;
  const count = others.length === 1 ? '1 other rule matches' : `${others.length} other rules match`;
  return `${most}; ${count}: ${others.join(', ')}.`;
}

/** Names of the other active rules that match a listing, which a more specific or older one keeps from deciding. */
export function otherMatches(
  rules: readonly Rule[],
  chosen: Rule | null,
  { marketplace, fulfillmentType }: ListingFacts,
): string[] {
  return rules
    .filter(
      (rule) =>
        rule.isActive &&
        rule.id !== chosen?.id &&
        (rule.marketplace === null || rule.marketplace === marketplace) &&
        (rule.fulfillmentType === 'All' || rule.fulfillmentType === fulfillmentType),
    )
    .map(({ name }) => name);
}

/**
 * A fee schedule in words, such as "15%, at least $0.30, in force since 2026-01-01."
 * @param since the day it holds from; null when it always has
 */
export function feesText({ category, bandKind, bands }: FeeSchedule, since: string | null): string {
  const isTiered = bands.length > 1;
  const parts = bands.map((band, index) => bandText(band, isTiered, index > 0));
  const each = isTiered
    ? bandKind === 'whole'
      ? ', each on the whole price'
      : ', each on its part of the price'
    : '';
  const what = category === null ? '' : `${category}: `;
  return `${what}${parts.join('; ')}${each}${since === null ? '' : `, in force since ${since}`}.`;
}

function bandText({ upTo, percent, fixed, minimum }: FeeBand, isTiered: boolean, isAbove: boolean): string {
  const plus = fixed === 0 ? '' : ` + ${moneyText(fixed)}`;
  const range = upTo === null ? (isTiered && isAbove ? ' above' : '') : ` up to ${moneyText(upTo)}`;
  const least = minimum === 0 ? '' : `, at least ${moneyText(minimum)}`;
  return `${percentText(percent)}${plus}${range}${least}`;
}

function shippedText({ fulfillmentType }: Offer): string {
  if (fulfillmentType === null) return 'shipped by nobody knows whom';
  return fulfillmentType === 'FBM' ? 'shipped by its seller' : 'shipped by the marketplace';
}

function shareOr(share: Bps | null | undefined): string {
  return share === null || share === undefined ? 'unknown' : percentText(share);
}

function marginOr(share: Bps | null): string {
  return share === null ? 'minimum' : percentText(share);
}
