import type { StepUpPayload } from '#contract/session.ts';
import { type LiveSession, markStepUp } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import {
  type Factor,
  type TwoFactorDeps,
  verifyOwnFactor,
} from '#usecases/identity/two-factor/second-factor.ts';
import { type Caller, sessionNow } from './account-deps.ts';
import { recordAction, verifyOwnPassword } from './verify-password.ts';

/** How long a password or code allows actions that an unattended browser must not do, in milliseconds. */
const STEP_UP_TTL = 10 * 60_000;

/** Whether a password or code was entered within the last ten minutes, at the login or later. */
export function isStepUpFresh({ stepUpAgo }: Pick<LiveSession, 'stepUpAgo'>): boolean {
  return stepUpAgo <= STEP_UP_TTL;
}

/**
 * Checks the password of the logged-in user again, or a code of their second factor; it is valid for ten minutes in
 * this session.
 * @throws AppError validation_failed when it is wrong, too_many_requests, unavailable
 */
export async function stepUp(
  deps: TwoFactorDeps,
  session: LiveSession,
  given: StepUpPayload,
  caller: Caller,
): Promise<void> {
  const { user } = session;
  let factor: Factor | 'password' = 'password';
  if ('password' in given) await verifyOwnPassword(deps, user, given.password, caller, 'step_up');
  else factor = await verifyOwnFactor(deps, user, given.code, caller, 'step_up');
  await transact(deps.db, async (tx) => {
    await markStepUp(tx, session.id, sessionNow(deps));
    await recordAction(tx, deps, user, caller, 'step_up.succeeded', { after: { factor } });
  });
}
