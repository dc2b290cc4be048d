import type { LookupFunction } from 'node:net';
import type * as openid from 'openid-client';
import type {
  FromProvider,
  IdentityProvider,
  LoginAnswer,
  LoginRequest,
  ProviderClaims,
  ProviderClient,
  ProviderFacts,
  ProviderFailure,
} from '#connectors/identity-provider.ts';
import { isSameIssuer, isSecureFor } from '#connectors/issuer.ts';
import type { Instant } from '#domain/units.ts';
import { isSilent, readClaims } from './provider-claims.ts';
import { InsecureAddressError, providerFetch } from './provider-fetch.ts';

type OpenId = typeof openid;

/** Seconds that one call may take. */
const CALL_LIMIT = 10;
/** Seconds by which the clocks of provider and server may differ. */
const CLOCK_TOLERANCE = 60;
/** How long a provider's document is used again, in milliseconds. */
const DOCUMENT_KEPT = 600_000;

/**
 * Signatures that prove who made an ID token: public keys alone. "none" proves nothing, and HS256 would make the client
 * secret a key.
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

interface ProviderOptions {
  readonly now: () => Instant;
  /** Resolves a name; the system's resolver by default. */
  readonly lookup?: LookupFunction;
}

/** A provider's document, and the calls to it. */
interface Found {
  readonly metadata: openid.ServerMetadata;
  readonly fetch: openid.CustomFetch;
  readonly at: Instant;
}

/** OpenID Connect with openid-client, loaded with the first call: most installations have no provider. */
export function createIdentityProvider({ now, lookup }: ProviderOptions): IdentityProvider {
  /** The last document alone: there is one provider. */
  let kept: { readonly issuer: string; readonly found: Found } | null = null;

  async function find(library: OpenId, client: ProviderClient, anew: boolean): Promise<FromProvider<Found>> {
    const { issuer } = client;
    const age = kept === null ? 0 : now() - kept.found.at;
    if (!anew && kept?.issuer === issuer && age >= 0 && age < DOCUMENT_KEPT) return ok(kept.found);
    if (!isSecureFor(issuer, issuer)) return failed('insecure');
    const fetch = kept?.issuer === issuer ? kept.found.fetch : await providerFetch(issuer, lookup);
    try {
      const config = await library.discovery(new URL(issuer), client.clientId, undefined, library.None(), {
        [library.customFetch]: fetch,
        timeout: CALL_LIMIT,
        execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
      });
      const { supportsPKCE: _method, ...metadata } = config.serverMetadata();
      const reason = problemOf(issuer, metadata);
      if (reason !== null) return failed(reason);
      const found = { metadata: { ...metadata, ...acceptedAlgorithms(metadata) }, fetch, at: now() };
      kept = { issuer, found };
      return ok(found);
    } catch (error) {
      return failed(discoveryFailure(library, error));
    }
  }

  /** A configuration for one login, by our own clock. */
  function configure(library: OpenId, client: ProviderClient, { metadata, fetch }: Found) {
    const { clientId, clientSecret } = client;
    const skew = Math.round((now() - Date.now()) / 1_000);
    const config = new library.Configuration(
      metadata,
      clientId,
      { [library.clockSkew]: skew, [library.clockTolerance]: CLOCK_TOLERANCE },
      authenticationOf(library, clientSecret, metadata.token_endpoint_auth_methods_supported),
    );
    config[library.customFetch] = fetch;
    config.timeout = CALL_LIMIT;
    if (client.issuer.startsWith('http:')) library.allowInsecureRequests(config);
    // In the code flow the library trusts TLS alone unless it is instructed to check the signature too.
    library.enableNonRepudiationChecks(config);
    return config;
  }

  async function pageFor(client: ProviderClient, request: LoginRequest): Promise<FromProvider<string>> {
    const library = await import('openid-client');
    const found = await find(library, client, false);
    if (found.kind === 'failed') return found;
    const { redirectUri, scopes, state, nonce, verifier, acrValues, isFresh } = request;
    const page = library.buildAuthorizationUrl(configure(library, client, found.value), {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
      ...(isFresh && { prompt: 'login', max_age: '0' }),
    });
    return ok(page.href);
  }

  async function exchange(
    client: ProviderClient,
    answer: LoginAnswer,
  ): Promise<FromProvider<ProviderClaims>> {
    const library = await import('openid-client');
    const found = await find(library, client, false);
    if (found.kind === 'failed') return found;
    const config = configure(library, client, found.value);
    const address = new URL(`${answer.redirectUri}?${answer.query}`);
    try {
      const tokens = await library.authorizationCodeGrant(config, address, {
        expectedState: answer.state,
        expectedNonce: answer.nonce,
        pkceCodeVerifier: answer.verifier,
        idTokenExpected: true,
      });
      const token = tokens.claims();
      // The library checks when a token ends, and not whether it comes from the future.
      if (token === undefined || token.iat > now() / 1_000 + CLOCK_TOLERANCE) return failed('not_trusted');
      const isRequested =
        isSilent(token, answer.groupsClaim) && config.serverMetadata().userinfo_endpoint !== undefined;
      const info = isRequested ? await library.fetchUserInfo(config, tokens.access_token, token.sub) : {};
      const claims = readClaims(token, info, answer.groupsClaim);
      return claims === null ? failed('not_trusted') : ok(claims);
    } catch (error) {
      return failed(loginFailure(library, error));
    }
  }

  return {
    discover: async (client) => {
      const found = await find(await import('openid-client'), client, true);
      return found.kind === 'failed' ? found : ok(factsOf(found.value.metadata));
    },
    pageFor,
    exchange,
  };
}

function ok<Value>(value: Value): FromProvider<Value> {
  return { kind: 'ok', value };
}

function failed(reason: ProviderFailure): { readonly kind: 'failed'; readonly reason: ProviderFailure } {
  return { kind: 'failed', reason };
}

function factsOf(metadata: openid.ServerMetadata): ProviderFacts {
  return {
    issuer: metadata.issuer,
    authorizationEndpoint: metadata.authorization_endpoint ?? '',
    tokenEndpoint: metadata.token_endpoint ?? '',
    announcesPkce: metadata.code_challenge_methods_supported?.includes('S256') ?? false,
    namesItself: metadata.authorization_response_iss_parameter_supported === true,
  };
}

/** Without a list the provider signs with RS256, says the specification. */
function acceptedAlgorithms(metadata: openid.ServerMetadata) {
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  return { id_token_signing_alg_values_supported: offered.filter((name) => ALGORITHMS.includes(name)) };
}

/** Why a provider's document cannot be used; null when it can. */
function problemOf(issuer: string, metadata: openid.ServerMetadata): ProviderFailure | null {
  const { authorization_endpoint: page, token_endpoint: exchange, jwks_uri: keys } = metadata;
  if (page === undefined || exchange === undefined || keys === undefined) return 'not_a_provider';
  // The library makes exceptions for some providers, whose documents name no tenant.
  if (!isSameIssuer(metadata.issuer, issuer)) return 'other_issuer';
  const called = [page, exchange, keys, metadata.userinfo_endpoint ?? page];
  if (!called.every((address) => isSecureFor(issuer, address))) return 'insecure';
  const flows = metadata.response_types_supported ?? ['code'];
  const isSupported =
    flows.includes('code') && acceptedAlgorithms(metadata).id_token_signing_alg_values_supported.length > 0;
  return isSupported ? null : 'unsupported';
}

/** By the header where the provider takes it, as the specification's default says; else in the body. */
function authenticationOf(
  { ClientSecretBasic, ClientSecretPost, None }: OpenId,
  secret: string | null,
  offered: readonly string[] = ['client_secret_basic'],
): openid.ClientAuth {
  if (secret === null) return None();
  return offered.includes('client_secret_basic') || !offered.includes('client_secret_post')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret);
}

/** Every error that an error was caused by, itself first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (
    let at = error;
    at !== undefined && causes.length < 10;
    at = at instanceof Error ? at.cause : undefined
  )
    causes.push(at);
  return causes;
}

/** The HTTP status that an error of the library came from; null for other errors. */
function statusOf(error: unknown): number | null {
  const answer = causesOf(error).find((cause) => cause instanceof Response);
  return answer === undefined ? null : answer.status;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function discoveryFailure(library: OpenId, error: unknown): ProviderFailure {
  if (causesOf(error).some((cause) => cause instanceof InsecureAddressError)) return 'insecure';
  const status = statusOf(error);
  if (status !== null) return status >= 500 || status === 429 ? 'unreachable' : 'not_a_provider';
  if (codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'other_issuer';
  return isAboutContent(library, error) ? 'not_a_provider' : 'unreachable';
}

/** Whether an answer came and was not as specified. */
function isAboutContent(library: OpenId, error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof library.ClientError &&
    code !== null &&
    code !== 'OAUTH_TIMEOUT' &&
    code !== 'OAUTH_ABORT'
  );
}

/** Errors of RFC 6749 and OpenID Connect that are about our registration. */
const OF_CLIENT = new Set(['invalid_client', 'unauthorized_client']);
/** And those after which the person can only try again, or ask for access. */
const OF_PERSON = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required']);

function loginFailure(library: OpenId, error: unknown): ProviderFailure {
  if (causesOf(error).some((cause) => cause instanceof InsecureAddressError)) return 'insecure';
  if (error instanceof library.AuthorizationResponseError) {
    if (OF_PERSON.has(error.error)) return 'declined';
    return OF_CLIENT.has(error.error) ? 'client_refused' : 'failed';
  }
  if (error instanceof library.ResponseBodyError) {
    if (OF_CLIENT.has(error.error)) return 'client_refused';
    if (error.error === 'invalid_grant') return 'code_refused';
    return error.status >= 500 ? 'unreachable' : 'failed';
  }
  if (error instanceof library.WWWAuthenticateChallengeError) return 'client_refused';
  const status = statusOf(error);
  if (status !== null && (status >= 500 || status === 429)) return 'unreachable';
  return isAboutContent(library, error) ? 'not_trusted' : 'unreachable';
}
