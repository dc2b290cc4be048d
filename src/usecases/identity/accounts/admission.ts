import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { AppError } from '#usecases/app-error.ts';
import { clearanceOf, requireStepUp, requireTwoFactor, type SessionAssurance } from './session-assurance.ts';

/** What a call asks of who makes it, beside a living session. */
export interface Demands {
  /** The role. */
  readonly admin: boolean;
  /** A password given within the last ten minutes. */
  readonly proof: boolean;
  /** A second factor, where this server asks its administrators for one. */
  readonly twoFactor: boolean;
}

/**
 * What a session may do that meets the demands of a call. Asked when the headers of a request have come, again when its
 * body has, and again in every transaction that it writes in: minutes may lie between, and a removal.
 * @param session as it is in the database now; null when there is none any more
 * @param requiresTwoFactor whether this server asks its administrators for a second factor
 * @throws AppError not_signed_in, not_allowed, two_factor_missing, step_up_required
 */
export function admit(
  session: LiveSession | null,
  demands: Demands,
  requiresTwoFactor: boolean,
): SessionAssurance {
  if (session === null) throw new AppError('not_signed_in', 'Log in to continue.');
  if (demands.admin && session.user.role !== 'admin') {
    throw new AppError('not_allowed', 'You need administrator privileges to do this.');
  }
  const clearance = clearanceOf(session, requiresTwoFactor);
  if (demands.twoFactor) requireTwoFactor(clearance);
  if (demands.proof) requireStepUp(clearance);
  return clearance;
}
