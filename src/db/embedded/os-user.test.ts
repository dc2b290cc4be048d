import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisMachine } from '#db/embedded/machine.ts';
import { chooseOsUser } from '#db/embedded/os-user.ts';
import { type DataFolder, newDataFolder } from '#tests/support/embedded-folder.ts';

let data: DataFolder;
beforeEach(async () => {
  data = await newDataFolder();
});
afterEach(() => data.remove());

const ROOT = 'root:x:0:0:root:/root:/bin/bash\n';
const NOBODY = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin\n';
const POSTGRES = 'postgres:x:101:104:PostgreSQL,,,:/var/lib/postgresql:/bin/bash\n';

async function chosenWith(passwd: string): Promise<unknown> {
  const passwdFile = join(data.parent, 'passwd');
  await writeFile(passwdFile, passwd);
  return chooseOsUser({ ...thisMachine(), uid: 0, gid: 0, passwdFile }, data.cluster);
}

test('as root the server runs as postgres, else as the system user nobody', async () => {
  expect(await chosenWith(ROOT + NOBODY + POSTGRES)).toEqual({ uid: 101, gid: 104, steppedDown: true });
  expect(await chosenWith(ROOT + NOBODY)).toEqual({ uid: 65534, gid: 65533, steppedDown: true });
});

test('root without either gets an error, and never runs the server as root', async () => {
  await expect(chosenWith(ROOT)).rejects.toMatchObject({ code: 'no_account' });
  await expect(chosenWith(`${ROOT}postgres:x:0:0::/:/bin/sh\n`)).rejects.toMatchObject({
    code: 'no_account',
  });
});

test('an ordinary user runs the server itself, and may not use a cluster of another user', async () => {
  const ordinary = { ...thisMachine(), uid: 1234, gid: 1235 };
  expect(await chooseOsUser(ordinary, data.cluster)).toEqual({ uid: 1234, gid: 1235, steppedDown: false });
  await expect(chooseOsUser(ordinary, data.parent)).rejects.toMatchObject({ code: 'wrong_owner' });
});
