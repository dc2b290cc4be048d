import type { PasswordAndCode } from '#contract/account.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { replaceRecoveryCodes } from '#db/queries/identity/two-factor.ts';
import { lockUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import type { Caller } from '#usecases/identity/accounts/account-deps.ts';
import { accountChanged, isUnchanged } from '#usecases/identity/accounts/readiness.ts';
import { recordAction } from '#usecases/identity/accounts/verify-password.ts';
import { verifyPasswordAndCode } from './password-and-code.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import type { TwoFactorDeps } from './second-factor.ts';

/**
 * Creates a new set of recovery codes; all earlier ones become invalid.
 * @returns the codes, which are shown only once
 * @throws AppError validation_failed for a wrong password or code, too_many_requests, conflict when there is no second
 *   factor, unavailable when the secret cannot be read
 */
export async function renewRecoveryCodes(
  deps: TwoFactorDeps,
  session: LiveSession,
  given: PasswordAndCode,
  caller: Caller,
): Promise<string[]> {
  const user = await verifyPasswordAndCode(deps, session, given, caller, 'recovery_codes');
  const { shown, stored } = await newRecoveryCodes(deps.passwords);
  await transact(deps.db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) throw accountChanged();
    await replaceRecoveryCodes(tx, user.id, stored);
    await queueEmail(tx, deps, 'recovery_codes_replaced', user.id);
    await recordAction(tx, deps, user, caller, 'two_factor.recovery_codes_replaced');
  });
  return shown;
}
