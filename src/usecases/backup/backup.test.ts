import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openS3Store } from '#connectors/s3/open-s3-store.ts';
import { type Database, openDatabase } from '#db/client.ts';
import { grantDailyUse, identityOf } from '#db/daily-role.ts';
import { SchemaError } from '#db/migration-files.ts';
import { sessions, users } from '#db/schema/accounts.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { BackupReader } from '#files/backup/backup-reader.ts';
import { BackupWriter } from '#files/backup/backup-writer.ts';
import { FileError } from '#files/file-error.ts';
import { NOW } from '#tests/builders/facts.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { createEmptyDatabase } from '#tests/support/empty-database.ts';
import { createOldDatabase } from '#tests/support/old-database.ts';
import { type S3Stub, s3Error, startS3Stub } from '#tests/support/s3-stub.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import {
  addListing,
  addOffer,
  addRule,
  addSku,
  addTier,
  declareSeller,
  setLive,
} from '#tests/support/seed.ts';
import { execute } from '#tests/support/test-cluster.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { HeartbeatFile } from '#usecases/repricing/engine/heartbeat-file.ts';
import { type BackupBucket, openBackupBucket } from './backup-bucket.ts';
import { openBackup } from './backup-file.ts';
import { makeBackup, uploadBackup } from './make-backup.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';

const KEY = Buffer.alloc(32, 'a master key');
const MASTER = configuredKey(KEY);
const OTHER = configuredKey(Buffer.alloc(32, 'another key'));
/** What a line of PostgreSQL's text format must escape. */
const ODD = 'Tab\there, line\nbreak, back\\slash, \\N, quote " and \u{1F41F}';

let shop: TestDatabase;
let open: Database;
let folder: string;
const opened: TestDatabase[] = [];

beforeAll(async () => {
  shop = await createTestDatabase();
  open = openDatabase(shop.url);
  folder = await newScratchFolder('backup');
  await fill(open);
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
  for (const name of await readdir(folder)) await rm(join(folder, name));
});
afterAll(async () => {
  await open.close();
  await shop.drop();
  await rm(folder, { recursive: true });
});

/** A store with something of everything: prices that moved, secrets, a login, and a queued price on a live marketplace. */
async function fill({ db }: Database): Promise<void> {
  await addSku(db, 'MUG', { name: ODD });
  // In no order of their key.
  await db.execute(
    sql`INSERT INTO skus (sku, name) SELECT md5(n::text), 'Product' FROM generate_series(1, 2000) n`,
  );
  await addRule(db, { name: ODD });
  await addTier(db, 'walmart', 5);
  await declareSeller(db, 'walmart');
  const ids: number[] = [];
  for (let n = 0; n < 20; n += 1) ids.push(await addListing(db, `MUG-${n}`, { marketplace: 'walmart' }));
  const [first = 0] = ids;
  await addOffer(db, first, 18, { by: ODD });
  await db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, facts)
    SELECT id, 20, 19, ${ODD}, 'rule', 14, ${JSON.stringify({ form: 1, odd: ODD })}::jsonb FROM listings`);
  const [ann] = await db
    .insert(users)
    .values({ username: 'ann', email: 'ann@example.com', password: 'x', fullName: 'Ann', phoneNumber: '1' })
    .returning({ id: users.id });
  await db.execute(sql`INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, step_up_at, expires_at)
    VALUES ('hash of a session', ${ann?.id}, now(), now(), now(), now() + interval '1 hour')`);
  const key = await dataKeysOf(db, MASTER, () => NOW).forWriting();
  const sealed = sealSecret(key, 'app_settings/default/veeqoApiKey', 'the key of Veeqo');
  await db.execute(sql`UPDATE app_settings SET veeqo_api_key = ${sealed}, time_zone = 'America/New_York'`);
  await setLive(db, 'walmart');
  await db.execute(sql`INSERT INTO price_intents (listing_id, marketplace, sequence, price, from_price, state, margin_floor,
      reason, source, created_at, expires_at, idempotency_key)
    VALUES (${first}, 'walmart', 1, 18, 19, 'queued', 14, 'Beat', 'rule', now(), now() + interval '9 hours', 'a')`);
}

const orderOf = (over: Partial<Parameters<typeof makeBackup>[0]> = {}) => ({
  url: shop.ownerUrl,
  program: '1.3.0',
  to: folder,
  defaultFolder: folder,
  passphrase: null,
  ...over,
});
const restoreOf = (file: string, over: Partial<Parameters<typeof checkBackup>[0]> = {}) => ({
  file,
  passphrase: null,
  master: MASTER,
  withoutKey: false,
  ...over,
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  opened.push(database);
  return database;
}

async function only(url: string, query: string): Promise<unknown> {
  return Object.values((await execute(url, query))[0] ?? {})[0];
}

/** Everything that a schema consists of, as text. */
const SHAPE = `SELECT string_agg(line, chr(10) ORDER BY line) FROM (
  SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attidentity, attgenerated)
    FROM pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind = 'r') AND attnum > 0) AS shape`;
const TABLES = `SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

/** The rows of a table in a backup, each by the names of its columns, as COPY writes them. */
async function rowsIn(file: string, table: string): Promise<Record<string, string>[]> {
  const source = await openBackup(file, null);
  try {
    const reader = await BackupReader.open(source, file);
    let text = '';
    for (const each of reader.manifest.tables) {
      for await (const part of reader.rows(each)) if (each.name === table) text += part.toString('utf8');
    }
    const columns = reader.manifest.tables.find(({ name }) => name === table)?.columns ?? [];
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => Object.fromEntries(line.split('\t').map((value, at) => [columns[at], value])));
  } finally {
    await source.close();
  }
}

describe('a backup and its restore', () => {
  test('give every table as it was, encrypted on the way, with constraints, triggers, indexes and sequences, and recommend only', async () => {
    const passphrase = 'correct horse battery';
    const made = await makeBackup(orderOf({ passphrase }));
    expect(made.manifest).toMatchObject({ timeZone: 'America/New_York', masterKeys: [expect.any(String)] });
    expect(made.tables.find(({ name }) => name === 'price_history')).toMatchObject({ rows: 40 });
    expect((await stat(made.file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual([made.file.slice(folder.length + 1)]);

    const target = await emptyDatabase();
    const checked = await checkBackup(restoreOf(made.file, { passphrase }));
    expect(checked.tables).toEqual(made.tables);
    expect(await restoreBackup(target.ownerUrl, restoreOf(made.file, { passphrase }))).toEqual(made.tables);

    const again = await makeBackup(orderOf({ url: target.ownerUrl, to: join(folder, 'again.tar') }));
    const withoutMark = (tables: typeof made.tables) => tables.filter(({ name }) => name !== 'installation');
    expect(withoutMark(again.tables)).toEqual(withoutMark(made.tables));
    expect(again.manifest.sequences).toEqual(made.manifest.sequences);
    expect(await only(target.ownerUrl, SHAPE)).toBe(await only(shop.ownerUrl, SHAPE));
    await expect(execute(target.ownerUrl, 'DELETE FROM price_history')).rejects.toThrow();
    await expectQuickToRead(target);
    await expectRecommendOnly(target);
  });

  /** Indexes, also of keys, are as dense as after a rebuild, and read without the rows. */
  async function expectQuickToRead({ ownerUrl }: TestDatabase): Promise<void> {
    const pages = `SELECT relallvisible > 0 FROM pg_class WHERE relname = 'skus'`;
    expect(await only(ownerUrl, pages)).toBe(true);
    const size = `SELECT pg_relation_size('skus_sku_unique')`;
    const restored = await only(ownerUrl, size);
    await execute(ownerUrl, 'REINDEX INDEX skus_sku_unique');
    expect(await only(ownerUrl, size)).toBe(restored);
  }

  /** As the first check of a start leaves it. */
  async function expectRecommendOnly(target: TestDatabase): Promise<void> {
    await grantDailyUse(target.ownerUrl, (await identityOf(target.url)).role);
    const restored = openDatabase(target.url);
    const found: string[] = [];
    try {
      await new Heartbeat({
        now: () => NOW,
        file: new HeartbeatFile(folder),
        isInFolder: false,
        onRollback: (kind) => found.push(kind),
        onNoFolder: (error) => expect.fail(String(error)),
      }).check(restored.db);
      expect(found).toEqual(['restored_backup']);
      expect(await restored.db.$count(marketplaceModes, sql`mode = 'live'`)).toBe(0);
      expect(await restored.db.$count(sessions)).toBe(0);
      expect((await restored.db.select().from(priceIntents)).map(({ state }) => state)).toEqual(['expired']);
    } finally {
      await restored.close();
    }
  }

  test.runIf(IS_ALL)('of an older schema come to the current one', async () => {
    const old = await createOldDatabase(120);
    try {
      await execute(
        old.ownerUrl,
        `INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price) VALUES ('MUG', 'Mug', 'FBM', 20, 20)`,
      );
      const { file, manifest } = await makeBackup(orderOf({ url: old.ownerUrl }));
      expect(manifest.schema.version).toBe(120);
      const target = await emptyDatabase();
      await restoreBackup(target.ownerUrl, restoreOf(file));
      expect(await only(target.ownerUrl, SHAPE)).toBe(await only(shop.ownerUrl, SHAPE));
      expect(await only(target.ownerUrl, 'SELECT current_price::text FROM listings')).toBe('20.00');
    } finally {
      await old.drop();
    }
  });
});

describe('a backup', () => {
  test('shows one moment, whatever is written while it is made', async () => {
    for (let round = 1; round <= asMany(1, 20); round += 1) {
      let isDone = false;
      let moved = 0;
      const writing = (async () => {
        while (!isDone || moved === 0) {
          await open.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor)
            SELECT id, current_price, 39 - current_price, 'Moved', 'rule', 14 FROM listings`);
          moved += 1;
        }
      })();
      const { file } = await makeBackup(orderOf({ to: join(folder, `${round}.tar`) })).finally(() => {
        isDone = true;
      });
      await writing;
      // The newest row of the ledger is the price in force, and every statement moved all listings.
      const newest = new Map<string, string>();
      const history = await rowsIn(file, 'price_history');
      for (const { id = '', new_price = '' } of history) newest.set(id, new_price);
      const listings = await rowsIn(file, 'listings');
      expect(listings).toHaveLength(20);
      for (const { current_price, current_price_id = '' } of listings)
        expect(newest.get(current_price_id)).toBe(current_price);
      expect(history.length % listings.length).toBe(0);
    }
  });

  test('with a passphrase has nothing readable in its file', async () => {
    const made = await makeBackup(orderOf({ passphrase: 'correct horse battery' }));
    const bytes = await readFile(made.file);
    expect([made.file.endsWith('.tar.enc'), bytes.includes('manifest'), bytes.includes('ustar')]).toEqual([
      true,
      false,
      false,
    ]);
    await expect(openBackup(made.file, null)).rejects.toThrow(/is encrypted/);
  });

  test('contains no logins, links under way or keys', async () => {
    // As the role of daily use, where the owner's address is kept away from the servers.
    const { file, manifest } = await makeBackup(orderOf({ url: shop.url }));
    expect(manifest.sequences.length).toBeGreaterThan(20);
    const names = manifest.tables.map(({ name }) => name);
    expect(names.filter((name) => /^(sessions|one_time_tokens|consents|leases)$/.test(name))).toEqual([]);
    const text = JSON.stringify([
      manifest,
      await rowsIn(file, 'app_settings'),
      await rowsIn(file, 'data_keys'),
    ]);
    const spellings = [KEY.toString('hex'), KEY.toString('base64'), KEY.toString('base64url')];
    for (const secret of [...spellings, 'the key of Veeqo', 'hash of a session'])
      expect(text).not.toContain(secret);
  });

  test('is made nowhere but where it was requested, and leaves nothing when it cannot be', async () => {
    for (const to of [join(folder, 'missing', 'x.tar'), `${join(folder, 'missing')}/`])
      await expect(makeBackup(orderOf({ to }))).rejects.toThrow(FileError);
    const { file } = await makeBackup(orderOf({ to: join(folder, 'mine.tar') }));
    const before = await readFile(file);
    await expect(makeBackup(orderOf({ to: file }))).rejects.toThrow(/already exists/);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(folder)).toEqual(['mine.tar']);
    await expect(makeBackup(orderOf({ url: (await emptyDatabase()).ownerUrl }))).rejects.toThrow(SchemaError);
    const signal = AbortSignal.abort(new FileError('interrupted'));
    await expect(makeBackup(orderOf({ signal }))).rejects.toThrow('interrupted');
    expect(await readdir(folder)).toEqual(['mine.tar']);
  });
});

test('only the newest backups of a folder are kept, and files of others are not touched', async () => {
  const stale = `pricewright-2026-01-01T000000Z.tar.partial-${'0'.repeat(12)}`;
  const names = [
    'pricewright-2026-01-01T000000Z.tar',
    'pricewright-2026-01-02T000000Z.tar.enc',
    // Of a clock that was ahead: it stays, and takes no place of another one.
    'pricewright-2999-01-01T000000Z.tar',
    'mine.tar',
    stale,
  ];
  for (const name of names) await writeFile(join(folder, name), name);
  await utimes(join(folder, stale), 0, 0);
  const { file, deleted } = await makeBackup(orderOf({ keep: 2 }));
  expect(deleted).toEqual([join(folder, 'pricewright-2026-01-01T000000Z.tar')]);
  expect((await readdir(folder)).sort()).toEqual([
    'mine.tar',
    'pricewright-2026-01-02T000000Z.tar.enc',
    file.slice(folder.length + 1),
    'pricewright-2999-01-01T000000Z.tar',
  ]);
  await expect(makeBackup(orderOf({ to: join(folder, 'new.tar'), keep: 1 }))).rejects.toThrow(FileError);
});

describe('a bucket', () => {
  const SCHEDULE_NAMES = [
    'shop/pricewright-2026-01-01T000000Z.tar',
    'shop/pricewright-2026-01-02T000000Z.tar.enc',
    'shop/mine.tar',
    'shop/deep/pricewright-2025-01-01T000000Z.tar',
  ];
  let stub: S3Stub;
  beforeEach(async () => {
    stub = await startS3Stub(() => NOW);
  });
  afterEach(() => stub.close());

  function bucketOf(prefix = 'shop/'): BackupBucket {
    const { url: endpoint, region, bucket: name, accessKeyId, secretAccessKey } = stub;
    const bucket = {
      endpoint,
      region,
      name,
      isPathStyle: true,
      accessKeyId,
      secretAccessKey,
      sessionToken: null,
    };
    return openBackupBucket((one) => openS3Store(one, { now: () => NOW }), bucket, prefix);
  }

  test('gets a backup that was read back, from which the database is restored; old ones are deleted', async () => {
    for (const key of SCHEDULE_NAMES) stub.objects.set(key, { bytes: Buffer.from(key), etag: '"a"' });
    const hanging = 'shop/pricewright-2026-01-01T000000Z.tar';
    const begunAt = NOW - 3 * 24 * 60 * 60_000;
    stub.uploads.set('ours', { key: hanging, begunAt: 0, parts: new Map() });
    stub.uploads.set('of another', { key: 'shop/film.mkv', begunAt, parts: new Map() });
    const passphrase = 'correct horse battery';
    const made = await uploadBackup({
      url: shop.ownerUrl,
      program: '1.3.0',
      bucket: bucketOf(),
      folder,
      keep: 2,
      passphrase,
    });
    const name = made.file.replace('s3://backups/shop/', '');
    expect(made.deleted).toEqual(['s3://backups/shop/pricewright-2026-01-01T000000Z.tar']);
    expect([...stub.objects.keys()].sort()).toEqual([...SCHEDULE_NAMES.slice(1), `shop/${name}`].sort());
    expect([...stub.uploads.keys()]).toEqual(['of another']);
    expect(await readdir(folder)).toEqual([]);

    const target = await emptyDatabase();
    const order = restoreOf(made.file, { passphrase, bytes: () => bucketOf().open(name) });
    expect((await checkBackup(order)).tables).toEqual(made.tables);
    expect(await restoreBackup(target.ownerUrl, order)).toEqual(made.tables);
  });

  test('that may not be deleted from has the backup all the same', async () => {
    stub.objects.set('shop/pricewright-2026-01-01T000000Z.tar', { bytes: Buffer.from('x'), etag: '"a"' });
    stub.fault = ({ method, key }) =>
      method === 'DELETE' && key !== '' ? { when: 'before', fault: s3Error(403, 'AccessDenied') } : null;
    const order = { url: shop.ownerUrl, program: '1.3.0', folder, passphrase: null };
    const made = await uploadBackup({ ...order, bucket: bucketOf(), keep: 1 });
    expect(made.notDeleted).toContain('s3:DeleteObject');
    expect(stub.objects.size).toBe(2);
  });

  test('with another name says which one is the newest', async () => {
    const newest = 's3://backups/shop/pricewright-2026-01-02T000000Z.tar.enc';
    for (const key of SCHEDULE_NAMES) stub.objects.set(key, { bytes: Buffer.from(key), etag: '"a"' });
    for (const [prefix, name] of [
      ['', 'shop'],
      ['shop/', 'none.tar'],
      ['shop/', ''],
    ])
      await expect(bucketOf(prefix).open(name ?? '')).rejects.toThrow(newest);
    await expect(bucketOf('empty/').open('none.tar')).rejects.toThrow(FileError);
  });

  test('keeps nothing of a backup whose upload fails or is stopped', async () => {
    stub.fault = ({ method }) =>
      method === 'PUT' ? { when: 'before', fault: s3Error(403, 'AccessDenied') } : null;
    const order = { url: shop.ownerUrl, program: '1.3.0', bucket: bucketOf(), folder, passphrase: null };
    await expect(uploadBackup(order)).rejects.toThrow(FileError);
    const stopping = new AbortController();
    stub.fault = ({ method }) => {
      if (method === 'PUT') stopping.abort(new FileError('interrupted'));
      return null;
    };
    await expect(uploadBackup({ ...order, signal: stopping.signal })).rejects.toThrow('interrupted');
    expect([stub.objects.size, stub.uploads.size, await readdir(folder)]).toEqual([0, 0, []]);
  });

  test('is tested by writing, listing, reading and deleting, and nothing remains', async () => {
    await bucketOf().test(new AbortController().signal);
    expect(stub.asked.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'GET', 'GET', 'DELETE']);
    expect(stub.objects.size).toBe(0);
    for (const method of ['PUT', 'GET', 'DELETE']) {
      stub.fault = (requested) =>
        requested.method === method ? { when: 'before', fault: s3Error(403, 'AccessDenied') } : null;
      await expect(bucketOf().test(new AbortController().signal)).rejects.toThrow(FileError);
      if (method !== 'DELETE') expect(stub.objects.size).toBe(0);
    }
  });
});

describe('a restore', () => {
  test('that is cut off, or of rows that the database rejects, leaves nothing', async () => {
    const { file, manifest } = await makeBackup(orderOf());
    const cut = join(folder, 'cut.tar');
    const bytes = await readFile(file);
    await writeFile(cut, bytes.subarray(0, bytes.length - 1_500));
    await expect(checkBackup(restoreOf(cut))).rejects.toThrow(FileError);
    const target = await emptyDatabase();
    // Even where it was whole when it was checked.
    await expect(restoreBackup(target.ownerUrl, restoreOf(cut))).rejects.toThrow(FileError);
    expect(await only(target.ownerUrl, TABLES)).toBe(0);
    if (!IS_ALL) return;

    const parts: Buffer[] = [];
    const writer = await BackupWriter.begin(
      { write: async (part) => void parts.push(Buffer.from(part)), end: async () => undefined },
      manifest,
    );
    for (const { name } of manifest.tables)
      await writer.table(name, rowsOf(name === 'skus' ? 'no\tsku\n' : ''));
    await writer.finish();
    const forged = join(folder, 'forged.tar');
    await writeFile(forged, Buffer.concat(parts));
    await checkBackup(restoreOf(forged));
    await expect(restoreBackup(target.ownerUrl, restoreOf(forged))).rejects.toMatchObject({ code: '22P02' });
    expect(await only(target.ownerUrl, TABLES)).toBe(0);
  });

  async function* rowsOf(text: string): AsyncGenerator<Buffer> {
    if (text !== '') yield Buffer.from(text);
  }

  test('never goes into a database that is in use, and says which key is missing before it begins', async () => {
    const { file, manifest } = await makeBackup(orderOf());
    await expect(restoreBackup(shop.ownerUrl, restoreOf(file))).rejects.toThrow(SchemaError);
    expect(await open.db.$count(users)).toBe(1);
    const id = manifest.masterKeys[0] ?? '';
    await expect(checkBackup(restoreOf(file, { master: OTHER }))).rejects.toThrow(id);
    const lax = await checkBackup(restoreOf(file, { master: OTHER, withoutKey: true }));
    expect(lax.missingKeys).toEqual([id]);
  });
});
