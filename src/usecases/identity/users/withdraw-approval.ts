import { updateUser } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { type ChangedUser, changeUser, LAST_ADMIN, type UserDeps } from './change-user.ts';

/**
 * Withdraws the approval of an account, and ends its sessions. Repeating it changes nothing.
 * @throws AppError not_found, not_allowed; conflict for the last administrator
 */
export async function withdrawApproval(deps: UserDeps, id: string, editor: Editor): Promise<ChangedUser> {
  return changeUser(deps, id, editor, async (tx, { user, isLastAdmin }) => {
    if (!user.approved) return null;
    if (isLastAdmin) throw new AppError('conflict', LAST_ADMIN);
    await updateUser(tx, id, { approved: false }, deps.now());
    return {
      action: 'user.approval_withdrawn',
      before: { approved: true },
      after: { approved: false },
      endedSessions: await endAccessOf(tx, id),
    };
  });
}
