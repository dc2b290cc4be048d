import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { cancelEmail, queueEmail } from '#usecases/email/queued-email.ts';
import { countResend } from '#usecases/identity/accounts/attempt-limits.ts';
import { type ChangedUser, changeUser, type UserDeps } from './change-user.ts';
import { VERIFIED_ALREADY } from './hand-over-link.ts';

/**
 * Sends the verification email again, with a new link; earlier ones become invalid, and a queued email is canceled.
 * @throws AppError not_found, not_allowed; conflict when the address is verified; too_many_requests
 */
export async function resendVerification(deps: UserDeps, id: string, editor: Editor): Promise<ChangedUser> {
  return changeUser(deps, id, editor, async (tx, { user }) => {
    if (user.emailVerified) throw new AppError('conflict', VERIFIED_ALREADY);
    await countResend(tx, user.email, deps.now());
    await cancelEmail(tx, deps, 'verify_email', id);
    await queueEmail(tx, deps, 'verify_email', id);
    return { action: 'user.verification_mail', before: {}, after: {}, endedSessions: [] };
  });
}
