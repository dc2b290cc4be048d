import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { ALERT_KINDS } from '#domain/alert-kinds.ts';
import { users } from './accounts.ts';

/** Something that people have to know of, while it lasts; one row for each time it began. */
export const alerts = pgTable(
  'alerts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    /** What it is about: "engine", "walmart", "rule 12". */
    subject: text('subject').notNull(),
    /** One sentence; follows the figures while it lasts. */
    message: text('message').notNull(),
    /** What people without the role of administrator read instead; null where that is the same. */
    forUsers: text('for_users'),
    /** The screen to look at, "/listings?state=below_floor". */
    link: text('link').notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    emailedAt: instant('emailed_at'),
    /** Of how many it told when it was told, or fewer where they became fewer since; null where nothing is counted. */
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

/** Up to when each person has seen them. */
export const alertViews = pgTable('alert_views', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  viewedAt: instant('viewed_at').notNull(),
});
