import { chmod, cp, lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { thisMachine } from '#db/embedded/machine.ts';

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

export interface DataFolder {
  /** For what a test needs beside the data folder; everybody may pass through. */
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
  const parent = await mkdtemp('/tmp/pricewright-test-');
  await chmod(parent, 0o711);
  const path = join(parent, 'data');
  const cluster = join(path, 'postgres', 'cluster');
  const remove = async (): Promise<void> => {
    if ((await serverPid(cluster)) !== null) await killServer(cluster);
    await rm(parent, { recursive: true, force: true });
  };
  return { parent, path, cluster, remove };
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

/** A copy of the package with the binaries as `npm ci` leaves it: no links, no run bits. */
export async function copyPackage(target: string): Promise<string> {
  const source = thisMachine().packageFolder;
  if (source === null) throw new Error('the package with the PostgreSQL binaries is not installed');
  const isLink = async (path: string): Promise<boolean> => (await lstat(path)).isSymbolicLink();
  await cp(source, target, {
    recursive: true,
    filter: async (path) => !path.endsWith('.a') && !(await isLink(path)),
  });
  for (const name of ['initdb', 'pg_ctl', 'postgres'])
    await chmod(join(target, 'native', 'bin', name), 0o644);
  return target;
}
