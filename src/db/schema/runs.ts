import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isMargin, isOneOf, isPrice, isSignedAmount } from '#db/checks.ts';
import { instant, margin, money } from '#db/columns.ts';
import { listings } from './listings.ts';
import { repricingRules } from './rules.ts';

export const RUN_TRIGGERS = ['data_change', 'full_check', 'manual', 'apply', 'undo'] as const;
export const RUN_STATES = ['queued', 'running', 'done', 'stopped', 'failed'] as const;
export const OUTCOMES = ['change', 'keep', 'recommend', 'blocked'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The counts of a run as planned. */
export interface StoredPlan {
  readonly changed: number;
  readonly mayChange: number;
  readonly competitive: number;
  readonly dropped: number;
  /** Absent from plans of former releases. */
  readonly rose?: number;
  readonly movedUnread?: number;
  readonly atMarginFloor: number;
  readonly newlyBlocked: number;
  readonly atSamePrice: number;
  /** Exactly the plan that a user had reviewed. */
  readonly isReviewed: boolean;
}

const count = (name: string) => integer(name).notNull().default(0);

/** One repricing pass or one bulk action over many listings; can be opened, exported and undone. */
export const repricingRuns = pgTable(
  'repricing_runs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    trigger: text('trigger', { enum: RUN_TRIGGERS }).notNull(),
    state: text('state', { enum: RUN_STATES }).notNull().default('running'),
    startedBy: text('started_by'),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    /** How many listings it covers; null until counted. */
    planned: integer('planned'),
    /** Full check: listings up to this ID are done, and a restart continues after it. */
    sweptTo: bigint('swept_to', { mode: 'number' }),
    evaluated: count('evaluated'),
    changed: count('changed'),
    kept: count('kept'),
    recommended: count('recommended'),
    blocked: count('blocked'),
    /** Compared by the circuit breaker with the ten runs before. */
    dropped: count('dropped'),
    rose: count('rose'),
    /** Moved within an hour after their competitors could no longer be read. */
    movedUnread: count('moved_unread'),
    atMarginFloor: count('at_margin_floor'),
    atSamePrice: count('at_same_price'),
    /** Listings that may change automatically: live, switched on, not on hold, with a rule that requires no review. */
    mayChange: count('may_change'),
    /** Those of them whose rule depends on competitors. */
    competitive: count('competitive'),
    /** Blocked now, but not at their last decision. */
    newlyBlocked: count('newly_blocked'),
    /** Counts that the circuit breaker accepted before anything was recorded; null for a run of one batch. */
    plan: jsonb('plan').$type<StoredPlan>(),
    /** Why it was stopped or failed. */
    stopReason: text('stop_reason'),
    /** The run that this one undoes. */
    undoesRunId: bigint('undoes_run_id', { mode: 'number' }).references((): AnyPgColumn => repricingRuns.id, {
      onDelete: 'restrict',
    }),
  },
  (t) => [
    index('repricing_runs_started_at_idx').on(t.startedAt),
    index('repricing_runs_undoes_run_id_idx').on(t.undoesRunId).where(sql`${t.undoesRunId} is not null`),
    // One engine at a time decides; its successor finds the interrupted run here.
    uniqueIndex('repricing_runs_one_running')
      .on(t.state)
      .where(sql`${t.state} = 'running' and ${t.trigger} in ('data_change', 'full_check', 'manual')`),
    isCount(t.planned),
    isOneOf(t.trigger, RUN_TRIGGERS),
    isOneOf(t.state, RUN_STATES),
    isCount(t.evaluated),
    isCount(t.changed),
    isCount(t.kept),
    isCount(t.recommended),
    isCount(t.blocked),
    isCount(t.dropped),
    isCount(t.rose),
    isCount(t.movedUnread),
    isCount(t.atMarginFloor),
    isCount(t.atSamePrice),
    isCount(t.mayChange),
    isCount(t.competitive),
    isCount(t.newlyBlocked),
    holds('ends_after_start', sql`${t.endedAt} >= ${t.startedAt}`),
    holds('stop_says_why', sql`${t.state} not in ('stopped', 'failed') or ${t.stopReason} is not null`),
  ],
);

/** Decisions that were not `keep`. Kept for 90 days; the run itself stays. */
export const runItems = pgTable(
  'run_items',
  {
    runId: bigint('run_id', { mode: 'number' })
      .notNull()
      .references(() => repricingRuns.id, { onDelete: 'cascade' }),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'restrict' }),
    at: instant('at').notNull(),
    outcome: text('outcome', { enum: OUTCOMES }).notNull(),
    /** The domain's reason code, such as "matched" or "unknown_cost". */
    reasonCode: text('reason_code').notNull(),
    reviewReason: text('review_reason'),
    bindingLimit: text('binding_limit'),
    oldPrice: money('old_price'),
    /** Null when blocked. */
    price: money('price'),
    marginFloor: money('margin_floor'),
    reference: money('reference'),
    marginBefore: margin('margin_before'),
    marginAfter: margin('margin_after'),
    ruleId: bigint('rule_id', { mode: 'number' }).references(() => repricingRules.id, {
      onDelete: 'restrict',
    }),
    feeVersion: text('fee_version'),
    facts: jsonb('facts').$type<Readonly<Record<string, unknown>>>(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.listingId] }),
    index('run_items_listing_id_idx').on(t.listingId, t.at),
    index('run_items_at_idx').on(t.at),
    isOneOf(t.outcome, OUTCOMES),
    isFilled(t.reasonCode, 100),
    isPrice(t.oldPrice),
    isPrice(t.price),
    isPrice(t.marginFloor),
    // May be zero or less: a competitor's landed price less our shipping charge.
    isSignedAmount(t.reference),
    isMargin(t.marginBefore),
    isMargin(t.marginAfter),
    holds('blocked_has_no_price', sql`(${t.outcome} = 'blocked') = (${t.price} is null)`),
  ],
);
