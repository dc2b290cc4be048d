import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { makeVerificationLink } from '#usecases/identity/accounts/verification-link.ts';
import { callOffMail } from '#usecases/identity/email/queued-email.ts';
import { changeUser, type UserDeps } from './change-user.ts';

/** What is refused for an address that needs no link any more. */
export const VERIFIED_ALREADY = 'This email address is already verified. Refresh the list.';

interface Link {
  readonly url: string;
  readonly expiresAt: Instant;
}

/**
 * Makes a fresh verification link for an administrator to hand over, where no mail server does. The links before it
 * are dead, and a mail that still waits goes no more: it would have killed this one. It is shown once and stored nowhere
 * in clear.
 * @throws AppError not_found, not_allowed; conflict when the address is verified, or mail is sent
 */
export async function handOverLink(deps: UserDeps, id: string, editor: Editor): Promise<Link> {
  if (deps.sendsMail)
    throw new AppError('conflict', 'Links are sent by email. Send the email again instead.');
  // Begun anew by a busy database, the last link counts: those before it were rolled back.
  const made: { link: Link | null } = { link: null };
  await changeUser(deps, id, editor, async (tx, { user }) => {
    await callOffMail(tx, deps, 'verify_email', id);
    made.link = await makeVerificationLink(tx, user, deps.home(), deps.now());
    if (made.link === null) throw new AppError('conflict', VERIFIED_ALREADY);
    return { action: 'user.verification_link', before: {}, after: {}, endedSessions: [] };
  });
  if (made.link === null) throw new Error('A link was made and is gone.');
  return made.link;
}
