import { type Permit, UNRESTRICTED } from '#db/permitted.ts';
import { findUser, shareUser, type UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * Lets every transaction of a job write only while its person may still do it. Looked at as each begins, and once more at its
 * end, where the account is held until the commit: once a removal or another role has been answered, nothing more is written.
 * Not held from the beginning: a batch takes seconds, and whoever removes somebody does not wait for it.
 * @param person who asked for the job; without an id it is the program's own, which asks nobody
 * @param requireRight throws an AppError for an account that may not do it; left out where any account that can sign in may
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
