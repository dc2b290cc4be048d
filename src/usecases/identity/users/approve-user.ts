import { updateUser } from '#db/queries/identity/users.ts';
import type { Editor } from '#usecases/editor.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import { type ChangedUser, changeUser, type UserDeps } from './change-user.ts';

/**
 * Approves a registered user; their address still has to be verified before they can log in. Repeating it changes
 * nothing.
 * @throws AppError not_found, not_allowed
 */
export async function approveUser(deps: UserDeps, id: string, editor: Editor): Promise<ChangedUser> {
  return changeUser(deps, id, editor, async (tx, { user }) => {
    if (user.approved) return null;
    await updateUser(tx, id, { approved: true }, deps.now());
    await queueEmail(tx, deps, 'approved', id);
    return {
      action: 'user.approved',
      before: { approved: false },
      after: { approved: true },
      endedSessions: [],
    };
  });
}
