import type { LoginPayload } from '#contract/session.ts';
import { lockUser, renewPasswordHash, type UserRow } from '#db/queries/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { provePassword, recordAct } from './prove-password.ts';
import { changedMeanwhile, isUnchanged, refusalFor } from './readiness.ts';
import { openSession } from './sessions.ts';

export type SignedIn = { readonly user: UserRow; readonly token: string };

/**
 * Checks a name and a password and starts a session.
 *
 * What state the account is in is only said after the right password. An account that was changed between the check
 * and the session (a reset, a new role) gets no session.
 * @throws AppError invalid_credentials, not_approved, not_verified, not_allowed, password_change_required, conflict,
 *   too_many_requests
 */
export async function signIn(deps: AccountDeps, login: LoginPayload, caller: Caller): Promise<SignedIn> {
  const { db, now } = deps;
  const user = await provePassword(deps, login, caller, 'login');
  const refusal = refusalFor(user) ?? passwordRefusal(user);
  if (refusal !== null) {
    await recordAct(db, deps, user, caller, 'login.refused');
    throw refusal;
  }
  const outdated = deps.passwords.needsRehash(user.password);
  const renewed = outdated ? await deps.passwords.hash(login.password) : null;
  const token = await db.transaction(async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) return null;
    if (renewed !== null) await renewPasswordHash(tx, user, renewed);
    await recordAct(tx, deps, user, caller, 'login.succeeded');
    return openSession(tx, user.id, caller, now());
  });
  if (token !== null) return { user, token };
  await recordAct(db, deps, user, caller, 'login.refused');
  throw changedMeanwhile();
}

function passwordRefusal(user: UserRow): AppError | null {
  if (!user.mustChangePassword) return null;
  return new AppError(
    'password_change_required',
    'An administrator has reset your password. Choose a new one to go on.',
  );
}
