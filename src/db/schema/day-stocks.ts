import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';
import { isCount } from '#db/checks.ts';
import { listings } from './listings.ts';

/** What the marketplaces told of the stock when the day began where the shop is. Segments of rules compare it. */
export const dayStocks = pgTable(
  'day_stocks',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    stock: integer('stock').notNull(),
  },
  (t) => [isCount(t.stock)],
);
