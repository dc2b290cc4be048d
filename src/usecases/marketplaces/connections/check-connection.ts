import { ConnectorError } from '#connectors/connector-error.ts';
import type { Db } from '#db/client.ts';
import {
  type CheckRow,
  credentialsRevision,
  storeCheck,
} from '#db/queries/marketplaces/connection-checks.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type Connection, type Connections, isReachable } from './connections.ts';

export interface CheckDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: Connections;
}

/** Most that is kept of what a marketplace says about itself. */
const LONGEST_TEXT = 300;
const MOST_NOTES = 10;

/**
 * Asks a marketplace for next to nothing, with the stored credentials, and remembers what it said.
 * @param signal ends the asking
 * @returns a failure in words for whatever a person can do something about. One that was not asked at all, because its
 * credentials are not complete, is not remembered
 */
export async function checkConnection(
  { db, now, connections }: CheckDeps,
  marketplace: Marketplace,
  signal: AbortSignal,
): Promise<CheckRow> {
  const revision = await credentialsRevision(db, marketplace);
  const state = await connections.stateOf(marketplace);
  const began = now();
  if (!isReachable(state)) {
    const nothing = `No credentials are stored for ${MARKETPLACE_NAMES[marketplace]}. Enter them, save the settings, then test.`;
    const error = state.kind === 'paused' ? state.why : nothing;
    return { ...NOTHING_FOUND, marketplace, error, checkedAt: began, milliseconds: 0 };
  }
  const found = await ask(state.connection, signal);
  const checkedAt = now();
  const check = { ...found, marketplace, checkedAt, milliseconds: Math.max(0, checkedAt - began) };
  await storeCheck(db, revision, check);
  return check;
}

type Found = Omit<CheckRow, 'marketplace' | 'checkedAt' | 'milliseconds'>;

const NOTHING_FOUND: Found = { error: null, shopName: null, notes: [], endsAt: null };

async function ask({ connector, account }: Connection, signal: AbortSignal): Promise<Found> {
  try {
    const { shopName, notes, endsAt } = await connector.check(account, signal);
    return {
      error: null,
      shopName: shopName === null ? null : cut(shopName),
      notes: notes.slice(0, MOST_NOTES).map(cut),
      endsAt: endsAt ?? enteredEnd(account.credentials.refreshTokenExpiresAt),
    };
  } catch (error) {
    if (error instanceof ConnectorError) return { ...NOTHING_FOUND, error: cut(error.message) };
    throw error;
  }
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

/** The day that somebody entered as the end of the consent. */
function enteredEnd(day: string | undefined): Instant | null {
  const at = day === undefined ? Number.NaN : Date.parse(day);
  return Number.isNaN(at) ? null : instant(at);
}
