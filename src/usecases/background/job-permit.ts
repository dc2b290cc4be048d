import { type Permit, UNRESTRICTED } from '#db/permitted.ts';
import { findUser, shareUser, type UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * Lets every transaction of a job write only while its user may still do it. Checked when each starts, and again at its
 * end, where the account is locked until the commit: once the response to a removal or a role change was sent, nothing
 * more is written. Not locked from the start: a batch takes seconds, and a removal must not wait for it.
 * @param person the user who started the job; without an id it is the program's own, which needs no right
 * @param requireRight throws an AppError for an account that may not do it; undefined where any account that can log in
 *   may
 */
export function jobPermit(
  { id, name }: { readonly id: string | null; readonly name: string },
  requireRight: (user: UserRow) => void = () => undefined,
): Permit {
  if (id === null) return UNRESTRICTED;
  const look = (user: UserRow | null): void => {
    if (user === null) throw stopped(`the account of ${name} was removed`);
    if (!user.approved || !user.emailVerified) throw stopped(`${name} no longer has access`);
    try {
      requireRight(user);
    } catch (error) {
      if (error instanceof AppError) throw stopped(`${name} is no longer allowed to do this`);
      throw error;
    }
  };
  return async (tx) => {
    look(await findUser(tx, id));
    return async (work) => look(await shareUser(work, id));
  };
}

function stopped(why: string): AppError {
  return new AppError('not_allowed', `Stopped: ${why}.`);
}
