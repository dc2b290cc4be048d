import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing } from '#tests/support/seed.ts';
import { type Db, openDatabase } from './client.ts';
import { transact } from './transact.ts';

let database: RecycledDatabase;
beforeEach(async () => {
  database = await borrowDatabase();
});
afterEach(() => database.giveBack());

const lock = (tx: Db, id: number) => tx.execute(sql`SELECT FROM listings WHERE id = ${id} FOR NO KEY UPDATE`);

test('of two deadlocked transactions one is retried, and both commit', async () => {
  const { db } = database.open;
  const first = await addListing(db, 'A-1');
  const second = await addListing(db, 'A-2');
  let attempts = 0;
  let holding = 0;
  let letBothGo: () => void = () => undefined;
  const bothHaveOne = new Promise<void>((resolve) => {
    letBothGo = resolve;
  });
  const locking = (one: number, other: number) =>
    transact(db, async (tx) => {
      attempts += 1;
      await lock(tx, one);
      holding += 1;
      if (holding === 2) letBothGo();
      await bothHaveOne;
      await lock(tx, other);
      return one;
    });
  expect(await Promise.all([locking(first, second), locking(second, first)])).toEqual([first, second]);
  // The retried one may lock its row before the other continues, and deadlock once more.
  expect(attempts).toBeGreaterThanOrEqual(3);
});

test('an error of the work itself is not retried', async () => {
  let attempts = 0;
  const failing = transact(database.open.db, async (tx) => {
    attempts += 1;
    await tx.execute(sql`SELECT 1 / 0`);
  });
  await expect(failing).rejects.toThrow();
  expect(attempts).toBe(1);
});

test('a connection that breaks between two statements fails its transaction, and nothing else', async () => {
  const { db } = database.open;
  const broken = transact(db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    await db.execute(sql`SELECT pg_terminate_backend(${rows[0]?.pid}::int, 5000)`);
    // The connection ends between two statements, while no query is waiting for an answer.
    await new Promise((resolve) => setImmediate(resolve));
    await tx.execute(sql`SELECT 1`);
  });
  await expect(broken).rejects.toThrow();
  expect(await transact(db, async (tx) => (await tx.execute(sql`SELECT 1 AS one`)).rows)).toEqual([
    { one: 1 },
  ]);
});

test('connections that break before BEGIN are returned: a pool of one goes on, and closes', async () => {
  const { db, pool, close } = openDatabase(database.url, 1);
  pool.once('acquire', (client) => void client.end());
  await expect(transact(db, async () => 'begun')).rejects.toThrow();
  expect(await transact(db, async () => 'begun')).toBe('begun');
  expect(pool.totalCount).toBe(1);
  await close();
  expect(pool.totalCount).toBe(0);
});

test('work that fails leaves its connection in the pool', async () => {
  const { db, pool, close } = openDatabase(database.url, 1);
  const pidOf = async () => (await db.execute(sql`SELECT pg_backend_pid() AS pid`)).rows[0]?.pid;
  const before = await pidOf();
  await expect(transact(db, () => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
  expect(await pidOf()).toBe(before);
  expect(pool.totalCount).toBe(1);
  await close();
});
