import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/** Keys that encrypt stored secrets: the newest encrypts, older ones decrypt. Each is encrypted with the master key. */
export const dataKeys = pgTable(
  'data_keys',
  {
    /** Stored in every record that it encrypted. */
    id: text('id').primaryKey(),
    wrapped: text('wrapped').notNull(),
    /** Rises: the newest has the highest, even if the clock was wrong. */
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [isFilled(t.id, 8), isFilled(t.wrapped, 500)],
);
