import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** A database or a transaction on it. Queries take this first, so that the caller decides what belongs together. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

/** An open database. `pool` is for COPY and health checks; everything else goes through `db`. */
export interface Database {
  readonly db: NodePgDatabase;
  readonly pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

/** Does a transaction; returns and throws what `work` does. */
export type AroundTransaction = <Result>(work: () => Promise<Result>) => Promise<Result>;

const STATEMENT_TIMEOUT = 60_000;
/** The server enforces the limit above; a server that is frozen or disconnected enforces nothing. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 5_000;
/** No transaction waits for a network or for user input, so one idle this long has lost its owner. */
const IDLE_IN_TRANSACTION_TIMEOUT = 30_000;
const LOCK_TIMEOUT = 15_000;
const CONNECT_TIMEOUT = 10_000;

/**
 * Settings of every connection: its application name, and times in UTC and ISO. JIT compilation is off: our statements
 * are many and short, and compiling one took longer than running it.
 */
export function connectionConfig(url: string, applicationName = 'pricewright'): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    options: '-c timezone=UTC -c datestyle=ISO -c jit=off',
  };
}

/**
 * Opens a pool of connections; the first query connects.
 * @param url a PostgreSQL address such as `postgres://user:password@host:5432/name`
 * @param size maximum number of connections
 * @param around runs around each transaction, for traces
 */
export function openDatabase(url: string, size = 10, around?: AroundTransaction): Database {
  const pool = new pg.Pool({
    ...connectionConfig(url),
    max: size,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
  });
  // The pool drops an idle connection that breaks, and the next query opens another one or fails. Without a listener
  // Node would end the process instead.
  pool.on('error', () => undefined);
  // The same for one that breaks between two statements of a transaction: the next of them fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: withReturnedConnections(pool, around), pool, close: () => pool.end() };
}

/**
 * Drizzle keeps a connection of the pool whose BEGIN failed: each database restart would cost some of them, until none is
 * left, and the pool would never close. Here a transaction returns its connection whatever fails, and a connection that
 * did not begin, commit or roll back is closed.
 */
function withReturnedConnections(pool: pg.Pool, around?: AroundTransaction): NodePgDatabase {
  const transaction: NodePgDatabase['transaction'] = async (work, config) => {
    const client = await pool.connect();
    let failure: unknown = null;
    let isUsable = false;
    try {
      const result = await drizzle(client).transaction(async (tx) => {
        try {
          return await work(tx);
        } catch (error) {
          failure = error;
          throw error;
        }
      }, config);
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = error === failure;
      throw error;
    } finally {
      client.release(!isUsable);
    }
  };
  const traced: NodePgDatabase['transaction'] =
    around === undefined ? transaction : (work, config) => around(() => transaction(work, config));
  return Object.assign(drizzle(pool), { transaction: traced });
}
