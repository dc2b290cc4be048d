import { and, desc, eq, gt, inArray, ne } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';
import type { UserRow } from './users.ts';

export type NewSession = Omit<typeof sessions.$inferSelect, 'id'>;
export type LiveSession = Pick<typeof sessions.$inferSelect, 'id' | 'lastSeenAt' | 'provedAt'> & {
  readonly user: UserRow;
};

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.insert(sessions).values(session);
}

/**
 * The session behind a token, with its user as he is now. Null when it does not exist, has ended, rested
 * since before `seenAfter`, or its user may not sign in any more.
 */
export async function findLiveSession(
  db: Db,
  tokenHash: string,
  now: Instant,
  seenAfter: Instant,
): Promise<LiveSession | null> {
  const [row] = await liveSessions(db, tokenHash, now, seenAfter);
  return row ?? null;
}

/** {@link findLiveSession}; whatever ends it, or gives it another token, waits for the end of the transaction. */
export async function holdLiveSession(
  tx: Db,
  tokenHash: string,
  now: Instant,
  seenAfter: Instant,
): Promise<LiveSession | null> {
  // Of the session alone: whatever an account loses ends its sessions in the same transaction. And no more than their
  // keys: that somebody was seen just now waits for nobody.
  const [row] = await liveSessions(tx, tokenHash, now, seenAfter).for('key share', { of: sessions });
  return row ?? null;
}

function liveSessions(db: Db, tokenHash: string, now: Instant, seenAfter: Instant) {
  return db
    .select({
      id: sessions.id,
      lastSeenAt: sessions.lastSeenAt,
      provedAt: sessions.provedAt,
      user: users,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, seenAfter),
        eq(users.approved, true),
        eq(users.emailVerified, true),
      ),
    );
}

export async function touchSession(db: Db, id: string, now: Instant): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
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
 * Gives a living session another token; the one before is dead. A step-up counts from now.
 * @returns false when the session has ended
 */
export async function replaceSessionToken(
  db: Db,
  id: string,
  tokenHash: string,
  now: Instant,
): Promise<boolean> {
  const set = { tokenHash, lastSeenAt: now, provedAt: now };
  const replaced = await db
    .update(sessions)
    .set(set)
    .where(eq(sessions.id, id))
    .returning({ id: sessions.id });
  return replaced.length === 1;
}

/** The password was given again: a step-up counts from now. */
export async function markSessionProved(db: Db, id: string, now: Instant): Promise<void> {
  await db.update(sessions).set({ provedAt: now }).where(eq(sessions.id, id));
}

/**
 * Ends every session of a user. Give it the transaction that changes what the user may do.
 * @returns their ids, so that open streams can be ended too
 */
export async function deleteSessionsOf(db: Db, userId: string): Promise<string[]> {
  const ended = await db.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}

/** Ends every session of everybody. @returns how many there were */
export async function deleteAllSessions(tx: Db): Promise<number> {
  const { rowCount } = await tx.delete(sessions);
  return rowCount ?? 0;
}

/** A session as lists show it; the hash of its token stays here. */
export type ListedSession = Omit<
  typeof sessions.$inferSelect,
  'tokenHash' | 'userId' | 'provedAt' | 'expiresAt'
>;

/** The living sessions of a user, the one used last first: neither expired nor at rest since before `seenAfter`. */
export async function listSessions(
  db: Db,
  userId: string,
  now: Instant,
  seenAfter: Instant,
): Promise<ListedSession[]> {
  const { id, createdAt, lastSeenAt, address, userAgent } = sessions;
  return db
    .select({ id, createdAt, lastSeenAt, address, userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, seenAfter)))
    .orderBy(desc(lastSeenAt), desc(createdAt), id);
}

/** Ends one session of a user; null when it is not theirs or over already. */
export async function deleteSessionOf(db: Db, userId: string, id: string): Promise<ListedSession | null> {
  const { createdAt, lastSeenAt, address, userAgent } = sessions;
  const [row] = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id, createdAt, lastSeenAt, address, userAgent });
  return row ?? null;
}

/** {@link deleteSessionsOf} but for one, whose browser makes the change. */
export async function deleteOtherSessions(db: Db, userId: string, keptId: string): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
