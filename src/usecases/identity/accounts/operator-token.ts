import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps } from './account-deps.ts';
import { recordAttempt, undoAttempt } from './attempt-limits.ts';

const REFUSAL = 'Call from the machine itself, or send METRICS_TOKEN as a bearer token.';

/**
 * Requires the token of METRICS_TOKEN. Wrong ones are counted per address, as passwords are.
 * @param given the Authorization header; nothing is counted without one, or without a token to guess
 * @param token null when none is set: then every call is rejected
 * @throws AppError not_allowed, too_many_requests
 */
export async function requireOperatorToken(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  given: string | undefined,
  token: string | null,
  address: string,
): Promise<void> {
  if (given === undefined || token === null) throw new AppError('not_allowed', REFUSAL);
  await recordAttempt(db, 'metrics', { address }, now());
  if (!timingSafeEqual(digest(given), digest(`Bearer ${token}`))) throw new AppError('not_allowed', REFUSAL);
  await undoAttempt(db, 'metrics', { address }, now());
}

/** Of one length for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
