import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { openEngineLock } from '#db/engine-lock.ts';
import { readEngineFigures } from '#db/queries/repricing/engine-status.ts';
import { NOW } from '#tests/builders/facts.ts';
import { countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { QUIET_HEARTBEAT } from '#tests/support/quiet-heartbeat.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { type RunningLoop, startLoop } from '#usecases/background/supervised-loop.ts';
import { EngineLoop } from './engine-loop.ts';

let database: TestDatabase;
let open: Database;
const engines: RunningLoop[] = [];
const errors: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
  await seedEngineShop(open.db, 3);
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

function start(release = '1.0.0/1'): RunningLoop {
  const engine = startLoop(
    new EngineLoop({
      openLock: () => openEngineLock(database.url),
      now: () => NOW,
      release,
      heartbeat: QUIET_HEARTBEAT,
      onError: (error) => errors.push(error),
    }),
  );
  engines.push(engine);
  return engine;
}
const evaluated = async (): Promise<number> => {
  const { rows } = await open.db.execute<{ count: number }>(
    sql`SELECT coalesce(sum(evaluated), 0)::int AS count FROM repricing_runs`,
  );
  return rows[0]?.count ?? 0;
};
/** The server processes of the engines, the one at work first. */
const connections = async (): Promise<{ pid: number; leads: boolean }[]> => {
  const { rows } = await open.db.execute<{ pid: number; leads: boolean }>(sql`
    SELECT a.pid, l.pid IS NOT NULL AS leads FROM pg_stat_activity a
    LEFT JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
    WHERE a.application_name = 'pricewright-engine' AND a.datname = current_database() ORDER BY leads DESC`);
  return rows;
};

test('one of two engines works, a lost one is replaced, and each price moves once', async () => {
  await open.db.execute(sql`UPDATE repricing_state SET release = '0.9.0/1'`);
  // Three due listings, and the first full check over them: the upgrade has switched to recommend only.
  start();
  await expect.poll(evaluated).toBe(6);
  expect((await readEngineFigures(open.db, NOW)).figures.isAtWork).toBe(true);
  expect((await readEngineFigures(open.db, NOW)).figures.marketplaces[0]?.mode).toBe('recommend_only');
  start();
  await expect.poll(async () => (await connections()).map(({ leads }) => leads)).toEqual([true, false]);

  const [leader] = await connections();
  await open.db.execute(sql`SELECT pg_terminate_backend(${leader?.pid ?? 0})`);
  await open.db.execute(sql`UPDATE marketplace_modes SET mode = 'live' WHERE marketplace = 'walmart'`);
  for (const engine of engines) engine.wake();
  await expect.poll(() => countMoves(open.db)).toEqual({ listings: 3, moves: 3, most: 1 });
  await expect.poll(async () => (await connections()).map(({ leads }) => leads)).toEqual([true, false]);
  expect(errors).toHaveLength(1);
  expect((await connections())[0]?.pid).not.toBe(leader?.pid);
});

test('an engine that ends releases the lock', async () => {
  const engine = start();
  await expect.poll(async () => (await readEngineFigures(open.db, NOW)).figures.isAtWork).toBe(true);
  await engine.stop();
  await expect.poll(connections).toEqual([]);
  expect((await readEngineFigures(open.db, NOW)).figures.isAtWork).toBe(false);
});
