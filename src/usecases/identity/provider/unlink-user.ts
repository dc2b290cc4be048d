import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteProviderSessionsOf, unlinkUser } from '#db/queries/identity/identity-provider.ts';
import { lockAdmins, lockUserByEmail, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';

/**
 * Ends the link of an account to the identity provider from the command line, and the sessions that were begun with it:
 * for a wrong person, or after the provider gave its users other subjects. The next login links the account anew, under
 * the same rules as a first one. Repeating it changes nothing.
 * @throws AppError not_found
 */
export async function unlinkByEmail(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  email: string,
): Promise<UserRow> {
  return transact(db, async (tx) => {
    // Before the account, as logins do.
    await lockAdmins(tx);
    const user = await lockUserByEmail(tx, email);
    if (user === null) throw new AppError('not_found', `No account uses the address ${email}.`);
    if ((await unlinkUser(tx, user.id)) === 0) return user;
    const endedSessions = await deleteProviderSessionsOf(tx, user.id);
    await insertAudit(tx, {
      at: now(),
      action: 'account.unlinked',
      actor: 'command line',
      targetKind: 'user',
      targetId: user.id,
      after: { username: user.username, endedSessions: endedSessions.length },
    });
    return user;
  });
}
