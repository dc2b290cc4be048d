import type { MarketplaceConnector } from '#connectors/connector.ts';
import type { OAuthConsent } from '#connectors/oauth-consent.ts';
import { readTokens } from '#db/queries/marketplaces/connections/integrations.ts';
import { readUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import {
  credentialsOf,
  missingCredentials,
  missingSentence,
  priceChannelOf,
  readOnlySentence,
} from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { AppError } from '#usecases/app-error.ts';
import { SecretError, type SecretKey } from '#usecases/identity/encryption/secret-box.ts';
import {
  isSetIn,
  openedText,
  readStoredSettings,
  type StoredSettings,
} from '#usecases/marketplaces/settings/stored-credentials.ts';
import type { Connection, ConnectionState, ConsentClient, ConsentingConnections } from './connections.ts';
import { databaseFindings } from './database-findings.ts';
import { databaseVault, type VaultDeps } from './database-vault.ts';

/** Connectors of this release. A marketplace without one is never connected. */
export type Connectors = Readonly<Partial<Record<Marketplace, MarketplaceConnector>>>;

/** Connections of this installation; every call reads the settings anew. */
export function openConnections(deps: VaultDeps, connectors: Connectors): ConsentingConnections {
  return {
    stateOf: (marketplace) => stateOf(deps, connectors[marketplace], marketplace),
    unusedOf: (marketplace) => unusedOf(deps, connectors[marketplace], marketplace),
    consentOf: (marketplace) => consentOf(deps, connectors[marketplace]?.consent, marketplace),
  };
}

async function stateOf(
  deps: VaultDeps,
  connector: MarketplaceConnector | undefined,
  marketplace: Marketplace,
): Promise<ConnectionState> {
  // The epoch is read first: if the credentials change in between, the tokens of the older ones are rejected.
  const { integration } = await readTokens(deps.db, marketplace);
  const stored = await readStoredSettings(deps.db);
  const isEnabled = stored.row[`${marketplace}Enabled`];
  const isSet = isSetIn(stored, marketplace);
  const channel = priceChannelOf(marketplace, isEnabled, isSet);
  if (channel === 'file') return { kind: 'file' };
  const name = MARKETPLACE_NAMES[marketplace];
  if (!isEnabled) return { kind: 'paused', why: `${name} is turned off in Settings.` };
  if (channel === 'paused') {
    return { kind: 'paused', why: missingSentence(marketplace, missingCredentials(marketplace, isSet)) };
  }
  if (connector === undefined) {
    return { kind: 'paused', why: `This release of Pricewright cannot reach ${name}.` };
  }
  if (await isOfOriginal(deps, connector)) {
    const why = `This database was restored or copied, and ${name} lets one place alone use the authorization. Confirm the restore under Settings, Backups.`;
    return { kind: 'paused', why };
  }
  try {
    const connection = await connectionOf(deps, connector, marketplace, stored, integration);
    if (channel === 'connected') return { kind: 'connected', connection };
    return { kind: 'read_only', connection, why: readOnlySentence(marketplace) };
  } catch (error) {
    if (error instanceof SecretError) return { kind: 'paused', why: error.message };
    throw error;
  }
}

/**
 * Whether a restored copy must leave an authorization to the original: a use replaces it, and who has the former one is
 * locked out.
 */
async function isOfOriginal({ db }: VaultDeps, { lapsesUnused }: MarketplaceConnector): Promise<boolean> {
  return lapsesUnused === true && (await readUnconfirmedRestore(db)) !== null;
}

async function unusedOf(
  deps: VaultDeps,
  connector: MarketplaceConnector | undefined,
  marketplace: Marketplace,
): Promise<Connection | null> {
  if (connector?.lapsesUnused !== true || (await isOfOriginal(deps, connector))) return null;
  const { integration } = await readTokens(deps.db, marketplace);
  const stored = await readStoredSettings(deps.db);
  const isSet = isSetIn(stored, marketplace);
  const isComplete = missingCredentials(marketplace, isSet).length === 0;
  if (stored.row[`${marketplace}Enabled`] || !isComplete) return null;
  try {
    return await connectionOf(deps, connector, marketplace, stored, integration);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

/** @throws SecretError when a credential cannot be decrypted here */
async function connectionOf(
  deps: VaultDeps,
  connector: MarketplaceConnector,
  marketplace: Marketplace,
  stored: StoredSettings,
  { epoch, generation }: Awaited<ReturnType<typeof readTokens>>['integration'],
): Promise<Connection> {
  const credentials = opened(stored, marketplace, await deps.secrets.current());
  const tokens = databaseVault(deps, marketplace, epoch);
  const findings = databaseFindings(deps, marketplace, generation);
  return { marketplace, connector, account: { credentials, tokens, findings }, generation };
}

async function consentOf(
  deps: VaultDeps,
  consent: OAuthConsent | undefined,
  marketplace: Marketplace,
): Promise<ConsentClient> {
  if (consent === undefined) {
    const name = MARKETPLACE_NAMES[marketplace];
    throw new AppError('conflict', `${name} cannot be authorized here. Enter its credentials instead.`);
  }
  // Read first, as above.
  const { integration } = await readTokens(deps.db, marketplace);
  const stored = await readStoredSettings(deps.db);
  const credentials = opened(stored, marketplace, await deps.secrets.current());
  return { consent, credentials, epoch: integration.epoch };
}

/** @throws SecretError when one of them cannot be read here */
function opened(
  stored: StoredSettings,
  marketplace: Marketplace,
  key: SecretKey | null,
): Readonly<Record<string, string>> {
  const credentials: Record<string, string> = {};
  for (const member of credentialsOf(marketplace)) {
    const text = openedText(stored, marketplace, member, key) ?? member.standard;
    if (text !== '') credentials[member.name] = text;
  }
  return credentials;
}
