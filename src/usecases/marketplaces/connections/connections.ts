import type { Account, MarketplaceConnector } from '#connectors/connector.ts';
import type { OAuthConsent } from '#connectors/oauth-consent.ts';
import type { Consented } from '#domain/connections/credentials.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** A marketplace account that can be called. */
export interface Connection {
  readonly marketplace: Marketplace;
  readonly connector: MarketplaceConnector;
  readonly account: Account;
  /** Increases when sending starts there, or when the account changes. */
  readonly generation: number;
}

/**
 * How prices reach a marketplace. `connected`: enabled with complete credentials, whether or not it responds. `read_only`:
 * connected, but sending prices is turned off; `why` says how to turn it on. `paused`: credentials are stored, but it is
 * disabled, or one is missing or cannot be decrypted here; `why` says which. `file`: no credentials were ever entered.
 */
export type ConnectionState =
  | { readonly kind: 'connected'; readonly connection: Connection }
  | { readonly kind: 'read_only'; readonly connection: Connection; readonly why: string }
  | { readonly kind: 'paused'; readonly why: string }
  | { readonly kind: 'file' };

/** Whether the marketplace can be read from. */
export function isReachable(
  state: ConnectionState,
): state is Extract<ConnectionState, { readonly connection: Connection }> {
  return state.kind === 'connected' || state.kind === 'read_only';
}

/** OAuth authorization of a marketplace, with its stored credentials. */
export interface ConsentClient {
  readonly consent: OAuthConsent;
  /** Stored credentials; those that the authorization returns may be missing. */
  readonly credentials: Account['credentials'];
  /** Increases when credentials that tokens are fetched with change. */
  readonly epoch: number;
}

/** The marketplace connections of this installation, by the current settings. */
export interface Connections {
  /** What the user can fix is a state, never thrown. */
  stateOf(marketplace: Marketplace): Promise<ConnectionState>;
  /**
   * The account of a marketplace that is switched off, with everything that it needs, and whose authorization ends if it is
   * not used; null for any other one. Nothing but that authorization may be used.
   */
  unusedOf?(marketplace: Marketplace): Promise<Connection | null>;
}

/** {@link Connections} that can also be authorized, for a process that serves users. */
export interface ConsentingConnections extends Connections {
  /**
   * @throws AppError conflict where this release has no authorization page for the marketplace; SecretError when stored
   * credentials cannot be decrypted here
   */
  consentOf(marketplace: Consented): Promise<ConsentClient>;
}
