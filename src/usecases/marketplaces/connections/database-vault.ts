import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HeldToken, HeldTokens, TokenVault } from '#connectors/token-vault.ts';
import type { Db } from '#db/client.ts';
import { tokenPlace } from '#db/queries/identity/sealed-columns.ts';
import {
  acquireTokenLease,
  type Lease,
  readTokens,
  releaseTokenLease,
  storeTokens,
  type TokenRow,
} from '#db/queries/marketplaces/connections/integrations.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import {
  openSecret,
  SecretError,
  type SecretKey,
  sealSecret,
} from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { keyForReading } from '#usecases/marketplaces/settings/stored-credentials.ts';

export interface VaultDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
  /** Waits this many milliseconds. Passed in, so that tests need not wait. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/**
 * Milliseconds. Longer than fetching a token takes with all retries, so that no other process uses the same refresh token
 * while a response is on its way.
 */
const LEASE_DURATION = 180_000;
/** Milliseconds that a process waits for another one's lease, and between two checks. */
const MAX_WAIT = 30_000;
const POLL_INTERVAL = 250;
/** Milliseconds between tries to store tokens. */
const STORE_RETRY_DELAYS = [1_000, 5_000, 15_000];

/**
 * Encrypted tokens in the database, shared by all processes that use the account. One process fetches at a time, by a
 * lease; no database lock is held while it fetches.
 * @param epoch of the credentials that the tokens are fetched with; after they change, the vault rejects its calls
 */
export function databaseVault(deps: VaultDeps, marketplace: Marketplace, epoch: number): TokenVault {
  const lease = { marketplace, epoch, owner: randomUUID() };
  return {
    read: () => readHeld(deps, lease),
    renew: async (kind, seen, fetch) => {
      const wait = deps.wait ?? pause;
      for (let waited = 0; ; waited += POLL_INTERVAL) {
        const tokens = await readHeld(deps, lease);
        if (isRenewed(tokens[kind], seen)) return tokens;
        const now = deps.now();
        const fence = await acquireTokenLease(deps.db, lease, now, instant(now + LEASE_DURATION));
        if (fence !== null) return renewWithLease(deps, lease, fence, { kind, seen, fetch });
        if (waited >= MAX_WAIT) throw stillBusy(marketplace);
        await wait(POLL_INTERVAL);
      }
    },
  };
}

interface Renewal {
  readonly kind: string;
  readonly seen: HeldToken | null;
  readonly fetch: (held: HeldTokens) => Promise<HeldTokens>;
}

/** Whether the stored token is no longer the one to be replaced. */
function isRenewed(held: HeldToken | undefined, seen: HeldToken | null): boolean {
  return held !== undefined && held.value !== seen?.value;
}

async function renewWithLease(
  deps: VaultDeps,
  lease: Lease,
  fence: number,
  renewal: Renewal,
): Promise<HeldTokens> {
  const { kind, seen } = renewal;
  try {
    // The previous lease holder may have stored a token between our check and our lease.
    const before = await readHeld(deps, lease);
    if (isRenewed(before[kind], seen)) return before;
    // Loaded before the refresh token is used: what comes back has to be stored.
    const key = await keyForWriting(deps.secrets);
    const fetched = await fetchUnlessRenewed(deps, lease, before, renewal);
    if (fetched !== null)
      await store(deps, lease, rowsOf(lease.marketplace, fetched, key, fence, deps.now()));
    return await readHeld(deps, lease);
  } finally {
    await releaseTokenLease(deps.db, lease, fence);
  }
}

/**
 * @returns null when fetching failed and another process has stored a token: it may have used the refresh token first
 */
async function fetchUnlessRenewed(
  deps: VaultDeps,
  lease: Lease,
  before: HeldTokens,
  { kind, fetch }: Renewal,
): Promise<HeldTokens | null> {
  try {
    return await fetch(before);
  } catch (error) {
    if (isRenewed((await readHeld(deps, lease))[kind], before[kind] ?? null)) return null;
    throw error;
  }
}

/**
 * Stores fetched tokens, also after the lease has expired, unless a later holder has stored its own. Where every use
 * replaces the refresh token, this process holds the only valid one, and dropping it would lock the account out. For the
 * same reason an unreachable database is retried.
 */
async function store(
  { db, wait = pause }: VaultDeps,
  lease: Lease,
  rows: readonly Omit<TokenRow, 'marketplace'>[],
): Promise<void> {
  for (const delay of STORE_RETRY_DELAYS) {
    try {
      await transact(db, (tx) => storeTokens(tx, lease, rows));
      return;
    } catch {
      await wait(delay);
    }
  }
  await transact(db, (tx) => storeTokens(tx, lease, rows));
}

async function keyForWriting(secrets: SecretKeys): Promise<SecretKey> {
  try {
    return await secrets.forWriting();
  } catch (error) {
    if (error instanceof SecretError) throw new ConnectorError('key', error.message);
    throw error;
  }
}

function rowsOf(
  marketplace: Marketplace,
  tokens: HeldTokens,
  key: SecretKey,
  fence: number,
  now: Instant,
): Omit<TokenRow, 'marketplace'>[] {
  return Object.entries(tokens).flatMap(([kind, token]) => {
    if (token === undefined) return [];
    const { value, obtainedAt, expiresAt } = token;
    const valueEncrypted = sealSecret(key, tokenPlace(marketplace, kind), value);
    return [{ kind, valueEncrypted, fence, obtainedAt, expiresAt, updatedAt: now }];
  });
}

/** @throws ConnectorError when the credentials have changed after the account was opened */
async function readHeld({ db, secrets }: VaultDeps, { marketplace, epoch }: Lease): Promise<HeldTokens> {
  const { integration, tokens } = await readTokens(db, marketplace);
  if (integration.epoch !== epoch) throw credentialsChanged(marketplace);
  const key = tokens.length === 0 ? null : await keyForReading(secrets);
  const held: Record<string, HeldToken> = Object.create(null);
  for (const { kind, valueEncrypted, obtainedAt, expiresAt } of tokens) {
    const value = opened(key, tokenPlace(marketplace, kind), valueEncrypted);
    if (value !== null) held[kind] = { value, obtainedAt, expiresAt };
  }
  return held;
}

/** Null for a token that cannot be decrypted: another one is fetched. */
function opened(key: SecretKey | null, place: string, record: string): string | null {
  if (key === null) return null;
  try {
    return openSecret(key, place, record);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

function credentialsChanged(marketplace: Marketplace): ConnectorError {
  const name = MARKETPLACE_NAMES[marketplace];
  return new ConnectorError(
    'late',
    `The credentials of ${name} were changed. Pricewright continues with the new ones.`,
  );
}

function stillBusy(marketplace: Marketplace): ConnectorError {
  const name = MARKETPLACE_NAMES[marketplace];
  return new ConnectorError('busy', `Access to ${name} is already being renewed. No action is needed.`, {
    retryAfter: MAX_WAIT,
  });
}
