import { sql } from 'drizzle-orm';
import { bigint, boolean, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isFilled, isOneOf, isShare } from '#db/checks.ts';
import { instant, share } from '#db/columns.ts';
import { SITUATIONS } from '#domain/lines/line.ts';
import { listings } from './listings.ts';
import { repricingRules } from './rules.ts';

/**
 * What the lines of a rule remember of a listing from decision to decision. It counts only for this rule with these lines:
 * of another rule, or of changed lines, nothing is known.
 */
export const lineMemories = pgTable(
  'line_memories',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    ruleId: bigint('rule_id', { mode: 'number' })
      .notNull()
      .references(() => repricingRules.id, { onDelete: 'cascade' }),
    /** Of the text of the lines. */
    linesHash: text('lines_hash').notNull(),
    /** What the last decision saw, and since when. */
    situation: text('situation', { enum: SITUATIONS }),
    situationSince: instant('situation_since'),
    /** When the last turn of a line began, in milliseconds, by the number of the line. */
    turns: jsonb('turns').$type<Readonly<Record<string, number>>>().notNull(),
  },
  (t) => [
    isFilled(t.linesHash, 64),
    isOneOf(t.situation, SITUATIONS),
    holds('situation_whole', sql`(${t.situation} is null) = (${t.situationSince} is null)`),
  ],
);

/** Who held the buy box in the readings of the last hours; written while a rule has lines, deleted by a job. */
export const boxReadings = pgTable(
  'box_readings',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    readAt: instant('read_at').notNull(),
    isOurs: boolean('is_ours').notNull(),
  },
  (t) => [primaryKey({ columns: [t.listingId, t.readAt] })],
);

/** How often competitors followed our raises, as worked out last; only of listings whose rule asks. */
export const followShares = pgTable(
  'follow_shares',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Null below three occasions. */
    share: share('share'),
    /** Of the members of the rule that decide which offers count. */
    countedHash: text('counted_hash').notNull(),
    knownAt: instant('known_at').notNull(),
  },
  (t) => [isShare(t.share, '0', '100'), isFilled(t.countedHash, 64)],
);
