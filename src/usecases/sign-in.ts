import type { LoginPayload } from '#contract/session.ts';
import { insertAudit } from '#db/queries/audit.ts';
import { findUserByUsername, renewPasswordHash, type UserRow } from '#db/queries/users.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { AppError } from './app-error.ts';
import { countTry, forgiveTry, takeBackTry } from './attempt-limits.ts';
import { openSession } from './sessions.ts';

export type SignedIn = { readonly user: UserRow; readonly token: string };

/**
 * Checks a name and a password and starts a session.
 *
 * An unknown name and a wrong password are one answer with the same work behind it; what state the account
 * is in is only said after the right password.
 * @throws AppError invalid_credentials, not_approved, not_verified, too_many_requests
 */
export async function signIn(deps: AccountDeps, login: LoginPayload, caller: Caller): Promise<SignedIn> {
  const { db, now } = deps;
  const username = login.username.trim();
  const who = { address: caller.address, username };
  await countTry(db, 'login', who, now());
  const user = await findUserByUsername(db, username);
  if (!(await passwordMatches(deps, user, login.password, who)) || user === null) {
    await recordLogin(deps, user, caller, 'login.failed');
    throw new AppError('invalid_credentials', 'The email address or the password is wrong.');
  }
  await forgiveTry(db, 'login', who);
  await refuseUnready(deps, user, caller);
  if (deps.passwords.needsRehash(user.password)) {
    await renewPasswordHash(db, user, await deps.passwords.hash(login.password));
  }
  const token = await db.transaction(async (tx) => {
    await recordLogin({ ...deps, db: tx }, user, caller, 'login.succeeded');
    return openSession(tx, user.id, caller, now());
  });
  return { user, token };
}

async function passwordMatches(
  { db, passwords }: AccountDeps,
  user: UserRow | null,
  password: string,
  who: { address: string; username: string },
): Promise<boolean> {
  try {
    return await passwords.verify(user?.password ?? null, password);
  } catch (error) {
    // Turned away at the gate: nothing was tested, so it was no guess.
    await takeBackTry(db, 'login', who);
    throw error;
  }
}

async function refuseUnready(deps: AccountDeps, user: UserRow, caller: Caller): Promise<void> {
  if (user.approved && user.emailVerified) return;
  await recordLogin(deps, user, caller, 'login.refused');
  if (!user.approved) {
    throw new AppError('not_approved', 'Your account is waiting for administrator approval.');
  }
  throw new AppError('not_verified', 'Your email address is not verified yet.');
}

/** A name that nobody has is not written down: people type passwords into the wrong field. */
async function recordLogin(
  { db, now }: AccountDeps,
  user: UserRow | null,
  caller: Caller,
  action: string,
): Promise<void> {
  await insertAudit(db, {
    at: now(),
    action,
    actorId: user?.id ?? null,
    actor: user?.username ?? null,
    targetKind: 'user',
    targetId: user?.id ?? null,
    address: caller.address,
    requestId: caller.requestId,
  });
}
