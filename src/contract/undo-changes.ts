import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Confirmed, Day, Id, Margin, Moment, Money, Zone } from './fields.ts';
import { HistoryFilter } from './history.ts';

/** Which price changes to undo: the filters of the history, and more. */
export const ChangeFilter = HistoryFilter.extend({
  /** From this time, and before that one: one hour of the runs. */
  since: Moment.optional(),
  until: Moment.optional(),
  /** The rule that caused them; `none`: manual changes. */
  rule: z.union([Id, z.literal('none')]).optional(),
  /** Only changes by runs: manual prices stay. */
  ofRuns: z.literal('true').optional(),
});
export type ChangeFilter = z.output<typeof ChangeFilter>;
/** As it is sent. */
export type ChangeFilterForm = z.input<typeof ChangeFilter>;

/** Why a listing of the set stays as it is. */
export const KEPT_REASONS = [
  'changed_since',
  'not_allowed',
  'on_its_way',
  'already_there',
  'first_price',
  'deleted',
] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** GET /api/history/undo-preview: the effect of undoing these changes now. Nothing changes. */
export const UndoPreview = z.object({
  /** Price changes of the set, and the number of their listings. */
  changes: z.int(),
  listings: z.int(),
  /** Identifies the set: later changes are not part of it. Null for an empty one. */
  through: Id.nullable(),
  /** Listings whose price is restored. */
  goBack: z.int(),
  up: z.int(),
  down: z.int(),
  /** Total difference of the restored prices to the current ones: one unit of each. */
  effect: Money,
  /** Listings whose price of the set is queued: it is no longer sent. */
  notSent: z.int(),
  /** Listings whose price of the set was sent and is not confirmed yet: it cannot be stopped. */
  inProgress: z.int(),
  /** Identifies the unconfirmed prices of the set: later ones are not part of it. Null where there are none. */
  openThrough: Id.nullable(),
  /** SKUs of listings that share a restored price and are not in the set: they change too. */
  alsoChanges: z.array(z.string()),
  /** Listings that stay, by reason, the most frequent first. */
  kept: z.array(z.object({ why: z.enum(KEPT_REASONS), listings: z.int() })),
  /** The first 20 to be restored, then the first 20 that stay, those whose old price is not allowed before the others. */
  rows: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      now: Money,
      /** Before the first change of the set: the price to restore. Null where there was none. */
      before: Money.nullable(),
      marginBefore: Margin.nullable(),
      /** Null where the price is restored. */
      why: z.enum(KEPT_REASONS).nullable(),
      /** The reason as a sentence. */
      message: z.string().nullable(),
    }),
  ),
});
export type UndoPreview = z.output<typeof UndoPreview>;

/** POST /api/history/undo: undoes a set of price changes as previewed; 409 when the set is different now. */
export const UndoChanges = z.strictObject({
  filter: ChangeFilter,
  /** As previewed, like `changes` and `openThrough`. */
  through: Id.nullable(),
  changes: z.int().min(0),
  openThrough: Id.nullable(),
  ...Confirmed,
});
export type UndoChanges = z.output<typeof UndoChanges>;

export const RUN_GROUPINGS = ['hour', 'day', 'marketplace', 'rule'] as const;
export type RunGrouping = (typeof RUN_GROUPINGS)[number];

/**
 * GET /api/runs/groups: the changes of runs, grouped. Days start in time zone `zone`; without `from`
 * seven days, today or `to` included.
 */
export const RunGroupsQuery = z.strictObject({
  by: z.enum(RUN_GROUPINGS),
  from: Day.optional(),
  to: Day.optional(),
  zone: Zone.prefault('UTC'),
});

export type RunGroupsQuery = z.output<typeof RunGroupsQuery>;

export const RunGroup = z.object({
  /** Start of the hour or day; null for the other groupings. */
  since: Moment.nullable(),
  until: Moment.nullable(),
  marketplace: z.enum(MARKETPLACES).nullable(),
  /** Null for manual prices, or for another grouping. */
  rule: z.object({ id: Id, name: z.string() }).nullable(),
  runs: z.int(),
  changes: z.int(),
  listings: z.int(),
  up: z.int(),
  down: z.int(),
  /**
   * At the same volume: what the changes earn more in a week if as many units sell as in the last 30 days; negative where
   * prices fell. Null where no margin is known.
   */
  equalSales: Money.nullable(),
  /** The number of changes whose margins are known: the others are not part of the sum. */
  equalSalesOf: z.int(),
  /** Measured: what sold at these prices so far. The profit is null where it is unknown. */
  soldUnits: z.int(),
  soldProfit: Money.nullable(),
});
export type RunGroup = z.output<typeof RunGroup>;

/** The newest, or the largest, first; at most 400. */
export const RunGroups = z.object({
  /** The period. */
  since: Moment,
  until: Moment.nullable(),
  groups: z.array(RunGroup),
  /** There are more than are listed. */
  isCut: z.boolean(),
});
export type RunGroups = z.output<typeof RunGroups>;
