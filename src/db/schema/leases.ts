import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { holds, isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/** Tasks that one process at a time may do. Changed by conditional updates only. */
export const leases = pgTable(
  'leases',
  {
    /** "send:walmart" */
    name: text('name').primaryKey(),
    /** Identifies one process. */
    owner: text('owner').notNull(),
    /** Fencing token: rises with every new holder, and writes with an older one are rejected. */
    fence: bigint('fence', { mode: 'number' }).notNull(),
    /** By the database's clock, the only one that all processes share. */
    expiresAt: instant('expires_at').notNull(),
    /** Session lock of the holder: if it is free, the lease ends early. Null: only expiry ends it. */
    sessionKey: integer('session_key'),
  },
  (t) => [
    isFilled(t.name, 100),
    isFilled(t.owner, 100),
    holds('fence_range', sql`${t.fence} between 1 and 9007199254740991`),
  ],
);
