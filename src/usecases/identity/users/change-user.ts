import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockAdmins, lockUser, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { EmailDeps } from '#usecases/email/queued-email.ts';

export type UserDeps = EmailDeps & { readonly db: Db; readonly now: () => Instant };

/** A locked account, and whether it is the only administrator who can log in with a password. */
export interface LockedUser {
  readonly user: UserRow;
  readonly isLastAdmin: boolean;
}

/** What a change did, for the audit log; hashes and secrets are never part of it. */
export interface UserChange {
  readonly action: AuditAction;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** All of its sessions, when the rights of its browsers have changed. */
  readonly endedSessions: readonly string[];
}

/** The account after a change; null when it was removed. Its sessions have ended; the caller must end their streams. */
export interface ChangedUser {
  readonly user: UserRow | null;
  readonly endedSessions: readonly string[];
}

export const LAST_ADMIN =
  'This is the last administrator who can log in with a password. Make another user with a password an administrator first.';

/** Whether an account is the only administrator who can log in with a password. */
export function isLastPasswordAdmin(admins: readonly UserRow[], id: string): boolean {
  const isOne = admins.some((admin) => admin.id === id);
  return isOne && !admins.some((admin) => admin.id !== id && admin.password !== null);
}

/**
 * An administrator's change of an account, with its audit row in one transaction. The administrators are locked while
 * it decides: of two who remove each other's role at once, the second is rejected.
 * @param change makes the change; null when there is nothing to do
 * @throws AppError not_found, not_allowed when the editor has lost the role; whatever `change` throws
 */
export async function changeUser(
  { db, now }: Pick<UserDeps, 'db' | 'now'>,
  id: string,
  editor: Editor,
  change: (tx: Db, held: LockedUser) => Promise<UserChange | null>,
): Promise<ChangedUser> {
  return transact(db, async (tx) => {
    const admins = await lockAdmins(tx);
    if (!admins.some((admin) => admin.id === editor.id)) {
      throw new AppError('not_allowed', 'You need administrator privileges to do this.');
    }
    const user = await lockUser(tx, id);
    if (user === null) throw new AppError('not_found', 'This user was removed. Refresh the list.');
    // Those who log in with the identity provider alone are locked out when it fails.
    const isLastAdmin = isLastPasswordAdmin(admins, id);
    const done = await change(tx, { user, isLastAdmin });
    if (done === null) return { user, endedSessions: [] };
    const { action, before, after, endedSessions } = done;
    const who = madeBy(editor, now());
    const target = { targetKind: 'user', targetId: id };
    await insertAudit(tx, {
      ...who,
      ...target,
      action,
      before: { ...before, username: user.username },
      // The audit row of a lost role shows that the sessions ended with it.
      after: endedSessions.length === 0 ? after : { ...after, endedSessions: endedSessions.length },
    });
    await notify(tx, 'pricewright_users', []);
    return { user: await lockUser(tx, id), endedSessions };
  });
}
