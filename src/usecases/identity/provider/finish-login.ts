import { timingSafeEqual } from 'node:crypto';
import type { FromProvider, ProviderClaims } from '#connectors/identity-provider.ts';
import {
  lockIdentity,
  type ProviderLogin,
  type ProviderRow,
  readProvider,
  takeProviderLogin,
} from '#db/queries/identity/identity-provider.ts';
import { type LiveSession, markSessionProved } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Caller, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { undoAttempt } from '#usecases/identity/accounts/attempt-limits.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import type { SignedIn } from '#usecases/identity/accounts/sign-in.ts';
import { recordAct } from '#usecases/identity/accounts/verify-password.ts';
import { admitPerson } from './admit-person.ts';
import { clientOf, type ProviderDeps, usesGroups } from './provider-deps.ts';
import { providerError } from './provider-errors.ts';
import { inUse, secretsOf } from './start-login.ts';

/** What the browser returned with from the provider. */
export interface ReturnedLogin {
  /** The token of its cookie; null without one. */
  readonly token: string | null;
  /** The parameters of the address, without the question mark. */
  readonly query: string;
  /** Its session; null without one. */
  readonly session: LiveSession | null;
}

/** A login: the session, and those that ended with a changed role. A fresh login for a session: only where to go. */
export interface FinishedLogin {
  readonly signedIn: SignedIn | null;
  readonly endedSessions: readonly string[];
  /** A path of our own pages. */
  readonly returnTo: string;
}

/** Seconds by which the provider's clock may be behind at a fresh login. */
const FRESH_TOLERANCE = 60;

const AGAIN =
  'This login was started in another browser or tab, was used already, or took more than 10 minutes. Log in again.';

/**
 * Completes a login: takes the stored start, so that nothing works twice, exchanges the code and starts a session for
 * the person, or confirms the session that a fresh login is for.
 * @throws AppError conflict when this browser has begun no such login, or the settings have changed since; not_found,
 *   not_allowed, not_approved, not_verified, not_signed_in, unavailable
 */
export async function finishProviderLogin(
  deps: ProviderDeps,
  { token, query, session }: ReturnedLogin,
  caller: Caller,
): Promise<FinishedLogin> {
  const { db, now } = deps;
  // In a transaction of its own: whatever happens next, it does not work twice.
  const login = token === null ? null : await transact(db, (tx) => takeProviderLogin(tx, tokenHash(token)));
  if (token === null || login === null || login.expiresAt <= now())
    return refuse(deps, caller, 'not_started');
  const { state, nonce, verifier } = secretsOf(token);
  if (!isSame(new URLSearchParams(query).get('state') ?? '', state)) return refuse(deps, caller, 'state');
  const provider = inUse(await readProvider(db));
  if (provider.version !== login.providerVersion) return refuse(deps, caller, 'settings_changed');
  const claims = await deps.identityProvider.exchange(await clientOf(deps, provider), {
    redirectUri: login.redirectUri,
    query,
    state,
    nonce,
    verifier,
    groupsClaim: usesGroups(provider) ? provider.groupsClaim : null,
  });
  const done =
    login.sessionId === null
      ? await logIn(deps, provider, claims, caller)
      : await confirm(deps, { provider, login, claims, session }, caller);
  await undoAttempt(db, 'provider', { address: caller.address }, now());
  return { ...done, returnTo: login.returnTo };
}

type Done = Omit<FinishedLogin, 'returnTo'>;

async function logIn(
  deps: ProviderDeps,
  provider: ProviderRow,
  claims: FromProvider<ProviderClaims>,
  caller: Caller,
): Promise<Done> {
  if (claims.kind === 'failed') {
    await recordFailure(deps, caller, claims.reason);
    throw providerError(claims.reason, provider.label);
  }
  return admitPerson(deps, provider, claims.value, caller);
}

/** Confirms a session by a fresh login of the same person. */
async function confirm(
  deps: ProviderDeps,
  given: {
    readonly provider: ProviderRow;
    readonly login: ProviderLogin;
    readonly claims: FromProvider<ProviderClaims>;
    readonly session: LiveSession | null;
  },
  caller: Caller,
): Promise<Done> {
  const { provider, login, claims, session } = given;
  if (session === null || session.id !== login.sessionId) {
    throw new AppError('not_signed_in', 'Your session has ended. Log in to continue.');
  }
  const { user } = session;
  const problem = await transact(deps.db, async (tx) => {
    const reason = claims.kind === 'failed' ? claims.reason : await staleness(claims.value, login.startedAt);
    const identity =
      claims.kind === 'failed' || reason !== null ? null : await lockIdentity(tx, claims.value);
    const failure = reason ?? (identity?.userId === user.id ? null : 'another_person');
    if (failure === null) {
      await markSessionProved(tx, session.id, sessionNow(deps));
      await recordAct(tx, deps, user, caller, 'provider_step_up.succeeded');
    } else {
      await recordAct(tx, deps, user, caller, 'provider_step_up.failed', { after: { reason: failure } });
    }
    return failure;
  });
  if (problem === null) return { signedIn: null, endedSessions: [] };
  if (problem === 'another_person') {
    throw new AppError('not_allowed', `Log in at ${provider.label} as ${user.email}. Nothing was confirmed.`);
  }
  if (problem === 'not_fresh') {
    throw new AppError(
      'not_allowed',
      `${provider.label} did not ask for your login again, so nothing was confirmed. Log out there and try again, or ask an administrator of Pricewright for a password.`,
    );
  }
  throw providerError(problem, provider.label);
}

/** Whether the person logged in after the start: a provider that remembers them confirms nothing. */
function staleness({ authTime }: ProviderClaims, startedAt: number): 'not_fresh' | null {
  return authTime !== null && authTime >= startedAt / 1_000 - FRESH_TOLERANCE ? null : 'not_fresh';
}

async function recordFailure(deps: ProviderDeps, caller: Caller, reason: string): Promise<void> {
  await transact(deps.db, (tx) =>
    recordAct(tx, deps, null, caller, 'provider_login.failed', { after: { reason } }),
  );
}

async function refuse(deps: ProviderDeps, caller: Caller, reason: string): Promise<never> {
  await recordFailure(deps, caller, reason);
  throw new AppError('conflict', AGAIN);
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
