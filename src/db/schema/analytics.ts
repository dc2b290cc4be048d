import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isShare, isSignedAmount, isSum } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MONEY_STATES, type SalePartText } from '#domain/sales/settle-sale.ts';
import { listings } from './listings.ts';
import { PRICE_SOURCES } from './prices.ts';

/** What set the price of a sale; `earlier`: the ledger had no price of the listing yet. */
export const SALE_PRICE_SOURCES = [...PRICE_SOURCES, 'earlier'] as const;

/** What set a price: copied from the ledger, which is only added to. */
const attribution = {
  priceSource: text('price_source', { enum: SALE_PRICE_SOURCES }),
  ruleId: bigint('rule_id', { mode: 'number' }),
  runId: bigint('run_id', { mode: 'number' }),
};

/**
 * Order lines with what the source reported of them, and with the figures calculated from that: fees, costs and profit.
 * A figure that is unknown is null, never zero.
 */
export const salesHistory = pgTable(
  'sales_history',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'restrict' }),
    /** The order line at its source; the same line synced twice is one sale. */
    externalId: text('external_id'),
    saleDate: instant('sale_date').notNull(),
    quantitySold: integer('quantity_sold').notNull(),
    unitPrice: money('unit_price').notNull(),
    /** What the buyer paid for the units, less discounts, without shipping and tax. */
    totalRevenue: money('total_revenue').notNull(),
    /** Product, packaging and misc cost of one unit. */
    unitCost: money('unit_cost'),
    /** Of all units, with the shipping cost. */
    totalCost: money('total_cost'),
    /** Profit. */
    marginPerUnit: money('margin_per_unit'),
    totalMargin: money('total_margin'),
    /** The reported fees, or else the estimated ones, with the fulfillment fee; below zero where more came back. */
    marketplaceFees: money('marketplace_fees'),
    /** What the parcel cost us, for all units. */
    shippingCost: money('shipping_cost'),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    /** The order at its marketplace; null where the source has none. */
    orderRef: text('order_ref'),
    /** The place of the line in its order, from 1. */
    lineNumber: integer('line_number'),
    /** What the buyer paid for shipping; estimated from the shipping charge where the source does not report it. */
    shippingRevenue: money('shipping_revenue'),
    shippingRevenueIsEstimate: boolean('shipping_revenue_is_estimate').notNull().default(false),
    feesTold: money('fees_told'),
    feesEstimated: money('fees_estimated'),
    moneyState: text('money_state', { enum: MONEY_STATES }).notNull().default('estimated'),
    /** A part of the profit is an estimate. */
    isAbout: boolean('is_about').notNull().default(true),
    /** What was estimated and what was reported, by kind of money. */
    parts: jsonb('parts').$type<readonly SalePartText[]>().notNull().default([]),
    /** What was reported beyond the order: discounts that the marketplace funded, and corrections of its revenue. */
    adjustment: money('adjustment'),
    ads: money('ads'),
    /** What returns and claims cost, less what came back, goods included. */
    refunds: money('refunds'),
    /** Some of the money was booked, but not released yet. */
    isPending: boolean('is_pending').notNull().default(false),
    /** Units that came back into stock, as the marketplace reported or a user entered since, and when. */
    restocked: integer('restocked').notNull().default(0),
    restockedAt: instant('restocked_at'),
    /** Those that the marketplace reported: what a user entered counts until it reports another number. */
    restockedTold: integer('restocked_told').notNull().default(0),
    /** The row of the price ledger that the sale belongs to; null where none is as old. */
    priceHistoryId: bigint('price_history_id', { mode: 'number' }),
    /** Source, rule and run of that row. */
    ...attribution,
    /** When the figures were calculated; null before the first time. */
    computedAt: instant('computed_at'),
  },
  (t) => [
    index('sales_history_listing_id_idx').on(t.listingId, t.saleDate),
    unique('sales_history_key').on(t.listingId, t.externalId),
    index('sales_history_external_id_idx').on(t.externalId).where(sql`${t.externalId} is not null`),
    index('sales_history_sale_date_idx').on(sql`${t.saleDate} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`),
    index('sales_history_order_ref_idx').on(t.orderRef).where(sql`${t.orderRef} is not null`),
    isCount(t.quantitySold, 1),
    isAmount(t.unitPrice),
    isAmount(t.totalRevenue),
    isAmount(t.unitCost),
    isAmount(t.totalCost),
    isSignedAmount(t.marginPerUnit),
    isSignedAmount(t.totalMargin),
    isSignedAmount(t.marketplaceFees),
    isAmount(t.shippingCost),
    isFilled(t.orderRef, 500),
    isCount(t.lineNumber, 1),
    isAmount(t.shippingRevenue),
    isAmount(t.feesTold),
    isAmount(t.feesEstimated),
    isSignedAmount(t.adjustment),
    isSignedAmount(t.ads),
    isSignedAmount(t.refunds),
    isCount(t.restocked),
    holds('restocked_has_time', sql`(${t.restocked} > 0) = (${t.restockedAt} is not null)`),
    isCount(t.restockedTold),
    isOneOf(t.moneyState, MONEY_STATES),
    isOneOf(t.priceSource, SALE_PRICE_SOURCES),
    index('sales_history_rule_idx').on(t.ruleId, t.saleDate).where(sql`${t.ruleId} is not null`),
    index('sales_history_run_idx').on(t.runId).where(sql`${t.runId} is not null`),
  ],
);

/**
 * Order lines of items that are no listings yet: they become sales when a listing of theirs is added. Kept for 400 days.
 */
export const unlistedSales = pgTable(
  'unlisted_sales',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    externalId: text('external_id').notNull(),
    orderRef: text('order_ref'),
    lineNumber: integer('line_number'),
    sku: text('sku'),
    /** The item at the marketplace, where it reports no SKU. */
    itemId: text('item_id'),
    saleDate: instant('sale_date').notNull(),
    quantitySold: integer('quantity_sold').notNull(),
    unitPrice: money('unit_price').notNull(),
    totalRevenue: money('total_revenue').notNull(),
    shippingRevenue: money('shipping_revenue'),
    feesTold: money('fees_told'),
    restocked: integer('restocked').notNull().default(0),
    restockedAt: instant('restocked_at'),
    /** All of it was paid back: it is recorded once its payment is booked. */
    isRefunded: boolean('is_refunded').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.externalId] }),
    index('unlisted_sales_refunded_idx').on(t.marketplace, t.orderRef).where(sql`${t.isRefunded}`),
    index('unlisted_sales_sku_idx').on(t.marketplace, t.sku).where(sql`${t.sku} is not null`),
    index('unlisted_sales_item_idx')
      .on(t.marketplace, t.itemId)
      .where(sql`${t.sku} is null AND ${t.itemId} is not null`),
    index('unlisted_sales_sale_date_idx').on(t.saleDate),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.orderRef, 500),
    isCount(t.lineNumber, 1),
    isCount(t.quantitySold, 1),
    isAmount(t.unitPrice),
    isAmount(t.totalRevenue),
    isAmount(t.shippingRevenue),
    isAmount(t.feesTold),
    isCount(t.restocked),
    holds('restocked_has_time', sql`(${t.restocked} > 0) = (${t.restockedAt} is not null)`),
  ],
);

/**
 * Listings whose sales are to be calculated again, filled by triggers in the transaction that changed a fee, a cost or a
 * sale.
 */
export const salesDue = pgTable(
  'sales_due',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Sales from this moment on. */
    since: instant('since').notNull(),
    /** Of the sales of exactly that moment only those with a higher ID. */
    afterId: bigint('after_id', { mode: 'number' }).notNull().default(0),
  },
  (t) => [
    index('sales_due_since_idx').on(sql`${t.since} DESC NULLS LAST`, sql`${t.listingId} DESC NULLS LAST`),
  ],
);

/** What returns of a sale cost, by the moment at which it was booked. */
export const saleRefunds = pgTable(
  'sale_refunds',
  {
    saleId: bigint('sale_id', { mode: 'number' })
      .notNull()
      .references(() => salesHistory.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    amount: money('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.saleId, t.at] }),
    index('sale_refunds_listing_idx').on(t.listingId, t.at),
    isSignedAmount(t.amount),
  ],
);

/** Sales that are to be calculated again for what was booked of them, filled by triggers. */
export const saleMoneyDue = pgTable('sale_money_due', {
  saleId: bigint('sale_id', { mode: 'number' })
    .primaryKey()
    .references(() => salesHistory.id, { onDelete: 'cascade' }),
});

/** Corrections of closed days may take units away. */
const MIN_CHANGE = -2_147_483_647;
const sum = (name: string) => numeric(name, { precision: 20, scale: 2 });

/**
 * Sums of the sales of a listing on a day of the shop, and of what was booked on that day: returns of sales, and amounts
 * without a sale, which have no source; those of no listing are a row of their marketplace. One row for each rule and run
 * that set a price. Sums of money are over what is known, null when nothing is.
 */
export const profitDays = pgTable(
  'profit_days',
  {
    listingId: bigint('listing_id', { mode: 'number' }).references(() => listings.id, {
      onDelete: 'cascade',
    }),
    day: date('day', { mode: 'string' }).notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Order lines, those whose profit is known, and those of which everything was reported. */
    sales: integer('sales').notNull(),
    salesKnown: integer('sales_known').notNull(),
    salesTold: integer('sales_told').notNull(),
    units: integer('units').notNull(),
    /** With shipping. */
    revenue: sum('revenue').notNull(),
    /** Of the sales whose profit is known. */
    revenueKnown: sum('revenue_known').notNull(),
    fees: sum('fees'),
    cost: sum('cost'),
    shipping: sum('shipping'),
    profit: sum('profit'),
    ads: sum('ads'),
    refunds: sum('refunds'),
    /** Of a correction the closed day that it corrects: it is booked on `day`, and may take units away. */
    corrects: date('corrects', { mode: 'string' }),
    ...attribution,
  },
  (t) => [
    unique('profit_days_key')
      .on(t.listingId, t.day, t.marketplace, t.priceSource, t.ruleId, t.runId, t.corrects)
      .nullsNotDistinct(),
    // What listings are sorted by is read from the index alone.
    index('profit_days_day_idx').on(
      t.day,
      t.listingId,
      t.units,
      t.sales,
      t.revenue,
      t.revenueKnown,
      t.profit,
    ),
    index('profit_days_corrects_idx').on(t.corrects, t.listingId).where(sql`${t.corrects} is not null`),
    holds('corrects_earlier_day', sql`${t.corrects} < ${t.day}`),
    index('profit_days_run_idx').on(t.runId).where(sql`${t.runId} is not null`),
    index('profit_days_unlisted_idx').on(t.day).where(sql`${t.listingId} is null`),
    isOneOf(t.priceSource, SALE_PRICE_SOURCES),
    isOneOf(t.marketplace, MARKETPLACES),
    isSum(t.revenue),
    isSum(t.revenueKnown),
    isSum(t.fees),
    isSum(t.cost),
    isSum(t.shipping),
    isSum(t.profit),
    isSum(t.ads),
    isSum(t.refunds),
    isCount(t.sales, MIN_CHANGE),
    isCount(t.salesKnown, MIN_CHANGE),
    isCount(t.salesTold, MIN_CHANGE),
    isCount(t.units, MIN_CHANGE),
  ],
);

/**
 * Sums of `profit_days` by listing and month: what listings and SKUs are sorted by over a long time. Kept by triggers, as
 * `profit_totals`.
 */
export const profitMonths = pgTable(
  'profit_months',
  {
    /** Its first day. */
    month: date('month', { mode: 'string' }).notNull(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** The number of sums in it, and of those whose profit is known. */
    sums: integer('sums').notNull(),
    profitSums: integer('profit_sums').notNull(),
    sales: integer('sales').notNull(),
    units: integer('units').notNull(),
    revenue: sum('revenue').notNull(),
    revenueKnown: sum('revenue_known').notNull(),
    profit: sum('profit').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.month, t.listingId] }),
    isCount(t.sums, 1),
    isCount(t.profitSums),
    isCount(t.sales, MIN_CHANGE),
    isCount(t.units, MIN_CHANGE),
    isSum(t.revenue),
    isSum(t.revenueKnown),
    isSum(t.profit),
  ],
);

/** The columns of sums of sums: of a figure that can be unknown, the number of sums in which it is known. */
const totals = {
  /** The number of sums in it. */
  sums: integer('sums').notNull(),
  sales: integer('sales').notNull(),
  salesKnown: integer('sales_known').notNull(),
  salesTold: integer('sales_told').notNull(),
  units: integer('units').notNull(),
  revenue: sum('revenue').notNull(),
  revenueKnown: sum('revenue_known').notNull(),
  fees: sum('fees').notNull(),
  feesSums: integer('fees_sums').notNull(),
  ads: sum('ads').notNull(),
  adsSums: integer('ads_sums').notNull(),
  cost: sum('cost').notNull(),
  costSums: integer('cost_sums').notNull(),
  shipping: sum('shipping').notNull(),
  shippingSums: integer('shipping_sums').notNull(),
  refunds: sum('refunds').notNull(),
  refundsSums: integer('refunds_sums').notNull(),
  profit: sum('profit').notNull(),
  profitSums: integer('profit_sums').notNull(),
};

/** Sums of `profit_days` by marketplace, day and rule. */
export const profitTotals = pgTable(
  'profit_totals',
  {
    day: date('day', { mode: 'string' }).notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    priceSource: attribution.priceSource,
    ruleId: attribution.ruleId,
    ...totals,
  },
  (t) => [
    unique('profit_totals_key').on(t.day, t.marketplace, t.priceSource, t.ruleId).nullsNotDistinct(),
    isOneOf(t.priceSource, SALE_PRICE_SOURCES),
    isOneOf(t.marketplace, MARKETPLACES),
    isCount(t.sums, 1),
    isCount(t.sales, MIN_CHANGE),
    isCount(t.salesKnown, MIN_CHANGE),
    isCount(t.salesTold, MIN_CHANGE),
    isCount(t.units, MIN_CHANGE),
    isSum(t.revenue),
    isSum(t.revenueKnown),
    isSum(t.fees),
    isCount(t.feesSums),
    isSum(t.ads),
    isCount(t.adsSums),
    isSum(t.cost),
    isCount(t.costSums),
    isSum(t.shipping),
    isCount(t.shippingSums),
    isSum(t.refunds),
    isCount(t.refundsSums),
    isSum(t.profit),
    isCount(t.profitSums),
  ],
);

/** Sums of `profit_days` by marketplace, month and run. */
export const profitRunMonths = pgTable(
  'profit_run_months',
  {
    /** Its first day. */
    month: date('month', { mode: 'string' }).notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    priceSource: attribution.priceSource,
    runId: attribution.runId,
    ...totals,
  },
  (t) => [
    uniqueIndex('profit_run_months_key').on(
      t.month,
      t.marketplace,
      sql`coalesce(${t.priceSource}, '')`,
      sql`coalesce(${t.runId}, 0)`,
    ),
    isOneOf(t.priceSource, SALE_PRICE_SOURCES),
    isOneOf(t.marketplace, MARKETPLACES),
    isCount(t.sums, 1),
    isCount(t.sales, MIN_CHANGE),
    isCount(t.salesKnown, MIN_CHANGE),
    isCount(t.salesTold, MIN_CHANGE),
    isCount(t.units, MIN_CHANGE),
    isSum(t.revenue),
    isSum(t.revenueKnown),
    isSum(t.fees),
    isCount(t.feesSums),
    isSum(t.ads),
    isCount(t.adsSums),
    isSum(t.cost),
    isCount(t.costSums),
    isSum(t.shipping),
    isCount(t.shippingSums),
    isSum(t.refunds),
    isCount(t.refundsSums),
    isSum(t.profit),
    isCount(t.profitSums),
  ],
);

/**
 * The time zones in which the days of sales and money are counted, each from a day and a moment on. There is one row until the
 * zone changes while the books are closed: closed days stay as they were. Changed together with the sums of its days.
 */
export const dayZones = pgTable(
  'day_zones',
  {
    fromDay: date('from_day', { mode: 'string' }).primaryKey(),
    fromAt: instant('from_at').notNull(),
    zone: text('zone').notNull(),
    /** Grows with every change. */
    number: integer('number').notNull(),
  },
  (t) => [isFilled(t.zone, 100), isCount(t.number, 1)],
);

/** Days of listings, or of a marketplace without one, whose sums are to be made again: filled by triggers. */
export const profitDue = pgTable(
  'profit_due',
  {
    listingId: bigint('listing_id', { mode: 'number' }).references(() => listings.id, {
      onDelete: 'cascade',
    }),
    day: date('day', { mode: 'string' }).notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** The newest change of `day_zones` when the day was found: after another one it is due with the days around it. */
    zonesNumber: integer('zones_number').notNull(),
  },
  (t) => [
    unique('profit_due_key').on(t.listingId, t.day, t.marketplace).nullsNotDistinct(),
    index('profit_due_day_idx').on(t.day, t.listingId),
    isCount(t.zonesNumber, 1),
    isOneOf(t.marketplace, MARKETPLACES),
  ],
);

/** The newest figures of a listing, as the marketplace reports them. */
export const listingAnalytics = pgTable(
  'listing_analytics',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .unique()
      .references(() => listings.id, { onDelete: 'cascade' }),
    reviewCount: integer('review_count').notNull().default(0),
    /** Stars, "4.37". */
    averageRating: numeric('average_rating', { precision: 3, scale: 2 }),
    salesRank: integer('sales_rank'),
    salesRankCategory: text('sales_rank_category'),
    buyBoxPercentage: share('buy_box_percentage'),
    lastUpdated: instant('last_updated').notNull().default(sql`now()`),
  },
  (t) => [
    isCount(t.reviewCount),
    holds('average_rating_range', sql`${t.averageRating} between 0 and 5`),
    isCount(t.salesRank, 1),
    isShare(t.buyBoxPercentage, '0', '100'),
  ],
);

/** Buy-box share and stock per day, for learning. Recorded from the first day, since the past cannot be read later. */
export const listingDays = pgTable(
  'listing_days',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** UTC, "2026-11-21". */
    day: date('day', { mode: 'string' }).notNull(),
    /** How often the featured offer was read, and how often it was ours. */
    buyBoxPolls: integer('buy_box_polls').notNull().default(0),
    buyBoxWins: integer('buy_box_wins').notNull().default(0),
    reviewCount: integer('review_count'),
    averageRating: numeric('average_rating', { precision: 3, scale: 2 }),
    salesRank: integer('sales_rank'),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.day] }),
    isCount(t.buyBoxPolls),
    isCount(t.buyBoxWins),
    holds('wins_at_most_polls', sql`${t.buyBoxWins} <= ${t.buyBoxPolls}`),
    isCount(t.reviewCount),
    holds('average_rating_range', sql`${t.averageRating} between 0 and 5`),
    isCount(t.salesRank, 1),
  ],
);

/**
 * Stock as it changed. A price episode is the time from one row of the ledger to the next; these rows give its in-stock
 * time, so that "sold out" is never read as "no demand at this price".
 */
export const stockLevels = pgTable(
  'stock_levels',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    quantity: integer('quantity').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.at] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isCount(t.quantity),
  ],
);
