import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BEFORE_RESTORE } from '#db/embedded/data-location.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { FileError } from '#files/file-error.ts';
import { createLogger } from '#server/logger.ts';
import { restoreInto } from '#src/bootstrap/restore-folder.ts';
import type { Running } from '#src/bootstrap/running-program.ts';
import { readConfig } from '#src/config.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { ask, type DataFolder, newDataFolder } from '#tests/support/embedded-folder.ts';
import { execute } from '#tests/support/test-cluster.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { makeBackup } from '#usecases/backup/make-backup.ts';

let shop: TestDatabase;
let data: DataFolder;
beforeEach(async () => {
  shop = await createTestDatabase();
  data = await newDataFolder();
});
afterEach(async () => {
  await shop.drop();
  await data.remove();
});

function runningIn(folder: string): Running {
  const parsed = readConfig({ PRICEWRIGHT_DATA: folder });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return { config: parsed.config, log: createLogger('silent'), closers: [], lastClosers: [] };
}

async function skusIn(folder: string): Promise<unknown> {
  const server = await joinEmbeddedPostgres({ dataDir: folder });
  try {
    return await ask(server.ownerUrl, `SELECT string_agg(sku, ' ') FROM skus`);
  } finally {
    await server.leave();
  }
}

async function backupWith(sku: string): Promise<{ file: string; passphrase: null }> {
  await execute(shop.ownerUrl, `INSERT INTO skus (sku, name) VALUES ('${sku}', 'Product')`);
  const place = { to: join(data.parent, `${sku}.tar`), defaultFolder: data.parent };
  const { file } = await makeBackup({ url: shop.ownerUrl, program: '1.3.0', passphrase: null, ...place });
  return { file, passphrase: null };
}

test('a restore that was killed between its two moves is no reason for an empty database', async () => {
  await mkdir(join(data.path, `${BEFORE_RESTORE}2026-11-28T120000Z`), { recursive: true });
  await expect(joinEmbeddedPostgres({ dataDir: data.path })).rejects.toMatchObject({ code: 'data_missing' });
});

test('a data folder gets a database only once it is whole; one that has a database keeps it aside', async () => {
  const order = await backupWith('MUG');
  await mkdir(data.path);
  await writeFile(join(data.path, 'secret.key'), 'a key\n');
  expect(await restoreInto(runningIn(data.path), order, false)).toEqual({ former: null });
  expect((await readdir(data.path)).sort()).toEqual(['installation.mark', 'postgres', 'secret.key']);
  expect(await skusIn(data.path)).toBe('MUG');
  await expect(restoreInto(runningIn(data.path), order, false)).rejects.toThrow('--replace');
  const { former } = await restoreInto(runningIn(data.path), await backupWith('LAMP'), true);
  expect(await skusIn(data.path)).toBe('MUG LAMP');
  expect(await readFile(join(former ?? '', 'secret.key'), 'utf8')).toBe('a key\n');
  // The former one is a data folder, wherever it is.
  await rename(former ?? '', join(data.parent, 'former'));
  expect(await skusIn(join(data.parent, 'former'))).toBe('MUG');
});

test.runIf(IS_ALL)(
  'a database is replaced by a whole one alone, and only while nothing uses it',
  async () => {
    const order = await backupWith('MUG');
    await mkdir(data.path);
    await restoreInto(runningIn(data.path), order, false);
    const member = await joinEmbeddedPostgres({ dataDir: data.path });
    await expect(restoreInto(runningIn(data.path), order, true)).rejects.toThrow('Stop it');
    await member.leave();

    const whole = await readdir(data.path);
    const cut = { ...order, file: join(data.parent, 'cut.tar') };
    await writeFile(cut.file, (await readFile(order.file)).subarray(0, -2_000));
    await expect(restoreInto(runningIn(data.path), cut, true)).rejects.toThrow(FileError);
    expect((await readdir(data.path)).sort()).toEqual(whole.sort());

    const left = join(data.path, 'restore-0123456789ab');
    await (await joinEmbeddedPostgres({ dataDir: left })).leave();
    const interrupted = Promise.reject(new Error('interrupted'));
    await expect(restoreInto(runningIn(data.path), order, true, interrupted)).rejects.toThrow('interrupted');
    expect((await readdir(data.path)).sort()).toEqual(whole.sort());
  },
);
