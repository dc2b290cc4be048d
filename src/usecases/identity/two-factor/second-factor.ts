import { findRecoveryCode, spendRecoveryCode, spendStep } from '#db/queries/identity/two-factor.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type EmailDeps, queueEmail } from '#usecases/email/queued-email.ts';
import type { AccountDeps, Caller } from '#usecases/identity/accounts/account-deps.ts';
import {
  countCode,
  recordLockouts,
  resetCodeAttempts,
  undoCodeAttempt,
} from '#usecases/identity/accounts/attempt-limits.ts';
import { recordAction, type VerificationPurpose } from '#usecases/identity/accounts/verify-password.ts';
import { openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { readCode } from './recovery-codes.ts';
import { stepOf } from './totp.ts';

/** What checking a second factor needs. */
export type TwoFactorDeps = AccountDeps &
  Pick<EmailDeps, 'queue' | 'home'> & { readonly secrets: SecretKeys };

/** The source of a correct code. */
export type Factor = 'app' | 'recovery code';

/** The same text for a code that is wrong, too old, or was used before. */
const INVALID_CODE = 'Invalid code. Try the next code from your app.';

const UNREADABLE =
  'The server cannot decrypt your authenticator key. Use a recovery code, or ask your administrator.';

/** The place of an account's secret: it can only be decrypted there. */
export function secretPlace(userId: string): string {
  return `users/${userId}/two_factor_secret`;
}

/** @param field the request's name of the code */
function invalidCode(code: 'invalid_credentials' | 'validation_failed', field: string): AppError {
  return new AppError(code, INVALID_CODE, { fields: { [field]: INVALID_CODE } });
}

/**
 * Checks the second factor of an account at the login, after its password: otherwise a stranger could use up its
 * owner's attempts.
 * @throws AppError invalid_credentials, too_many_requests, unavailable when the secret cannot be read
 */
export async function verifyFactor(
  deps: TwoFactorDeps,
  user: UserRow,
  typed: string,
  caller: Caller,
  about: VerificationPurpose,
): Promise<Factor> {
  const factor = await checkCounted(deps, user, caller, about, () => factorOf(deps, user, typed, caller));
  if (factor === null) throw invalidCode('invalid_credentials', 'twoFactorToken');
  return factor;
}

/**
 * {@link verifyFactor} for a logged-in user, who stays logged in after a wrong code.
 * @throws AppError validation_failed, too_many_requests, unavailable
 */
export async function verifyOwnFactor(
  deps: TwoFactorDeps,
  user: UserRow,
  typed: string,
  caller: Caller,
  about: VerificationPurpose,
): Promise<Factor> {
  if (!user.twoFactorEnabled) {
    const text = 'Two-factor authentication is off for this account. Enter your password.';
    throw new AppError('validation_failed', text, { fields: { code: text } });
  }
  const factor = await checkCounted(deps, user, caller, about, () => factorOf(deps, user, typed, caller));
  if (factor === null) throw invalidCode('validation_failed', 'code');
  return factor;
}

/**
 * Checks the first code of an app that is being set up.
 * @throws AppError validation_failed, too_many_requests, unavailable
 */
export async function verifyNewApp(
  deps: TwoFactorDeps,
  user: UserRow,
  typed: string,
  caller: Caller,
  about: VerificationPurpose,
): Promise<void> {
  const code = readCode(typed);
  const factor = await checkCounted(deps, user, caller, about, () =>
    code?.kind === 'digits' ? appFactor(deps, user, code.digits) : Promise.resolve(null),
  );
  if (factor === null) throw invalidCode('validation_failed', 'code');
}

/** Counts an attempt before it is checked, whatever its result; a correct one resets the count. */
async function checkCounted(
  deps: TwoFactorDeps,
  user: UserRow,
  caller: Caller,
  about: VerificationPurpose,
  check: () => Promise<Factor | null>,
): Promise<Factor | null> {
  const { db, now } = deps;
  const lockouts = await countCode(db, user.id, caller, now());
  const factor = await check().catch(async (error: unknown) => {
    // Rejected by the hasher, or by an unreadable secret: nothing was checked, so it was no guess.
    await undoCodeAttempt(db, user.id, caller, now());
    throw error;
  });
  if (factor !== null) await resetCodeAttempts(db, user.id, caller, now());
  else {
    await transact(db, async (tx) => {
      await recordAction(tx, deps, user, caller, `${about}.failed`, { after: { factor: 'code' } });
      await recordLockouts(tx, 'two_factor', lockouts, user, caller, now());
    });
  }
  return factor;
}

async function factorOf(
  deps: TwoFactorDeps,
  user: UserRow,
  typed: string,
  caller: Caller,
): Promise<Factor | null> {
  const code = readCode(typed);
  if (code === null) return null;
  if (code.kind === 'digits') return appFactor(deps, user, code.digits);
  return recoveryFactor(deps, user, code, caller);
}

async function appFactor(deps: TwoFactorDeps, user: UserRow, digits: string): Promise<Factor | null> {
  const step = stepOf(await readSecret(deps, user), digits, deps.now());
  return step !== null && (await transact(deps.db, (tx) => spendStep(tx, user, step))) ? 'app' : null;
}

/** One hash is checked, whether there is such a code or not. */
async function recoveryFactor(
  deps: TwoFactorDeps,
  user: UserRow,
  { handle, code }: { readonly handle: string; readonly code: string },
  caller: Caller,
): Promise<Factor | null> {
  const row = await findRecoveryCode(deps.db, user.id, handle);
  const isRight = await deps.passwords.verify(row?.codeHash ?? null, code);
  if (!isRight || row === null) return null;
  return transact(deps.db, async (tx) => {
    if (!(await spendRecoveryCode(tx, row.id, deps.now()))) return null;
    await recordAction(tx, deps, user, caller, 'two_factor.recovery_code_used');
    await queueEmail(tx, deps, 'recovery_code_used', user.id);
    return 'recovery code';
  });
}

/** @throws AppError unavailable: an unreadable secret must not skip the second factor */
async function readSecret({ secrets }: TwoFactorDeps, user: UserRow): Promise<string> {
  try {
    const key = await secrets.current();
    if (key !== null && user.twoFactorSecret !== null) {
      return openSecret(key, secretPlace(user.id), user.twoFactorSecret);
    }
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    // Its text is for the administrator, and shown under Settings.
  }
  throw new AppError('unavailable', UNREADABLE);
}
