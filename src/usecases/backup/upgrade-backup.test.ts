import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { migrationsFolder, SchemaError } from '#db/migration-files.ts';
import { FileError } from '#files/file-error.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { execute } from '#tests/support/test-cluster.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { readLastBackup } from './last-backup.ts';
import { makeUpgradeBackup } from './upgrade-backup.ts';

let shop: TestDatabase;
let dataDir: string;
/** The migrations of a next release, the last of which fails. */
let steps: string;

beforeEach(async () => {
  shop = await createTestDatabase();
  dataDir = await newScratchFolder('upgrade');
  steps = await newScratchFolder('next-release');
  const names = (await readdir(migrationsFolder())).sort();
  for (const name of names) await copyFile(join(migrationsFolder(), name), join(steps, name));
  const next = String(names.length + 1).padStart(4, '0');
  await writeFile(join(steps, `${next}_next.sql`), 'DELETE FROM skus; SELECT 1 / 0;');
});
afterEach(async () => {
  await shop.drop();
  for (const folder of [dataDir, steps]) await rm(folder, { recursive: true });
});

const filesOf = async () => (await readdir(join(dataDir, 'backups')).catch(() => [])).sort();

/** A start of that release. @param freeBytes what the disk has left */
async function start(freeBytes = 1e12): Promise<void> {
  await migrate(shop.ownerUrl, steps, async () => {
    await makeUpgradeBackup({
      url: shop.ownerUrl,
      program: '1.4.0',
      passphrase: null,
      dataDir,
      readFreeBytes: async () => freeBytes,
    });
  });
}

/** Renames the backup of the last start, as if it were of that day: two of one second have one name. */
async function date(day: string): Promise<string> {
  const record = join(dataDir, 'upgrade-backup.json');
  const text = await readFile(record, 'utf8');
  const { file } = JSON.parse(text);
  const name = `pricewright-${day}T030000Z.tar`;
  await rename(file, join(dataDir, 'backups', name));
  await writeFile(record, text.replace(basename(file), name));
  return name;
}

test('starts of a release whose upgrade fails leave one backup, of what the database still is', async () => {
  for (const day of ['2001-01-01', '2001-01-02', '2001-01-03']) {
    await expect(start()).rejects.toBeInstanceOf(SchemaError);
    expect(await filesOf()).toHaveLength(1);
    await date(day);
  }
  expect(await filesOf()).toEqual(['pricewright-2001-01-03T030000Z.tar']);
});

test('a backup stays when anything was changed after it, and so do the files of others', async () => {
  await expect(start()).rejects.toThrow();
  const first = await date('2001-01-01');
  const client = new pg.Client({ connectionString: shop.ownerUrl });
  await client.connect();
  await client.query("INSERT INTO skus (sku, name) VALUES ('MUG', 'Mug')");
  await client.end();
  await expect(start()).rejects.toThrow();
  const second = await date('2001-01-02');
  await writeFile(join(dataDir, 'backups', 'mine.tar'), '');
  await expect(start()).rejects.toThrow();
  const files = await filesOf();
  expect(files).toHaveLength(3);
  expect(files).toEqual(expect.arrayContaining(['mine.tar', first]));
  expect(files).not.toContain(second);
  expect((await readLastBackup(dataDir))?.file).toBe(join(dataDir, 'backups', files[2] ?? ''));
});

test('an upgrade does not begin where its backup could fill the disk', async () => {
  const refused = start(0.9e9);
  await expect(refused).rejects.toBeInstanceOf(FileError);
  expect(await filesOf()).toEqual([]);
  expect(await execute(shop.ownerUrl, 'SELECT count(*)::int FROM schema_migrations')).toEqual([
    { count: (await readdir(migrationsFolder())).length },
  ]);
});
