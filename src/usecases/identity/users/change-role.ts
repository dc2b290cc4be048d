import type { Role } from '#contract/session.ts';
import { updateUser } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { type ChangedUser, changeUser, LAST_ADMIN, type UserDeps } from './change-user.ts';

/**
 * Gives an account a role and ends its sessions. The role that it has already changes nothing.
 * @throws AppError not_found, not_allowed; conflict when the last administrator would become a user
 */
export async function changeRole(
  deps: UserDeps,
  id: string,
  role: Role,
  editor: Editor,
): Promise<ChangedUser> {
  return changeUser(deps, id, editor, async (tx, { user, isLastAdmin }) => {
    if (user.role === role) return null;
    if (isLastAdmin) throw new AppError('conflict', LAST_ADMIN);
    // What is withdrawn here stays so, whatever the groups at the identity provider say.
    await updateUser(tx, id, { role, wasDemoted: role === 'user' }, deps.now());
    return {
      action: 'user.role_changed',
      before: { role: user.role },
      after: { role },
      endedSessions: await endAccessOf(tx, id),
    };
  });
}
