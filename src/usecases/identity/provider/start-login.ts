import { createHmac } from 'node:crypto';
import { isSameIssuer } from '#connectors/issuer.ts';
import type { Db } from '#db/client.ts';
import {
  insertProviderLogin,
  listIssuersOf,
  type ProviderRow,
  readProvider,
} from '#db/queries/identity/identity-provider.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import { instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Caller } from '#usecases/identity/accounts/account-deps.ts';
import { recordAttempt, recordLockouts } from '#usecases/identity/accounts/attempt-limits.ts';
import { newToken, tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { clientOf, type ProviderDeps } from './provider-deps.ts';
import { providerError } from './provider-errors.ts';

/** Milliseconds that a person may take at the provider. */
export const PROVIDER_LOGIN_TTL = 600_000;

export interface LoginStart {
  /** Our page that the provider sends the browser back to. */
  readonly redirectUri: string;
  /** The path of the page to show afterwards; any other text leads to the start page. */
  readonly returnTo: string;
  /** The session that a fresh login is for; null for a login. */
  readonly session: LiveSession | null;
}

/** Where the browser goes, and the token that only its cookie has. */
export interface StartedLogin {
  readonly address: string;
  readonly token: string;
}

/** The secrets of a login, derived from the token of its browser. The database has only its hash, so that a copy is useless. */
export function secretsOf(token: string): {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
} {
  const derived = (use: string): string => createHmac('sha256', token).update(use).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
}

/** What the column holds: other alphabets grow when they are encoded. */
const LONGEST_PATH = 2_000;

/** A path of our own pages; "/" for everything else. */
function ownPath(path: string): string {
  const here = 'http://here.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, here)) return '/';
  const url = new URL(path, here);
  // Two slashes at the start, which "/.//" becomes, name a host.
  if (url.origin !== here || /^\/(?:\/|auth(?:\/|$)|api(?:\/|$))/.test(url.pathname)) return '/';
  const own = url.pathname + url.search + url.hash;
  return own.length > LONGEST_PATH ? '/' : own;
}

/** Whether a user is linked at an issuer, whose token may name it with a slash at the end and the settings without. */
async function isLinked(db: Db, userId: string, issuer: string): Promise<boolean> {
  const issuers = await listIssuersOf(db, userId);
  return issuers.some((linked) => isSameIssuer(linked, issuer));
}

/** The provider, where it is on. @throws AppError not_found where it is not */
export function inUse(provider: ProviderRow | null): ProviderRow {
  if (provider?.isOn === true) return provider;
  throw new AppError('not_found', 'Login with an identity provider is off. Log in with your password.');
}

/**
 * Begins a login with the identity provider, or a fresh one for the session of a logged-in user. Only this browser can
 * complete it, once, within 10 minutes. Each start is counted by network until a login succeeds.
 * @throws AppError not_found, too_many_requests, unavailable; conflict for a user who is not linked to the provider
 */
export async function startProviderLogin(
  deps: ProviderDeps,
  { redirectUri, returnTo, session }: LoginStart,
  caller: Caller,
): Promise<StartedLogin> {
  const { db, now } = deps;
  const provider = inUse(await readProvider(db));
  if (session !== null && !(await isLinked(db, session.user.id, provider.issuer))) {
    throw new AppError(
      'conflict',
      `Your account is not linked to ${provider.label}. Enter your password, or ask an administrator to reset it.`,
    );
  }
  const lockouts = await recordAttempt(db, 'provider', { address: caller.address }, now());
  const token = newToken();
  const page = await deps.identityProvider.pageFor(await clientOf(deps, provider), {
    redirectUri,
    scopes: provider.scopes,
    acrValues: provider.secondFactor === 'reported' ? provider.factorAcrs : [],
    isFresh: session !== null,
    ...secretsOf(token),
  });
  const startedAt = now();
  await transact(db, async (tx) => {
    await recordLockouts(tx, 'provider', lockouts, null, caller, startedAt);
    if (page.kind === 'failed') return;
    await insertProviderLogin(tx, {
      tokenHash: tokenHash(token),
      sessionId: session?.id ?? null,
      providerVersion: provider.version,
      redirectUri,
      returnTo: ownPath(returnTo),
      startedAt,
      expiresAt: instant(startedAt + PROVIDER_LOGIN_TTL),
    });
  });
  if (page.kind === 'failed') throw providerError(page.reason, provider.label);
  return { address: page.value, token };
}
