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

/** A session ends after this time even when it is used. */
export const SESSION_ABSOLUTE_LIMIT = hours(24);
/** It also ends after an hour without use. */
const LIMITS: SessionLimits = { idle: hours(1), absolute: SESSION_ABSOLUTE_LIMIT };
/** A new session beyond this ends the oldest one of the account. */
const SESSIONS_PER_ACCOUNT = 20;
// Activity is written at most once a minute, to save writes.
const TOUCH_INTERVAL = minutes(1);

/** Sessions that were ended. The caller must end their streams. */
export interface EndedSessions {
  readonly endedSessions: readonly string[];
  /** How many of them were still valid. */
  readonly count: number;
}

/** How a session was begun at the identity provider. */
export type ProviderLoginKind = {
  /** Whether the login counts as one with a second factor. */
  readonly hasSecondFactor: boolean;
};

/**
 * Starts a session, inside a transaction.
 * @param provider of a login with the identity provider
 * @returns its token, which is stored nowhere else
 */
export async function openSession(
  db: Db,
  userId: string,
  caller: Caller,
  at: SessionMoment,
  provider: ProviderLoginKind | null = null,
): Promise<string> {
  const token = newToken();
  // One at a time per account: simultaneous ones would not see each other, and leave one session too many.
  await lockUser(db, userId);
  const { address, userAgent } = caller;
  const login = {
    byProvider: provider !== null,
    hasSecondFactor: provider?.hasSecondFactor ?? false,
  };
  await insertSession(db, { tokenHash: tokenHash(token), userId, address, userAgent, ...login }, at, LIMITS);
  await deleteOldestSessions(db, userId, SESSIONS_PER_ACCOUNT);
  return token;
}

/**
 * Gives a session a new token, in the transaction of its owner's change of the login; the old token is invalid.
 * @returns the token, which is stored nowhere else
 * @throws AppError not_signed_in when the session has ended in between
 */
export async function renewSession(tx: Db, id: string, at: SessionMoment): Promise<string> {
  const token = newToken();
  if (await replaceSessionToken(tx, id, tokenHash(token), at)) return token;
  throw new AppError('not_signed_in', 'Log in to continue.');
}

/** The valid session of a token, with its user as stored now; null when there is none. */
export async function findSession(db: Db, token: string, at: SessionMoment): Promise<LiveSession | null> {
  return findLiveSession(db, tokenHash(token), at, LIMITS);
}

/** {@link findSession} inside a transaction, which prevents the end of the session until it completes. */
export async function holdSession(tx: Db, token: string, at: SessionMoment): Promise<LiveSession | null> {
  return holdLiveSession(tx, tokenHash(token), at, LIMITS);
}

/** The valid sessions of a user, last used first. */
export async function livingSessions(db: Db, userId: string, at: SessionMoment): Promise<ListedSession[]> {
  return listSessions(db, userId, at, LIMITS);
}

/** Records a request as activity. Streams are not: a forgotten tab must not keep a session alive. */
export async function keepSessionAlive(db: Db, session: LiveSession, at: SessionMoment): Promise<void> {
  if (session.seenAgo >= TOUCH_INTERVAL) await touchSession(db, session.id, at);
}

/**
 * Ends a session and audits the cause: its owner's logout, or another session in the same browser.
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
