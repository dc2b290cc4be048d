import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { migrate } from './migrate.ts';
import { migrationsFolder, readMigrations, SchemaError } from './migration-files.ts';

let folder: string;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('DELETE FROM schema_migrations');
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const step = (name: string, text: string) => writeFile(join(folder, name), text);

test('every step runs once, also when several processes start together', async () => {
  await step('0001_one.sql', 'CREATE TABLE steps (n int); INSERT INTO steps VALUES (1);');
  await step('0002_two.sql', 'INSERT INTO steps VALUES (2);');
  await Promise.all([1, 2, 3].map(() => migrate(database.ownerUrl, folder)));
  expect((await client.query('SELECT n FROM steps ORDER BY n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a step that fails leaves nothing behind and can be repaired', async () => {
  await step('0003_three.sql', 'INSERT INTO steps VALUES (3); SELECT 1 / 0;');
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(
    '0003_three.sql failed and was rolled back',
  );
  expect((await client.query('SELECT n FROM steps WHERE n = 3')).rows).toEqual([]);
  await step('0003_three.sql', 'INSERT INTO steps VALUES (3);');
  await migrate(database.ownerUrl, folder);
  expect((await client.query('SELECT n FROM steps WHERE n = 3')).rows).toEqual([{ n: 3 }]);
});

test('a step that was edited after it ran stops the start', async () => {
  await step('0002_two.sql', 'INSERT INTO steps VALUES (22);');
  const refusal = migrate(database.ownerUrl, folder);
  await expect(refusal).rejects.toThrow('0002_two.sql differs from it');
  await expect(refusal).rejects.toBeInstanceOf(SchemaError);
  await step('0002_two.sql', 'INSERT INTO steps VALUES (2);');
});

test('a newer database stops an older program', async () => {
  await rm(join(folder, '0003_three.sql'));
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(
    'This database has schema 3 (0003_three.sql), but this program only knows up to 2.',
  );
});

test('steps are numbered without gaps', async () => {
  await step('0004_four.sql', 'SELECT 1;');
  await expect(readMigrations(folder)).rejects.toThrow('should be 0003_<name>.sql');
});

test('the SQL files are found from source and from a bundle in dist', () => {
  const source = migrationsFolder();
  const root = join(source, '..', '..', '..');
  expect(migrationsFolder(join(root, 'dist', 'server', 'assets', 'chunk.js'))).toBe(source);
  expect(() => migrationsFolder('/nowhere/main.js')).toThrow("The database's SQL files are missing");
});
