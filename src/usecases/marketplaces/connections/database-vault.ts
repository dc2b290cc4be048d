import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HeldToken, HeldTokens, TokenVault } from '#connectors/token-vault.ts';
import type { Db } from '#db/client.ts';
import { tokenPlace } from '#db/queries/identity/sealed-columns.ts';
import {
  endLease,
  type Lease,
  readTokens,
  storeTokens,
  type TokenRow,
  takeLease,
} from '#db/queries/marketplaces/integrations.ts';
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
  /** Waits so many milliseconds. Handed in, so that tests need not wait. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/**
 * How long a turn lasts. Longer than fetching a token takes with all its tries, so that nobody else spends the same
 * refresh token while an answer is on its way.
 */
const TURN = 180_000;
/** How long somebody waits for another's turn, and how often they look. */
const LONGEST_WAIT = 30_000;
const LOOK_EVERY = 250;
/** Waits between tries to store. */
const STORE_AGAIN_AFTER = [1_000, 5_000, 15_000];

/**
 * Tokens in the database, locked, for every process that works with the account. One process fetches at a time; nothing
 * is locked meanwhile.
 * @param epoch of the credentials that the tokens are fetched with: with later ones the vault holds nothing for it
 */
export function databaseVault(deps: VaultDeps, marketplace: Marketplace, epoch: number): TokenVault {
  const lease = { marketplace, epoch, owner: randomUUID() };
  return {
    read: () => readHeld(deps, lease),
    renew: async (kind, seen, fetch) => {
      const wait = deps.wait ?? pause;
      for (let waited = 0; ; waited += LOOK_EVERY) {
        const tokens = await readHeld(deps, lease);
        if (isRenewed(tokens[kind], seen)) return tokens;
        const now = deps.now();
        const fence = await takeLease(deps.db, lease, now, instant(now + TURN));
        if (fence !== null) return inTurn(deps, lease, fence, { kind, seen, fetch });
        if (waited >= LONGEST_WAIT) throw stillBusy(marketplace);
        await wait(LOOK_EVERY);
      }
    },
  };
}

interface Renewal {
  readonly kind: string;
  readonly seen: HeldToken | null;
  readonly fetch: (held: HeldTokens) => Promise<HeldTokens>;
}

/** Whether another token than the one that is to be replaced is held by now. */
function isRenewed(held: HeldToken | undefined, seen: HeldToken | null): boolean {
  return held !== undefined && held.value !== seen?.value;
}

async function inTurn(deps: VaultDeps, lease: Lease, fence: number, renewal: Renewal): Promise<HeldTokens> {
  const { kind, seen } = renewal;
  try {
    // Whoever had the turn before may have stored theirs between our look and our turn.
    const before = await readHeld(deps, lease);
    if (isRenewed(before[kind], seen)) return before;
    // Looked up before anything is spent: what comes back has to be stored.
    const key = await keyForWriting(deps.secrets);
    const fetched = await fetchOrTakeOver(deps, lease, before, renewal);
    if (fetched !== null)
      await store(deps, lease, rowsOf(lease.marketplace, fetched, key, fence, deps.now()));
    return await readHeld(deps, lease);
  } finally {
    await endLease(deps.db, lease, fence);
  }
}

/**
 * @returns null when fetching failed and somebody else's token has come in the meantime: theirs may be the reason, since
 * they spent the refresh token that we tried
 */
async function fetchOrTakeOver(
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
 * Stores what was fetched. Who slept past their turn does so as well, unless a later turn has stored its own: where a
 * refresh token is replaced with every use, the sleeper has spent the old one and holds the only one that lives, and
 * throwing it away would lock the account out. For the same reason a database that is away is tried a few times.
 */
async function store(
  { db, wait = pause }: VaultDeps,
  lease: Lease,
  rows: readonly Omit<TokenRow, 'marketplace'>[],
): Promise<void> {
  for (const delay of STORE_AGAIN_AFTER) {
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

/** @throws ConnectorError when the credentials changed since the account was opened */
async function readHeld({ db, secrets }: VaultDeps, { marketplace, epoch }: Lease): Promise<HeldTokens> {
  const { integration, tokens } = await readTokens(db, marketplace);
  if (integration.epoch !== epoch) throw changedMeanwhile(marketplace);
  const key = tokens.length === 0 ? null : await keyForReading(secrets);
  const held: Record<string, HeldToken> = Object.create(null);
  for (const { kind, valueEncrypted, obtainedAt, expiresAt } of tokens) {
    const value = opened(key, tokenPlace(marketplace, kind), valueEncrypted);
    if (value !== null) held[kind] = { value, obtainedAt, expiresAt };
  }
  return held;
}

/** A token that cannot be read is as good as none: another one is fetched. */
function opened(key: SecretKey | null, place: string, record: string): string | null {
  if (key === null) return null;
  try {
    return openSecret(key, place, record);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

function changedMeanwhile(marketplace: Marketplace): ConnectorError {
  const name = MARKETPLACE_NAMES[marketplace];
  return new ConnectorError(
    'late',
    `The credentials of ${name} were changed. Pricewright continues with the new ones.`,
  );
}

function stillBusy(marketplace: Marketplace): ConnectorError {
  const name = MARKETPLACE_NAMES[marketplace];
  return new ConnectorError('busy', `Access to ${name} is already being renewed. No action is needed.`, {
    retryAfter: LONGEST_WAIT,
  });
}
