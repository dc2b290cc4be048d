import { and, desc, eq, gt, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema/accounts.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant, Millis } from '#domain/units.ts';
import type { UserRow } from './users.ts';

/**
 * The clock for the start, idle timeout and end of sessions: the database's own, which all processes share, or in
 * tests a given time.
 */
export type SessionMoment = Instant | 'database';

/** Idle timeout and absolute timeout of a session. */
export interface SessionLimits {
  readonly idle: Millis;
  readonly absolute: Millis;
}

export interface NewSession {
  readonly tokenHash: string;
  readonly userId: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Logged in with the identity provider. */
  readonly byProvider?: boolean;
  /** That login counts as one with a second factor. */
  readonly hasSecondFactor?: boolean;
}

export interface LiveSession {
  readonly id: string;
  /** Milliseconds since it was last used. Negative after a clock was set back, like the next one. */
  readonly seenAgo: number;
  /** Milliseconds since the password or a code was entered. */
  readonly stepUpAgo: number;
  /** Whether it was begun at the identity provider by a login that counts as one with a second factor. */
  readonly hasSecondFactor: boolean;
  readonly user: UserRow;
}

/** The SQL of a moment. */
export function moment(at: SessionMoment): SQL {
  return at === 'database' ? sql`clock_timestamp()` : timestamptz(at);
}

function span(time: Millis): SQL {
  return sql`make_interval(secs => ${time / 1_000}::float8)`;
}

export async function insertSession(
  db: Db,
  session: NewSession,
  at: SessionMoment,
  { absolute }: SessionLimits,
): Promise<void> {
  const now = moment(at);
  await db.insert(sessions).values({
    ...session,
    createdAt: now,
    lastSeenAt: now,
    stepUpAt: now,
    expiresAt: sql`${now} + ${span(absolute)}`,
  });
}

/**
 * The session of a token, with its user's current row. Null when it does not exist, has ended, was idle too long, or
 * its user may no longer log in.
 */
export async function findLiveSession(
  db: Db,
  tokenHash: string,
  at: SessionMoment,
  limits: SessionLimits,
): Promise<LiveSession | null> {
  const [row] = await liveSessions(db, tokenHash, at, limits);
  return row ?? null;
}

/** {@link findLiveSession}; locked against its end or a new token until the end of the transaction. */
export async function holdLiveSession(
  tx: Db,
  tokenHash: string,
  at: SessionMoment,
  limits: SessionLimits,
): Promise<LiveSession | null> {
  // Locks only the session: every change of an account's rights ends its sessions in the same transaction. And only its
  // key: an update of the last use need not wait.
  const [row] = await liveSessions(tx, tokenHash, at, limits).for('key share', { of: sessions });
  return row ?? null;
}

function liveSessions(db: Db, tokenHash: string, at: SessionMoment, limits: SessionLimits) {
  const ago = (since: SQL): SQL<number> =>
    sql<number>`round(date_part('epoch', ${moment(at)} - ${since}) * 1000)::float8`;
  return db
    .select({
      id: sessions.id,
      seenAgo: ago(sql`${sessions.lastSeenAt}`),
      stepUpAgo: ago(sql`${sessions.stepUpAt}`),
      hasSecondFactor: sessions.hasSecondFactor,
      user: users,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        isLiving(at, limits),
        eq(users.approved, true),
        eq(users.emailVerified, true),
      ),
    );
}

/** Neither expired nor idle for too long. */
function isLiving(at: SessionMoment, { idle }: SessionLimits): SQL | undefined {
  const now = moment(at);
  return and(gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, sql`${now} - ${span(idle)}`));
}

export async function touchSession(db: Db, id: string, at: SessionMoment): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: moment(at) })
    .where(eq(sessions.id, id));
}

/** Ends a session; null when there was none. */
export async function deleteSession(
  db: Db,
  tokenHash: string,
): Promise<{ readonly id: string; readonly userId: string } | null> {
  const [row] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ id: sessions.id, userId: sessions.userId });
  return row ?? null;
}

/** Ends the oldest sessions of a user beyond the newest `keep`. */
export async function deleteOldestSessions(db: Db, userId: string, keep: number): Promise<void> {
  const surplus = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .offset(keep);
  await db.delete(sessions).where(inArray(sessions.id, surplus));
}

/**
 * Replaces the token of a live session; the old one is invalid. A step-up counts from now.
 * @returns false when the session has ended
 */
export async function replaceSessionToken(
  db: Db,
  id: string,
  tokenHash: string,
  at: SessionMoment,
): Promise<boolean> {
  const replaced = await db
    .update(sessions)
    .set({ tokenHash, lastSeenAt: moment(at), stepUpAt: moment(at) })
    .where(eq(sessions.id, id))
    .returning({ id: sessions.id });
  return replaced.length === 1;
}

/** The password was entered again: a step-up counts from now. */
export async function markStepUp(db: Db, id: string, at: SessionMoment): Promise<void> {
  await db
    .update(sessions)
    .set({ stepUpAt: moment(at) })
    .where(eq(sessions.id, id));
}

/**
 * Ends every session of a user. Needs the transaction that changes the user's rights.
 * @returns their ids, so that open streams can be ended too
 */
export async function deleteSessionsOf(db: Db, userId: string): Promise<string[]> {
  const ended = await db.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}

/** Deletes expired sessions. @returns how many there were */
export async function deleteExpiredSessions(db: Db, at: SessionMoment): Promise<number> {
  const { rowCount } = await db.delete(sessions).where(lt(sessions.expiresAt, moment(at)));
  return rowCount ?? 0;
}

/** Ends all sessions of all users. @returns how many there were */
export async function deleteAllSessions(tx: Db): Promise<number> {
  const { rowCount } = await tx.delete(sessions);
  return rowCount ?? 0;
}

/** A session for lists, without the hash of its token. */
export type ListedSession = Omit<
  typeof sessions.$inferSelect,
  'tokenHash' | 'userId' | 'stepUpAt' | 'expiresAt' | 'byProvider' | 'hasSecondFactor'
>;

/** The live sessions of a user, the one used last first. */
export async function listSessions(
  db: Db,
  userId: string,
  at: SessionMoment,
  limits: SessionLimits,
): Promise<ListedSession[]> {
  const { id, createdAt, lastSeenAt, address, userAgent } = sessions;
  return db
    .select({ id, createdAt, lastSeenAt, address, userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLiving(at, limits)))
    .orderBy(desc(lastSeenAt), desc(createdAt), id);
}

/** Ends one session of a user; null when it is not theirs or has ended. */
export async function deleteSessionOf(db: Db, userId: string, id: string): Promise<ListedSession | null> {
  const { createdAt, lastSeenAt, address, userAgent } = sessions;
  const [row] = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id, createdAt, lastSeenAt, address, userAgent });
  return row ?? null;
}

/** {@link deleteSessionsOf} except one, whose browser makes the change. */
export async function deleteOtherSessions(db: Db, userId: string, keptId: string): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
