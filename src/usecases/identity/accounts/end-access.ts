import type { Db } from '#db/client.ts';
import { deleteApiTokensOf } from '#db/queries/identity/api-tokens.ts';
import { deleteOtherSessions, deleteSessionsOf } from '#db/queries/identity/sessions.ts';

/**
 * Ends every session and every API token of a user. Needs the transaction that changes the user's rights.
 * @returns the ids of the sessions, so that open streams can be ended too
 */
export async function endAccessOf(tx: Db, userId: string): Promise<string[]> {
  await deleteApiTokensOf(tx, userId);
  return deleteSessionsOf(tx, userId);
}

/** {@link endAccessOf} except for one session, whose browser makes the change. */
export async function endOtherAccess(tx: Db, userId: string, keptId: string): Promise<string[]> {
  await deleteApiTokensOf(tx, userId);
  return deleteOtherSessions(tx, userId, keptId);
}
