/**
 * Our registration at an identity provider. The issuer is the provider's own name for itself, an https address without
 * query or fragment.
 */
export interface ProviderClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
}

/** A login as the browser takes it to the provider. */
export interface LoginRequest {
  /** Our page that the provider sends the browser back to. */
  readonly redirectUri: string;
  /** Contains "openid". */
  readonly scopes: readonly string[];
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier; only its SHA-256 leaves the server here. */
  readonly verifier: string;
  /** Values of the claim "acr" to ask for; may be empty. */
  readonly acrValues: readonly string[];
  /** The provider must ask for the login anew, also of a person who is logged in there. */
  readonly isFresh: boolean;
}

/** What the browser returned with. */
export interface LoginAnswer extends Pick<LoginRequest, 'redirectUri' | 'state' | 'nonce' | 'verifier'> {
  /** The parameters of the address, without the question mark. */
  readonly query: string;
  /** The claim that names the groups; null where they are not needed. */
  readonly groupsClaim: string | null;
}

/** What a checked ID token, and where it is silent the user info of the same subject, says of a person. */
export interface ProviderClaims {
  /** The provider's own name for itself, as it is in the token. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Only what the provider says is true. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** Null without the claim: not the same as a person in no group. */
  readonly groups: readonly string[] | null;
  /** How the person logged in (RFC 8176), such as "pwd" or "mfa". */
  readonly methods: readonly string[];
  readonly acr: string | null;
  /** Seconds since 1970; null where the provider does not report. */
  readonly authTime: number | null;
}

/** Why a provider could not be used. Its own words are never part of it. */
export type ProviderFailure =
  /** No connection, no answer in time, or a server error. */
  | 'unreachable'
  /** The address has no OpenID Connect document, or one that is not valid. */
  | 'not_a_provider'
  /** The document names another issuer than the address. */
  | 'other_issuer'
  /** An address that is not https, where it must be. */
  | 'insecure'
  /** It offers no code flow, or signs with no algorithm that we accept. */
  | 'unsupported'
  /** Wrong client id or secret. */
  | 'client_refused'
  /** The person declined, or may not use this client. */
  | 'declined'
  /** The code was refused: used, expired, or of another client. */
  | 'code_refused'
  /** Response or ID token failed a check. */
  | 'not_trusted'
  /** The provider answered with another error. */
  | 'failed';

/** A value, or why there is none. */
export type FromProvider<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'failed'; readonly reason: ProviderFailure };

/** What a provider says about itself. */
export interface ProviderFacts {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Whether it says that it checks PKCE with SHA-256. It is used in any case. */
  readonly announcesPkce: boolean;
  /** Whether it says that it names itself in the response, against mix-up (RFC 9207). */
  readonly namesItself: boolean;
}

/** An OpenID Connect provider, called with the code flow and PKCE. */
export interface IdentityProvider {
  /** Reads the provider's document anew. */
  discover(client: ProviderClient): Promise<FromProvider<ProviderFacts>>;
  /** The address of the provider's login page. */
  pageFor(client: ProviderClient, request: LoginRequest): Promise<FromProvider<string>>;
  /** Exchanges the code and checks the ID token: issuer, audience, nonce, times, algorithm and signature. */
  exchange(client: ProviderClient, answer: LoginAnswer): Promise<FromProvider<ProviderClaims>>;
}
