import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findDataLocation, NOTE } from '#db/embedded/data-location.ts';
import { type Machine, thisMachine } from '#db/embedded/machine.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import {
  ask,
  copyPackage,
  type DataFolder,
  fillDataFolder,
  newDataFolder,
  serverPid,
} from '#tests/support/embedded-folder.ts';
import { startMember } from '#tests/support/test-processes.ts';

let data: DataFolder;
let machine: Machine;
beforeEach(async () => {
  data = await newDataFolder();
  machine = { ...thisMachine(), rootHome: join(data.parent, 'var-lib') };
});
afterEach(() => data.remove());

test('a path too long for a socket moves the socket to a short folder that every process computes', async () => {
  const dataDir = join(data.parent, 'a-long-name-'.repeat(15), 'data');
  await fillDataFolder(dataDir);
  const one = await joinEmbeddedPostgres({ dataDir, durable: false });
  const two = await startMember(dataDir);
  expect(two.ownerUrl).toBe(one.ownerUrl);
  expect(await ask(two.ownerUrl, 'SELECT 1')).toBe(1);
  const sockets = new URL(one.url).searchParams.get('host') ?? '';
  expect(sockets).toMatch(/^\/tmp\/pricewright-\d+-[0-9a-f]{16}$/);
  expect((await stat(sockets)).mode & 0o777).toBe(0o700);
  await one.leave();
  await two.leave();
  await rm(sockets, { recursive: true });
});

test.runIf(IS_ALL)('quotes, commas, spaces and letters beyond ASCII in the path do no harm', async () => {
  const dataDir = join(data.parent, `Jo's "shop", 100% größer`);
  const member = await joinEmbeddedPostgres({ dataDir, durable: false }, machine);
  expect(await ask(member.url, 'SELECT 1')).toBe(1);
  await member.leave();
});

// Root has every right: other users get an error about the folder's owner instead.
test.runIf(machineIsRoot()).each([
  ['a file', () => join(data.parent, 'file')],
  ['inside a file', () => join(data.parent, 'file', 'data')],
  ['a link to nothing', () => join(data.parent, 'link')],
  ['in a place that takes no folders', () => '/proc/pricewright/data'],
  ['a folder that takes no files', () => '/proc/self'],
])('a data folder that is %s is refused in one sentence and leaves nothing behind', async (_, path) => {
  await writeFile(join(data.parent, 'file'), 'precious');
  await symlink(join(data.parent, 'nowhere'), join(data.parent, 'link'));
  const refusal = joinEmbeddedPostgres({ dataDir: path(), durable: false }, machine);
  await expect(refusal).rejects.toMatchObject({ code: 'data_unusable' });
  await expect(refusal).rejects.toThrow(
    /^The data folder \S+ cannot be used .*PRICEWRIGHT_DATA.*DATABASE_URL/,
  );
  expect((await readdir(data.parent)).sort()).toEqual(['file', 'link']);
  expect(await readFile(join(data.parent, 'file'), 'utf8')).toBe('precious');
});

describe.runIf(machineIsRoot())('as root', () => {
  test('the server runs under another user', async () => {
    const member = await joinEmbeddedPostgres({ dataDir: data.path, durable: false }, machine);
    const server = await serverPid(data.cluster);
    expect((await stat(`/proc/${server}`)).uid).toBe((await stat(data.cluster)).uid);
    expect((await stat(data.cluster)).uid).not.toBe(0);
    await member.leave();
  });

  test.runIf(IS_ALL)(
    'a server of an ordinary user can be joined and later started for that user',
    async () => {
      const packageFolder = await copyPackage(join(data.parent, 'package'));
      await mkdir(data.path);
      await chown(data.path, 65534, 65534);
      const ordinary = await startMember(data.path, { uid: 65534, packageFolder });
      // The package belongs to root, so the ordinary user gets a copy.
      expect((await readdir(join(data.path, 'postgres'))).join(' ')).toMatch(/binaries-18\.\S+/);
      const root = await joinEmbeddedPostgres({ dataDir: data.path, durable: false }, machine);
      expect(root.ownerUrl).toBe(ordinary.ownerUrl);
      await ordinary.leave();
      await root.leave();
      const again = await joinEmbeddedPostgres({ dataDir: data.path, durable: false }, machine);
      expect((await stat(`/proc/${await serverPid(data.cluster)}`)).uid).toBe(65534);
      await again.leave();
    },
  );

  test.runIf(IS_ALL)(
    'for a folder that the server cannot reach, binaries and data are kept elsewhere, and the log says where',
    async () => {
      const closed = join(data.parent, 'closed');
      await mkdir(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      const shut = { ...machine, packageFolder: await copyPackage(join(closed, 'package')) };
      const folder = join(machine.rootHome, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));

      const first = await joinEmbeddedPostgres({ dataDir, durable: false }, shut);
      await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS number');
      await first.leave();
      expect(await readFile(join(dataDir, NOTE), 'utf8')).toBe(`${folder}\n`);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);

      // Once chosen, the location stays, even if the folder can be reached now.
      await chmod(closed, 0o711);
      const second = await joinEmbeddedPostgres({ dataDir, durable: false }, shut);
      expect(await ask(second.ownerUrl, 'SELECT number FROM kept')).toBe(7);
      await second.leave();
    },
  );

  describe('with the database elsewhere', () => {
    let dataDir: string;
    beforeEach(async () => {
      await mkdir(join(data.parent, 'closed'), { mode: 0o700 });
      dataDir = join(data.parent, 'closed', 'data');
    });

    test('two data folders never share a database', async () => {
      const [one, two] = [
        await findDataLocation(machine, dataDir),
        await findDataLocation(machine, `${dataDir}2`),
      ];
      expect(one.folder).not.toBe(two.folder);
    });

    test('a moved data folder keeps its database', async () => {
      const { folder } = await findDataLocation(machine, dataDir);
      await rename(dataDir, `${dataDir}-moved`);
      expect((await findDataLocation(machine, `${dataDir}-moved`)).folder).toBe(folder);
      // The old name may be used for a new folder, which must not find the database by its hash.
      await expect(findDataLocation(machine, dataDir)).rejects.toMatchObject({ code: 'conflict' });
    });

    test('a copied data folder is rejected', async () => {
      await findDataLocation(machine, dataDir);
      await cp(dataDir, `${dataDir}-copy`, { recursive: true });
      const refusal = findDataLocation(machine, `${dataDir}-copy`);
      await expect(refusal).rejects.toMatchObject({ code: 'conflict' });
      await expect(refusal).rejects.toThrow(/is a copy of .*delete .*DATABASE_URL/);
    });

    test('a missing database is never silently replaced by an empty one', async () => {
      const { folder } = await findDataLocation(machine, dataDir);
      await rm(folder, { recursive: true });
      await expect(findDataLocation(machine, dataDir)).rejects.toMatchObject({ code: 'data_missing' });
    });
  });

  test('a socket folder of another user is rejected', async () => {
    const long = join(data.parent, 'a-long-name-'.repeat(15));
    const { sockets } = await findDataLocation(machine, long);
    await chown(sockets, 12_345, 12_345);
    await expect(findDataLocation(machine, long)).rejects.toMatchObject({ code: 'wrong_owner' });
    await rm(sockets, { recursive: true });
  });
});

function machineIsRoot(): boolean {
  return process.getuid?.() === 0;
}
