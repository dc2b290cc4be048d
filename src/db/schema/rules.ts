import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf, isShare, isSignedAmount } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { MAX_LINES_TEXT } from '#domain/lines/line.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { BELOW_FLOOR, NO_COMPETITOR, RULE_FULFILLMENTS, STRATEGIES } from '#domain/rules/rule.ts';
import type { Schedule } from '#domain/rules/schedule.ts';
import type { Segment } from '#domain/rules/segment.ts';

/**
 * How prices are decided. A deleted rule keeps its row: the history still shows its name, and a listing assigned to it
 * keeps its price instead of silently getting another rule. Of two equal rules the one with the lower ID is older.
 */
export const repricingRules = pgTable(
  'repricing_rules',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    /** Null: those of the segment, which are all where it names none. */
    marketplace: text('marketplace', { enum: MARKETPLACES }),
    fulfillmentType: text('fulfillment_type', { enum: RULE_FULFILLMENTS }).notNull(),
    strategy: text('strategy', { enum: STRATEGIES }).notNull(),
    minimumMargin: share('minimum_margin').notNull(),
    competitorOffset: money('competitor_offset'),
    isActive: boolean('is_active').notNull().default(true),
    requiresReview: boolean('requires_review').notNull().default(false),
    noCompetitor: text('no_competitor', { enum: NO_COMPETITOR }).notNull().default('keep'),
    belowFloor: text('below_floor', { enum: BELOW_FLOOR }).notNull().default('floor'),
    otherChannels: boolean('other_channels').notNull().default(false),
    /** Reject a price that would make the SKU's price on Walmart or Amazon higher than on another of our channels. */
    refuseCrossChannel: boolean('refuse_cross_channel').notNull().default(false),
    filterMinRating: share('filter_min_rating'),
    filterMinRatingCount: integer('filter_min_rating_count'),
    filterMaxHandlingDays: integer('filter_max_handling_days'),
    /** Seller keys: trimmed and case-folded. */
    filterIgnoreSellers: text('filter_ignore_sellers').array().notNull().default([]),
    filterFulfillmentType: text('filter_fulfillment_type', { enum: FULFILLMENT_TYPES }),
    /** As `printLines` writes them; null: the strategy decides. */
    lines: text('lines'),
    /** Since when it has these lines, by the clock of the database like `due_listings.due_since`. */
    linesSince: instant('lines_since').notNull().default(sql`now()`),
    targetMargin: share('target_margin'),
    winShare: share('win_share').notNull().default(sql`50`),
    onlySameShipping: boolean('only_same_shipping').notNull().default(true),
    ignoreUnderFloor: share('ignore_under_floor'),
    /** The fields that are set; amounts in whole cents. */
    segment: jsonb('segment').$type<Partial<Segment>>().notNull().default({}),
    priority: integer('priority'),
    schedule: jsonb('schedule').$type<Schedule>(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    isFilled(t.name, 200),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.fulfillmentType, RULE_FULFILLMENTS),
    isOneOf(t.strategy, STRATEGIES),
    isShare(t.minimumMargin, '0', '99.99'),
    isSignedAmount(t.competitorOffset),
    isOneOf(t.noCompetitor, NO_COMPETITOR),
    isOneOf(t.belowFloor, BELOW_FLOOR),
    isShare(t.filterMinRating, '0', '100'),
    isCount(t.filterMinRatingCount),
    isCount(t.filterMaxHandlingDays),
    isOneOf(t.filterFulfillmentType, FULFILLMENT_TYPES),
    isFilled(t.lines, MAX_LINES_TEXT),
    isShare(t.targetMargin, '0', '99.99'),
    isShare(t.winShare, '0', '100'),
    isShare(t.ignoreUnderFloor, '0', '100'),
    holds('segment_is_object', sql`jsonb_typeof(${t.segment}) = 'object'`),
    holds('priority_range', sql`${t.priority} between 1 and 999`),
    holds('schedule_is_object', sql`jsonb_typeof(${t.schedule}) = 'object'`),
  ],
);

/** Minimum margins of a rule for single marketplaces. */
export const repricingRuleMargins = pgTable(
  'repricing_rule_margins',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ruleId: bigint('rule_id', { mode: 'number' })
      .notNull()
      .references(() => repricingRules.id, { onDelete: 'cascade' }),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    minimumMargin: share('minimum_margin').notNull(),
  },
  (t) => [
    unique('repricing_rule_margins_key').on(t.ruleId, t.marketplace),
    isOneOf(t.marketplace, MARKETPLACES),
    isShare(t.minimumMargin, '0', '99.99'),
  ],
);

/** Target margins of a rule for single marketplaces. */
export const repricingRuleTargets = pgTable(
  'repricing_rule_targets',
  {
    ruleId: bigint('rule_id', { mode: 'number' })
      .notNull()
      .references(() => repricingRules.id, { onDelete: 'cascade' }),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    targetMargin: share('target_margin').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ruleId, t.marketplace] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isShare(t.targetMargin, '0', '99.99'),
  ],
);
