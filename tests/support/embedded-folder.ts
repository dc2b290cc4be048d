import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

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

/** A new data folder that the server's user can pass through; `remove` stops what still runs in it. */
export async function newDataFolder(): Promise<{ path: string; cluster: string; remove(): Promise<void> }> {
  const parent = await mkdtemp('/tmp/pricewright-test-');
  await chmod(parent, 0o711);
  const path = join(parent, 'data');
  const cluster = join(path, 'postgres', 'cluster');
  const remove = async (): Promise<void> => {
    if ((await serverPid(cluster)) !== null) await killServer(cluster);
    await rm(parent, { recursive: true, force: true });
  };
  return { path, cluster, remove };
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

/** Runs a program to its end and fails with what it said. */
export async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
}
