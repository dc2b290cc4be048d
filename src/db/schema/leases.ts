import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { holds, isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/** Who does what nobody else may do at the same time, over all processes. Changed by conditional updates alone. */
export const leases = pgTable(
  'leases',
  {
    /** "send:walmart" */
    name: text('name').primaryKey(),
    /** Names one process. */
    owner: text('owner').notNull(),
    /** Rises with every new holder: what an old one still writes is refused by it. */
    fence: bigint('fence', { mode: 'number' }).notNull(),
    /** By the database's clock, the only one that all processes share. */
    expiresAt: instant('expires_at').notNull(),
    /** The lock of its holder's database session: free, it ends the lease before its time. Null: only time ends it. */
    sessionKey: integer('session_key'),
  },
  (t) => [
    isFilled(t.name, 100),
    isFilled(t.owner, 100),
    holds('fence_range', sql`${t.fence} between 1 and 9007199254740991`),
  ],
);
