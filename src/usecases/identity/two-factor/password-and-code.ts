import type { PasswordAndCode } from '#contract/account.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Caller } from '#usecases/identity/accounts/account-deps.ts';
import { type VerificationPurpose, verifyOwnPassword } from '#usecases/identity/accounts/verify-password.ts';
import { type TwoFactorDeps, verifyOwnFactor } from './second-factor.ts';

/**
 * Checks password and code of a logged-in user, the password first: a code is not checked before it was right.
 * @returns the account as it is now
 * @throws AppError validation_failed, too_many_requests, conflict when the account has no second factor, unavailable
 */
export async function verifyPasswordAndCode(
  deps: TwoFactorDeps,
  { user: { username, twoFactorEnabled } }: LiveSession,
  { password, code }: PasswordAndCode,
  caller: Caller,
  about: VerificationPurpose,
): Promise<UserRow> {
  if (!twoFactorEnabled) throw new AppError('conflict', 'Two-factor authentication is off for this account.');
  const user = await verifyOwnPassword(deps, { username }, password, caller, about);
  await verifyOwnFactor(deps, user, code, caller, about);
  return user;
}
