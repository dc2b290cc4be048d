import type { UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';

/** Why an account may not log in even with the right secrets; null when it may. */
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

/** The error for a second factor that is required and was not given; null when none is required. */
export function missingFactor({ twoFactorEnabled }: UserRow, typed: string): AppError | null {
  if (!twoFactorEnabled || typed.trim() !== '') return null;
  // The page shows its code field when a text contains the first three words.
  return new AppError('two_factor_required', '2FA token required. Enter the code from your app.');
}

/** The fields that the decision about a login depends on. */
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
 * Whether an account is unchanged since its secrets were checked: a reset or a new role ends all sessions, and a
 * session that starts now would escape that.
 */
export function isUnchanged(checked: UserRow, current: UserRow | null): boolean {
  return current !== null && DECISIVE.every((field) => current[field] === checked[field]);
}

/** The error when the account changed after its secrets were checked. */
export function accountChanged(): AppError {
  return new AppError('conflict', 'Your account was changed at the same time. Try again.');
}
