import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteOtherSessions } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { type AccountDeps, sessionNow } from './account-deps.ts';
import { type EndedSessions, livingSessions } from './sessions.ts';

/** Ends every session of a user except the one that requests it. Does nothing when there is no other. */
export async function endOtherSessions(
  deps: Pick<AccountDeps, 'db' | 'now' | 'sessionClock'>,
  current: string,
  editor: Editor,
): Promise<EndedSessions> {
  return transact(deps.db, async (tx) => {
    const living = await livingSessions(tx, editor.id, sessionNow(deps));
    const endedSessions = await deleteOtherSessions(tx, editor.id, current);
    const count = living.filter(({ id }) => endedSessions.includes(id)).length;
    if (count > 0) {
      await insertAudit(tx, {
        ...madeBy(editor, deps.now()),
        action: 'session.others_ended',
        targetKind: 'user',
        targetId: editor.id,
        before: { sessions: count },
      });
    }
    return { endedSessions, count };
  });
}
