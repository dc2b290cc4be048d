import { deleteSessionsOf } from '#db/queries/identity/sessions.ts';
import type { Editor } from '#usecases/editor.ts';
import { type AccountDeps, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { type EndedSessions, livingSessions } from '#usecases/identity/accounts/sessions.ts';
import { changeUser, type UserDeps } from './change-user.ts';

/**
 * Logs an account out everywhere; it may log in again at once. Does nothing without a session.
 * @throws AppError not_found, not_allowed
 */
export async function endSessions(
  deps: Pick<UserDeps, 'db' | 'now'> & Pick<AccountDeps, 'sessionClock'>,
  id: string,
  editor: Editor,
): Promise<EndedSessions> {
  let count = 0;
  const { endedSessions } = await changeUser(deps, id, editor, async (tx) => {
    const living = await livingSessions(tx, id, sessionNow(deps));
    const ended = await deleteSessionsOf(tx, id);
    count = living.filter((session) => ended.includes(session.id)).length;
    if (count === 0) return null;
    return { action: 'user.sessions_ended', before: {}, after: {}, endedSessions: ended };
  });
  return { endedSessions, count };
}
