import { deleteBrowsersOf } from '#db/queries/identity/known-browsers.ts';
import { deleteOneTimeTokens } from '#db/queries/identity/one-time-tokens.ts';
import { findUser, updateUser } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';
import { unlockAccount } from '#usecases/identity/accounts/attempt-limits.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { weakPasswordReason } from '#usecases/identity/accounts/password-rules.ts';
import { type ChangedUser, changeUser, type UserDeps } from './change-user.ts';

/**
 * Gives an account a password for one login, at which its owner must choose another one. Its sessions end, lockouts
 * after wrong passwords end too, a second factor is kept.
 * @throws AppError not_found, not_allowed; validation_failed for a password that is too easy to guess
 */
export async function resetPassword(
  deps: UserDeps & Pick<AccountDeps, 'passwords'>,
  id: string,
  newPassword: string,
  editor: Editor,
): Promise<ChangedUser> {
  const known = await findUser(deps.db, id);
  const weak = known === null ? null : weakPasswordReason(newPassword, known.email);
  if (weak !== null) throw new AppError('validation_failed', weak, { fields: { newPassword: weak } });
  const password = await deps.passwords.hash(newPassword);
  return changeUser(deps, id, editor, async (tx, { user }) => {
    await updateUser(tx, id, { password, mustChangePassword: true }, deps.now());
    await unlockAccount(tx, user.username);
    await deleteBrowsersOf(tx, id);
    await deleteOneTimeTokens(tx, id, 'reset');
    await queueEmail(tx, deps, 'password_reset', id);
    return {
      action: 'user.password_reset',
      before: { mustChangePassword: user.mustChangePassword },
      after: { mustChangePassword: true },
      endedSessions: await endAccessOf(tx, id),
    };
  });
}
