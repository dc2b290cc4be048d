import { sql } from 'drizzle-orm';
import {
  bigint,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf, isSum } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { listings } from './listings.ts';
import { attribution, SALE_PRICE_SOURCES } from './sales.ts';

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
