import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { cancelEmail } from '#usecases/email/queued-email.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';
import { changeUser, type UserDeps } from './change-user.ts';

/** The error for an address that needs no link. */
export const VERIFIED_ALREADY = 'This email address is already verified. Refresh the list.';

interface Link {
  readonly url: string;
  readonly expiresAt: Instant;
}

/**
 * Creates a new verification link for an administrator to pass on, where there is no mail server. Earlier links become
 * invalid, and a queued email is canceled: it would have invalidated this one. The link is shown once and never stored
 * in clear.
 * @throws AppError not_found, not_allowed; conflict when the address is verified, or email is sent
 */
export async function handOverLink(deps: UserDeps, id: string, editor: Editor): Promise<Link> {
  if (deps.sendsEmail)
    throw new AppError('conflict', 'Links are sent by email. Send the email again instead.');
  // After retries of the transaction the last link counts: earlier ones were rolled back.
  const made: { link: Link | null } = { link: null };
  await changeUser(deps, id, editor, async (tx, { user }) => {
    await cancelEmail(tx, deps, 'verify_email', id);
    made.link = await makeVerificationLink(tx, user, deps.home(), deps.now());
    if (made.link === null) throw new AppError('conflict', VERIFIED_ALREADY);
    return { action: 'user.verification_link', before: {}, after: {}, endedSessions: [] };
  });
  if (made.link === null) throw new Error('A link was created and is missing.');
  return made.link;
}
