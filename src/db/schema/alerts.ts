import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { ALERT_KINDS } from '#domain/alert-kinds.ts';
import { users } from './accounts.ts';

/** Something that needs attention; one row for each time it started. */
export const alerts = pgTable(
  'alerts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    /** The subject: "engine", "walmart", "rule 12". */
    subject: text('subject').notNull(),
    /** One sentence; updated with the figures while the alert is open. */
    message: text('message').notNull(),
    /** The sentence for users who are not administrators; null where it is the same. */
    forUsers: text('for_users'),
    /** The screen to open, "/listings?state=below_floor". */
    link: text('link').notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    emailedAt: instant('emailed_at'),
    /** The count in the message when the alert started, or a smaller later one; null where nothing is counted. */
    size: integer('size'),
  },
  (t) => [
    uniqueIndex('alerts_open_key').on(t.kind, t.subject).where(sql`${t.endedAt} is null`),
    index('alerts_ended_at_idx').on(t.endedAt),
    isOneOf(t.kind, ALERT_KINDS),
    isFilled(t.subject, 100),
    isFilled(t.message, 2000),
    isFilled(t.forUsers, 2000),
    isFilled(t.link, 500),
    isCount(t.size),
    holds('ends_after_start', sql`${t.endedAt} >= ${t.startedAt}`),
  ],
);

/** Up to when each user has seen the alerts. */
export const alertViews = pgTable('alert_views', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  viewedAt: instant('viewed_at').notNull(),
});
