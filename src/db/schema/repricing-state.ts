import { sql } from 'drizzle-orm';
import { boolean, date, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { holds, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MODE_RESET_REASONS } from '#domain/connections/mode-reset.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { EXTERNAL_EDIT_POLICIES } from '#domain/readings/repair-or-hold.ts';
import { BUSINESS_PRICE_POLICIES } from '#domain/sending/business-plan.ts';

export const MARKETPLACE_MODES = ['live', 'recommend_only'] as const;

/** What repricing may do per marketplace; six rows, written by the migration, all in recommend only. */
export const marketplaceModes = pgTable(
  'marketplace_modes',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    mode: text('mode', { enum: MARKETPLACE_MODES }).notNull().default('recommend_only'),
    changedAt: instant('changed_at').notNull().default(sql`now()`),
    changedBy: text('changed_by'),
    /** Why a save of the settings reset it to recommend only; null if none did, or a user changed the mode since. */
    resetReason: text('reset_reason', { enum: MODE_RESET_REASONS }),
    /** What happens to an external edit below the lowest allowed price. */
    externalEdits: text('external_edits', { enum: EXTERNAL_EDIT_POLICIES }).notNull().default('repair_loss'),
    /** What happens to prices for business buyers when the regular price changes. */
    businessPrices: text('business_prices', { enum: BUSINESS_PRICE_POLICIES }).notNull().default('leave'),
    /** Null: that of the repricing limits, or the reachable one if that is longer. */
    maxOfferAgeMinutes: integer('max_offer_age_minutes'),
    /** The offer age in which the marketplace's budget reads all its listings; null before the first reading. */
    reachableOfferAgeMinutes: integer('reachable_offer_age_minutes'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.mode, MARKETPLACE_MODES),
    isOneOf(t.resetReason, MODE_RESET_REASONS),
    isOneOf(t.externalEdits, EXTERNAL_EDIT_POLICIES),
    isOneOf(t.businessPrices, BUSINESS_PRICE_POLICIES),
    holds('max_offer_age_minutes_range', sql`${t.maxOfferAgeMinutes} between 60 and 4320`),
    holds('reachable_offer_age_minutes_range', sql`${t.reachableOfferAgeMinutes} between 0 and 4320`),
    holds('live_has_no_reset_reason', sql`${t.mode} = 'recommend_only' or ${t.resetReason} is null`),
  ],
);

export const REVIEW_SCOPES = ['store', 'rule'] as const;

/**
 * The switch over everything, separate from the settings: halting must never wait for, or conflict with, a save of
 * them. One row, written by the migration.
 */
export const repricingState = pgTable(
  'repricing_state',
  {
    id: text('id').primaryKey().default('default'),
    halted: boolean('halted').notNull().default(false),
    changedAt: instant('changed_at').notNull().default(sql`now()`),
    changedBy: text('changed_by'),
    /** Reason given by a user or the circuit breaker. */
    reason: text('reason'),
    /**
     * Token of the plan last reviewed by an administrator, to go live, to resume or with a rule: the circuit breaker accepts
     * one run of it, within an hour.
     */
    reviewedPlan: text('reviewed_plan'),
    reviewedAt: instant('reviewed_at'),
    reviewedBy: text('reviewed_by'),
    /** Of the whole store, or the changes of one rule alone. */
    reviewedScope: text('reviewed_scope', { enum: REVIEW_SCOPES }),
    /** Version and schema of the program that decided last; another one starts in recommend only. */
    release: text('release'),
    /** The day where the shop is for which `day_stocks` was taken last. */
    stocksOf: date('stocks_of', { mode: 'string' }),
    /**
     * When a restored or copied database was noticed, until an administrator confirms that it replaces the original: in
     * between no backups are scheduled and no events of marketplaces are received. Null: nothing to confirm.
     */
    unconfirmedRestoreAt: instant('unconfirmed_restore_at'),
  },
  (t) => [holds('one_row', sql`${t.id} = 'default'`), isOneOf(t.reviewedScope, REVIEW_SCOPES)],
);
