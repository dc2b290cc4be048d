import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { findUserByVerificationToken, type UserRow, verifyByToken } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { recordAttempt, recordLockouts, undoAttempt } from './attempt-limits.ts';
import { tokenHash } from './secret-token.ts';
import { recordAction } from './verify-password.ts';

/**
 * Verifies the address of a link. It changes nothing else, opens no session and approves no one, and can be repeated:
 * programs that scan email open links too.
 * @returns the text for the page
 * @throws AppError not_found when the link is unknown, replaced or older than 24 hours, too_many_requests
 */
export async function verifyEmail(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  token: string,
  caller: Caller,
): Promise<string> {
  const who = { address: caller.address };
  const lockouts = await recordAttempt(db, 'verify', who, now());
  const hash = tokenHash(token);
  const user = await transact(db, async (tx) => {
    const verified = await verifyByToken(tx, hash, now());
    if (verified === null) return null;
    await insertAudit(tx, {
      at: now(),
      action: 'user.verified',
      actorId: verified.id,
      actor: verified.username,
      targetKind: 'user',
      targetId: verified.id,
      before: { emailVerified: false },
      after: { emailVerified: true },
      address: caller.address,
      requestId: caller.requestId,
    });
    await notify(tx, 'pricewright_users', []);
    return verified;
  });
  const known = user ?? (await findUserByVerificationToken(db, hash));
  if (known === null || !known.emailVerified) {
    await transact(db, async (tx) => {
      await recordAction(tx, { now }, known, caller, 'verification.failed');
      await recordLockouts(tx, 'verify', lockouts, null, caller, now());
    });
    throw new AppError(
      'not_found',
      'This link no longer works: it is older than 24 hours, or a newer one was sent. Ask your administrator for a new one.',
    );
  }
  await undoAttempt(db, 'verify', who, now());
  return wording(known, user === null);
}

function wording({ approved }: UserRow, isRepeated: boolean): string {
  const done = isRepeated ? 'Your email address is already verified.' : 'Your email address is verified.';
  return `${done} ${approved ? 'You can log in now.' : 'Your account is now pending administrator approval.'}`;
}
