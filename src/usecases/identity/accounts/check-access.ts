import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { AppError } from '#usecases/app-error.ts';
import {
  requireStepUp,
  requireTwoFactor,
  type SessionAssurance,
  sessionAssuranceOf,
} from './session-assurance.ts';

/** What a call requires besides a valid session. */
export interface Demands {
  /** The role. */
  readonly admin: boolean;
  /** A password entered within the last ten minutes. */
  readonly proof: boolean;
  /** A second factor, where this server requires one of administrators. */
  readonly twoFactor: boolean;
}

/**
 * Checks that a session meets the requirements of a call. Called when the headers of a request arrive, again after its
 * body, and again in every transaction that it writes in: minutes may lie between, and a removal.
 * @param session as it is in the database now; null when it has ended
 * @param requiresTwoFactor whether this server requires a second factor of its administrators
 * @throws AppError not_signed_in, not_allowed, two_factor_missing, step_up_required
 */
export function checkAccess(
  session: Pick<LiveSession, 'user' | 'stepUpAgo' | 'hasSecondFactor'> | null,
  demands: Demands,
  requiresTwoFactor: boolean,
): SessionAssurance {
  if (session === null) throw new AppError('not_signed_in', 'Log in to continue.');
  if (demands.admin && session.user.role !== 'admin') {
    throw new AppError('not_allowed', 'You need administrator privileges to do this.');
  }
  const assurance = sessionAssuranceOf(session, requiresTwoFactor);
  if (demands.twoFactor) requireTwoFactor(assurance);
  if (demands.proof) requireStepUp(assurance);
  return assurance;
}
