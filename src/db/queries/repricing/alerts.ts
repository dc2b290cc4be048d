import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { alerts, alertViews } from '#db/schema/alerts.ts';
import { timestamptz } from '#db/sql-values.ts';
import { transact } from '#db/transact.ts';
import { ADMIN_ALERT_KINDS, type AlertKind } from '#domain/alert-kinds.ts';
import type { Instant } from '#domain/units.ts';

export type AlertRow = typeof alerts.$inferSelect;

/** Who reads alerts. Some kinds are only for administrators. */
export type AlertReader = 'admin' | 'user';

function isFor(reader: AlertReader): SQL | undefined {
  return reader === 'admin' ? undefined : notInArray(alerts.kind, [...ADMIN_ALERT_KINDS]);
}

/** The current state of an alert. */
export type CurrentAlert = Pick<AlertRow, 'kind' | 'subject' | 'message' | 'link'> & {
  /** The count in its message, where that may grow. */
  readonly size?: number;
  /** See the column. */
  readonly forUsers?: string;
};

/** Open alerts, locked until the end of the transaction, so that two processes cannot report the same thing twice. */
export async function lockOpenAlerts(tx: Db): Promise<AlertRow[]> {
  await tx.execute(sql`LOCK TABLE alerts IN SHARE ROW EXCLUSIVE MODE`);
  return tx.select().from(alerts).where(isNull(alerts.endedAt));
}

export async function insertAlerts(tx: Db, fresh: readonly CurrentAlert[], now: Instant): Promise<void> {
  if (fresh.length === 0) return;
  await tx.insert(alerts).values(fresh.map((alert) => ({ ...alert, startedAt: now })));
}

export async function updateAlertMessage(
  tx: Db,
  id: number,
  words: Pick<AlertRow, 'message' | 'forUsers' | 'link' | 'size'>,
): Promise<void> {
  await tx.update(alerts).set(words).where(eq(alerts.id, id));
}

export async function endAlerts(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return;
  // If the clock was set back, it ends when it started.
  await tx
    .update(alerts)
    .set({ endedAt: sql`greatest(${alerts.startedAt}, ${timestamptz(now)})` })
    .where(inArray(alerts.id, [...ids]));
}

/** Open alerts, and those that ended after a time; open ones first, then the newest. */
export async function listAlerts(
  db: Db,
  endedAfter: Instant,
  limit: number,
  reader: AlertReader = 'admin',
): Promise<AlertRow[]> {
  return db
    .select()
    .from(alerts)
    .where(and(or(isNull(alerts.endedAt), gt(alerts.endedAt, endedAfter)), isFor(reader)))
    .orderBy(asc(sql`${alerts.endedAt} is not null`), desc(alerts.startedAt), desc(alerts.id))
    .limit(limit);
}

/** The newest alerts of some kinds, open or ended, that started from one time on and before another. */
export async function listStartedAlerts(
  db: Db,
  kinds: readonly AlertKind[],
  { from, to }: { readonly from: Instant; readonly to: Instant },
  limit: number,
): Promise<AlertRow[]> {
  return db
    .select()
    .from(alerts)
    .where(and(inArray(alerts.kind, [...kinds]), gte(alerts.startedAt, from), lt(alerts.startedAt, to)))
    .orderBy(desc(alerts.startedAt), desc(alerts.id))
    .limit(limit);
}

/** How many open alerts the user has not seen. */
export async function countUnseen(db: Db, userId: string, reader: AlertReader): Promise<number> {
  const seen = sql`coalesce((SELECT viewed_at FROM alert_views WHERE user_id = ${userId}), '-infinity')`;
  const [row] = await db
    .select({ count: count() })
    .from(alerts)
    .where(and(isNull(alerts.endedAt), sql`${alerts.startedAt} > ${seen}`, isFor(reader)));
  return row?.count ?? 0;
}

/** Records that the user has seen all current alerts. */
export async function markAlertsSeen(db: Db, userId: string, now: Instant): Promise<void> {
  await transact(db, (tx) =>
    tx
      .insert(alertViews)
      .values({ userId, viewedAt: now })
      .onConflictDoUpdate({ target: alertViews.userId, set: { viewedAt: now } }),
  );
}

/** Kinds with an open alert that was not emailed, and with no email sent after a time. */
export async function kindsToEmail(tx: Db, emailedBefore: Instant): Promise<AlertKind[]> {
  const { rows } = await tx.execute<{ kind: AlertKind }>(sql`
    SELECT DISTINCT kind FROM alerts n WHERE ended_at IS NULL AND emailed_at IS NULL
      AND NOT EXISTS (SELECT FROM alerts m WHERE m.kind = n.kind
        AND m.emailed_at > ${timestamptz(emailedBefore)})`);
  return rows.map(({ kind }) => kind);
}

/** Marks the open alerts of some kinds as emailed at a time, which identifies the email. */
export async function markEmailed(tx: Db, kinds: readonly AlertKind[], at: Instant): Promise<void> {
  if (kinds.length === 0) return;
  await tx
    .update(alerts)
    .set({ emailedAt: at })
    .where(and(inArray(alerts.kind, [...kinds]), isNull(alerts.endedAt), isNull(alerts.emailedAt)));
}

/** The alerts in the email of that time. */
export async function listEmailed(db: Db, kind: AlertKind, at: Instant): Promise<AlertRow[]> {
  return db
    .select()
    .from(alerts)
    .where(and(eq(alerts.kind, kind), eq(alerts.emailedAt, at)))
    .orderBy(alerts.id);
}

/** Deletes alerts that ended before a time. @returns how many */
export async function deleteEndedAlerts(db: Db, before: Instant): Promise<number> {
  const { rowCount } = await db.delete(alerts).where(lt(alerts.endedAt, before));
  return rowCount ?? 0;
}
