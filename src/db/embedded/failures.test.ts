import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findBinaries } from '#db/embedded/binaries.ts';
import { findDataLocation } from '#db/embedded/data-location.ts';
import { explain } from '#db/embedded/explain.ts';
import { findHolder } from '#db/embedded/lock-files.ts';
import { thisMachine } from '#db/embedded/machine.ts';
import { run, under } from '#db/embedded/os-user.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import {
  ask,
  type DataFolder,
  killAnyServer,
  newDataFolder,
  newFilledFolder,
  serverPid,
} from '#tests/support/embedded-folder.ts';
import { killMemberAt } from '#tests/support/test-processes.ts';

let data: DataFolder;
beforeAll(async () => {
  data = await newDataFolder();
});
afterAll(() => data.remove());
// A server left by a failed test must not break the next one.
afterEach(() => killAnyServer(data.cluster));

const joinIt = (durable = false) => joinEmbeddedPostgres({ dataDir: data.path, durable });

test('a crash in the middle of initdb does not break the next start', async () => {
  await killMemberAt(data.path, 'Creating the database');
  const half = `${data.cluster}.draft-0123456789ab`;
  await mkdir(join(half, 'base'), { recursive: true });
  const member = await joinIt();
  expect(await ask(member.url, 'SELECT 1')).toBe(1);
  expect(await readdir(dirname(data.cluster))).not.toContain(basename(half));
  await member.leave();
});

test('a lock file whose process number now belongs to another process does not block the server', async () => {
  await (await joinIt()).leave();
  const home = await findDataLocation(thisMachine(), data.path);
  // Same user and alive: PostgreSQL would take it for a running server.
  const stranger = spawn('/bin/sleep', ['60'], under(home.account));
  try {
    for (const path of [join(data.cluster, 'postmaster.pid'), join(home.sockets, '.s.PGSQL.5432.lock')]) {
      await writeFile(path, `${stranger.pid}\n${data.cluster}\n1700000000\n5432\n${home.sockets}\n\n`);
    }
    const member = await joinIt();
    expect(await serverPid(data.cluster)).not.toBe(stranger.pid);
    await member.leave();
  } finally {
    stranger.kill();
  }
});

test('another PostgreSQL on the same files is a conflict, and the error says how to resolve it', async () => {
  await (await joinIt()).leave();
  const foreign = await startForeignServer();
  try {
    const refusal = joinIt();
    await expect(refusal).rejects.toMatchObject({ code: 'conflict' });
    await expect(refusal).rejects.toThrow(new RegExp(`process ${foreign.pid}.*stop it, or set DATABASE_URL`));
  } finally {
    foreign.kill('SIGINT');
    await once(foreign, 'exit');
  }
});

const NOISE = `${String.fromCharCode(1, 2, 250)} no number\n\n`;

test('a damaged lock file that no process holds does not block the server', async () => {
  await (await joinIt()).leave();
  const home = await findDataLocation(thisMachine(), data.path);
  for (const path of [join(data.cluster, 'postmaster.pid'), join(home.sockets, '.s.PGSQL.5432.lock')])
    await writeFile(path, NOISE);
  const member = await joinIt();
  expect(await ask(member.url, 'SELECT 1')).toBe(1);
  await member.leave();
});

test('a damaged lock file is kept while a server runs, and the error names that server', async () => {
  await (await joinIt()).leave();
  const foreign = await startForeignServer();
  const lock = join(data.cluster, 'postmaster.pid');
  const right = await readFile(lock, 'utf8');
  try {
    await writeFile(lock, NOISE);
    const refusal = joinIt();
    await expect(refusal).rejects.toMatchObject({ code: 'conflict' });
    await expect(refusal).rejects.toThrow(/is damaged, and .*"kill -INT \d+"/);
    expect(await readFile(lock, 'utf8')).toBe(NOISE);
  } finally {
    await writeFile(lock, right);
    foreign.kill('SIGINT');
    await once(foreign, 'exit');
  }
});

test('a lock file that is read while it is written names no sockets folder yet', async () => {
  await (await joinIt()).leave();
  const home = await findDataLocation(thisMachine(), data.path);
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)', home.cluster]);
  const lock = join(home.cluster, 'postmaster.pid');
  const written = `${holder.pid}\n${home.cluster}\n1\n5432\n${home.sockets}\n`;
  try {
    await once(holder, 'spawn');
    for (const [length, sockets] of [
      [written.length, home.sockets],
      [written.length - 1, null],
      [written.length - home.sockets.length, null],
    ] as const) {
      await writeFile(lock, written.slice(0, length));
      expect(await findHolder(home)).toEqual({ pid: holder.pid, sockets });
    }
  } finally {
    await rm(lock);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
});

test('a server that runs other files than those in the folder is a conflict', async () => {
  const member = await joinIt();
  const other = await newFilledFolder();
  await rename(data.cluster, `${data.cluster}-aside`);
  await rename(other.cluster, data.cluster);
  await expect(joinIt()).rejects.toMatchObject({ code: 'conflict' });
  await rename(data.cluster, other.cluster);
  await rename(`${data.cluster}-aside`, data.cluster);
  await member.leave();
  await other.remove();
});

test('a process that needs a durable server cannot join one without fsync', async () => {
  const careless = await joinIt(false);
  await expect(joinIt(true)).rejects.toMatchObject({ code: 'conflict' });
  await careless.leave();
  await (await joinIt(true)).leave();
});

test.each([
  ['global/pg_control', /could not find the database system/],
  ['pg_wal', /pg_wal/],
  ['global/pg_filenode.map', /pg_filenode\.map/],
])('a cluster without its %s does not start, and the reason is in the sentence', async (lost, reason) => {
  await (await joinIt()).leave();
  await rename(join(data.cluster, lost), join(data.parent, 'lost'));
  try {
    const refusal = joinIt();
    await expect(refusal).rejects.toMatchObject({ code: 'start_failed' });
    await expect(refusal).rejects.toThrow(reason);
    await expect(refusal).rejects.toThrow(/see .*logs.*DATABASE_URL/);
  } finally {
    await rename(join(data.parent, 'lost'), join(data.cluster, lost));
  }
});

test('the reason is what stopped the server, not its answer to early connections', async () => {
  const home = await findDataLocation(thisMachine(), data.path);
  const said = [
    'FATAL:  required WAL directory "pg_wal" does not exist',
    'FATAL:  the database system is starting up',
    'FATAL:  the database system is in recovery mode',
  ];
  expect((await explain(home, said.join('\n'))).message).toMatch(/\(required WAL directory "pg_wal"/);
  const shell =
    'performing post-bootstrap initialization ... sh: 1: cannot create /dev/null: Permission denied';
  expect((await explain(home, `${shell}\nchild process exited with exit code 2`)).message).toContain(
    '(cannot create /dev/null: Permission denied)',
  );
});

test('a system error about a full disk becomes one sentence', async () => {
  const home = await findDataLocation(thisMachine(), data.path);
  const said = 'initdb: error: could not write to file "pg_wal/xlogtemp.1": No space left on device';
  expect(await explain(home, said)).toMatchObject({ code: 'disk_full' });
  const unknown = 'initdb: error: could not look up effective user ID 4711: user does not exist';
  expect(await explain(home, unknown)).toMatchObject({ code: 'no_account' });
});

describe.runIf(mayMount())('on a disk of 64 MB', () => {
  let disk: string;
  beforeEach(async () => {
    disk = join(data.parent, 'disk');
    await mkdir(disk);
    mount('-t', 'tmpfs', '-o', 'size=64m,mode=711', 'tmpfs', disk);
  });
  afterEach(() => {
    spawnSync('/bin/umount', [disk]);
  });

  test.runIf(IS_ALL)(
    'too little space for a new database or a start is reported, and with enough space the start succeeds',
    async () => {
      const dataDir = join(disk, 'data');
      const options = { dataDir, durable: false };
      mount('-o', 'remount,size=20m', disk);
      const refusal = joinEmbeddedPostgres(options);
      await expect(refusal).rejects.toMatchObject({ code: 'disk_full' });
      await expect(refusal).rejects.toThrow(/disk that holds .* is full: free some space.*DATABASE_URL/);

      mount('-o', 'remount,size=100m', disk);
      const first = await joinEmbeddedPostgres(options);
      await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS number');
      await first.leave();

      await writeFile(join(disk, 'filler'), Buffer.alloc(100 * 1024 * 1024)).catch(() => undefined);
      await expect(joinEmbeddedPostgres(options)).rejects.toMatchObject({ code: 'disk_full' });

      await rm(join(disk, 'filler'));
      const second = await joinEmbeddedPostgres(options);
      expect(await ask(second.ownerUrl, 'SELECT number FROM kept')).toBe(7);
      await second.leave();
    },
  );
});

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('/bin/mount', args);
  if (status !== 0) throw new Error(String(stderr));
}

/** Root in a container may lack the right. */
function mayMount(): boolean {
  const probe = spawnSync('/usr/bin/unshare', ['--mount', '/bin/mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return process.getuid?.() === 0 && probe.status === 0;
}

/** A server started by hand on our cluster, with a socket of its own. */
async function startForeignServer(): Promise<ChildProcess> {
  const home = await findDataLocation(thisMachine(), data.path);
  const binaries = await findBinaries(thisMachine(), home, 18);
  const sockets = join(home.folder, 'elsewhere');
  await run(home.account, '/bin/mkdir', [sockets]);
  const args = ['-D', home.cluster, '-k', sockets, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const server = spawn(join(binaries.folder, 'postgres'), args, { ...under(home.account), stdio: 'pipe' });
  for await (const chunk of server.stderr) if (String(chunk).includes('ready to accept')) break;
  // PostgreSQL writes its log line first and its status into the lock file after it.
  await expect.poll(() => readFile(join(home.cluster, 'postmaster.pid'), 'utf8')).toMatch(/^ready\s*$/m);
  return server;
}
