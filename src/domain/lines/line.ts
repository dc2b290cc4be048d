import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Millis } from '#domain/units.ts';

/** What a rule sees of the competition. */
export const SITUATIONS = ['winning', 'losing', 'alone', 'not_read', 'suppressed'] as const;
export type Situation = (typeof SITUATIONS)[number];

/** How an offer is shipped compared with our listing; `marketplace` is the marketplace's own retail offer. */
export const RELATIONS = ['equal', 'faster', 'slower', 'marketplace', 'unknown'] as const;
export type Relation = (typeof RELATIONS)[number];

/** A group of offers by who ships: from the marketplace's warehouse, by the merchant, or the marketplace's own. */
export const OFFER_GROUPS = ['warehouse', 'merchant', 'marketplace'] as const;
export type OfferGroup = (typeof OFFER_GROUPS)[number];

/** A difference to a price: positive is over, negative is under. Never zero where null says that there is none. */
export type Shift = { readonly percent: Bps } | { readonly amount: Cents };

/** No difference, where another relation has one. */
export const SAME: Shift = { amount: 0 as Cents };

/** One shift for all offers, or one for each relation; `ignore` leaves its offers out of the target. */
export type Shifts =
  | { readonly all: Shift }
  | { readonly byRelation: Partial<Readonly<Record<Relation, Shift | 'ignore'>>> };

/** A price that a line asks for or is bounded by. Prices of competitors are landed prices. */
export type Target =
  | { readonly kind: 'lowest'; readonly only: OfferGroup | null; readonly by: Shifts | null }
  /** A seller by name, as it was written. */
  | { readonly kind: 'seller'; readonly name: string; readonly by: Shifts | null }
  /** The landed price of the buy box, if it is not ours. */
  | { readonly kind: 'box'; readonly by: Shifts | null }
  /**
   * `own`: the last price that was set by hand, by import or on the marketplace. `external`: one from elsewhere, typed or
   * imported, while it is recent.
   */
  | { readonly kind: 'featured' | 'own' | 'current' | 'external'; readonly by: Shift | null }
  /** Our landed price for the same SKU on another marketplace. */
  | { readonly kind: 'channel'; readonly marketplace: Marketplace; readonly by: Shift | null }
  /** Our landed price in force for another SKU; a null marketplace is the listing's own. */
  | {
      readonly kind: 'sister';
      readonly sku: string;
      readonly marketplace: Marketplace | null;
      readonly by: Shift | null;
    }
  /** The lowest price with this margin; null: with the target margin of the rule. */
  | { readonly kind: 'margin'; readonly margin: Bps | null }
  /** The total cost and a share of it, before fees. */
  | { readonly kind: 'cost_plus'; readonly percent: Bps }
  /** 0 is the lowest allowed price, 100% the highest. */
  | { readonly kind: 'between'; readonly percent: Bps }
  /** `learned`: the price of Dynamic Pricing. */
  | { readonly kind: 'floor' | 'ceiling' | 'learned' };

/** What to do with a price below the lowest allowed one, or below `notUnder`. */
export type IfTooLow = 'stop' | 'keep' | 'next_competitor' | 'next_line';

export type LineAction =
  | { readonly kind: 'hold' }
  | {
      readonly kind: 'ask';
      readonly target: Target;
      readonly notUnder: Target | null;
      readonly notOver: Target | null;
      readonly ifTooLow: IfTooLow;
    }
  | {
      readonly kind: 'raise' | 'lower';
      readonly by: Shift;
      readonly every: Millis;
      readonly to: Target | null;
    };

/** Ends included; null is unbounded. At least one of them is set. */
export interface Span<Unit extends number = number> {
  readonly min: Unit | null;
  readonly max: Unit | null;
}

/** The periods over which sales are counted, in days. */
export const SOLD_DAYS = [1, 7, 30] as const;
export type SoldDays = (typeof SOLD_DAYS)[number];

/** Monday is 1. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;
export const WEEKDAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Minutes in a day; the end of a day. */
export const DAY_MINUTES = 1_440;

/** A condition of a line. It does not hold when what it asks about is unknown. */
export type Condition =
  | { readonly kind: 'situation'; readonly any: readonly Situation[]; readonly atLeast: Millis | null }
  /** The share of the readings of the last 6 hours in which the buy box was ours. */
  | ({ readonly kind: 'box_share' } & Span<Bps>)
  /** How often competitors followed when we raised our price. */
  | ({ readonly kind: 'follow' } & Span<Bps>)
  | { readonly kind: 'lowest_under_floor' }
  /** How far the lowest landed price is above ours. */
  | { readonly kind: 'lowest_above'; readonly min: Bps }
  | ({ readonly kind: 'competitors'; readonly only: OfferGroup | null } & Span)
  /** How often our price was lowered against one competitor within 24 hours. */
  | { readonly kind: 'lowered'; readonly min: number }
  | ({ readonly kind: 'stock' | 'supply' } & Span)
  | { readonly kind: 'stock_age' | 'no_sale'; readonly min: number }
  | ({ readonly kind: 'sold'; readonly days: SoldDays } & Span)
  /** The margin at the current price. */
  | ({ readonly kind: 'margin' } & Span<Bps>)
  | { readonly kind: 'at_floor' | 'at_ceiling' }
  | { readonly kind: 'box_held_by' | 'seller_present'; readonly name: string }
  /** Minutes of the day from `from`, before `to`; over midnight where `to` is not later. */
  | { readonly kind: 'hours'; readonly from: number; readonly to: number }
  | { readonly kind: 'weekdays'; readonly from: Weekday; readonly to: Weekday }
  /** Days as YYYY-MM-DD, both included. */
  | { readonly kind: 'dates'; readonly from: string; readonly to: string }
  | { readonly kind: 'ships'; readonly by: 'us' | 'warehouse' };

/** A line decides for a time, then rests for a time, in turn. */
export interface Turn {
  readonly lasts: Millis;
  readonly rests: Millis;
}

/** One line of a rule. The first line of a rule that applies decides. */
export interface Line {
  readonly when: readonly Condition[];
  readonly action: LineAction;
  readonly turn: Turn | null;
  /** Its prices are only recommended. */
  readonly asksFirst: boolean;
}

export const MAX_LINES = 20;
export const MAX_CONDITIONS = 8;
/** The longest text of the lines of a rule, in characters. */
export const MAX_LINES_TEXT = 65_536;
/** The longest name of a seller or code of a SKU in a line. */
export const MAX_NAME = 200;
/** Shifts of a target. */
export const SHIFT_PERCENT = { min: -5_000 as Bps, max: 10_000 as Bps };
export const SHIFT_AMOUNT = { min: -100_000 as Cents, max: 100_000 as Cents };
/** Steps of `raise` and `lower`. */
export const STEP_PERCENT = { min: 10 as Bps, max: 1_500 as Bps };
export const STEP_AMOUNT = { min: 1 as Cents, max: 10_000 as Cents };
/** Durations in a line. */
export const LINE_HOURS = { min: hours(0.25), max: hours(720) };
