import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from './client.ts';

/** The first half of the key of every such lock; the second names one session. "prws" in ASCII. */
export const SESSION_LOCKS = 0x70727773;
const KEYS = 2 ** 31;
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5_000;

/**
 * An advisory lock on a connection of its own: PostgreSQL frees it as soon as the process behind it is gone, so that
 * others need not wait for the end of what that process held. It proves no more than that the session is gone: a
 * process that was cut off from the database may live on, with a call on the wire.
 */
export interface SessionLock {
  /** The second half of its key; another one after each lost connection. Null while there is no lock. */
  key(): number | null;
  close(): Promise<void>;
}

/**
 * Takes the lock, on a new connection whenever one is lost. Behind a connection pooler there is none: it would belong to
 * a connection that the pooler shares among processes and keeps after one of them died.
 */
export async function openSessionLock(url: string): Promise<SessionLock> {
  const closing = new AbortController();
  let held: HeldLock | null = null;
  let mending: Promise<void> = Promise.resolve();

  const mend = async (): Promise<void> => {
    for (let wait = FIRST_WAIT; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        held = await lockSession(url, onLost);
        return;
      } catch {
        // Not reported: the queries of the same process fail aloud while the database is away. Tried again after a wait.
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };
  const onLost = (): void => {
    held = null;
    if (!closing.signal.aborted) mending = mend();
  };

  held = await lockSession(url, onLost);
  return {
    key: () => held?.key ?? null,
    close: async () => {
      closing.abort();
      await mending;
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
  const lose = (): void => {
    if (isHeld) onLost();
    isHeld = false;
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  try {
    const key = (await isDirect(client)) ? await takeKey(client) : null;
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

/** Poolers tell their clients another process number than that of the server process which answers. */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid === Reflect.get(client, 'processID');
}

/** By chance, until it is one that no other process has. */
async function takeKey(client: pg.Client): Promise<number> {
  for (;;) {
    const key = randomInt(KEYS);
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      SESSION_LOCKS,
      key,
    ]);
    if (rows[0]?.taken === true) return key;
  }
}
