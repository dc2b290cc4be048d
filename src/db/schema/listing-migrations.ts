import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MIGRATION_STATES } from '#domain/connections/listing-migration.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** Listings of a marketplace that a user asked to move into its other model: the last time of each. */
export const listingMigrations = pgTable(
  'listing_migrations',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** The marketplace's number of the listing. */
    itemId: text('item_id').notNull(),
    state: text('state', { enum: MIGRATION_STATES }).notNull(),
    /** Of the connection when it was requested: not sent to another account. */
    generation: integer('generation').notNull(),
    /** The name at that time. */
    askedBy: text('asked_by').notNull(),
    askedAt: instant('asked_at').notNull(),
    /** When it is sent, or read back, next. */
    nextAt: instant('next_at').notNull(),
    /** When the call was about to leave; null before. */
    sentAt: instant('sent_at'),
    endedAt: instant('ended_at'),
    /** Why it was refused, is not known, or goes on waiting: a sentence, or the marketplace's words. */
    message: text('message'),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.itemId] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.state, MIGRATION_STATES),
    isFilled(t.itemId, 30),
    isFilled(t.askedBy, 254),
    isFilled(t.message, 2000),
    isCount(t.generation),
    holds('ended', sql`(${t.state} in ('migrated', 'refused')) = (${t.endedAt} is not null)`),
    index('listing_migrations_open_idx').on(t.marketplace, t.nextAt).where(sql`${t.endedAt} is null`),
  ],
);
