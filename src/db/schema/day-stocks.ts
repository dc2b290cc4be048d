import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';
import { holds, isCount } from '#db/checks.ts';
import { listings } from './listings.ts';

/**
 * The stock when the day began where the shop is, as the marketplaces reported or files said, and its age, as files said.
 * Segments of rules compare them.
 */
export const dayStocks = pgTable(
  'day_stocks',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    stock: integer('stock'),
    stockAgeDays: integer('stock_age_days'),
  },
  (t) => [
    isCount(t.stock),
    isCount(t.stockAgeDays),
    holds('day_stocks_known', sql`${t.stock} is not null or ${t.stockAgeDays} is not null`),
  ],
);
