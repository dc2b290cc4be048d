import { deleteSessionsOf } from '#db/queries/sessions.ts';
import type { Editor } from '#usecases/editor.ts';
import { orderMail } from '#usecases/mail/mail-order.ts';
import { clearTwoFactor } from '#usecases/two-factor/clear-two-factor.ts';
import { type ChangedUser, changeUser, type UserDeps } from './change-user.ts';

/**
 * Takes the second factor off an account, with its recovery codes, and ends its sessions. Repeating it changes nothing.
 * @throws AppError not_found, not_allowed
 */
export async function disableTwoFactor(deps: UserDeps, id: string, editor: Editor): Promise<ChangedUser> {
  return changeUser(deps, id, editor, async (tx, { user }) => {
    if (!user.twoFactorEnabled) return null;
    await clearTwoFactor(tx, id, deps.now());
    await orderMail(tx, deps, 'two_factor_disabled', id);
    return {
      action: 'user.two_factor_disabled',
      before: { twoFactorEnabled: true },
      after: { twoFactorEnabled: false },
      endedSessions: await deleteSessionsOf(tx, id),
    };
  });
}
