import type { Db } from '#db/client.ts';
import { type AuditEntry, insertAudit } from '#db/queries/identity/audit.ts';
import { findUserByUsername, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { recordAttempt, recordLockouts, resetAttempts, undoAttempt } from './attempt-limits.ts';

/** What a password or a code is requested for: the start of the audit row's action, as in "login.failed". */
export type VerificationPurpose =
  | 'login'
  | 'step_up'
  | 'password_change'
  | 'two_factor_begin'
  | 'two_factor_confirm'
  | 'two_factor_disable'
  | 'recovery_codes';

/**
 * The account of a name, when the password is right. Every check of a password comes through here. An unknown name and
 * a wrong password have the same answer and take the same work.
 * @param kind the limits that the attempt counts toward
 * @throws AppError invalid_credentials, too_many_requests
 */
export async function verifyPassword(
  deps: AccountDeps,
  given: { readonly username: string; readonly password: string },
  caller: Caller,
  kind: 'login' | 'step_up',
  about: VerificationPurpose = kind,
): Promise<UserRow> {
  const { db, now } = deps;
  const username = given.username.trim();
  const who = { address: caller.address, username, browser: caller.browser };
  const lockouts = await recordAttempt(db, kind, who, now());
  const user = await findUserByUsername(db, username);
  if (
    !(await matches(deps, user, given.password, () => undoAttempt(db, kind, who, now()))) ||
    user === null
  ) {
    await transact(db, async (tx) => {
      await recordAction(tx, deps, user, caller, `${about}.failed`, { after: { factor: 'password' } });
      await recordLockouts(tx, kind, lockouts, user, caller, now());
    });
    throw new AppError('invalid_credentials', 'The email address or password is incorrect.');
  }
  await resetAttempts(db, kind, who, now());
  return user;
}

async function matches(
  { passwords }: AccountDeps,
  user: UserRow | null,
  password: string,
  undoAttempt: () => Promise<void>,
): Promise<boolean> {
  try {
    return await passwords.verify(user?.password ?? null, password);
  } catch (error) {
    // Rejected by the queue: nothing was checked, so it was no guess.
    await undoAttempt();
    throw error;
  }
}

/**
 * {@link verifyPassword} for a logged-in user, who stays logged in after a wrong one. Strangers cannot use up these
 * attempts.
 * @throws AppError validation_failed, too_many_requests
 */
export async function verifyOwnPassword(
  deps: AccountDeps,
  { username }: Pick<UserRow, 'username'>,
  password: string,
  caller: Caller,
  about: VerificationPurpose,
): Promise<UserRow> {
  try {
    return await verifyPassword(deps, { username, password }, caller, 'step_up', about);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error;
    const text = 'This password is wrong.';
    throw new AppError('validation_failed', text, { fields: { password: text } });
  }
}

/** Audits what a user did to their own account. Not for an unknown name: users type passwords into the wrong field. */
export async function recordAction(
  db: Db,
  { now }: Pick<AccountDeps, 'now'>,
  user: Pick<UserRow, 'id' | 'username'> | null,
  caller: Caller,
  action: AuditAction,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> {
  await insertAudit(db, {
    at: now(),
    action,
    actorId: user?.id ?? null,
    actor: user?.username ?? null,
    targetKind: 'user',
    targetId: user?.id ?? null,
    address: caller.address,
    requestId: caller.requestId,
    ...change,
  });
}
