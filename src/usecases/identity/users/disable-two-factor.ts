import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { clearTwoFactor } from '#usecases/identity/two-factor/clear-two-factor.ts';
import { type ChangedUser, changeUser, type UserDeps } from './change-user.ts';

const OWN =
  'This is your own account. Turn two-factor authentication off under Account & security, with your password and a code.';

/**
 * Removes the second factor of an account, with its recovery codes, and ends its sessions. Repeating it changes
 * nothing. The user's own needs a code: otherwise a password alone would open an administrator's account.
 * @throws AppError not_found, not_allowed, conflict for the user's own account
 */
export async function disableTwoFactor(deps: UserDeps, id: string, editor: Editor): Promise<ChangedUser> {
  return changeUser(deps, id, editor, async (tx, { user }) => {
    if (!user.twoFactorEnabled) return null;
    if (user.id === editor.id) throw new AppError('conflict', OWN);
    await clearTwoFactor(tx, id, deps.now());
    await queueEmail(tx, deps, 'two_factor_disabled', id);
    return {
      action: 'user.two_factor_disabled',
      before: { twoFactorEnabled: true },
      after: { twoFactorEnabled: false },
      endedSessions: await endAccessOf(tx, id),
    };
  });
}
