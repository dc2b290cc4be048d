import { sql } from 'drizzle-orm';
import { bigint, pgSequence, pgTable, text } from 'drizzle-orm/pg-core';
import { isFilled, isPrice } from '#db/checks.ts';
import { instant, money } from '#db/columns.ts';
import { listings } from './listings.ts';

/** Numbers every marking of a listing as due. */
export const dueMarks = pgSequence('due_marks_seq');

/**
 * Listings whose inputs changed, filled by triggers in the transaction that changed them. A batch reads a
 * row before the facts and deletes it with its result, unless it was marked again in between.
 */
export const dueListings = pgTable(
  'due_listings',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    dueSince: instant('due_since').notNull().default(sql`now()`),
    /** What changed first: "offers", "cost", "rule", "fees", "settings", "sweep", ... */
    cause: text('cause').notNull(),
    /** Renewed by every further change. */
    mark: bigint('mark', { mode: 'number' }).notNull().default(sql`nextval('due_marks_seq')`),
    /** The one of `listing_metrics`, for a listing that went live before its first decision. */
    lowestAllowed: money('lowest_allowed'),
  },
  (t) => [isFilled(t.cause, 50), isPrice(t.lowestAllowed)],
);
