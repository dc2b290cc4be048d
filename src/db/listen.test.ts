import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { listen, notify, type Signal } from './listen.ts';

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

test('ids arrive once their transaction commits, and a lost connection is restored and reported', async () => {
  const signals = new EventEmitter();
  const next = async (): Promise<Signal> => (await once(signals, 'signal'))[0];
  const listener = await listen(database.url, (signal) => signals.emit('signal', signal));

  const changed = next();
  await open.db.transaction((tx) => notify(tx, 'pricewright_due', [3, 5]));
  expect(await changed).toEqual({ kind: 'changed', channel: 'pricewright_due', ids: [3, 5] });

  // More ids than fit in one message: none are sent, and the listener queries them.
  const many = next();
  await notify(
    open.db,
    'pricewright_listings',
    Array.from({ length: 5_000 }, (_, index) => index),
  );
  expect(await many).toEqual({ kind: 'changed', channel: 'pricewright_listings', ids: [] });

  const mended = next();
  await open.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'pricewright-listen' AND datname = current_database()`,
  );
  expect(await mended).toEqual({ kind: 'resync' });

  const afterwards = next();
  await notify(open.db, 'pricewright_engine', []);
  expect(await afterwards).toEqual({ kind: 'changed', channel: 'pricewright_engine', ids: [] });
  await listener.close();
});
