import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Database } from '#db/client.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { migrate } from '#db/migrate.ts';
import { SchemaError } from '#db/migration-files.ts';
import { openQueue } from '#db/queue.ts';
import { WATCH } from '#jobs/alert-and-summary-jobs.ts';
import { createLogger } from '#server/logger.ts';
import { openDatabaseOf } from '#src/bootstrap/open-database.ts';
import { openQueueOf, QUEUES } from '#src/bootstrap/queues.ts';
import { closeAll, type Running } from '#src/bootstrap/running-program.ts';
import { StartError } from '#src/bootstrap/start-error.ts';
import { readConfig } from '#src/config.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { type DataFolder, newFilledFolder } from '#tests/support/embedded-folder.ts';
import { execute, withDatabase } from '#tests/support/test-cluster.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

/** The program's configuration from an environment. */
function runningWith(environment: Record<string, string>): Running {
  const parsed = readConfig(environment);
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return { config: parsed.config, log: createLogger('silent'), closers: [], lastClosers: [] };
}

/** The owner's address on the embedded database. */
function ownerOf(url: string): string {
  const owner = new URL(url);
  owner.username = 'pricewright';
  return owner.href;
}

const noteError = (error: Error): void => expect.fail(String(error));

/** What an injected statement would try first. */
const HARMFUL = [
  `UPDATE audit_log SET actor = 'x'`,
  'DELETE FROM audit_log',
  'TRUNCATE audit_log',
  'DROP TRIGGER audit_log_append_only ON audit_log',
  'ALTER TABLE audit_log DISABLE TRIGGER ALL',
  'ALTER TABLE audit_log DROP COLUMN before',
  'DROP TABLE audit_log',
  // A temporary table would be found first, and would receive the rows of the audit log.
  'CREATE TEMP TABLE audit_log ()',
  'CREATE TABLE audit_log_of_mine ()',
  `SET session_replication_role = 'replica'`,
  'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
  `UPDATE price_history SET reason = 'none'`,
  'DELETE FROM price_history',
  'ALTER TABLE price_history DISABLE TRIGGER ALL',
  'DELETE FROM schema_migrations',
  'ALTER ROLE current_user SUPERUSER',
  'CREATE ROLE another SUPERUSER',
  `SELECT pg_read_file('PG_VERSION')`,
  `COPY skus TO PROGRAM 'true'`,
];

/** @returns the statements of the list that were not rejected for a missing right, with their results */
async function notRefused({ db }: Database): Promise<string[]> {
  const passed: string[] = [];
  for (const statement of HARMFUL) {
    const code = await db.execute(statement).then(() => 'done', databaseErrorCode);
    if (code !== '42501') passed.push(`${statement}: ${code}`);
  }
  return passed;
}

describe('on the embedded database', () => {
  let data: DataFolder;
  beforeEach(async () => {
    data = await newFilledFolder();
  });
  afterEach(() => data.remove());

  test('a new folder runs scheduled jobs, and does not start without the queue for them', async () => {
    const running = runningWith({ PRICEWRIGHT_DATA: data.path });
    const { database, url } = await openDatabaseOf(running);
    const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM pgboss.queue');
    const names = rows.map(({ name }) => name).sort();
    expect(names).toEqual(['__pgboss__send-it', ...QUEUES.map(({ name }) => name)].sort());

    const everyMinute = await openQueueOf(running, url);
    await everyMinute.schedule(WATCH, '* * * * *');
    await everyMinute.close();
    // Schedules are checked when a queue is opened, and twice a minute.
    await database.pool.query('UPDATE pgboss.version SET cron_on = NULL');
    const queue = await openQueueOf(running, url);
    await new Promise<void>((resolve) => void queue.work(WATCH, async () => resolve()));

    await execute(ownerOf(url), `DELETE FROM pgboss.job; SELECT pgboss.delete_queue('__pgboss__send-it')`);
    await expect(openQueueOf(running, url)).rejects.toBeInstanceOf(SchemaError);
    await closeAll(running);
  });

  /** A folder of releases that had one role: it owns everything, the queue too. */
  async function makeFolderOfOneRole(): Promise<void> {
    const server = await joinEmbeddedPostgres({ dataDir: data.path });
    const superuser = new URL(withDatabase(server.ownerUrl, 'postgres'));
    superuser.username = 'postgres';
    await execute(superuser.href, 'DROP ROLE pricewright_app');
    await migrate(server.ownerUrl);
    await (await openQueue(server.ownerUrl, [{ name: 'of an older release' }], noteError)).close();
    await execute(server.ownerUrl, `INSERT INTO audit_log (action) VALUES ('an old row')`);
    await server.leave();
  }

  test.runIf(IS_ALL)(
    'a folder with one role gets a second one, which adds rows and can do no harm',
    async () => {
      await makeFolderOfOneRole();
      const running = runningWith({ PRICEWRIGHT_DATA: data.path });
      const { database, url } = await openDatabaseOf(running);
      // The queue has a pool of its own, and schedules that it writes.
      const queue = await openQueueOf(running, url);
      await queue.schedule({ name: 'purge' }, '0 3 * * *');
      await database.db.execute(`INSERT INTO audit_log (action) VALUES ('a new row')`);
      const { rows } = await database.db.execute('SELECT action FROM audit_log ORDER BY id');
      expect(rows).toEqual([{ action: 'an old row' }, { action: 'a new row' }]);
      expect(await notRefused(database)).toEqual([]);
      const owner = await database.db.execute('SET ROLE pricewright').catch(databaseErrorCode);
      expect(owner).toBe('42501');
      await closeAll(running);
    },
  );
});

describe('on a server of your own', () => {
  const role = `daily "${randomBytes(6).toString('hex')}`;
  const password = 'only for this test';
  let database: TestDatabase;
  /** Creating roles needs a superuser; on an external server the tests connect as one. */
  async function asSuperuser(statement: string): Promise<void> {
    const url = new URL(database.ownerUrl);
    if (inject('testServer').cluster !== null) url.username = 'postgres';
    await execute(url.href, statement);
  }
  const quoted = `"${role.replace('"', '""')}"`;
  beforeAll(async () => {
    database = await createTestDatabase();
    await asSuperuser(`CREATE ROLE ${quoted} LOGIN PASSWORD '${password}'`);
  });
  afterAll(async () => {
    await asSuperuser(`DROP OWNED BY ${quoted}; DROP ROLE ${quoted}`);
    await database.drop();
  });

  test('DATABASE_OWNER_URL migrates the tables, and the role of DATABASE_URL can do no harm', async () => {
    const url = new URL(database.url);
    url.username = encodeURIComponent(role);
    url.password = password;
    // Tables of other programs in the same schema: one of the same owner, and one that the owner has no right to.
    await execute(database.ownerUrl, 'CREATE TABLE of_another_tool ()');
    await asSuperuser('CREATE TABLE of_another_role ()');
    const running = runningWith({ DATABASE_URL: url.href, DATABASE_OWNER_URL: database.ownerUrl });
    const opened = await openDatabaseOf(running);
    await openQueueOf(running, opened.url);
    expect(await notRefused(opened.database)).toEqual([]);
    const { rows } = await opened.database.pool.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
        AND NOT has_table_privilege(oid, 'SELECT') ORDER BY 1`);
    expect(rows).toEqual([{ name: 'of_another_role' }, { name: 'of_another_tool' }]);
    await closeAll(running);
  });

  test('one role for both keeps its rights, and the triggers still apply', async () => {
    const again = new URL(database.ownerUrl);
    again.searchParams.set('application_name', 'the same role by another address');
    const running = runningWith({ DATABASE_URL: again.href, DATABASE_OWNER_URL: database.ownerUrl });
    const { db } = (await openDatabaseOf(running)).database;
    for (const change of ['DELETE FROM audit_log', 'TRUNCATE audit_log', `UPDATE audit_log SET actor = 'x'`])
      expect(await db.execute(change).catch(databaseErrorCode)).toBe('23000');
    await closeAll(running);
  });

  test('two databases instead of two roles are rejected before anything is changed', async () => {
    const elsewhere = withDatabase(database.ownerUrl, 'postgres');
    const running = runningWith({ DATABASE_URL: database.url, DATABASE_OWNER_URL: elsewhere });
    await expect(openDatabaseOf(running)).rejects.toBeInstanceOf(StartError);
  });
});
