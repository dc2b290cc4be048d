import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { noticeLooks, notices } from '#db/schema/alerts.ts';
import { timestamptz } from '#db/sql-values.ts';
import { transact } from '#db/transact.ts';
import { ADMIN_NOTICE_KINDS, type AlertKind } from '#domain/alert-kinds.ts';
import type { Instant } from '#domain/units.ts';

export type NoticeRow = typeof notices.$inferSelect;

/** Who reads notices. Some kinds are for administrators alone. */
export type NoticeReader = 'admin' | 'user';

function isFor(reader: NoticeReader): SQL | undefined {
  return reader === 'admin' ? undefined : notInArray(notices.kind, [...ADMIN_NOTICE_KINDS]);
}

/** A notice as it stands now. */
export type CurrentNotice = Pick<NoticeRow, 'kind' | 'subject' | 'message' | 'link'> & {
  /** Of how many it tells, where that may grow. */
  readonly size?: number;
  /** See the column. */
  readonly forUsers?: string;
};

/** The notices that last. Held until the end of the transaction, so that two watchers cannot tell one thing twice. */
export async function lockOpenNotices(tx: Db): Promise<NoticeRow[]> {
  await tx.execute(sql`LOCK TABLE notices IN SHARE ROW EXCLUSIVE MODE`);
  return tx.select().from(notices).where(isNull(notices.endedAt));
}

export async function insertNotices(tx: Db, fresh: readonly CurrentNotice[], now: Instant): Promise<void> {
  if (fresh.length === 0) return;
  await tx.insert(notices).values(fresh.map((notice) => ({ ...notice, beganAt: now })));
}

export async function updateAlertMessage(
  tx: Db,
  id: number,
  words: Pick<NoticeRow, 'message' | 'forUsers' | 'link' | 'size'>,
): Promise<void> {
  await tx.update(notices).set(words).where(eq(notices.id, id));
}

export async function endNotices(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return;
  // A clock that was put back ends it at the moment it began.
  await tx
    .update(notices)
    .set({ endedAt: sql`greatest(${notices.beganAt}, ${timestamptz(now)})` })
    .where(inArray(notices.id, [...ids]));
}

/** Notices that last, and those that ended after a moment; what lasts comes first, then the newest. */
export async function listNotices(
  db: Db,
  endedAfter: Instant,
  limit: number,
  reader: NoticeReader = 'admin',
): Promise<NoticeRow[]> {
  return db
    .select()
    .from(notices)
    .where(and(or(isNull(notices.endedAt), gt(notices.endedAt, endedAfter)), isFor(reader)))
    .orderBy(asc(sql`${notices.endedAt} is not null`), desc(notices.beganAt), desc(notices.id))
    .limit(limit);
}

/** How many notices that last somebody has not seen. */
export async function countUnseen(db: Db, userId: string, reader: NoticeReader): Promise<number> {
  const seen = sql`coalesce((SELECT looked_at FROM notice_looks WHERE user_id = ${userId}), '-infinity')`;
  const [row] = await db
    .select({ count: count() })
    .from(notices)
    .where(and(isNull(notices.endedAt), sql`${notices.beganAt} > ${seen}`, isFor(reader)));
  return row?.count ?? 0;
}

/** Remembers that somebody has seen what there is. */
export async function markAlertsSeen(db: Db, userId: string, now: Instant): Promise<void> {
  await transact(db, (tx) =>
    tx
      .insert(noticeLooks)
      .values({ userId, lookedAt: now })
      .onConflictDoUpdate({ target: noticeLooks.userId, set: { lookedAt: now } }),
  );
}

/** Kinds with a notice that lasts and was not mailed, and of which no mail went out after a moment. */
export async function kindsToMail(tx: Db, mailedBefore: Instant): Promise<AlertKind[]> {
  const { rows } = await tx.execute<{ kind: AlertKind }>(sql`
    SELECT DISTINCT kind FROM notices n WHERE ended_at IS NULL AND mailed_at IS NULL
      AND NOT EXISTS (SELECT FROM notices m WHERE m.kind = n.kind
        AND m.mailed_at > ${timestamptz(mailedBefore)})`);
  return rows.map(({ kind }) => kind);
}

/** Marks the notices of some kinds that last as mailed at a moment: the mail finds them by it. */
export async function markMailed(tx: Db, kinds: readonly AlertKind[], at: Instant): Promise<void> {
  if (kinds.length === 0) return;
  await tx
    .update(notices)
    .set({ mailedAt: at })
    .where(and(inArray(notices.kind, [...kinds]), isNull(notices.endedAt), isNull(notices.mailedAt)));
}

/** What a mail of that moment tells of. */
export async function listMailed(db: Db, kind: AlertKind, at: Instant): Promise<NoticeRow[]> {
  return db
    .select()
    .from(notices)
    .where(and(eq(notices.kind, kind), eq(notices.mailedAt, at)))
    .orderBy(notices.id);
}

/** Forgets what ended before a moment. @returns how many */
export async function deleteEndedNotices(db: Db, before: Instant): Promise<number> {
  const { rowCount } = await db.delete(notices).where(lt(notices.endedAt, before));
  return rowCount ?? 0;
}
