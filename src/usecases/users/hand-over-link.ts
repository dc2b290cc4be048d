import type { Instant } from '#domain/units.ts';
import { makeVerificationLink } from '#usecases/accounts/verification-link.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { changeUser, type UserDeps } from './change-user.ts';

/** What is refused for an address that needs no link any more. */
export const VERIFIED_ALREADY = 'This email address is verified already. Refresh the list.';

/**
 * Makes a fresh verification link for an administrator to hand over, where no mail server does. The links before it
 * are dead; this one is shown once and stored nowhere in clear.
 * @throws AppError not_found, not_allowed; conflict when the address is verified, or mail is sent
 */
export async function handOverLink(
  deps: UserDeps,
  id: string,
  editor: Editor,
): Promise<{ readonly url: string; readonly expiresAt: Instant }> {
  if (deps.sendsMail) throw new AppError('conflict', 'Links are sent by mail. Send the mail again instead.');
  await changeUser(deps, id, editor, async (_, { user }) => {
    if (user.emailVerified) throw new AppError('conflict', VERIFIED_ALREADY);
    return { action: 'user.verification_link', before: {}, after: {}, endedSessions: [] };
  });
  const link = await makeVerificationLink(deps.db, id, deps.home(), deps.now());
  if (link === null) throw new AppError('conflict', VERIFIED_ALREADY);
  return link;
}
