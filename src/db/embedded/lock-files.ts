import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataLocation } from './data-location.ts';
import { hasCode } from './embedded-postgres-error.ts';

/** The server that runs a cluster, from PostgreSQL's own lock file. */
export interface Holder {
  readonly pid: number;
  /** Where that server listens; null while the file does not contain it yet. */
  readonly sockets: string | null;
}

/** The live server of this cluster by its postmaster.pid; null when there is none or the file is a leftover. */
export async function findHolder(home: DataLocation): Promise<Holder | null> {
  const lines = (await readPidFile(home))?.split('\n');
  const pid = Math.abs(Number(lines?.[0]));
  if (lines === undefined || !(await isServerOf(home, pid))) return null;
  // Read in the middle of a write, the last line may be cut: a whole one ends, and another begins.
  return { pid, sockets: lines.length > 5 ? lines[4] || null : null };
}

/**
 * Process number of a server on this cluster that its postmaster.pid does not name, for example because the file is
 * damaged; null when there is none. Every process of a server has the cluster's folder as its working directory.
 */
export async function findUnnamedServer(home: DataLocation): Promise<number | null> {
  for (const { pid, command, folder } of await processes()) {
    if (/postgres/.test(command) && (folder === home.cluster || command.includes(home.cluster))) return pid;
  }
  return null;
}

interface Process {
  readonly pid: number;
  readonly command: string;
  /** Working directory; null where the system does not show it. */
  readonly folder: string | null;
}

async function processes(): Promise<Process[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-Aww', '-o', 'pid=,command='], { env: {} });
    const lines = stdout.split('\n').map((line) => line.match(/^ *(\d+) (.*)$/));
    return lines.flatMap((line) =>
      line === null ? [] : [{ pid: Number(line[1]), command: line[2] ?? '', folder: null }],
    );
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: await commandOf(pid),
      // That of other users, who cannot have our cluster, is not shown.
      folder: await readlink(`/proc/${pid}/cwd`).catch(() => null),
    })),
  );
}

/** PostgreSQL's postmaster.pid, which a server removes at its very end; null when there is none. */
export function readPidFile(home: DataLocation): Promise<string | null> {
  return readIfThere(pidFile(home));
}

/**
 * Removes lock files whose process has ended or whose number belongs to another program now. PostgreSQL does so
 * automatically, except when the number was given to another process of the same user: usual in a container, where
 * numbers repeat.
 */
export async function clearStaleLocks(home: DataLocation): Promise<void> {
  for (const path of [pidFile(home), join(home.sockets, '.s.PGSQL.5432.lock')])
    await clearStaleLock(home, path);
}

async function clearStaleLock(home: DataLocation, path: string): Promise<void> {
  const checked = await readIfThere(path);
  if (checked === null || (await isServerOf(home, Math.abs(Number.parseInt(checked, 10))))) return;
  if (checked === '' && (await isYoung(path))) return;
  const aside = `${path}.stale-${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
    // A server may have been started between the check and the rename: then its file is restored.
    if (identity(await readFile(aside, 'utf8')) !== identity(checked)) await link(aside, path);
    await rm(aside);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error;
  }
}

/** A server creates the file first and fills it a moment later; an empty one that stays was left by a crash. */
async function isYoung(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs < 3_000;
}

/** Process number, folder and start time identify a server. The later lines change as it runs. */
export function identity(lockFile: string | null | undefined): string | undefined {
  return lockFile?.split('\n').slice(0, 3).join('\n');
}

function pidFile(home: DataLocation): string {
  return join(home.cluster, 'postmaster.pid');
}

async function isServerOf(home: DataLocation, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  return (await commandOf(pid)).includes(home.cluster);
}

/** The command line of a process; empty when there is none. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return (await readIfThere(`/proc/${pid}/cmdline`)) ?? '';
  // ps ends with 1 when there is no such process. It gets nothing of our environment, which holds secrets.
  const args = ['-ww', '-o', 'command=', '-p', String(pid)];
  const requested = promisify(execFile)('/bin/ps', args, { env: {} });
  return requested.then(
    ({ stdout }) => stdout,
    () => '',
  );
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // ESRCH: the process ended between opening and reading its command line.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ESRCH')) return null;
    throw error;
  }
}
