import { countOpenJobs } from '#db/queries/background/jobs.ts';
import { deleteUser } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { type ChangedUser, changeUser, type UserDeps } from './change-user.ts';

/** The result, and how many of the user's jobs stop (`jobPermit`). */
export interface RemovedUser extends ChangedUser {
  readonly stoppedJobs: number;
}

/**
 * Deletes an account permanently. What its owner did stays in the audit log and the price history, by name.
 * @throws AppError not_found, not_allowed; conflict for an administrator
 */
export async function removeUser(deps: UserDeps, id: string, editor: Editor): Promise<RemovedUser> {
  let stoppedJobs = 0;
  const changed = await changeUser(deps, id, editor, async (tx, { user }) => {
    if (user.role === 'admin') {
      throw new AppError('conflict', 'Administrators cannot be removed. Change the role to user first.');
    }
    const { email, approved, emailVerified, role } = user;
    // First, since the database would delete them without returning them.
    const endedSessions = await endAccessOf(tx, id);
    await deleteUser(tx, id);
    stoppedJobs = await countOpenJobs(tx, id);
    return {
      action: 'user.removed',
      before: { email, approved, emailVerified, role },
      after: stoppedJobs === 0 ? {} : { stoppedJobs },
      endedSessions,
    };
  });
  return { ...changed, stoppedJobs };
}
