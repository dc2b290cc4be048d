import { chmod, copyFile, link, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { findDataLocation } from '#db/embedded/data-location.ts';
import { thisMachine } from '#db/embedded/machine.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { newScratchFolder } from './scratch-folder.ts';
import { copyCluster } from './test-cluster.ts';

/** Process number of the server whose cluster this is; null when none runs. */
export async function serverPid(cluster: string): Promise<number | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  const pid = Number.parseInt(text ?? '', 10);
  return isAlive(pid) ? pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** SIGKILLs a server's first process; the others notice and end. The lock file stays behind. */
export async function killServer(cluster: string): Promise<void> {
  const pid = await serverPid(cluster);
  if (pid === null) throw new Error(`no server runs in ${cluster}`);
  process.kill(pid, 'SIGKILL');
}

/** {@link killServer}, if there still is one: a server that is stopping on its own is fine too. */
export async function killAnyServer(cluster: string): Promise<void> {
  const pid = await serverPid(cluster);
  if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

export interface DataFolder {
  /** For other files of a test than the data folder; every user may pass through. */
  readonly parent: string;
  /** The data folder, which does not exist yet. */
  readonly path: string;
  /** Where its cluster will be. */
  readonly cluster: string;
  /** Stops what still runs in it and deletes it. */
  remove(): Promise<void>;
}

/** A place for a new data folder that the server's user can reach. */
export async function newDataFolder(): Promise<DataFolder> {
  const parent = await newScratchFolder('test');
  const path = join(parent, 'data');
  const cluster = join(path, 'postgres', 'cluster');
  const remove = async (): Promise<void> => {
    if ((await serverPid(cluster)) !== null) await killServer(cluster);
    await rm(parent, { recursive: true, force: true });
  };
  return { parent, path, cluster, remove };
}

/** A place whose data folder holds an empty database: for tests that are not about how one is made. */
export async function newFilledFolder(): Promise<DataFolder> {
  const data = await newDataFolder();
  await fillDataFolder(data.path);
  return data;
}

/** Puts an empty database into a data folder, as a first start does. A copy takes a fraction of the time. */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const { cluster } = inject('testServer');
  if (cluster === null) await (await joinEmbeddedPostgres({ dataDir, durable: false })).leave();
  else await copyCluster(cluster, (await findDataLocation(thisMachine(), dataDir)).cluster);
}

/** The first value of the first row, on a connection of its own. */
export async function ask(url: string, question: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** The package with the binaries as `npm ci` leaves it: no links, no run bits. */
export async function copyPackage(target: string): Promise<string> {
  const source = thisMachine().packageFolder;
  if (source === null) throw new Error('the package with the PostgreSQL binaries is not installed');
  await copyTree(source, target);
  for (const name of PROGRAMS) await chmod(join(target, 'native', 'bin', name), 0o644);
  return target;
}

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'];

/** Hard links: no process writes to the package's files. The programs are copied, since their run bits change. */
async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) await copyTree(from, to);
    else if (entry.isSymbolicLink() || entry.name.endsWith('.a')) continue;
    else if (PROGRAMS.includes(entry.name)) await copyFile(from, to);
    // Another disk, or files of another user: then it has to be a copy.
    else await link(from, to).catch(() => copyFile(from, to));
  }
}
