import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { grantDailyUse } from '#db/daily-role.ts';
import { thisMachine } from '#db/embedded/machine.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import type { RollbackKind } from '#domain/data-rollback.ts';
import { NOW } from '#tests/builders/facts.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { type DataFolder, newDataFolder } from '#tests/support/embedded-folder.ts';
import { setLive } from '#tests/support/seed.ts';
import { execute, withDatabase } from '#tests/support/test-cluster.ts';
import { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { HeartbeatFile } from '#usecases/repricing/engine/heartbeat-file.ts';

/* PostgreSQL's own tools, where this machine has all of them: the embedded PostgreSQL has none. */

const TOOLS = '/usr/lib/postgresql/15/bin';

const areThere = existsSync(join(TOOLS, 'pg_dump'));

let data: DataFolder;
let server: EmbeddedPostgres;
beforeEach(async () => {
  if (!areThere) return;
  data = await newDataFolder();
  const machine = { ...thisMachine(), packageFolder: null, installedFolders: async () => [TOOLS] };
  server = await joinEmbeddedPostgres({ dataDir: data.path, durable: false }, machine);
  await migrate(server.ownerUrl);
  await grantDailyUse(server.ownerUrl, 'pricewright_app');
});
afterEach(async () => {
  if (!areThere) return;
  await server.leave();
  await data.remove();
});

const tool = (name: string, ...args: string[]) => execFileSync(join(TOOLS, name), args, { stdio: 'pipe' });

/**
 * Starts a process on a database outside its data folder. @returns the detected rollbacks, and the number of live modes
 */
async function startOn(url: string, folder: string): Promise<{ found: RollbackKind[]; live: number }> {
  const { db, close } = openDatabase(url);
  const found: RollbackKind[] = [];
  const heartbeat = new Heartbeat({
    now: () => NOW,
    file: new HeartbeatFile(join(data.parent, folder)),
    isInFolder: false,
    onRollback: (rollback) => found.push(rollback),
    onNoFolder: (error) => expect.fail(String(error)),
  });
  await heartbeat.check(db);
  await heartbeat.beat(db);
  const live = await db.$count(marketplaceModes, sql`mode = 'live'`);
  await close();
  return { found, live };
}
const goLiveOn = async (url: string): Promise<void> => {
  const { db, close } = openDatabase(url);
  await setLive(db, 'etsy');
  await close();
};
const CALM = { found: [], live: 1 };
const RESTORED = { found: ['restored_backup'], live: 0 };

test.runIf(areThere && IS_ALL)(
  'pg_restore over the old database, into a new one, and of the rows alone: each is detected, and once',
  async () => {
    const { url, ownerUrl } = server;
    await startOn(url, 'host');
    await goLiveOn(url);
    const dump = join(data.parent, 'dump');
    tool('pg_dump', '-Fc', '-f', dump, ownerUrl);
    // Making a dump changes nothing for the running installation.
    expect(await startOn(url, 'host')).toEqual(CALM);
    expect(await startOn(url, 'a container without a volume')).toEqual(CALM);

    tool('pg_restore', '--clean', '--if-exists', '-d', ownerUrl, dump);
    expect(await startOn(url, 'another container')).toEqual(RESTORED);
    await goLiveOn(url);
    expect(await startOn(url, 'host')).toEqual(CALM);

    const superuser = new URL(withDatabase(url, 'postgres'));
    superuser.username = 'postgres';
    await execute(superuser.href, 'CREATE DATABASE second OWNER pricewright');
    const second = withDatabase(url, 'second');
    const ownSecond = withDatabase(ownerUrl, 'second');
    tool('pg_restore', '-d', ownSecond, dump);
    expect(await startOn(second, 'a new machine')).toEqual(RESTORED);
    await goLiveOn(second);
    expect(await startOn(second, 'a new machine')).toEqual(CALM);

    await execute(second, 'DELETE FROM installation');
    tool('pg_restore', '--data-only', '-t', 'installation', '-d', ownSecond, dump);
    expect(await startOn(second, 'a third container')).toEqual(RESTORED);
  },
);
