import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBackupSettings } from '#db/queries/background/backups.ts';
import { setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { backupFiles, backupSettings } from '#db/schema/backups.ts';
import { hours, type Instant, instant, minutes, seconds } from '#domain/units.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { type MemoryStores, openMemoryStore } from '#tests/support/memory-store.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { keyInFolder } from '#usecases/identity/encryption/key-folder.ts';
import { confirmRestore } from '#usecases/repricing/engine/confirm-restore.ts';
import { openBackup } from './backup-file.ts';
import { type BackupLoopDeps, backupLoop } from './backup-loop.ts';
import { requestBackupNow, saveBackupSettings } from './save-backup-settings.ts';

const BUCKET = {
  endpoint: 'https://s3.example.com',
  region: 'eu-central-1',
  name: 'backups',
  prefix: 'shop/',
  isPathStyle: true,
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'the secret key of the bucket',
};
const EDITOR = { id: 'boss', name: 'boss@example.com', address: '203.0.113.5', requestId: 'r-1' };

let shop: RecycledDatabase;
let dataDir: string;
let now: Instant;
let stores: MemoryStores;

beforeEach(async () => {
  shop = await borrowDatabase();
  stores = openMemoryStore();
  dataDir = await newScratchFolder('schedule');
  now = (await settings()).since;
});
afterEach(async () => {
  await shop.giveBack();
  await rm(dataDir, { recursive: true });
});

const db = () => shop.open.db;
const settings = () => readBackupSettings(db());
const filesOf = (folder = join(dataDir, 'backups')) => readdir(folder).catch(() => []);
const later = (time: number): void => {
  now = instant(now + time);
};

function loop(over: Partial<BackupLoopDeps> = {}) {
  return backupLoop({
    db: db(),
    now: () => now,
    owner: 'one process',
    url: shop.url,
    program: '1.4.0',
    dataDir,
    secrets: secrets(),
    openStore: stores,
    environmentPassphrase: null,
    isOnByDefault: true,
    onError: (error) => expect.fail(String(error)),
    ...over,
  });
}
const secrets = () => dataKeysOf(db(), keyInFolder(dataDir), () => now);

const turn = (over: Partial<BackupLoopDeps> = {}, stopping = new AbortController().signal) =>
  loop(over).turn({ stopping, wait: async () => undefined, rest: async () => undefined });

async function save(over: Partial<Parameters<typeof saveBackupSettings>[1]>): Promise<void> {
  const backups = { isOnByDefault: true, defaultFolder: '', hasEnvironmentPassphrase: false };
  const edit = {
    isOn: true,
    timeOfDay: '03:00',
    keepDaily: 1,
    keepWeekly: 0,
    keepMonthly: 0,
    encrypts: false,
    destination: 'folder' as const,
    folder: '',
    bucket: BUCKET,
    passphrase: '',
    version: (await settings()).version,
    ...over,
  };
  await saveBackupSettings({ db: db(), secrets: secrets(), now: () => now, backups }, edit, EDITOR);
}

test('a backup is made once a day, by one process, and none by default where the database is not ours', async () => {
  expect(await turn()).toBe('idle');
  expect(await filesOf()).toEqual([]);
  later(hours(24));
  expect((await Promise.all([turn(), turn({ owner: 'another' })])).sort()).toEqual(['idle', 'worked']);
  expect(await turn({ owner: 'another' })).toBe('idle');
  const [name = ''] = await filesOf();
  expect(await filesOf()).toHaveLength(1);
  expect(await settings()).toMatchObject({
    isOn: true,
    lastFile: join(dataDir, 'backups', name),
    lastTakenAt: now,
    problem: null,
    isOnDataDisk: true,
  });
  expect(await db().select().from(backupFiles)).toMatchObject([{ name, isEncrypted: false, checkedAt: now }]);
  expect(JSON.parse(await readFile(join(dataDir, 'last-backup.json'), 'utf8')).file).toContain(name);
  await db().update(backupSettings).set({ isOn: null });
  later(hours(24));
  expect(await turn({ isOnByDefault: false })).toBe('idle');
});

test('backups that need not be kept are deleted, but no file that the schedule did not make', async () => {
  await save({});
  later(hours(24));
  await turn();
  const folder = join(dataDir, 'backups');
  const [made = ''] = await filesOf();
  const old = 'pricewright-2026-01-02T030000Z.tar';
  const others = ['mine.tar', 'pricewright-2026-01-01T030000Z.tar'];
  for (const name of others) await writeFile(join(folder, name), name);
  await rename(join(folder, made), join(folder, old));
  await db()
    .update(backupFiles)
    .set({ name: old, takenAt: instant(Date.UTC(2026, 0, 2, 3)) });
  await requestBackupNow({ db: db(), now: () => now }, EDITOR);
  expect(await turn()).toBe('worked');
  const names = await filesOf();
  expect(names).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(others));
  expect(names).not.toContain(old);
  expect((await db().select().from(backupFiles)).map(({ checkedAt }) => checkedAt !== null).sort()).toEqual([
    false,
    true,
  ]);
});

test('a restored database makes none by its schedule until an administrator confirms it, but one on request', async () => {
  await save({});
  later(hours(24));
  await setUnconfirmedRestore(db(), now);
  expect(await turn()).toBe('idle');
  await requestBackupNow({ db: db(), now: () => now }, EDITOR);
  expect(await turn()).toBe('worked');
  later(hours(24));
  expect(await turn()).toBe('idle');
  await confirmRestore({ db: db(), now: () => now }, EDITOR);
  await rm(join(dataDir, 'backups'), { recursive: true });
  expect(await turn()).toBe('worked');
});

test('a failure is recorded, tried again later, and over with the next success', async () => {
  const folder = join(dataDir, 'disk');
  await save({ folder });
  later(hours(24));
  expect(await turn()).toBe('worked');
  expect(await settings()).toMatchObject({ failures: 1, failedAt: now, lastFile: null });
  // It may be on a disk that is not mounted.
  expect(await filesOf(folder)).toEqual([]);
  expect(await turn()).toBe('idle');
  later(minutes(15));
  expect(await turn()).toBe('worked');
  expect(await settings()).toMatchObject({ failures: 2 });
  await mkdir(folder);
  later(minutes(30));
  expect(await turn()).toBe('worked');
  expect(await settings()).toMatchObject({ failures: 0, problem: null, lastTakenAt: now });
  expect(await filesOf(folder)).toHaveLength(1);
});

test('a clock that was ahead by a year and is set back keeps no backup from being made, and none from being the last', async () => {
  await save({});
  const ahead = instant(now + hours(24 * 366));
  const times = {
    lastFile: 'x.tar',
    lastBytes: 1,
    lastTakenAt: ahead,
    failedAt: ahead,
    failures: 9,
    problem: 'No space.',
    requestedAt: ahead,
    since: ahead,
  };
  await db().update(backupSettings).set(times);
  expect(await turn()).toBe('worked');
  expect(await settings()).toMatchObject({ failures: 0, lastTakenAt: now, requestedAt: null });
  expect(await turn()).toBe('idle');
  await db()
    .update(backupSettings)
    .set({ ...times, lastTakenAt: now, requestedAt: null });
  later(hours(24));
  await rm(join(dataDir, 'backups'), { recursive: true });
  expect(await turn()).toBe('worked');
});

test('encryption never falls back to none', async () => {
  await save({ encrypts: true, passphrase: 'five random words here' });
  const { passphrase } = await settings();
  expect(passphrase).not.toContain('random');
  later(hours(24));
  await turn();
  const [name = ''] = await filesOf();
  const file = join(dataDir, 'backups', name);
  expect(name).toMatch(/\.tar\.enc$/);
  await (await openBackup(file, 'five random words here')).close();
  // As after "keys forget".
  await db().update(backupSettings).set({ passphrase: null });
  await rm(file);
  later(hours(24));
  await turn();
  expect(await filesOf()).toEqual([]);
  expect((await settings()).failures).toBe(1);
});

test('a process that lost its lease, or stops, records nothing and leaves no file', async () => {
  await save({ encrypts: true, passphrase: 'five random words here' });
  later(hours(24));
  let renew = (): void => expect.fail('The lease is not renewed.');
  const every: BackupLoopDeps['every'] = (_time, action) => {
    renew = action;
    return () => undefined;
  };
  const current = async () => {
    await db().execute(sql`UPDATE leases SET owner = 'thief', fence = fence + 1,
      expires_at = clock_timestamp() + interval '1 minute'`);
    later(seconds(45));
    renew();
    return secrets().current();
  };
  expect(await turn({ every, secrets: { ...secrets(), current } })).toBe('idle');
  expect(await filesOf()).toEqual([]);
  expect(await settings()).toMatchObject({ lastFile: null, failures: 0 });
  await db().execute(sql`DELETE FROM leases`);
  expect(await turn({}, AbortSignal.abort())).toBe('idle');
  expect(await filesOf()).toEqual([]);
  expect(await settings()).toMatchObject({ lastFile: null, failures: 0 });
});

describe('a bucket', () => {
  const names = () => [...stores.objects.keys()].sort();

  /** Makes the only backup one of January. */
  async function renamed(): Promise<string> {
    const name = 'pricewright-2026-01-02T030000Z.tar';
    for (const [key, content] of [...stores.objects]) {
      stores.objects.delete(key);
      stores.objects.set(`shop/${name}`, content);
    }
    await db()
      .update(backupFiles)
      .set({ name, takenAt: instant(Date.UTC(2026, 0, 2, 3)) });
    return `shop/${name}`;
  }

  test('gets the backups, and keeps those of others; nothing of them stays on the disk', async () => {
    await save({ destination: 's3' });
    later(hours(24));
    expect(await turn()).toBe('worked');
    expect(await settings()).toMatchObject({ problem: null, failures: 0, isOnDataDisk: false });
    const [made = ''] = names();
    expect(made).toMatch(/^shop\/pricewright-.*\.tar$/);
    expect(await settings()).toMatchObject({ lastFile: `s3://backups/${made}`, lastTakenAt: now });
    expect(stores.opened[0]).toEqual({
      endpoint: BUCKET.endpoint,
      region: BUCKET.region,
      name: BUCKET.name,
      isPathStyle: true,
      accessKeyId: BUCKET.accessKeyId,
      secretAccessKey: BUCKET.secretAccessKey,
      sessionToken: null,
    });
    expect(await filesOf()).toEqual([]);
    const place = 'https://s3.example.com/backups/shop/';
    expect(await db().select().from(backupFiles)).toMatchObject([{ folder: place, checkedAt: now }]);

    const old = await renamed();
    const others = ['shop/mine.tar', 'shop/pricewright-2026-01-01T030000Z.tar'];
    for (const key of others) stores.objects.set(key, Buffer.from(key));
    await requestBackupNow({ db: db(), now: () => now }, EDITOR);
    expect(await turn()).toBe('worked');
    expect(names()).toHaveLength(3);
    expect(names()).toEqual(expect.arrayContaining(others));
    expect(names()).not.toContain(old);
  });

  test('that cannot be written or cleaned up is a failure, and deletes no backup', async () => {
    await save({ destination: 's3' });
    later(hours(24));
    stores.refused.add('upload');
    await turn();
    expect(await settings()).toMatchObject({ failures: 1, lastFile: null });
    expect([names(), await filesOf()]).toEqual([[], []]);

    stores.refused.clear();
    stores.refused.add('list');
    later(hours(24));
    await turn();
    // It is there, and known, although the rest of the bucket is not.
    expect(await settings()).toMatchObject({ failures: 1, lastFile: `s3://backups/${names()[0]}` });
    expect(await db().select().from(backupFiles)).toMatchObject([{ checkedAt: now }]);

    const old = await renamed();
    stores.refused.clear();
    stores.refused.add('remove');
    later(hours(24));
    await turn();
    expect(names()).toHaveLength(2);
    expect(names()).toContain(old);
    expect(await settings()).toMatchObject({ failures: 1, lastTakenAt: now });
  });

  test('without a key that can be decrypted is a failure', async () => {
    await save({ destination: 's3' });
    expect((await settings()).s3SecretKey).not.toContain(BUCKET.secretAccessKey);
    // As after "keys forget".
    await db().update(backupSettings).set({ s3SecretKey: null });
    later(hours(24));
    await turn();
    expect(await settings()).toMatchObject({ failures: 1, lastFile: null });
    expect(stores.opened).toEqual([]);
  });

  test.runIf(IS_ALL)('over plain http gets no backup that can be read on the way', async () => {
    const bucket = { ...BUCKET, endpoint: 'http://minio.example.com:9000' };
    const refused = save({ destination: 's3', bucket });
    await expect(refused).rejects.toMatchObject({ fields: { 'bucket.endpoint': expect.any(String) } });
    await save({ destination: 's3', bucket, encrypts: true, passphrase: 'five random words here' });
    later(hours(24));
    await turn();
    expect(names()[0]).toMatch(/\.tar\.enc$/);
    await db().update(backupSettings).set({ encrypts: false });
    later(hours(24));
    await turn();
    expect(names()).toHaveLength(1);
    expect((await settings()).failures).toBe(1);
  });
});
