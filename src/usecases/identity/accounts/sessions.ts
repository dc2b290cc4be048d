import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  deleteOldestSessions,
  deleteSession,
  findLiveSession,
  holdLiveSession,
  insertSession,
  type ListedSession,
  type LiveSession,
  listSessions,
  replaceSessionToken,
  type SessionLimits,
  type SessionMoment,
  touchSession,
} from '#db/queries/identity/sessions.ts';
import { findUser, lockUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { hours, minutes } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { newToken, tokenHash } from './secret-token.ts';

/** A session ends after this, however busy. */
export const SESSION_ABSOLUTE_LIMIT = hours(24);
/** It ends when it rests for an hour, too. */
const LIMITS: SessionLimits = { idle: hours(1), absolute: SESSION_ABSOLUTE_LIMIT };
/** The oldest session of an account ends when one more begins. */
const SESSIONS_PER_ACCOUNT = 20;
// A write per request would cost more than it tells.
const TOUCH_INTERVAL = minutes(1);

/** Sessions that were ended. Their streams are the caller's to end. */
export interface EndedSessions {
  readonly endedSessions: readonly string[];
  /** How many of them still opened something. */
  readonly count: number;
}

/** Starts a session, inside a transaction. @returns its token, which exists nowhere else from here on */
export async function openSession(
  db: Db,
  userId: string,
  caller: Caller,
  at: SessionMoment,
): Promise<string> {
  const token = newToken();
  // One at a time per account: two at once would not see each other, and leave one session too many.
  await lockUser(db, userId);
  const { address, userAgent } = caller;
  await insertSession(db, { tokenHash: tokenHash(token), userId, address, userAgent }, at, LIMITS);
  await deleteOldestSessions(db, userId, SESSIONS_PER_ACCOUNT);
  return token;
}

/**
 * Gives a session another token, inside the transaction of what its owner changed about the sign-in; the one before is
 * dead.
 * @returns the token, which exists nowhere else from here on
 * @throws AppError not_signed_in when the session has ended meanwhile
 */
export async function renewSession(tx: Db, id: string, at: SessionMoment): Promise<string> {
  const token = newToken();
  if (await replaceSessionToken(tx, id, tokenHash(token), at)) return token;
  throw new AppError('not_signed_in', 'Log in to continue.');
}

/** The living session behind a token, with its user as the database has him now; null when there is none. */
export async function findSession(db: Db, token: string, at: SessionMoment): Promise<LiveSession | null> {
  return findLiveSession(db, tokenHash(token), at, LIMITS);
}

/** {@link findSession} inside a transaction, until whose end nothing ends the session. */
export async function holdSession(tx: Db, token: string, at: SessionMoment): Promise<LiveSession | null> {
  return holdLiveSession(tx, tokenHash(token), at, LIMITS);
}

/** The sessions of a user that still open something, the one used last first. */
export async function livingSessions(db: Db, userId: string, at: SessionMoment): Promise<ListedSession[]> {
  return listSessions(db, userId, at, LIMITS);
}

/** Counts a request as activity. Streams are none: a forgotten tab must not keep a session alive. */
export async function keepSessionAlive(db: Db, session: LiveSession, at: SessionMoment): Promise<void> {
  if (session.seenAgo >= TOUCH_INTERVAL) await touchSession(db, session.id, at);
}

/**
 * Ends a session for good and writes down by what: its owner's logout, or another session in the same browser.
 * @returns its id, null when it had ended before
 */
export async function closeSession(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  token: string,
  caller: Caller,
  action: 'logout' | 'session.replaced',
): Promise<string | null> {
  return transact(db, async (tx) => {
    const ended = await deleteSession(tx, tokenHash(token));
    if (ended === null) return null;
    const user = await findUser(tx, ended.userId);
    await insertAudit(tx, {
      at: now(),
      action,
      actorId: ended.userId,
      actor: user?.username ?? null,
      targetKind: 'user',
      targetId: ended.userId,
      address: caller.address,
      requestId: caller.requestId,
    });
    return ended.id;
  });
}
