import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/**
 * Who did what, to what, when and from where; written in the transaction of the change. Triggers refuse
 * UPDATE, DELETE and TRUNCATE. Actor and target are plain text without foreign keys: a row outlives both.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().default(sql`now()`),
    /** Null: nobody signed in, or the system itself. */
    actorId: text('actor_id'),
    /** The name at that time, readable after the user is gone. */
    actor: text('actor'),
    /** A dotted verb such as "user.approved" or "login.failed". */
    action: text('action').notNull(),
    targetKind: text('target_kind'),
    targetId: text('target_id'),
    /** What changed, secrets redacted by whoever writes the row. */
    before: jsonb('before').$type<Readonly<Record<string, unknown>>>(),
    after: jsonb('after').$type<Readonly<Record<string, unknown>>>(),
    address: text('address'),
    requestId: text('request_id'),
  },
  (t) => [
    index('audit_log_at_idx').on(t.at),
    index('audit_log_target_idx').on(t.targetKind, t.targetId),
    isFilled(t.action, 100),
  ],
);
