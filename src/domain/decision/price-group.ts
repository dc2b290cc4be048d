import type { Competition } from '#domain/competition/competition.ts';
import { type AllowedPrices, commonRanges } from '#domain/limits/allowed-prices.ts';
import type { LineStep } from '#domain/lines/lines-price.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { type BlockReason, type Decision, type KeepReason, REVIEW_REASONS } from './decision.ts';
import type { StrategyPrice } from './strategy-price.ts';

/**
 * The place of a listing in its price group: listings that their marketplace gives one price, such as the variations of
 * an Etsy listing whose price does not depend on them.
 */
export interface PriceGroup {
  /** SKUs of the other members, sorted; at least one. */
  readonly others: readonly string[];
  /** SKU of the member whose rule decides: its lowest allowed price is the highest. Null while no price is decided. */
  readonly decider: string | null;
  /** The rule that decides; null while none does. */
  readonly rule: { readonly id: string; readonly name: string } | null;
  /** The prices that every member allows; null while those of a member are unknown. */
  readonly allowed: AllowedPrices | null;
  /** The first other member that stops the group; null for none. */
  readonly stop: GroupStop | null;
  /** The strategy price from the lowest reference of any member, for the deciding member. */
  readonly strategy: StrategyPrice | null;
  /** Where that comes from, of a rule with lines; absent in decisions of earlier releases. */
  readonly source?: StrategySource | null;
  /** The decision of the deciding member, for the others. */
  readonly decision: Decision | null;
}

/** The member whose competitors the lines of the deciding rule went by, and what the explanation says of that. */
export interface StrategySource {
  readonly sku: string;
  readonly shippingCharge: Cents | null;
  readonly fulfillmentType: FulfillmentType;
  readonly boxShare: Bps | null;
  readonly competition: Competition;
  /** What became of each line. */
  readonly steps: readonly LineStep[];
}

/** A member that stops its group, and why. */
export interface GroupStop {
  readonly sku: string;
  readonly because: GroupStopReason;
}

/** `prices_differ`: its current price is another one, so that the marketplace's is not known. */
export type GroupStopReason = BlockReason | RuleKeep | MemberReview | 'prices_differ';

/** Why no rule prices a member. */
export type RuleKeep = Extract<
  KeepReason,
  'no_rule' | 'own_rule_paused' | 'own_rule_mismatch' | 'own_rule_off_hours' | 'own_rule_missing'
>;

/** Why a price of one member needs review, unlike that of others. */
export type MemberReview = (typeof MEMBER_REVIEWS)[number];

const MEMBER_REVIEWS = [
  'unread',
  'listing_off',
  'held',
  'ask_first',
  'own_sellers_unknown',
  'estimated_fee',
  'fees_doubted',
  'fee_not_told',
  'cross_channel',
] as const satisfies readonly (typeof REVIEW_REASONS)[number][];

/** Whether a reason is one of a single member, which the others wait for; null stays null. */
export function memberReview(reason: string | null): MemberReview | null {
  return MEMBER_REVIEWS.find((one) => one === reason) ?? null;
}

/** Whether no price can be decided, unlike one that only needs review. */
export function isBlockingStop({ because }: GroupStop): boolean {
  return !REVIEW_REASONS.some((reason) => reason === because);
}

/** The prices that lie in all of these sets; one at least. */
export function commonPrices(sets: readonly [AllowedPrices, ...AllowedPrices[]]): AllowedPrices {
  const [first, ...others] = sets;
  return others.reduce((common, set) => {
    return {
      marginFloor: combined(common.marginFloor, set.marginFloor, Math.max),
      priceCeiling: combined(common.priceCeiling, set.priceCeiling, Math.min),
      ranges: commonRanges(common.ranges, set.ranges),
    };
  }, first);
}

/** Null where one is unknown: then no price keeps its margin. */
function combined(a: Cents | null, b: Cents | null, of: (a: number, b: number) => number): Cents | null {
  return a === null || b === null ? null : (of(a, b) as Cents);
}
