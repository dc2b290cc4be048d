import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteSessionOf } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { AccountDeps } from './account-deps.ts';
import { clientName } from './client-name.ts';

/** As the database makes them. Anything else is nobody's, and need not reach it. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Ends one of somebody's own sessions.
 * @throws AppError not_found, in the same words for a session that is over, somebody else's or no session at all
 */
export async function endSession(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  id: string,
  editor: Editor,
): Promise<void> {
  const isEnded =
    ID.test(id) &&
    (await transact(db, async (tx) => {
      const ended = await deleteSessionOf(tx, editor.id, id);
      if (ended === null) return false;
      const { address, userAgent, createdAt } = ended;
      await insertAudit(tx, {
        ...madeBy(editor, now()),
        action: 'session.ended',
        targetKind: 'user',
        targetId: editor.id,
        before: { client: clientName(userAgent), address, startedAt: new Date(createdAt).toISOString() },
      });
      return true;
    }));
  if (!isEnded) throw new AppError('not_found', 'This session has already ended.');
}
