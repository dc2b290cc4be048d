import type { UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';

/** Why an account may not sign in, whatever it proves; null when it may. */
export function refusalFor(user: UserRow): AppError | null {
  if (!user.approved)
    return new AppError('not_approved', 'Your account is waiting for administrator approval.');
  if (!user.emailVerified) {
    return new AppError(
      'not_verified',
      'Your email address is not verified yet. Open the link in the email we sent you, or ask your administrator for it.',
    );
  }
  return null;
}

/** The question for a second factor that is needed and was not given; null when there is none to ask. */
export function missingFactor({ twoFactorEnabled }: UserRow, typed: string): AppError | null {
  if (!twoFactorEnabled || typed.trim() !== '') return null;
  // The page shows its field for the code when a text contains the first three words.
  return new AppError('two_factor_required', '2FA token required. Enter the code from your app.');
}

/** Everything that the decision to let somebody in rests on. */
const DECISIVE = [
  'password',
  'approved',
  'emailVerified',
  'role',
  'mustChangePassword',
  'twoFactorEnabled',
  'twoFactorSecret',
] as const satisfies ReadonlyArray<keyof UserRow>;

/**
 * Whether nothing happened to an account between the check of its secrets and what they were asked for: a reset or a new
 * role ends all sessions, and one that is let in now would slip past them.
 */
export function isUnchanged(checked: UserRow, current: UserRow | null): boolean {
  return current !== null && DECISIVE.every((field) => current[field] === checked[field]);
}

/** What somebody is told whose account changed between a check and what it was for. */
export function changedMeanwhile(): AppError {
  return new AppError('conflict', 'Your account was changed at the same time. Try again.');
}
