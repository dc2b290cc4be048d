import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from './client.ts';

/** First half of the key of every session lock; the second identifies one session. "prws" in ASCII. */
export const SESSION_LOCKS = 0x70727773;
const KEY_COUNT = 2 ** 31;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * An advisory lock on a connection of its own: PostgreSQL releases it as soon as the process has ended, so that others
 * need not wait until that process's leases expire. It proves only that the session has ended: a process that was
 * disconnected from the database may still be running, with an external call in flight.
 */
export interface SessionLock {
  /** Second half of its key; a new one after each lost connection. Null while there is no lock. */
  key(): number | null;
  close(): Promise<void>;
}

/**
 * Acquires the lock, on a new connection whenever one is lost. Behind a connection pooler there is none: it would
 * belong to a connection that the pooler shares among processes and keeps after one of them has died.
 */
export async function openSessionLock(url: string): Promise<SessionLock> {
  const closing = new AbortController();
  let held: HeldLock | null = null;
  let reconnecting: Promise<void> = Promise.resolve();

  const reconnect = async (): Promise<void> => {
    for (let wait = FIRST_RETRY_MS; !closing.signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        held = await lockSession(url, onLost);
        return;
      } catch {
        // Not reported: the queries of the same process fail while the database is unreachable. Retried after a wait.
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };
  const onLost = (): void => {
    held = null;
    if (!closing.signal.aborted) reconnecting = reconnect();
  };

  held = await lockSession(url, onLost);
  return {
    key: () => held?.key ?? null,
    close: async () => {
      closing.abort();
      await reconnecting;
      await held?.client.end();
    },
  };
}

interface HeldLock {
  readonly client: pg.Client;
  readonly key: number;
}

/** @returns null behind a pooler */
async function lockSession(url: string, onLost: () => void): Promise<HeldLock | null> {
  const client = new pg.Client(connectionConfig(url, 'pricewright-session'));
  // A loss is reported as an error, as an end, or as both, and may come in the middle of a query, which fails then.
  let isHeld = false;
  const reportLoss = (): void => {
    if (isHeld) onLost();
    isHeld = false;
  };
  client.on('error', reportLoss);
  client.on('end', reportLoss);
  await client.connect();
  try {
    const key = (await isDirect(client)) ? await acquireFreeKey(client) : null;
    if (key === null) {
      await client.end();
      return null;
    }
    isHeld = true;
    return { client, key };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Poolers report another process number to their clients than that of the server process which answers. */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid === Reflect.get(client, 'processID');
}

/** Draws random keys until one is free. */
async function acquireFreeKey(client: pg.Client): Promise<number> {
  for (;;) {
    const key = randomInt(KEY_COUNT);
    const { rows } = await client.query<{ acquired: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS acquired',
      [SESSION_LOCKS, key],
    );
    if (rows[0]?.acquired === true) return key;
  }
}
