import type { LiveSession } from '#db/queries/identity/sessions.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';
import { isStepUpFresh } from './step-up.ts';

/** What a session may do beyond its role: some actions need a recent password, some a second factor. */
export interface SessionAssurance {
  /** The password was entered within the last ten minutes. */
  readonly isStepUpFresh: boolean;
  readonly twoFactor: TwoFactorDemand;
}

/**
 * Whether an account without a second factor needs one: `required` before it changes what only administrators change,
 * `advised` where only this machine reaches the server. `none` for all others.
 */
type TwoFactorDemand = 'none' | 'advised' | 'required';

/**
 * @param hasSecondFactor whether the identity provider vouches for one in this session
 * @param isRequired whether this server requires a second factor of its administrators
 */
function twoFactorDemand(
  { role, twoFactorEnabled }: Pick<UserRow, 'role' | 'twoFactorEnabled'>,
  hasSecondFactor: boolean,
  isRequired: boolean,
): TwoFactorDemand {
  if (role !== 'admin' || twoFactorEnabled || hasSecondFactor) return 'none';
  return isRequired ? 'required' : 'advised';
}

export function sessionAssuranceOf(
  { user, stepUpAgo, hasSecondFactor }: Pick<LiveSession, 'user' | 'stepUpAgo' | 'hasSecondFactor'>,
  requiresTwoFactor: boolean,
): SessionAssurance {
  return {
    isStepUpFresh: isStepUpFresh({ stepUpAgo }),
    twoFactor: twoFactorDemand(user, hasSecondFactor, requiresTwoFactor),
  };
}

/** @throws AppError step_up_required when the password was entered too long ago */
export function requireStepUp({ isStepUpFresh: isFresh }: SessionAssurance): void {
  if (!isFresh) throw new AppError('step_up_required', 'Enter your password again to continue.');
}

/** @throws AppError two_factor_missing when this server requires a second factor and the account has none */
export function requireTwoFactor({ twoFactor }: Pick<SessionAssurance, 'twoFactor'>): void {
  if (twoFactor !== 'required') return;
  throw new AppError(
    'two_factor_missing',
    'Administrators of this server need two-factor authentication for this. Set it up on your account page, or log in with it at your identity provider, then try again.',
  );
}
