import type { LoginPayload } from '#contract/session.ts';
import { insertAudit } from '#db/queries/audit.ts';
import { findUserByUsername, lockUser, renewPasswordHash, type UserRow } from '#db/queries/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { countTry, forgiveTry, recordLockouts, takeBackTry } from './attempt-limits.ts';
import { openSession } from './sessions.ts';

export type SignedIn = { readonly user: UserRow; readonly token: string };

/**
 * Checks a name and a password and starts a session.
 *
 * An unknown name and a wrong password are one answer with the same work behind it; what state the account
 * is in is only said after the right password. An account that was changed between the check and the session
 * (a reset, a new role) gets no session: those changes end all sessions, and this one would slip past them.
 * @throws AppError invalid_credentials, not_approved, not_verified, not_allowed, conflict, too_many_requests
 */
export async function signIn(deps: AccountDeps, login: LoginPayload, caller: Caller): Promise<SignedIn> {
  const { db, now } = deps;
  const username = login.username.trim();
  const who = { address: caller.address, username };
  const lockouts = await countTry(db, 'login', who, now());
  const user = await findUserByUsername(db, username);
  if (!(await passwordMatches(deps, user, login.password, who)) || user === null) {
    await db.transaction(async (tx) => {
      await recordLogin({ ...deps, db: tx }, user, caller, 'login.failed');
      await recordLockouts(tx, 'login', lockouts, user, caller, now());
    });
    throw new AppError('invalid_credentials', 'The email address or the password is wrong.');
  }
  await forgiveTry(db, 'login', who);
  await refuseUnready(deps, user, caller);
  const outdated = deps.passwords.needsRehash(user.password);
  const renewed = outdated ? await deps.passwords.hash(login.password) : null;
  const token = await db.transaction(async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) return null;
    if (renewed !== null) await renewPasswordHash(tx, user, renewed);
    await recordLogin({ ...deps, db: tx }, user, caller, 'login.succeeded');
    return openSession(tx, user.id, caller, now());
  });
  if (token !== null) return { user, token };
  await recordLogin(deps, user, caller, 'login.refused');
  throw new AppError('conflict', 'Your account was changed while you signed in. Try again.');
}

/** Everything that the decision to let somebody in rests on. */
const DECISIVE = [
  'password',
  'approved',
  'emailVerified',
  'role',
  'mustChangePassword',
  'twoFactorEnabled',
  'twoFactorSecret',
] as const satisfies ReadonlyArray<keyof UserRow>;

function isUnchanged(checked: UserRow, current: UserRow | null): boolean {
  return current !== null && DECISIVE.every((field) => current[field] === checked[field]);
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
  const refusal = refusalFor(user);
  if (refusal === null) return;
  await recordLogin(deps, user, caller, 'login.refused');
  throw refusal;
}

/** Why the right password is not enough; null when it is. What cannot be asked for yet shuts the door. */
function refusalFor(user: UserRow): AppError | null {
  if (!user.approved)
    return new AppError('not_approved', 'Your account is waiting for administrator approval.');
  if (!user.emailVerified) return new AppError('not_verified', 'Your email address is not verified yet.');
  if (user.twoFactorEnabled) {
    return new AppError(
      'not_allowed',
      'This account asks for a second factor, which this version cannot check. Ask your administrator to switch it off.',
    );
  }
  if (user.mustChangePassword) {
    return new AppError(
      'not_allowed',
      'This account has to choose a new password first, which this version cannot do at sign-in. Ask your administrator.',
    );
  }
  return null;
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
