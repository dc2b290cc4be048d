import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { approveUserByEmail, lockUserByEmail, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps } from './account-deps.ts';
import { endAccessOf } from './end-access.ts';

/**
 * Approves an account from the command line, whose user has access to the data anyway: approved, verified and, if
 * requested, administrator. Repeating it changes nothing; it never removes a role. A new role ends the existing
 * sessions.
 * @throws AppError not_found
 */
export async function approveUser(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  email: string,
  asAdmin: boolean,
): Promise<UserRow> {
  return transact(db, async (tx) => {
    const before = await lockUserByEmail(tx, email);
    const user = await approveUserByEmail(tx, email, asAdmin, now());
    if (before === null || user === null) {
      throw new AppError('not_found', `No account uses the address ${email}.`);
    }
    if (user.role !== before.role) await endAccessOf(tx, user.id);
    await insertAudit(tx, {
      at: now(),
      action: 'user.approved',
      actor: 'command line',
      targetKind: 'user',
      targetId: user.id,
      before: { approved: before.approved, emailVerified: before.emailVerified, role: before.role },
      after: { approved: true, emailVerified: true, role: user.role },
    });
    await notify(tx, 'pricewright_users', []);
    return user;
  });
}
