import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isPrice, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { CATEGORY_KEY_KINDS } from '#domain/fees/fee-category.ts';
import { FEE_CONFIDENCES, FEE_ORIGINS } from '#domain/fees/fee-publication.ts';
import { BAND_KINDS, EDGE_BASES } from '#domain/fees/fee-schedule.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/**
 * The fees of a marketplace, optionally of one category, from a date on.
 */
export const feeSchedules = pgTable(
  'fee_schedules',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Null: the marketplace's default. */
    category: text('category'),
    /** Null: since always. */
    effectiveFrom: instant('effective_from'),
    bandKind: text('band_kind', { enum: BAND_KINDS }).notNull().default('whole'),
    /** What the upper ends of the bands are measured on. */
    edgeBase: text('edge_base', { enum: EDGE_BASES }).notNull().default('revenue'),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    createdBy: text('created_by'),
    origin: text('origin', { enum: FEE_ORIGINS }).notNull().default('edited'),
    /** Where a shipped schedule was read, and how sure it is. */
    sourceTitle: text('source_title'),
    sourceDate: instant('source_date'),
    confidence: text('confidence', { enum: FEE_CONFIDENCES }),
    note: text('note'),
  },
  (t) => [
    // Nulls are equal here: with two defaults "since always" the fee would be arbitrary.
    unique('fee_schedules_key').on(t.marketplace, t.category, t.effectiveFrom).nullsNotDistinct(),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.category, 200),
    isOneOf(t.bandKind, BAND_KINDS),
    isOneOf(t.edgeBase, EDGE_BASES),
    isOneOf(t.origin, FEE_ORIGINS),
    isFilled(t.sourceTitle, 200),
    isOneOf(t.confidence, FEE_CONFIDENCES),
    isFilled(t.note, 500),
    holds(
      'source_is_whole',
      sql`(${t.sourceTitle} is null) = (${t.confidence} is null) and (${t.origin} = 'shipped' or ${t.sourceTitle} is null)`,
    ),
  ],
);

/** The rows of a schedule, by rising `upTo`; null is the last one. */
export const feeBands = pgTable(
  'fee_bands',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    scheduleId: bigint('schedule_id', { mode: 'number' })
      .notNull()
      .references(() => feeSchedules.id, { onDelete: 'cascade' }),
    upTo: money('up_to'),
    percent: share('percent').notNull(),
    /** Taken on the total with sales tax. */
    percentTaxed: share('percent_taxed').notNull().default(sql`0`),
    /** Per order. */
    fixed: money('fixed').notNull().default(sql`0`),
    perUnit: money('per_unit').notNull().default(sql`0`),
    minimum: money('minimum').notNull().default(sql`0`),
  },
  (t) => [
    unique('fee_bands_key').on(t.scheduleId, t.upTo).nullsNotDistinct(),
    isPrice(t.upTo),
    isShare(t.percent, '0', '100'),
    isShare(t.percentTaxed, '0', '100'),
    isAmount(t.fixed),
    isAmount(t.perUnit),
    isAmount(t.minimum),
  ],
);

/** The shipped schedules that were loaded: one that a user has edited or deleted returns only when it changes. */
export const shippedFees = pgTable(
  'shipped_fees',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    category: text('category'),
    effectiveFrom: instant('effective_from'),
    content: text('content').notNull(),
    loadedAt: instant('loaded_at').notNull(),
  },
  (t) => [
    unique('shipped_fees_key').on(t.marketplace, t.category, t.effectiveFrom).nullsNotDistinct(),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.category, 200),
  ],
);

/** The fee category that a marketplace's product type or category probably means: the shipped map of this release. */
export const categoryMap = pgTable(
  'category_map',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    kind: text('kind', { enum: CATEGORY_KEY_KINDS }).notNull(),
    key: text('key').notNull(),
    category: text('category').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.kind, t.key] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.kind, CATEGORY_KEY_KINDS),
    isFilled(t.key, 200),
    isFilled(t.category, 200),
  ],
);

/** What the fees of a marketplace depend on besides the category. A row for each marketplace. */
export const feeTerms = pgTable(
  'fee_terms',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    /** The seller's plan with the marketplace; null: the first one of the shipped fees. */
    plan: text('plan'),
    /** Sales tax as a share of revenue, for what is taken on the total with it; null: a user entered none. */
    salesTax: share('sales_tax'),
    /** Shares of the revenue counted for advertising and returns; null counts none. */
    adShare: share('ad_share'),
    returnShare: share('return_share'),
    /** The same of the seller's settled orders of 90 days; null before there are enough. */
    learnedSalesTax: share('learned_sales_tax'),
    /** How many orders it was learned from; null where that was not kept. */
    learnedFromOrders: integer('learned_from_orders'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.plan, 100),
    isShare(t.salesTax, '0', '30'),
    isShare(t.adShare, '0', '99.99'),
    isShare(t.returnShare, '0', '99.99'),
    isShare(t.learnedSalesTax, '0', '30'),
    isCount(t.learnedFromOrders, 1),
    holds(
      'learned_from_orders_of_share',
      sql`${t.learnedFromOrders} is null or ${t.learnedSalesTax} is not null`,
    ),
  ],
);
