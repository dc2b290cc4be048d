import type { UserRow } from '#db/queries/users.ts';
import { AppError } from '#usecases/app-error.ts';

/** Why the right password is not enough; null when it is. What cannot be asked for yet shuts the door. */
export function refusalFor(user: UserRow): AppError | null {
  if (!user.approved)
    return new AppError('not_approved', 'Your account is waiting for administrator approval.');
  if (!user.emailVerified) {
    return new AppError(
      'not_verified',
      'Your email address is not verified yet. Open the link in the mail we sent you, or ask your administrator for it.',
    );
  }
  if (user.twoFactorEnabled) {
    return new AppError(
      'not_allowed',
      'This account asks for a second factor, which this version cannot check. Ask your administrator to switch it off.',
    );
  }
  return null;
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
 * Whether nothing happened to an account between the check of its password and the moment it is let in: a reset or a
 * new role ends all sessions, and this one would slip past them.
 */
export function isUnchanged(checked: UserRow, current: UserRow | null): boolean {
  return current !== null && DECISIVE.every((field) => current[field] === checked[field]);
}

/** What somebody is told whose account changed meanwhile. */
export function changedMeanwhile(): AppError {
  return new AppError('conflict', 'Your account was changed while you signed in. Try again.');
}
