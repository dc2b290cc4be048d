import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { connectionConfig, type Db } from './client.ts';

/** Key of the engine's advisory lock; "prwe" in ASCII. */
export const ENGINE_LOCK = 0x70727765;
const STATEMENT_TIMEOUT = 60_000;
const LOCK_TIMEOUT = 15_000;

/**
 * The connection that holds the engine's advisory lock and does its work. If it drops, the lock goes with it, so a
 * disconnected process can neither commit nor block its successor.
 */
export interface EngineLock {
  readonly db: Db;
  /**
   * Tries to acquire the lock; true when this connection holds it.
   * @throws Error when the connection is lost
   */
  tryAcquire(): Promise<boolean>;
  /** Releases the lock and closes the connection. */
  close(): Promise<void>;
}

/** Opens the connection; `tryAcquire` acquires the lock. */
export async function openEngineLock(url: string): Promise<EngineLock> {
  const client = new pg.Client({
    ...connectionConfig(url, 'pricewright-engine'),
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: STATEMENT_TIMEOUT + 5_000,
    lock_timeout: LOCK_TIMEOUT,
  });
  let lost = false;
  let taken = false;
  const lose = (): void => {
    lost = true;
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  return {
    db: drizzle(client),
    tryAcquire: async () => {
      if (lost) throw new Error('The engine lost its connection to the database.');
      if (taken) return true;
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
        ENGINE_LOCK,
      ]);
      taken = rows[0]?.taken ?? false;
      return taken;
    },
    close: () => client.end(),
  };
}
