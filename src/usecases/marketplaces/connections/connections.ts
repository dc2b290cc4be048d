import type { Account, MarketplaceConnector } from '#connectors/connector.ts';
import type { OAuthConsent } from '#connectors/oauth-consent.ts';
import type { Consented } from '#domain/credentials.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** A shop that can be called. */
export interface Connection {
  readonly marketplace: Marketplace;
  readonly connector: MarketplaceConnector;
  readonly account: Account;
  /** Rises when prices begin to be sent there, or to another account. */
  readonly generation: number;
}

/**
 * How prices of a marketplace go out. `connected`: switched on, its credentials complete, whether or not it answers.
 * `read_only`: the same for reading, and no price may be sent; `why` says what lets it. `paused`: credentials are
 * stored, and it is switched off, or one of them is missing or cannot be read here; `why` says which. `file`: no
 * credentials were ever entered.
 */
export type ConnectionState =
  | { readonly kind: 'connected'; readonly connection: Connection }
  | { readonly kind: 'read_only'; readonly connection: Connection; readonly why: string }
  | { readonly kind: 'paused'; readonly why: string }
  | { readonly kind: 'file' };

/** Whether there is somebody to ask, whatever may be sent there. */
export function isReachable(
  state: ConnectionState,
): state is Extract<ConnectionState, { readonly connection: Connection }> {
  return state.kind === 'connected' || state.kind === 'read_only';
}

/** How somebody consents to an application, and what it is by now. */
export interface ConsentClient {
  readonly consent: OAuthConsent;
  /** Those that are stored; the ones a consent brings may be missing. */
  readonly credentials: Account['credentials'];
  /** Of these credentials: it rises when those that tokens are fetched with change. */
  readonly epoch: number;
}

/** The shops of this installation, as the settings have them at this moment. */
export interface Connections {
  /** Never throws for what a person can put right: that is a state. */
  stateOf(marketplace: Marketplace): Promise<ConnectionState>;
}

/** The same for a process that people talk to. */
export interface ConsentingConnections extends Connections {
  /**
   * @throws AppError conflict where this release leads nobody to a consent page; SecretError when what is stored cannot be
   * read here
   */
  consentOf(marketplace: Consented): Promise<ConsentClient>;
}
