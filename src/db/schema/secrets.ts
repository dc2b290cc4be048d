import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/** What stored secrets are locked with: the newest key locks, older ones open. Each is locked with the master key. */
export const dataKeys = pgTable(
  'data_keys',
  {
    /** As it stands in every record that it locked. */
    id: text('id').primaryKey(),
    wrapped: text('wrapped').notNull(),
    /** Rises: the newest has the highest, whatever the clock said. */
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [isFilled(t.id, 8), isFilled(t.wrapped, 500)],
);
