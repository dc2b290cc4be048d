import type { Instant } from '#domain/units.ts';

/** Parameters of a marketplace's authorization page. */
export interface ConsentRequest {
  /** Returned unchanged with the response: identifies the user it belongs to. */
  readonly state: string;
  /** Our redirect address, for marketplaces that take it from the call. */
  readonly returnTo: string;
  /** SHA-256 of the verifier in base64url, for marketplaces that use PKCE. */
  readonly challenge: string;
}

/** What the redirect brought, and what it is checked against. */
export interface ConsentAnswer {
  /** Valid once, for minutes. */
  readonly code: string;
  readonly returnTo: string;
  readonly verifier: string;
}

/** The result of an authorization. */
export interface GivenConsent {
  readonly refreshToken: string;
  /** When it expires and must be given again; null when it does not, or it is unknown. */
  readonly endsAt: Instant | null;
}

type Credentials = Readonly<Record<string, string>>;

/** How a user authorizes an application for their store, on a page of the marketplace. */
export interface OAuthConsent {
  /**
   * The address of that page.
   * @param credentials those of the application; the tokens of the authorization may still be missing
   * @throws ConnectorError of fault "key" that names what is missing
   */
  pageFor(credentials: Credentials, request: ConsentRequest): string;
  /**
   * Exchanges the code for tokens. Never repeated once the marketplace may have received it: a code is valid once.
   * @throws ConnectorError
   */
  exchange(credentials: Credentials, answer: ConsentAnswer, signal: AbortSignal): Promise<GivenConsent>;
}
