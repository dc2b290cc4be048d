import { randomUUID } from 'node:crypto';
import type {
  ForgotPasswordPayload,
  PasswordLinkRequested,
  ResetPasswordPayload,
} from '#contract/session.ts';
import type { Db } from '#db/client.ts';
import { deleteBrowsersOf } from '#db/queries/identity/known-browsers.ts';
import {
  deleteOneTimeTokens,
  findOneTimeToken,
  insertOneTimeToken,
  spendOneTimeToken,
} from '#db/queries/identity/one-time-tokens.ts';
import {
  findUser,
  findUserByEmail,
  findUserByUsername,
  lockUser,
  type UserRow,
  updateUser,
} from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { cancelEmail, type EmailDeps, queueEmail } from '#usecases/email/queued-email.ts';
import { type TwoFactorDeps, verifyFactor } from '#usecases/identity/two-factor/second-factor.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import {
  mayLinkPassword,
  recordAttempt,
  recordLockouts,
  undoAttempt,
  unlockAccount,
} from './attempt-limits.ts';
import { endAccessOf } from './end-access.ts';
import { weakPasswordReason } from './password-rules.ts';
import { accountChanged, isUnchanged, missingFactor, refusalFor } from './readiness.ts';
import { newToken, tokenHash } from './secret-token.ts';
import { recordAction } from './verify-password.ts';

/** Shorter than that of the link which verifies an address: this one gives an account away. */
const LINK_TTL = hours(1);

const SENT =
  'If there is an account with this address that may log in, we have sent it a link. It works for an hour.';
const NO_EMAIL = 'This server sends no email. Ask an administrator to reset your password under Users.';
const DEAD =
  'This link no longer works: it is older than an hour, was used, or a newer one was sent. Request a new one.';

/**
 * Orders the email with a link for a new password. The answer, and the work for it, are the same for every name: whether
 * there is an account is for its owner alone.
 * @throws AppError too_many_requests
 */
export async function requestPasswordLink(
  deps: AccountDeps & EmailDeps,
  { username }: ForgotPasswordPayload,
  caller: Caller,
): Promise<PasswordLinkRequested> {
  const { db, now, sendsEmail } = deps;
  const lockouts = await recordAttempt(db, 'password_link', { address: caller.address }, now());
  const name = username.trim();
  const known = (await findUserByUsername(db, name)) ?? (await findUserByEmail(db, name));
  // An account without a password gets none by email: its owner would get past the identity provider.
  const owner = known !== null && known.password !== null && refusalFor(known) === null ? known : null;
  await transact(db, async (tx) => {
    await recordLockouts(tx, 'password_link', lockouts, null, caller, now());
    const isAllowed = await mayLinkPassword(tx, owner?.email ?? name, now());
    await recordAction(tx, deps, owner, caller, 'password_link.requested');
    // An email to no account is queued too, and sends nothing: leaving it out would be noticeably faster.
    if (isAllowed && sendsEmail) await queueEmail(tx, deps, 'password_link', owner?.id ?? randomUUID());
  });
  return { message: sendsEmail ? SENT : NO_EMAIL, sendsEmail };
}

/**
 * Creates the link for a new password: it works once, for an hour; earlier ones no longer work. The database stores only
 * its hash.
 * @param home the public address of this server, without a path
 * @returns null for an account that may not log in, or has no password
 */
export async function makePasswordLink(
  db: Db,
  user: UserRow,
  home: string,
  now: Instant,
): Promise<string | null> {
  if (user.password === null || refusalFor(user) !== null) return null;
  const token = newToken();
  await transact(db, async (tx) => {
    await deleteOneTimeTokens(tx, user.id, 'reset');
    const expiresAt = instant(now + LINK_TTL);
    const row = { tokenHash: tokenHash(token), purpose: 'reset' as const, userId: user.id };
    await insertOneTimeToken(tx, { ...row, createdAt: now, expiresAt });
  });
  return `${home}/reset-password?token=${token}`;
}

/**
 * Replaces the password of the account that a link belongs to; all its sessions end. An account with a second factor
 * needs it too: who reads an email must not get past it. Opens no session.
 * @returns the sessions that have ended
 * @throws AppError not_found for a link that no longer works, not_approved, not_verified, validation_failed,
 *   two_factor_required, invalid_credentials, conflict, too_many_requests, unavailable
 */
export async function resetByLink(
  deps: TwoFactorDeps,
  { token, newPassword, twoFactorToken = '' }: ResetPasswordPayload,
  caller: Caller,
): Promise<readonly string[]> {
  const { db, now } = deps;
  const who = { address: caller.address };
  const lockouts = await recordAttempt(db, 'password_link', who, now());
  const user = await ownerOf(db, token, now());
  if (user === null) {
    await transact(db, async (tx) => {
      await recordAction(tx, deps, null, caller, 'password_link.failed');
      await recordLockouts(tx, 'password_link', lockouts, null, caller, now());
    });
    throw new AppError('not_found', DEAD);
  }
  // The link was right, so this was no guess; codes have a limit of their own.
  await undoAttempt(db, 'password_link', who, now());
  const weak = weakPasswordReason(newPassword, user.email);
  if (weak !== null) throw new AppError('validation_failed', weak, { fields: { newPassword: weak } });
  const refusal = refusalFor(user) ?? missingFactor(user, twoFactorToken);
  if (refusal !== null) throw refusal;
  if (user.twoFactorEnabled) await verifyFactor(deps, user, twoFactorToken, caller, 'password_change');
  const password = await deps.passwords.hash(newPassword);
  return transact(db, async (tx) => {
    if (!isUnchanged(user, await lockUser(tx, user.id))) throw accountChanged();
    // Of two that use a link at the same time one succeeds.
    if (!(await spendOneTimeToken(tx, tokenHash(token), 'reset', now())))
      throw new AppError('not_found', DEAD);
    await updateUser(tx, user.id, { password, mustChangePassword: false }, now());
    await unlockAccount(tx, user.username);
    await deleteBrowsersOf(tx, user.id);
    await cancelEmail(tx, deps, 'password_link', user.id);
    await queueEmail(tx, deps, 'password_chosen', user.id);
    await recordAction(tx, deps, user, caller, 'password_link.used');
    return endAccessOf(tx, user.id);
  });
}

async function ownerOf(db: Db, token: string, now: Instant): Promise<UserRow | null> {
  const found = await findOneTimeToken(db, tokenHash(token), 'reset', now);
  return found?.userId == null ? null : findUser(db, found.userId);
}
