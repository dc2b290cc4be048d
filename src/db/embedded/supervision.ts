import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { SUPERUSER } from './cluster.ts';
import type { DataLocation } from './data-location.ts';
import { diskFull, EmbeddedPostgresError, hasCode, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import { identity, readPidFile } from './lock-files.ts';

/** The database, and the role that owns it and is no superuser: for migrations. */
const APPLICATION = 'pricewright';
/** The role for everything else: it owns nothing, and has only granted rights. */
const DAILY_ROLE = 'pricewright_app';

/**
 * Advisory lock in the database `postgres`: every member holds it shared, the one that stops the server exclusively.
 */
const MEMBERSHIP = 7_715_001;
const SETUP = 7_715_002;

/** Addresses of the application's database: for daily use, and for the owner of its tables. */
export function addressesOf(home: DataLocation): { url: string; ownerUrl: string } {
  return {
    url: addressOf(home, DAILY_ROLE, APPLICATION),
    ownerUrl: addressOf(home, APPLICATION, APPLICATION),
  };
}

/** Address of a database on the embedded server, for `pg` and libpq alike. */
function addressOf(home: DataLocation, role: string, database: string): string {
  return `postgresql://${role}@localhost:5432/${database}?host=${encodeURIComponent(home.sockets)}&sslmode=disable`;
}

/**
 * Opens the connection that makes this process a member. While it holds the shared lock, no process stops the server.
 * @returns `absent` when nothing listens, `busy` when a server starts, recovers or stops
 * @throws EmbeddedPostgresError `conflict`, `wrong_owner`
 */
export async function register(home: DataLocation, durable: boolean): Promise<Client | 'absent' | 'busy'> {
  const client = new Client({
    connectionString: addressOf(home, SUPERUSER, 'postgres'),
    application_name: `pricewright:${process.pid}`,
    connectionTimeoutMillis: 10_000,
  });
  // The end of the connection is reported by 'end'; without a listener, 'error' would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Waits while the last member stops the server, and is disconnected then: the caller starts it again.
    await client.query('SELECT pg_advisory_lock_shared($1)', [MEMBERSHIP]);
    await checkServer(client, home, durable);
    await setUp(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    return readRefusal(error, home);
  }
}

/** How long the server may take to notice that a member was killed. */
const DISCONNECT_TIMEOUT_MS = 2_000;

/**
 * Ends the membership.
 * @returns true when this was the last: no member is left, and none can join until this connection ends
 */
export async function unregister(client: Client): Promise<boolean> {
  await client.query('SELECT pg_advisory_unlock_shared($1)', [MEMBERSHIP]);
  const startedAt = Date.now();
  for (;;) {
    // Every member unlocks before trying: of several leaving together the last to unlock must find the lock free.
    const { rows } = await client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [
      MEMBERSHIP,
    ]);
    if (rows[0]?.last === true) return true;
    // A member killed a moment ago keeps its lock until the server has read the end of its connection.
    if (Date.now() - startedAt > DISCONNECT_TIMEOUT_MS || (await hasLivingMember(client))) return false;
    await pause(20);
  }
}

async function hasLivingMember(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT substr(application_name, 13)::int AS pid FROM pg_stat_activity
     WHERE application_name ~ '^pricewright:\\d{1,9}$' AND pid <> pg_backend_pid()`,
  );
  return rows.some(({ pid }) => isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function readRefusal(error: unknown, home: DataLocation): 'absent' | 'busy' {
  if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) return 'absent';
  // 57P01 to 57P03: shutting down, crashed, starting up or recovering.
  if (hasCode(error, '57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE')) return 'busy';
  // "not queryable": the server ended between our connection and the first query.
  const isCutOff = /Connection terminated|timeout expired|not queryable/;
  if (error instanceof Error && isCutOff.test(error.message)) return 'busy';
  if (hasCode(error, 'EACCES')) {
    throw new EmbeddedPostgresError(
      'wrong_owner',
      `The database server of ${home.folder} belongs to another user: start Pricewright as that user, ${OR_DATABASE_URL}.`,
      { cause: error },
    );
  }
  if (error instanceof EmbeddedPostgresError) throw error;
  if (hasCode(error, '53100')) throw diskFull(home.folder, error);
  throw new EmbeddedPostgresError(
    'start_failed',
    `The database server of ${home.folder} rejected the connection (${error instanceof Error ? error.message : error}): see the logs in ${home.logs}, ${OR_DATABASE_URL}.`,
    { cause: error },
  );
}

/** Checks that the server on the socket runs our files, and with fsync if the caller requires it. */
async function checkServer(client: Client, home: DataLocation, durable: boolean): Promise<void> {
  // Read by the server in its working folder, which stays its own even if another folder has that name now.
  const { rows } = await client.query<{ pidFile: string | null; fsync: string }>(
    `SELECT pg_read_file('postmaster.pid', 0, 10000, true) AS "pidFile", current_setting('fsync') AS fsync`,
  );
  const running = identity(rows[0]?.pidFile);
  if (running === undefined || running !== identity(await readPidFile(home))) {
    throw new EmbeddedPostgresError(
      'conflict',
      `The server on the socket in ${home.sockets} runs a different database than the one in ${home.cluster}: stop it, or wait a minute if its files were deleted, ${OR_DATABASE_URL}.`,
    );
  }
  if (durable && rows[0]?.fsync !== 'on') {
    throw new EmbeddedPostgresError(
      'conflict',
      `The server of ${home.folder} was started for tests, without fsync: end the processes that use it and start again, ${OR_DATABASE_URL}.`,
    );
  }
}

/** Creates the application's roles and database where they are missing. One process at a time. */
async function setUp(client: Client): Promise<void> {
  if (await isSetUp(client)) return;
  await client.query('SELECT pg_advisory_lock($1)', [SETUP]);
  try {
    const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
    const roles = new Set(rows.map(({ name }) => name));
    if (!roles.has(APPLICATION)) await client.query(`CREATE ROLE ${APPLICATION} LOGIN`);
    // Also missing in folders of releases that had one role.
    if (!roles.has(DAILY_ROLE)) await client.query(`CREATE ROLE ${DAILY_ROLE} LOGIN`);
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [APPLICATION]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${APPLICATION} OWNER ${APPLICATION}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [SETUP]);
  }
}

async function isSetUp(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_database, pg_roles WHERE datname = $1 AND rolname = $2',
    [APPLICATION, DAILY_ROLE],
  );
  return rowCount === 1;
}
