import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { holds } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/** The clock as the purges saw it: one row, from the first of them. */
export const purgeClock = pgTable(
  'purge_clock',
  {
    id: text('id').primaryKey().default('default'),
    /** The last purge. */
    seenAt: instant('seen_at').notNull(),
    /** When it was seen far ahead of the purge before; null once it was right for a day, or was set back. */
    jumpedAt: instant('jumped_at'),
  },
  (t) => [holds('one_row', sql`${t.id} = 'default'`)],
);
