import type { PasswordAndCode } from '#contract/account.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { lockUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import { type Caller, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { endOtherAccess } from '#usecases/identity/accounts/end-access.ts';
import { accountChanged, isUnchanged } from '#usecases/identity/accounts/readiness.ts';
import { renewSession } from '#usecases/identity/accounts/sessions.ts';
import { recordAction } from '#usecases/identity/accounts/verify-password.ts';
import { clearTwoFactor } from './clear-two-factor.ts';
import type { FactorChanged } from './confirm-two-factor.ts';
import { verifyPasswordAndCode } from './password-and-code.ts';
import type { TwoFactorDeps } from './second-factor.ts';

/**
 * Removes the user's own second factor, with its recovery codes.
 * @throws AppError validation_failed for a wrong password or code, too_many_requests, conflict when it is off already,
 *   not_signed_in when this session has ended in between, unavailable when the secret cannot be read
 */
export async function turnOffTwoFactor(
  deps: TwoFactorDeps,
  session: LiveSession,
  given: PasswordAndCode,
  caller: Caller,
): Promise<FactorChanged> {
  const { db, now } = deps;
  const user = await verifyPasswordAndCode(deps, session, given, caller, 'two_factor_disable');
  return transact(db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) throw accountChanged();
    await clearTwoFactor(tx, user.id, now());
    await queueEmail(tx, deps, 'two_factor_turned_off', user.id);
    await recordAction(tx, deps, user, caller, 'two_factor.disabled', {
      before: { twoFactorEnabled: true },
      after: { twoFactorEnabled: false },
    });
    const endedSessions = await endOtherAccess(tx, user.id, session.id);
    return { endedSessions, token: await renewSession(tx, session.id, sessionNow(deps)) };
  });
}
