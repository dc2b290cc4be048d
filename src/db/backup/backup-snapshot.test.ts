import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { SCHEMA_LOCK } from '#db/migrate.ts';
import { startConcurrent } from '#tests/support/concurrent-action.ts';
import { addSku } from '#tests/support/seed.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { withBackupSnapshot } from './backup-snapshot.ts';

let shop: TestDatabase;
let open: Database;
let other: pg.Client;
beforeAll(async () => {
  shop = await createTestDatabase();
  open = openDatabase(shop.url);
  other = new pg.Client({ connectionString: shop.ownerUrl });
  await other.connect();
  await addSku(open.db, 'MUG');
});
afterEach(async () => {
  await other.query('ROLLBACK; SELECT pg_advisory_unlock_all()');
});
afterAll(async () => {
  await other.end();
  await open.close();
  await shop.drop();
});

/** The columns and the rows of a table in a backup. */
async function readTable(
  name: string,
  hasSchemaLock = false,
): Promise<{ columns: string[]; rows: string[] }> {
  return withBackupSnapshot(
    shop.url,
    async (snapshot) => {
      const table = snapshot.tables.find((each) => each.name === name);
      if (table === undefined) return { columns: [], rows: [] };
      const parts: Buffer[] = [];
      for await (const part of snapshot.rows(table, 1_000)) parts.push(part);
      const rows = Buffer.concat(parts).toString('utf8').split('\n').slice(0, -1);
      return { columns: [...table.columns], rows };
    },
    { hasSchemaLock },
  );
}

// A snapshot from before ALTER TABLE rewrote a table sees no row in it.
test('a backup that waits for a table that is being rewritten has its rows, with their new columns', async () => {
  await other.query('BEGIN');
  await other.query(`ALTER TABLE skus ADD COLUMN drawn text DEFAULT 'drawn ' || random() NOT NULL`);
  let read: Awaited<ReturnType<typeof readTable>> | undefined;
  const backup = await startConcurrent(open.db, async () => {
    read = await readTable('skus');
  });
  await other.query('COMMIT');
  await backup.end;
  expect(read).toEqual({
    columns: expect.arrayContaining(['drawn']),
    rows: [expect.stringMatching(/\tMUG\t.*\tdrawn \S+$/)],
  });
});

test('a backup waits for an upgrade before it locks a table, so that neither waits for the other', async () => {
  await other.query('SELECT pg_advisory_lock($1)', [SCHEMA_LOCK]);
  const backup = await startConcurrent(open.db, () => readTable('skus'));
  expect(backup.cameThrough).toBe(false);
  const { rows } = await open.db.execute(sql`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE application_name = 'pricewright-backup' AND datname = current_database() AND relation = 'skus'::regclass`);
  expect(rows).toEqual([]);
  await other.query('SELECT pg_advisory_unlock_all()');
  await backup.end;
});

test('the backup of an upgrade, whose caller has the lock, does not wait for it', async () => {
  await other.query('SELECT pg_advisory_lock($1)', [SCHEMA_LOCK]);
  expect((await readTable('skus', true)).rows).toHaveLength(1);
});

test('while rows are read, no other process waits for the backup to start', async () => {
  await withBackupSnapshot(shop.url, async () => {
    const { rows } = await other.query('SELECT pg_try_advisory_lock($1) AS locked', [SCHEMA_LOCK]);
    expect(rows).toEqual([{ locked: true }]);
  });
});
