import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteSessionOf } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { AccountDeps } from './account-deps.ts';
import { clientName } from './client-name.ts';

/** The form of a session id; any other text needs no query. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Ends one of the user's own sessions.
 * @throws AppError not_found, the same for an ended session, another user's or none at all
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
