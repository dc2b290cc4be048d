import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { replaceRecoveryCodes } from '#db/queries/identity/two-factor.ts';
import { lockUser, type UserRow, updateUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import { type Caller, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { endOtherAccess } from '#usecases/identity/accounts/end-access.ts';
import { accountChanged, isUnchanged } from '#usecases/identity/accounts/readiness.ts';
import { renewSession } from '#usecases/identity/accounts/sessions.ts';
import { recordAction } from '#usecases/identity/accounts/verify-password.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { type TwoFactorDeps, verifyNewApp } from './second-factor.ts';
import { rejectSecondApp, SETUP_LIFE } from './start-two-factor.ts';

/** A user's change of their own login: the other sessions have ended, and this one continues under another token. */
export interface FactorChanged {
  readonly token: string;
  readonly endedSessions: readonly string[];
}

/**
 * Activates a second factor with the first code of its app. Every login requires one from then on.
 * @returns the recovery codes too, which are shown only once
 * @throws AppError validation_failed for a wrong code, too_many_requests, conflict when the setup was not started or
 *   has expired, not_signed_in when this session has ended in between, unavailable when the secret cannot be read
 */
export async function confirmTwoFactor(
  deps: TwoFactorDeps,
  session: LiveSession,
  code: string,
  caller: Caller,
): Promise<FactorChanged & { readonly recoveryCodes: string[] }> {
  const { db, now } = deps;
  const { user } = session;
  rejectSecondApp(session);
  if (!isBegun(user, now())) throw new AppError('conflict', 'This setup has expired. Start again.');
  await verifyNewApp(deps, user, code, caller, 'two_factor_confirm');
  const { shown, stored } = await newRecoveryCodes(deps.passwords);
  return transact(db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) throw accountChanged();
    const inForce = { twoFactorEnabled: true, twoFactorSince: now(), twoFactorStartedAt: null };
    await updateUser(tx, user.id, inForce, now());
    await replaceRecoveryCodes(tx, user.id, stored);
    await queueEmail(tx, deps, 'two_factor_enabled', user.id);
    await recordAction(tx, deps, user, caller, 'two_factor.enabled', {
      before: { twoFactorEnabled: false },
      after: { twoFactorEnabled: true },
    });
    const endedSessions = await endOtherAccess(tx, user.id, session.id);
    return {
      recoveryCodes: shown,
      endedSessions,
      token: await renewSession(tx, session.id, sessionNow(deps)),
    };
  });
}

function isBegun({ twoFactorSecret, twoFactorStartedAt }: UserRow, now: Instant): boolean {
  return twoFactorSecret !== null && twoFactorStartedAt !== null && now - twoFactorStartedAt <= SETUP_LIFE;
}
