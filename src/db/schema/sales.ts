import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isSignedAmount } from '#db/checks.ts';
import { instant, money } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MONEY_STATES, type SalePartText } from '#domain/sales/settle-sale.ts';
import { listings } from './listings.ts';
import { PRICE_SOURCES } from './prices.ts';

/** What set the price of a sale; `earlier`: the ledger had no price of the listing yet. */
export const SALE_PRICE_SOURCES = [...PRICE_SOURCES, 'earlier'] as const;

/** What set a price: copied from the ledger, which is only added to. */
export const attribution = {
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
