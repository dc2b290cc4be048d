import type { Situation } from '#domain/lines/line.ts';
import type { Cents } from '#domain/units.ts';

/** How a price was calculated. */
export type PriceReason =
  | 'matched'
  | 'beaten'
  | 'fixed_margin'
  | 'dynamic_cold_start'
  | 'no_competitor_floor'
  | 'no_competitor_ceiling'
  | 'below_floor_ceiling'
  /** The price of a line of the rule. */
  | 'line'
  | 'repair';

/** Why a price stays. */
export type KeepReason =
  | 'no_rule'
  | 'own_rule_paused'
  | 'own_rule_mismatch'
  | 'own_rule_off_hours'
  | 'own_rule_missing'
  | 'no_competitor'
  | 'not_read'
  | 'only_ours_shown'
  | 'competitor_below_floor'
  /** The line that applies asks for no price, or for none that is allowed. */
  | 'line_hold'
  /** The line that applies moves the price again later. */
  | 'line_waits'
  /** No line of the rule applies. */
  | 'no_line'
  | 'already_there'
  | 'already_sent'
  | 'held_by_limit'
  | 'minimum_step'
  | 'cooldown'
  | 'price_war'
  | 'refused'
  | 'send_paused'
  | 'awaiting_upload';

/** Why no price can be decided. Users can fix each of these. */
export type BlockReason =
  | 'gone'
  | 'unreadable_price'
  | 'unreadable_facts'
  | 'unknown_cost'
  | 'no_fee_schedule'
  | 'unreadable_rule'
  | 'margin_impossible'
  | 'minimum_above_maximum'
  | 'floor_above_maximum'
  | 'minimum_above_ceiling'
  | 'range_not_legal'
  | 'bounds_conflict'
  | 'group_blocked'
  | 'group_conflict';

/** Why a price needs review instead of being changed automatically: the first reason that applies, in this order. */
export const REVIEW_REASONS = [
  'outside_move_range',
  'halted',
  'paused',
  'read_only',
  'recommend_only',
  'unread',
  'auto_off',
  'listing_off',
  'held',
  'ask_first',
  'own_sellers_unknown',
  'estimated_fee',
  'fees_doubted',
  'fee_not_told',
  'cross_channel',
  'group_member',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** The limit that moved the price away from the strategy price. */
export type BindingLimit =
  | 'none'
  | 'floor'
  | 'fee_band_gap'
  | 'fee_band_edge'
  | 'min_price'
  | 'marketplace_min'
  | 'map_price'
  | 'ceiling'
  | 'max_price'
  | 'marketplace_max'
  | 'step_limit'
  | 'daily_limit';

/** The line of a rule that decided. */
export interface DecidingLine {
  /** From 1; 0 where no line applied. */
  readonly number: number;
  /** What the rule saw of the competition; null where none of its lines looks at competitors. */
  readonly situation: Situation | null;
  /** The line begins a new turn. */
  readonly startsTurn: boolean;
  /** Its prices are only recommended. */
  readonly asksFirst: boolean;
  /** It, or a line above it, looks at competitors. */
  readonly dependsOnCompetitors: boolean;
  /** It does itself; absent in decisions of earlier releases. */
  readonly looksAtCompetitors?: boolean;
  /**
   * The lowest price that the line may end at by its own words, one step of a raise or cut too; null without one. Above
   * what the line asks for only where a cut ends at this allowed price, since none is between them.
   */
  readonly notUnder: number | null;
}

interface Shape {
  /** The limit that moved the price away from the strategy price. */
  readonly bindingLimit: BindingLimit;
  /** The lowest price that keeps the minimum margin; null while it is unknown or none exists. */
  readonly marginFloor: Cents | null;
  /** Our price that would equal the competitor's: its landed price less our shipping charge. */
  readonly reference: Cents | null;
  /** Null where the strategy of the rule decides, or nothing was decided by a rule. */
  readonly line: DecidingLine | null;
}

export interface Change extends Shape {
  readonly kind: 'change';
  readonly price: Cents;
  readonly reason: PriceReason;
  readonly reviewReason: null;
}
export interface Keep extends Shape {
  readonly kind: 'keep';
  /** The current price. */
  readonly price: Cents;
  readonly reason: KeepReason;
  readonly reviewReason: null;
}
export interface Recommend extends Shape {
  readonly kind: 'recommend';
  readonly price: Cents;
  readonly reason: PriceReason;
  readonly reviewReason: ReviewReason;
}
export interface Blocked extends Shape {
  readonly kind: 'blocked';
  readonly price: null;
  readonly reason: BlockReason;
  readonly reviewReason: null;
}

/** The outcome for one listing. All variants share one object shape, which keeps millions of them cheap. */
export type Decision = Change | Keep | Recommend | Blocked;
export type ReasonCode = Decision['reason'];
