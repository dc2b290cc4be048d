import { insertAudit } from '#db/queries/audit.ts';
import { deleteOtherSessions } from '#db/queries/sessions.ts';
import { transact } from '#db/transact.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { AccountDeps } from './account-deps.ts';
import { type EndedSessions, livingSessions } from './sessions.ts';

/** Ends every session of somebody but the one that asks for it. Without another one nothing happens. */
export async function endOtherSessions(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  current: string,
  editor: Editor,
): Promise<EndedSessions> {
  return transact(db, async (tx) => {
    const living = await livingSessions(tx, editor.id, now());
    const endedSessions = await deleteOtherSessions(tx, editor.id, current);
    const count = living.filter(({ id }) => endedSessions.includes(id)).length;
    if (count > 0) {
      await insertAudit(tx, {
        ...madeBy(editor, now()),
        action: 'session.others_ended',
        targetKind: 'user',
        targetId: editor.id,
        before: { sessions: count },
      });
    }
    return { endedSessions, count };
  });
}
