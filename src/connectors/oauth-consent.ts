import type { Instant } from '#domain/units.ts';

/** What leads to the consent page of a marketplace. */
export interface ConsentRequest {
  /** Comes back with the answer as it was sent: it says whose it is. */
  readonly state: string;
  /** Our address that the browser is led back to, for marketplaces that take it from the call. */
  readonly returnTo: string;
  /** SHA-256 of the verifier in base64url, for marketplaces that hold the answer against it. */
  readonly challenge: string;
}

/** What the browser came back with, and what it is held against. */
export interface ConsentAnswer {
  /** Good once, and for minutes. */
  readonly code: string;
  readonly returnTo: string;
  readonly verifier: string;
}

/** What a consent is worth. */
export interface GivenConsent {
  readonly refreshToken: string;
  /** When it ends and a person has to give it again; null when it does not, or nobody says. */
  readonly endsAt: Instant | null;
}

type Credentials = Readonly<Record<string, string>>;

/** How a person lets an application act for their shop, on a page of the marketplace's own. */
export interface OAuthConsent {
  /**
   * The address of that page.
   * @param credentials those of the application; the ones a consent brings may still be missing
   * @throws ConnectorError of fault "key" that names what is missing
   */
  pageFor(credentials: Credentials, request: ConsentRequest): string;
  /**
   * Exchanges the answer for the consent. Never repeated once the marketplace may have heard it: a code is good once.
   * @throws ConnectorError
   */
  exchange(credentials: Credentials, answer: ConsentAnswer, signal: AbortSignal): Promise<GivenConsent>;
}
