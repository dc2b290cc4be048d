import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { HistoryFilter } from './history.ts';
import { Day, Id, Margin, Moment, Money, WhileHalted, Zone } from './wire.ts';

/** Which price changes are to be taken back: what the history can be narrowed to, and more. */
export const ChangeFilter = HistoryFilter.extend({
  /** From this moment on, and before that one: an hour of the runs. */
  since: Moment.optional(),
  until: Moment.optional(),
  /** The rule that wanted them; `none`: a person did. */
  rule: z.union([Id, z.literal('none')]).optional(),
  /** Only what runs changed: prices that people typed stay. */
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

/** GET /api/history/undo-preview: what taking these changes back would do now. Nothing changes. */
export const UndoPreview = z.object({
  /** Price changes of the set, and of how many listings they are. */
  changes: z.int(),
  listings: z.int(),
  /** Stands for the set: later changes are no part of it. Null for an empty one. */
  through: Id.nullable(),
  /** Listings whose price goes back. */
  goBack: z.int(),
  up: z.int(),
  down: z.int(),
  /** What all prices that go back are worth more, or less, than now: one unit of each. */
  effect: Money,
  /** Listings whose price of the set waits to be sent: it is not sent any more. */
  notSent: z.int(),
  /** Listings whose price of the set is out, and which buyers do not see yet: it cannot be stopped. */
  underWay: z.int(),
  /** Stands for the prices of the set that buyers do not see yet: later ones are no part of it. Null where there is none. */
  openThrough: Id.nullable(),
  /** Listings that stay, by reason, the most frequent first. */
  kept: z.array(z.object({ why: z.enum(KEPT_REASONS), listings: z.int() })),
  /** The first of them, those that go back before those that stay. */
  rows: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      now: Money,
      /** Before the first change of the set: what it goes back to. Null where there was no price. */
      before: Money.nullable(),
      marginBefore: Margin.nullable(),
      /** Null where the price goes back. */
      why: z.enum(KEPT_REASONS).nullable(),
      /** The reason as a sentence. */
      message: z.string().nullable(),
    }),
  ),
});
export type UndoPreview = z.output<typeof UndoPreview>;

/** POST /api/history/undo: takes a set of price changes back as it was previewed; 409 when it is another one by now. */
export const UndoChanges = z.strictObject({
  filter: ChangeFilter,
  /** As previewed, like `changes` and `openThrough`. */
  through: Id.nullable(),
  changes: z.int().min(0),
  openThrough: Id.nullable(),
  whileHalted: WhileHalted,
});
export type UndoChanges = z.output<typeof UndoChanges>;

export const RUN_GROUPINGS = ['hour', 'day', 'marketplace', 'rule'] as const;
export type RunGrouping = (typeof RUN_GROUPINGS)[number];

/** GET /api/runs/groups: what runs changed, put together. Days begin where `zone` is; without days the last seven. */
export const RunGroupsQuery = z.strictObject({
  by: z.enum(RUN_GROUPINGS),
  from: Day.optional(),
  to: Day.optional(),
  zone: Zone.prefault('UTC'),
});

export type RunGroupsQuery = z.output<typeof RunGroupsQuery>;

export const RunGroup = z.object({
  /** An hour or a day begins here; null for the other groupings. */
  since: Moment.nullable(),
  until: Moment.nullable(),
  marketplace: z.enum(MARKETPLACES).nullable(),
  /** Null where people took the prices, or for another grouping. */
  rule: z.object({ id: Id, name: z.string() }).nullable(),
  runs: z.int(),
  changes: z.int(),
  listings: z.int(),
  up: z.int(),
  down: z.int(),
});
export type RunGroup = z.output<typeof RunGroup>;

/** The newest, or the largest, first; 400 at most. */
export const RunGroups = z.object({
  /** The time that is looked at. */
  since: Moment,
  until: Moment.nullable(),
  groups: z.array(RunGroup),
  /** There are more than can be shown. */
  isCut: z.boolean(),
});
export type RunGroups = z.output<typeof RunGroups>;
