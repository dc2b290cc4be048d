import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { readSealed } from '#db/queries/identity/sealed-columns.ts';
import { instant } from '#domain/units.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { keyInFolder } from '#usecases/identity/encryption/key-folder.ts';
import { openSecret, sealSecret } from '#usecases/identity/encryption/secret-box.ts';

/*
 * `pricewright keys rotate` as a process, killed with SIGKILL. A lock of the test stops it at an exact point, so that
 * no luck is needed to hit it.
 */
const SECRETS = 6;
const name = (n: number): string => `secret-${n}`;
const rowOf = (n: number): SQL => sql`SELECT FROM connector_credentials WHERE name = ${name(n)} FOR UPDATE`;

let database: TestDatabase;
let open: Database;
/** The application's role may not lock the audit log. */
let owner: Database;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
  owner = openDatabase(database.ownerUrl);
  folder = await newScratchFolder('keys-kill');
  const key = await server().forWriting();
  for (let n = 1; n <= SECRETS; n += 1) {
    const record = sealSecret(key, `connector_credentials/etsy/${name(n)}`, name(n));
    await open.db.execute(
      sql`INSERT INTO connector_credentials (holder, name, value) VALUES ('etsy', ${name(n)}, ${record})`,
    );
  }
});
afterAll(async () => {
  await open.close();
  await owner.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The keys of a server that runs at the same time. */
const server = () => dataKeysOf(open.db, keyInFolder(folder), () => instant(Date.now()));

/** Reads all secrets as such a server; fails at the first that it cannot decrypt. */
async function readAll(): Promise<string[]> {
  const key = await server().current();
  if (key === null) throw new Error('There is no key.');
  const sealed = await readSealed(open.db);
  return sealed.map(({ column, keys, record }) => openSecret(key, column.placeOf(keys), record));
}
const ALL = Array.from({ length: SECRETS }, (_, n) => name(n + 1));

function rotate(): ChildProcess {
  return spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), 'keys', 'rotate'], {
    env: {
      PATH: process.env.PATH,
      PRICEWRIGHT_DATA: folder,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Whether a session waits for a lock in this database. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await open.db.execute(sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows.length > 0;
}

const MOMENTS = [
  ['before the new data key is written', sql`LOCK TABLE data_keys IN SHARE MODE`],
  ['at the first secret', rowOf(1)],
  ['half way', rowOf(4)],
  ['at the last secret', rowOf(SECRETS)],
  ['when only the log is missing', sql`LOCK TABLE audit_log IN SHARE MODE`],
] as const;

test.runIf(IS_ALL).each(MOMENTS)(
  'killed %s it leaves every secret readable, and the next run ends it',
  async (_, lock) => {
    const ended = await auditOf(open.db, 'keys.rotated');
    await owner.db.transaction(async (tx) => {
      await tx.execute(lock);
      const program = rotate();
      const over = once(program, 'close');
      await expect.poll(isWaiting).toBe(true);
      program.kill('SIGKILL');
      expect(await over).toEqual([null, 'SIGKILL']);
      expect(await readAll()).toEqual(ALL);
    });
    // After the kill PostgreSQL may still finish the one statement that it was sent.
    await expect.poll(readAll).toEqual(ALL);
    expect(await auditOf(open.db, 'keys.rotated')).toHaveLength(ended.length);

    expect(await once(rotate(), 'close')).toEqual([0, null]);
    expect(await readAll()).toEqual(ALL);
    expect(await auditOf(open.db, 'keys.rotated')).toHaveLength(ended.length + 1);
    for (const rest of ['next', 'old']) expect(existsSync(join(folder, `secret.key.${rest}`))).toBe(false);
  },
);
