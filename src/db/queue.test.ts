import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retryNow } from '#tests/support/retry-now.ts';
import { execute, withDatabase } from '#tests/support/test-cluster.ts';
import { createTestDatabase, prepareTestQueue, type TestDatabase } from '#tests/support/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { databaseErrorCode } from './error-code.ts';
import { type JobKind, openQueue, type Queue } from './queue.ts';

const GREET: JobKind<{ name: string }> = { name: 'greet' };
const FLAKY: JobKind<{ name: string }> = { name: 'flaky' };
/** No process works on these. */
const LATER: JobKind<{ name: string; day: number }> = { name: 'later' };

let database: TestDatabase;
let open: Database;
let queue: Queue;
const errors: Error[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
  await prepareTestQueue(database, [GREET, FLAKY, LATER]);
  queue = await openQueue(database.url, [GREET, FLAKY, LATER], (error) => errors.push(error));
});
afterAll(async () => {
  await queue.close();
  await open.close();
  await database.drop();
});

test('a job is sent with its transaction, and removed by its rollback', async () => {
  const done = new EventEmitter();
  const seen: string[] = [];
  await expect(
    open.db.transaction(async (tx) => {
      await queue.send(tx, GREET, { name: 'Taken back' });
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  await open.db.transaction((tx) => queue.send(tx, GREET, { name: "Ann $1 'quoted'" }));
  const greeted = once(done, 'greeted');
  await queue.work(GREET, async ({ name }) => {
    seen.push(name);
    done.emit('greeted');
  });
  await greeted;
  expect(seen).toEqual(["Ann $1 'quoted'"]);
  expect(errors).toEqual([]);
});

test('a handler that throws is retried', async () => {
  let tries = 0;
  await queue.work(FLAKY, async () => {
    tries += 1;
    if (tries === 1) throw new Error('not today');
  });
  await queue.send(open.db, FLAKY, { name: 'Ann' });
  const triesByNow = async () => {
    await retryNow(open.db, FLAKY);
    return tries;
  };
  await expect.poll(triesByNow).toBe(2);
});

test('jobs are canceled by their data, in their transaction', async () => {
  const states = async () => {
    const jobs = `SELECT data->>'name' AS name, state FROM pgboss.job WHERE name = 'later' ORDER BY 1`;
    const { rows } = await open.pool.query(jobs);
    return rows.map(({ name, state }) => `${name} ${state}`);
  };
  for (const name of ['Ann', 'Bob']) await queue.send(open.db, LATER, { name, day: 1 });
  await expect(
    open.db.transaction(async (tx) => {
      await queue.cancel(tx, LATER, { day: 1 });
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(await states()).toEqual(['Ann created', 'Bob created']);
  await queue.cancel(open.db, LATER, { name: 'Ann' });
  expect(await states()).toEqual(['Ann cancelled', 'Bob created']);
});

test('a kind without a queue is rejected with an error', async () => {
  await expect(queue.send(open.db, { name: 'unknown_kind' }, {})).rejects.toThrow('unknown_kind');
  const { rows } = await open.pool.query(
    "SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'unknown_kind'",
  );
  expect(rows).toEqual([{ jobs: 0 }]);
});

test.each([
  ['has succeeded', () => undefined],
  [
    'has failed',
    () => {
      throw new Error('not today');
    },
  ],
])(
  'a database that is unreachable when a job %s is reported, and does not end the process',
  async (_, end) => {
    const away = await createTestDatabase();
    const { db, close } = openDatabase(away.url);
    await prepareTestQueue(away, [GREET]);
    const reported = new EventEmitter();
    const refused = once(reported, '55000');
    const waiting = await openQueue(away.url, [GREET], (error) =>
      reported.emit(databaseErrorCode(error) ?? ''),
    );
    await waiting.work(GREET, async () => {
      const name = new URL(away.url).pathname.slice(1);
      const elsewhere = withDatabase(away.ownerUrl, 'postgres');
      await execute(elsewhere, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await execute(
        elsewhere,
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      end();
    });
    await waiting.send(db, GREET, { name: 'Ann' });
    await refused;
    await waiting.close();
    await close();
    await away.drop();
  },
);

test('after a clock that was ahead is set back, schedules are checked and waiting jobs run', async () => {
  const kind: JobKind<{ name: string }> = { name: 'ahead' };
  const another = await createTestDatabase();
  try {
    await prepareTestQueue(another, [kind]);
    await execute(
      another.ownerUrl,
      `UPDATE pgboss.version SET cron_on = now() + interval '1 year', maintained_on = now() + interval '1 year',
        monitored_on = now() + interval '1 year';
      INSERT INTO pgboss.job (name, data, start_after) VALUES
        ('ahead', '{"is": "waiting"}', now() + interval '1 year'),
        ('ahead', '{"is": "retried"}', now() + interval '1 minute')`,
    );
    await (await openQueue(another.url, [kind], (error) => errors.push(error))).close();
    const [found] = await execute(
      another.ownerUrl,
      `SELECT greatest(cron_on, maintained_on, monitored_on) <= now() AS "isChecked",
        (SELECT array_agg(data ->> 'is') FROM pgboss.job WHERE name = 'ahead' AND start_after <= now()) AS due
      FROM pgboss.version`,
    );
    expect(found).toEqual({ isChecked: true, due: ['waiting'] });
  } finally {
    await another.drop();
  }
});
