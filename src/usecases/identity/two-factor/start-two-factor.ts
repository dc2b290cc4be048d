import { TWO_FACTOR_SETUP_MINUTES } from '#contract/account.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { lockUser, updateUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Caller } from '#usecases/identity/accounts/account-deps.ts';
import { accountChanged, isUnchanged } from '#usecases/identity/accounts/readiness.ts';
import { recordAction, verifyOwnPassword } from '#usecases/identity/accounts/verify-password.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import { secretPlace, type TwoFactorDeps } from './second-factor.ts';
import { newTotpSecret, setUpLink } from './totp.ts';

/** Milliseconds. */
export const SETUP_LIFE = TWO_FACTOR_SETUP_MINUTES * 60_000;

/** What an authenticator app needs; stored in clear nowhere else. */
export interface NewApp {
  readonly secret: string;
  readonly link: string;
  readonly expiresAt: Instant;
}

/**
 * Creates a secret for an authenticator app. The login does not require it until it is confirmed; starting again
 * replaces it.
 * @throws AppError validation_failed for a wrong password, too_many_requests, conflict when a second factor is on,
 *   unavailable when secrets cannot be stored
 */
export async function startTwoFactor(
  deps: TwoFactorDeps,
  session: LiveSession,
  password: string,
  caller: Caller,
): Promise<NewApp> {
  rejectSecondApp(session);
  const user = await verifyOwnPassword(deps, session.user, password, caller, 'two_factor_begin');
  const secret = newTotpSecret();
  const record = sealSecret(await deps.secrets.forWriting(), secretPlace(user.id), secret);
  const startedAt = deps.now();
  await transact(deps.db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) throw accountChanged();
    const pending = { twoFactorSecret: record, twoFactorLastStep: null, twoFactorStartedAt: startedAt };
    await updateUser(tx, user.id, pending, startedAt);
    await recordAction(tx, deps, user, caller, 'two_factor.begun');
  });
  return { secret, link: setUpLink(secret, user.email), expiresAt: instant(startedAt + SETUP_LIFE) };
}

/** @throws AppError conflict */
export function rejectSecondApp({ user }: LiveSession): void {
  if (!user.twoFactorEnabled) return;
  throw new AppError(
    'conflict',
    'Two-factor authentication is already on. Turn it off to set up another app.',
  );
}
