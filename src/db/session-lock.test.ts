import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { openSessionLock, SESSION_LOCKS } from './session-lock.ts';

let database: TestDatabase;
let open: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

const isFree = async (key: number | null): Promise<boolean> => {
  const { rows } = await open.pool.query<{ isFree: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, $2) AS "isFree"',
    [SESSION_LOCKS, key],
  );
  return rows[0]?.isFree ?? false;
};
const sessions = async (): Promise<number> => {
  const { rows } = await open.pool.query(
    `SELECT FROM pg_stat_activity WHERE application_name = 'pricewright-session' AND datname = current_database()`,
  );
  return rows.length;
};

test('it is held while its session lives, and the lock after a lost session has another key', async () => {
  const lock = await openSessionLock(database.url);
  const first = lock.key();
  expect(await isFree(first)).toBe(false);
  await open.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'pricewright-session' AND datname = current_database()`,
  );
  const isReplaced = (): boolean => lock.key() !== null && lock.key() !== first;
  await expect.poll(isReplaced).toBe(true);
  expect(await isFree(first)).toBe(true);
  expect(await isFree(lock.key())).toBe(false);
  const second = lock.key();
  await lock.close();
  await expect.poll(() => isFree(second)).toBe(true);
});

test('behind a pooler there is no lock, and no connection is kept', async () => {
  const pooler = createServer((client) => pool(client));
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
  const lock = await openSessionLock(url.href);
  expect(lock.key()).toBeNull();
  await expect.poll(sessions).toBe(0);
  await lock.close();
  pooler.close();
  await once(pooler, 'close');
});

/** Forwards everything, but reports a process number of its own, as poolers do. */
function pool(client: Socket): void {
  const { host, port } = new pg.Client(database.url);
  const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  let isKnown = false;
  client.pipe(server);
  server.on('data', (bytes: Buffer) => {
    for (let at = 0; !isKnown && at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
      if (bytes.toString('latin1', at, at + 1) !== 'K') continue;
      bytes.writeUInt32BE(1, at + 5);
      isKnown = true;
    }
    client.write(bytes);
  });
  server.on('close', () => client.destroy());
  client.on('close', () => server.destroy());
}
