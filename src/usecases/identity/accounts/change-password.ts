import type { ChangePasswordPayload } from '#contract/session.ts';
import { deleteBrowsersOf } from '#db/queries/identity/known-browsers.ts';
import { deleteOneTimeTokens } from '#db/queries/identity/one-time-tokens.ts';
import { lockUser, type UserRow, updateUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type TwoFactorDeps, verifyFactor } from '#usecases/identity/two-factor/second-factor.ts';
import { type Caller, sessionNow } from './account-deps.ts';
import { endAccessOf } from './end-access.ts';
import { markBrowser } from './known-browsers.ts';
import type { LoggedIn } from './log-in.ts';
import { passwordLoginRefusal } from './password-logins.ts';
import { weakPasswordReason } from './password-rules.ts';
import { accountChanged, isUnchanged, missingFactor, refusalFor } from './readiness.ts';
import { openSession } from './sessions.ts';
import { recordAction, verifyPassword } from './verify-password.ts';

/** A user with a new password, logged in; the earlier sessions have ended. */
export type PasswordChanged = LoggedIn & { readonly endedSessions: readonly string[] };

/**
 * Replaces a password by one that its owner chose and logs in: after an administrator's reset, or at any time. Requires
 * the current password, and the second factor of an account that has one, under the same limits as the login.
 * @throws AppError invalid_credentials, not_approved, not_verified, not_allowed, two_factor_required, validation_failed, conflict,
 *   too_many_requests, unavailable
 */
export async function changePassword(
  deps: TwoFactorDeps,
  { username, password, newPassword, twoFactorToken = '' }: ChangePasswordPayload,
  caller: Caller,
): Promise<PasswordChanged> {
  const { db, now } = deps;
  const user = await verifyPassword(deps, { username, password }, caller, 'login', 'password_change');
  const refusal =
    refusalFor(user) ??
    (await passwordLoginRefusal(db, user)) ??
    newPasswordRefusal(user, password, newPassword) ??
    missingFactor(user, twoFactorToken);
  if (refusal !== null) {
    const after = { reason: refusal.code };
    await transact(db, (tx) => recordAction(tx, deps, user, caller, 'password_change.refused', { after }));
    throw refusal;
  }
  if (user.twoFactorEnabled) await verifyFactor(deps, user, twoFactorToken, caller, 'password_change');
  const hash = await deps.passwords.hash(newPassword);
  const changed = await transact(db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) return null;
    const after = await updateUser(tx, user.id, { password: hash, mustChangePassword: false }, now());
    if (after === null) return null;
    const endedSessions = await endAccessOf(tx, user.id);
    await deleteOneTimeTokens(tx, user.id, 'reset');
    await recordAction(tx, deps, user, caller, 'password_change.succeeded');
    // Browsers of another person who used the account are unknown from here on.
    await deleteBrowsersOf(tx, user.id);
    const browser = await markBrowser(tx, null, user.id, now());
    return {
      user: after,
      endedSessions,
      token: await openSession(tx, user.id, caller, sessionNow(deps)),
      browser,
    };
  });
  if (changed === null) throw accountChanged();
  return changed;
}

function newPasswordRefusal({ email }: UserRow, password: string, newPassword: string): AppError | null {
  const reason =
    newPassword === password
      ? 'This is your current password. Choose another one.'
      : weakPasswordReason(newPassword, email);
  return reason === null
    ? null
    : new AppError('validation_failed', reason, { fields: { newPassword: reason } });
}
