import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockUserByEmail, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps } from './account-deps.ts';
import { unlockAccount, unlockCodes } from './attempt-limits.ts';

/**
 * Ends every lockout after wrong passwords and codes of an account, from the command line: for the only administrator,
 * locked out by the attempts of others. Passwords and sessions do not change. Repeating it does no harm.
 * @throws AppError not_found
 */
export async function unlockUser(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  email: string,
): Promise<UserRow> {
  return transact(db, async (tx) => {
    const user = await lockUserByEmail(tx, email);
    if (user === null) throw new AppError('not_found', `No account uses the address ${email}.`);
    await unlockAccount(tx, user.username);
    await unlockCodes(tx, user.id);
    await insertAudit(tx, {
      at: now(),
      action: 'user.unlocked',
      actor: 'command line',
      targetKind: 'user',
      targetId: user.id,
      after: { username: user.username },
    });
    return user;
  });
}
