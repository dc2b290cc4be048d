import { sql } from 'drizzle-orm';
import { bigint, date, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isCount, isOneOf, isShare } from '#db/checks.ts';
import { instant, share } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { listings } from './listings.ts';

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
