import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import type { AuditAction } from '#domain/audit-actions.ts';

/**
 * Who did what, to what, when and from where; written in the transaction of the change. Triggers reject
 * UPDATE, DELETE and TRUNCATE. Actor and target are plain text without foreign keys: a row outlives both.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().default(sql`now()`),
    /** Null: not logged in, or the system. */
    actorId: text('actor_id'),
    /** The name at that time, readable after the user was deleted. */
    actor: text('actor'),
    /** Rows of other releases may have actions that this one does not know. */
    action: text('action').$type<AuditAction>().notNull(),
    targetKind: text('target_kind'),
    targetId: text('target_id'),
    /** What changed; secrets are redacted when the row is written. */
    before: jsonb('before').$type<Readonly<Record<string, unknown>>>(),
    after: jsonb('after').$type<Readonly<Record<string, unknown>>>(),
    address: text('address'),
    requestId: text('request_id'),
    /** The name of the API token that it was done with, set for the transaction by the permit of its request. */
    token: text('token').default(sql`nullif(current_setting('pricewright.api_token', true), '')`),
  },
  (t) => [
    // Each in the order of the list, so that a filtered page is an index scan from its first row.
    index('audit_log_at_idx').on(t.at, t.id),
    index('audit_log_actor_idx').on(t.actor, t.at, t.id),
    index('audit_log_action_idx').on(t.action, t.at, t.id),
    index('audit_log_target_idx').on(t.targetKind, t.targetId, t.at, t.id),
    isFilled(t.action, 100),
  ],
);
