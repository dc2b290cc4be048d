import type { LoginPayload } from '#contract/session.ts';
import { lockUser, renewPasswordHash, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type TwoFactorDeps, verifyFactor } from '#usecases/identity/two-factor/second-factor.ts';
import { type AccountDeps, type Caller, sessionNow } from './account-deps.ts';
import { markBrowser } from './known-browsers.ts';
import { passwordLoginRefusal } from './password-logins.ts';
import { accountChanged, isUnchanged, missingFactor, refusalFor } from './readiness.ts';
import { openSession } from './sessions.ts';
import { recordAction, verifyPassword } from './verify-password.ts';

export type LoggedIn = {
  readonly user: UserRow;
  readonly token: string;
  /** The token by which this browser is recognized from now on. */
  readonly browser: string;
};

/**
 * Checks a name, a password and, where the account has one, a second factor, and starts a session. The state of the
 * account is only revealed after the right password. Where a new password is due, its choice uses up a code, so none is
 * requested before. An account that was changed between the check and the session (a reset, a new role) gets no
 * session.
 * @throws AppError invalid_credentials, not_approved, not_verified, not_allowed, password_change_required,
 *   two_factor_required, conflict, too_many_requests, unavailable
 */
export async function logIn(deps: TwoFactorDeps, login: LoginPayload, caller: Caller): Promise<LoggedIn> {
  const { db, now } = deps;
  const user = await verifyPassword(deps, login, caller, 'login');
  const refusal =
    refusalFor(user) ??
    (await passwordLoginRefusal(db, user)) ??
    passwordRefusal(user) ??
    missingFactor(user, login.twoFactorToken);
  if (refusal !== null) {
    await recordRefusal(deps, user, caller, refusal);
    throw refusal;
  }
  const factor = user.twoFactorEnabled
    ? await verifyFactor(deps, user, login.twoFactorToken, caller, 'login')
    : 'password';
  const outdated = user.password !== null && deps.passwords.needsRehash(user.password);
  const renewed = outdated ? await deps.passwords.hash(login.password) : null;
  const begun = await transact(db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) return null;
    if (renewed !== null) await renewPasswordHash(tx, user, renewed);
    await recordAction(tx, deps, user, caller, 'login.succeeded', { after: { factor } });
    const browser = await markBrowser(tx, caller.browser, user.id, now());
    return { user, token: await openSession(tx, user.id, caller, sessionNow(deps)), browser };
  });
  if (begun !== null) return begun;
  const refused = accountChanged();
  await recordRefusal(deps, user, caller, refused);
  throw refused;
}

async function recordRefusal(
  deps: AccountDeps,
  user: UserRow,
  caller: Caller,
  { code }: AppError,
): Promise<void> {
  await transact(deps.db, (tx) =>
    recordAction(tx, deps, user, caller, 'login.refused', { after: { reason: code } }),
  );
}

function passwordRefusal(user: UserRow): AppError | null {
  if (!user.mustChangePassword) return null;
  return new AppError(
    'password_change_required',
    'An administrator reset your password. Choose a new one to continue.',
  );
}
