import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { connectionConfig, type Db } from './client.ts';

/** The lock of whoever is the engine; "prwe" in ASCII. */
export const ENGINE_LOCK = 0x70727765;
const STATEMENT_TIMEOUT = 60_000;
const LOCK_TIMEOUT = 15_000;

/**
 * One connection that may hold the engine's lock and does the engine's work, so that both are lost together: a process
 * that is cut off can neither commit nor stand in the way of its successor.
 */
export interface EngineLock {
  readonly db: Db;
  /**
   * Tries to become the engine; true when this connection is it.
   * @throws Error when the connection is lost
   */
  tryAcquire(): Promise<boolean>;
  /** Gives the engine up. */
  close(): Promise<void>;
}

/** Opens the connection; the lock is taken by `tryTake`. */
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
