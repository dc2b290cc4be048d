import { timingSafeEqual } from 'node:crypto';
import type { FromProvider, ProviderClaims } from '#connectors/identity-provider.ts';
import type { Db } from '#db/client.ts';
import {
  lockIdentity,
  type ProviderLogin,
  type ProviderRow,
  readProvider,
  shareProvider,
  takeProviderLogin,
} from '#db/queries/identity/identity-provider.ts';
import { markStepUp } from '#db/queries/identity/sessions.ts';
import { lockAdmins, lockUser, type UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Caller, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { recordAttempt, recordLockouts, undoAttempt } from '#usecases/identity/accounts/attempt-limits.ts';
import type { LoggedIn } from '#usecases/identity/accounts/log-in.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { holdSession } from '#usecases/identity/accounts/sessions.ts';
import { recordAction } from '#usecases/identity/accounts/verify-password.ts';
import { readGroups } from './admission.ts';
import { admitPerson, type Outcome } from './admit-person.ts';
import { alignRole, endProviderAccess } from './group-changes.ts';
import { clientOf, type ProviderDeps, usesGroups } from './provider-deps.ts';
import { admissionError, providerError } from './provider-errors.ts';
import { inUse, secretsOf } from './start-login.ts';

/** What the browser returned with from the provider. */
export interface ReturnedLogin {
  /** The token of its cookie; null without one. */
  readonly token: string | null;
  /** The parameters of the address, without the question mark. */
  readonly query: string;
  /** The token of its session; null without one. */
  readonly sessionToken: string | null;
}

/** A login has a session; a fresh login for a session has none, only where to go. */
export interface FinishedLogin {
  readonly loggedIn: LoggedIn | null;
  /** A path of our own pages. */
  readonly returnTo: string;
}

/** Seconds by which the provider's clock may differ at a fresh login. */
const FRESH_TOLERANCE = 60;

const AGAIN =
  'This login was started in another browser or tab, was used already, or took more than 10 minutes. Log in again.';

/**
 * Completes a login: takes the stored start, so that nothing works twice, exchanges the code and starts a session for
 * the person, or confirms the session that a fresh login is for. Anyone can send made-up answers: those that no login
 * of this browser was begun for are counted by network, like starts.
 * @returns a refusal of the person with the sessions that have ended, or the login
 * @throws AppError conflict when this browser has begun no such login, or the settings have changed since; not_found,
 *   not_allowed, too_many_requests, unavailable
 */
export async function finishProviderLogin(
  deps: ProviderDeps,
  { token, query, sessionToken }: ReturnedLogin,
  caller: Caller,
): Promise<Outcome<FinishedLogin>> {
  const { db, now } = deps;
  const provider = inUse(await readProvider(db));
  // In a transaction of its own: whatever happens next, it does not work twice.
  const login = token === null ? null : await transact(db, (tx) => takeProviderLogin(tx, tokenHash(token)));
  if (token === null || login === null || login.expiresAt <= now())
    return refuse(deps, caller, 'not_started');
  const { state, nonce, verifier } = secretsOf(token);
  if (!isSame(new URLSearchParams(query).get('state') ?? '', state)) return refuse(deps, caller, 'state');
  if (provider.version !== login.providerVersion) return refuse(deps, caller, 'settings_changed');
  const claims = await deps.identityProvider.exchange(await clientOf(deps, provider), {
    redirectUri: login.redirectUri,
    query,
    state,
    nonce,
    verifier,
    groupsClaim: usesGroups(provider) ? provider.groupsClaim : null,
  });
  const outcome =
    login.sessionId === null
      ? await logIn(deps, provider, claims, caller)
      : await confirm(deps, { provider, login, claims, sessionToken }, caller);
  if (outcome.kind === 'refused') return outcome;
  await undoAttempt(db, 'provider', { address: caller.address }, now());
  return { ...outcome, value: { loggedIn: outcome.value, returnTo: login.returnTo } };
}

async function logIn(
  deps: ProviderDeps,
  provider: ProviderRow,
  claims: FromProvider<ProviderClaims>,
  caller: Caller,
): Promise<Outcome<LoggedIn>> {
  if (claims.kind === 'failed') {
    await transact(deps.db, (tx) => recordFailure(tx, deps, caller, claims.reason));
    throw providerError(claims.reason, provider.label);
  }
  return admitPerson(deps, provider, claims.value, caller);
}

/** A fresh login, and the session that it is for. */
interface Confirmation {
  readonly provider: ProviderRow;
  readonly login: ProviderLogin;
  readonly claims: FromProvider<ProviderClaims>;
  readonly sessionToken: string | null;
}

/**
 * Confirms a session by a fresh login of the same person. The session is read again: the call to the provider took a
 * while. Groups count as at a login: who has left them confirms nothing.
 */
async function confirm(
  deps: ProviderDeps,
  { provider, login, claims, sessionToken }: Confirmation,
  caller: Caller,
): Promise<Outcome<null>> {
  return transact(deps.db, async (tx): Promise<Outcome<null>> => {
    const admins = await lockAdmins(tx);
    const current = await shareProvider(tx);
    const session = sessionToken === null ? null : await holdSession(tx, sessionToken, sessionNow(deps));
    const user = session?.id === login.sessionId ? await lockUser(tx, session.user.id) : null;
    if (session === null || user === null) {
      return {
        kind: 'refused',
        error: new AppError('not_signed_in', 'Your session has ended. Log in to continue.'),
        endedSessions: [],
      };
    }
    const refuse = async (
      reason: string,
      error: AppError,
      endedSessions: readonly string[] = [],
    ): Promise<Outcome<null>> => {
      const ended = endedSessions.length > 0 && { endedSessions: endedSessions.length };
      await recordAction(tx, deps, user, caller, 'provider_step_up.failed', { after: { reason, ...ended } });
      return { kind: 'refused', error, endedSessions };
    };
    const { label } = provider;
    if (current?.version !== provider.version) {
      return refuse('settings_changed', admissionError('settings_changed', label));
    }
    if (claims.kind === 'failed') return refuse(claims.reason, providerError(claims.reason, label));
    const problem = await notTheirs(tx, claims.value, user, login.startedAt, deps.now());
    if (problem !== null) return refuse(problem, confirmationError(problem, label, user));
    const admission = readGroups(provider, claims.value.groups);
    if (admission.kind === 'refused') {
      const isOut = admission.problem === 'not_in_group';
      const ended = isOut ? await endProviderAccess(tx, user) : [];
      return refuse(admission.problem, admissionError(admission.problem, label), ended);
    }
    const aligned = await alignRole(tx, deps, user, admission.role, admins, caller);
    if (aligned.user.role !== user.role) {
      return refuse('role_changed', confirmationError('role_changed', label, user), aligned.endedSessions);
    }
    await markStepUp(tx, session.id, sessionNow(deps));
    await recordAction(tx, deps, user, caller, 'provider_step_up.succeeded');
    return { kind: 'done', value: null, endedSessions: [] };
  });
}

type ConfirmationProblem = 'not_fresh' | 'another_person' | 'role_changed';

/** Why a login confirms no session of this user; null when it is fresh and theirs. */
async function notTheirs(
  tx: Db,
  claims: ProviderClaims,
  user: UserRow,
  startedAt: Instant,
  now: Instant,
): Promise<ConfirmationProblem | null> {
  if (!isFresh(claims, startedAt, now)) return 'not_fresh';
  const identity = await lockIdentity(tx, claims);
  return identity?.userId === user.id ? null : 'another_person';
}

/**
 * Whether the person logged in after the start: a provider that remembers them confirms nothing. Nor does a time to
 * come, such as one in milliseconds: it would be later than every start.
 */
function isFresh({ authTime }: ProviderClaims, startedAt: Instant, now: Instant): boolean {
  return (
    authTime !== null &&
    authTime >= startedAt / 1_000 - FRESH_TOLERANCE &&
    authTime <= now / 1_000 + FRESH_TOLERANCE
  );
}

function confirmationError(
  problem: ConfirmationProblem,
  label: string,
  { email }: Pick<UserRow, 'email'>,
): AppError {
  switch (problem) {
    case 'another_person':
      return new AppError('not_allowed', `Log in at ${label} as ${email}. Nothing was confirmed.`);
    case 'not_fresh':
      return new AppError(
        'not_allowed',
        `${label} did not ask for your login again, so nothing was confirmed. Log out there and try again, or ask an administrator of Pricewright for a password.`,
      );
    case 'role_changed':
      return new AppError(
        'not_signed_in',
        `Your role at ${label} has changed, and you were logged out. Log in again to continue with it.`,
      );
  }
}

async function recordFailure(tx: Db, deps: ProviderDeps, caller: Caller, reason: string): Promise<void> {
  await recordAction(tx, deps, null, caller, 'provider_login.failed', { after: { reason } });
}

/** @throws AppError conflict; too_many_requests, without a row of the audit log, after many from one network */
async function refuse(deps: ProviderDeps, caller: Caller, reason: string): Promise<never> {
  const lockouts = await recordAttempt(deps.db, 'provider', { address: caller.address }, deps.now());
  await transact(deps.db, async (tx) => {
    await recordFailure(tx, deps, caller, reason);
    await recordLockouts(tx, 'provider', lockouts, null, caller, deps.now());
  });
  throw new AppError('conflict', AGAIN);
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
