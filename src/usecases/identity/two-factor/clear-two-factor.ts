import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteRecoveryCodes } from '#db/queries/identity/two-factor.ts';
import { lockUserByEmail, type UserRow, updateUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';
import { unlockCodes } from '#usecases/identity/accounts/attempt-limits.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';

const NONE = {
  twoFactorEnabled: false,
  twoFactorSecret: null,
  twoFactorLastStep: null,
  twoFactorStartedAt: null,
  twoFactorSince: null,
};

/** Deletes everything about an account's second factor: secret, used steps, recovery codes, attempts. */
export async function clearTwoFactor(tx: Db, userId: string, now: Instant): Promise<void> {
  await updateUser(tx, userId, NONE, now);
  await deleteRecoveryCodes(tx, userId);
  await unlockCodes(tx, userId);
}

/**
 * Removes the second factor of an account from the command line, whose user has access to the data anyway: for an
 * administrator who has lost the phone and the recovery codes. Its sessions end. Repeating it changes nothing.
 * @throws AppError not_found
 */
export async function disableTwoFactorByEmail(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  email: string,
): Promise<UserRow> {
  return transact(db, async (tx) => {
    const user = await lockUserByEmail(tx, email);
    if (user === null) throw new AppError('not_found', `No account uses the address ${email}.`);
    if (!user.twoFactorEnabled) return user;
    await clearTwoFactor(tx, user.id, now());
    await endAccessOf(tx, user.id);
    await insertAudit(tx, {
      at: now(),
      action: 'user.two_factor_disabled',
      actor: 'command line',
      targetKind: 'user',
      targetId: user.id,
      before: { twoFactorEnabled: true, username: user.username },
      after: { twoFactorEnabled: false },
    });
    return user;
  });
}
