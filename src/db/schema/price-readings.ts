import { sql } from 'drizzle-orm';
import { bigint, boolean, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isCount, isOneOf, isPrice } from '#db/checks.ts';
import { instant, money } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { READING_SOURCES } from '#domain/readings/assess-reading.ts';
import { READING_CHECK_OUTCOMES } from '#domain/readings/reading-check.ts';
import { listings } from './listings.ts';

/** A price that a source showed and that is not in force: while it is checked, and then how often it was refuted. */
export const suspectPrices = pgTable(
  'suspect_prices',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    source: text('source', { enum: READING_SOURCES }).notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    price: money('price').notNull(),
    /** Before it was read. */
    readAt: instant('read_at').notNull(),
    /** Null while it is not being checked. */
    openSince: instant('open_since'),
    /** The engine sends nothing for the listing while it is being checked. */
    stopsSending: boolean('stops_sending').notNull(),
    /** When the item is read; null until the reading that showed it has ended. */
    nextReadAt: instant('next_read_at'),
    /** One of those read first, when a reading has too many of them. */
    isSample: boolean('is_sample').notNull().default(false),
    /** In a row. */
    refuted: integer('refuted').notNull().default(0),
    refutedAt: instant('refuted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.source] }),
    index('suspect_prices_open_idx').on(t.marketplace, t.nextReadAt).where(sql`${t.openSince} is not null`),
    isOneOf(t.source, READING_SOURCES),
    isOneOf(t.marketplace, MARKETPLACES),
    isPrice(t.price),
    isCount(t.refuted),
    holds(
      'read_while_open',
      sql`${t.openSince} is not null or (${t.nextReadAt} is null and not ${t.isSample})`,
    ),
    holds('refuted_has_time', sql`(${t.refuted} > 0) = (${t.refutedAt} is not null)`),
  ],
);

/** Each time a marketplace went back to a former price of ours. */
export const priceReturns = pgTable(
  'price_returns',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.listingId, t.at] })],
);

/** The last reading of a marketplace, if it showed another price for a large share of the listings. */
export const readingChecks = pgTable(
  'reading_checks',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    source: text('source', { enum: READING_SOURCES }).notNull(),
    startedAt: instant('started_at').notNull(),
    compared: integer('compared').notNull(),
    suspects: integer('suspects').notNull(),
    /** Listings that are read singly first. */
    sampled: integer('sampled').notNull(),
    /** Of these: with the price in force, and with another one. */
    inForce: integer('in_force').notNull().default(0),
    differing: integer('differing').notNull().default(0),
    outcome: text('outcome', { enum: READING_CHECK_OUTCOMES }).notNull().default('checking'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.source, READING_SOURCES),
    isOneOf(t.outcome, READING_CHECK_OUTCOMES),
    isCount(t.compared),
    isCount(t.suspects),
    isCount(t.sampled),
    isCount(t.inForce),
    isCount(t.differing),
  ],
);

/** How many readings of a day showed a former price, by how many minutes after it had been replaced. */
export const readingLags = pgTable(
  'reading_lags',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    source: text('source', { enum: READING_SOURCES }).notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    /** Whole minutes, rounded up; 1,440 is a day or more. */
    minutes: integer('minutes').notNull(),
    readings: integer('readings').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.source, t.day, t.minutes] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.source, READING_SOURCES),
    isCount(t.minutes),
    isCount(t.readings, 1),
  ],
);
