import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Db } from '#db/client.ts';
import {
  type CheckRow,
  credentialsRevision,
  storeCheck,
} from '#db/queries/marketplaces/connections/connection-checks.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type Connection, type Connections, isReachable } from './connections.ts';

export interface CheckDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: Connections;
}

/** Longest text, and largest number of notes, kept from a marketplace's response. */
const MAX_TEXT_LENGTH = 300;
const MAX_NOTES = 10;

/**
 * Tests the stored credentials with a minimal call and stores the result.
 * @param signal aborts the call
 * @returns the result; `error` is a sentence for a failure that the user can fix. Without complete credentials no call is
 * made and nothing is stored
 */
export async function checkConnection(
  { db, now, connections }: CheckDeps,
  marketplace: Marketplace,
  signal: AbortSignal,
): Promise<CheckRow> {
  const revision = await credentialsRevision(db, marketplace);
  const state = await connections.stateOf(marketplace);
  const startedAt = now();
  if (!isReachable(state)) {
    const noCredentials = `No credentials are stored for ${MARKETPLACE_NAMES[marketplace]}. Enter them, save the settings, then test.`;
    const error = state.kind === 'paused' ? state.why : noCredentials;
    return { ...EMPTY_RESULT, marketplace, error, checkedAt: startedAt, milliseconds: 0 };
  }
  const found = await callCheck(state.connection, signal);
  const checkedAt = now();
  const check = { ...found, marketplace, checkedAt, milliseconds: Math.max(0, checkedAt - startedAt) };
  await storeCheck(db, revision, check);
  return check;
}

type CheckResult = Omit<CheckRow, 'marketplace' | 'checkedAt' | 'milliseconds'>;

const EMPTY_RESULT: CheckResult = { error: null, shopName: null, notes: [], endsAt: null };

async function callCheck({ connector, account }: Connection, signal: AbortSignal): Promise<CheckResult> {
  try {
    const { shopName, notes, endsAt } = await connector.check(account, signal);
    return {
      error: null,
      shopName: shopName === null ? null : cut(shopName),
      notes: notes.slice(0, MAX_NOTES).map(cut),
      endsAt: endsAt ?? enteredEnd(account.credentials),
    };
  } catch (error) {
    if (error instanceof ConnectorError) return { ...EMPTY_RESULT, error: cut(error.message) };
    throw error;
  }
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1)}…` : text;
}

/** When the authorization or the secret ends, as the user entered it. */
function enteredEnd({ refreshTokenExpiresAt, credentialExpiresAt }: Account['credentials']): Instant | null {
  const at = Date.parse(refreshTokenExpiresAt ?? credentialExpiresAt ?? '');
  return Number.isNaN(at) ? null : instant(at);
}
