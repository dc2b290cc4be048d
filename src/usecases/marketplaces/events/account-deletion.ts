import { createHash } from 'node:crypto';
import type { AccountDeletions } from '#connectors/account-deletions.ts';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Delivery } from '#connectors/marketplace-events.ts';
import type { TokenVault } from '#connectors/token-vault.ts';
import type { Db } from '#db/client.ts';
import {
  type DeletionEndpoint,
  forgetDeletedSellers,
  noteDeletedSeller,
  readDeletionEndpoint,
} from '#db/queries/marketplaces/connections/ebay-sellers.ts';
import { transact } from '#db/transact.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { LoopTask } from '#usecases/background/supervised-loop.ts';
import type { ConsentingConnections } from '#usecases/marketplaces/connections/connections.ts';

/** Where eBay sends its messages about deleted accounts, below the public address. */
export const ACCOUNT_DELETION_PATH = '/api/incoming/ebay/account-deletion';

/** Milliseconds that reading a key may take. eBay repeats a message that it gets no answer to. */
const KEY_LIMIT = 5_000;

export interface AccountDeletionDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: ConsentingConnections;
  readonly accountDeletions: AccountDeletions;
  /** Null: eBay cannot reach this server. */
  readonly publicUrl: string | null;
}

/** What an administrator enters at eBay, and what arrived since. */
export interface DeletionSettings extends DeletionEndpoint {
  /** Null without a public address by https, the only one that eBay accepts. */
  readonly address: string | null;
}

export async function readDeletionSettings({
  db,
  publicUrl,
}: Pick<AccountDeletionDeps, 'db' | 'publicUrl'>): Promise<DeletionSettings> {
  return { address: addressBelow(publicUrl), ...(await readDeletionEndpoint(db)) };
}

function addressBelow(publicUrl: string | null): string | null {
  return publicUrl?.startsWith('https://') ? `${publicUrl}${ACCOUNT_DELETION_PATH}` : null;
}

/**
 * The answer that proves to eBay that the address is ours.
 * @returns SHA-256 of code, verification token and address, as hex digits
 * @throws AppError conflict without a public https address: eBay takes no other
 */
export async function answerChallenge(
  { db, publicUrl }: Pick<AccountDeletionDeps, 'db' | 'publicUrl'>,
  code: string,
): Promise<string> {
  const address = addressBelow(publicUrl);
  if (address === null) {
    throw new AppError('conflict', 'Set PUBLIC_URL to the https address of this server, then start again.');
  }
  const { verificationToken } = await readDeletionEndpoint(db);
  return createHash('sha256').update(code).update(verificationToken).update(address).digest('hex');
}

/**
 * Receives a message about a deleted account. What is stored of the user is deleted soon after.
 * @returns whether eBay signed it
 * @throws AppError unavailable when that cannot be checked now: eBay sends it again
 */
export async function receiveAccountDeletion(
  deps: AccountDeletionDeps,
  delivery: Delivery,
): Promise<boolean> {
  const account = async (): Promise<Account> => {
    const { credentials } = await deps.connections.consentOf('ebay');
    return { credentials, tokens: unstoredTokens() };
  };
  const message = await asUnavailable(() =>
    deps.accountDeletions.messageOf(account, delivery, AbortSignal.timeout(KEY_LIMIT)),
  );
  if (message === null) return false;
  const keys = message.names.flatMap((name) => sellerKey(name) ?? []);
  await transact(deps.db, (tx) => noteDeletedSeller(tx, keys, deps.now()));
  return true;
}

async function asUnavailable<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ConnectorError || error instanceof AppError)) throw error;
    throw new AppError('unavailable', 'The signature cannot be checked now. Send this message again later.');
  }
}

/** The token is needed once an hour, before there is a connection to store it with. */
function unstoredTokens(): TokenVault {
  let held = {};
  return {
    read: async () => held,
    renew: async (_kind, _seen, fetch) => {
      held = { ...held, ...(await fetch(held)) };
      return held;
    },
  };
}

/** Milliseconds between two checks for deleted accounts. */
const CHECK_INTERVAL = 10_000;

/** Deletes what is stored of sellers whose accounts were deleted. Any number of processes may do it. */
export function forgetSellersLoop(deps: {
  readonly db: Db;
  readonly now: () => Instant;
  readonly onError: (error: unknown) => void;
}): LoopTask {
  return {
    idleWait: CHECK_INTERVAL,
    turn: async () => {
      await transact(deps.db, (tx) => forgetDeletedSellers(tx, deps.now()));
      return 'idle';
    },
    onError: deps.onError,
    release: async () => undefined,
  };
}
