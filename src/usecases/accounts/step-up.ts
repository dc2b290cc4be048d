import type { StepUpPayload } from '#contract/session.ts';
import { type LiveSession, markSessionProved } from '#db/queries/sessions.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { AccountDeps, Caller } from './account-deps.ts';
import { provePassword, recordAct } from './prove-password.ts';

/** A password counts this long for what a borrowed browser must not do, in milliseconds. */
const PROOF_LIFE = 10 * 60_000;

/** Whether the password was given within the last ten minutes, at the sign-in or since. */
export function isProved({ provedAt }: Pick<LiveSession, 'provedAt'>, now: Instant): boolean {
  return now - provedAt <= PROOF_LIFE;
}

/**
 * Takes the password of whoever is signed in once more; it counts for ten minutes in this session.
 * @throws AppError validation_failed when it is wrong, too_many_requests
 */
export async function stepUp(
  deps: AccountDeps,
  session: LiveSession,
  given: StepUpPayload,
  caller: Caller,
): Promise<void> {
  const { username } = session.user;
  if (!('password' in given)) {
    const text = 'This account has no second factor. Enter your password.';
    throw new AppError('validation_failed', text, { fields: { code: text } });
  }
  const { password } = given;
  try {
    await provePassword(deps, { username, password }, caller, 'step_up');
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error;
    // Not the sign-in's answer: whoever mistypes stays signed in.
    const text = 'This password is wrong.';
    throw new AppError('validation_failed', text, { fields: { password: text } });
  }
  await deps.db.transaction(async (tx) => {
    await markSessionProved(tx, session.id, deps.now());
    await recordAct(tx, deps, session.user, caller, 'step_up.succeeded');
  });
}
