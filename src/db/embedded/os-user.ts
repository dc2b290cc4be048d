import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import type { Machine } from './machine.ts';

/** The user of the operating system that the server runs under; never root, which PostgreSQL refuses. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
  /** True when this process is root and switches to the account to start programs. */
  readonly steppedDown: boolean;
}

/**
 * Our own user, or for root the owner of an existing cluster, else `postgres`, else `nobody`.
 * @throws EmbeddedPostgresError `no_account`, `wrong_owner`
 */
export async function chooseOsUser(machine: Machine, cluster: string): Promise<OsUser> {
  const owner = await stat(cluster).catch(() => null);
  if (machine.uid !== 0) {
    if (owner !== null && owner.uid !== machine.uid) throw wrongOwner(cluster, owner.uid);
    return { uid: machine.uid, gid: machine.gid, steppedDown: false };
  }
  if (owner?.uid === 0) throw wrongOwner(cluster, 0);
  if (owner !== null) return { uid: owner.uid, gid: owner.gid, steppedDown: true };
  const found = await lookUp(machine.passwdFile);
  if (found !== null) return { ...found, steppedDown: true };
  throw new EmbeddedPostgresError(
    'no_account',
    `PostgreSQL does not run as root and ${machine.passwdFile} has neither a user "postgres" nor "nobody": start Pricewright as a regular user, ${OR_DATABASE_URL}.`,
  );
}

function wrongOwner(cluster: string, uid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'wrong_owner',
    `The database in ${cluster} belongs to user ID ${uid}: start Pricewright as that user (not root), or change the owner of the folder to your user, ${OR_DATABASE_URL}.`,
  );
}

async function lookUp(passwdFile: string): Promise<{ uid: number; gid: number } | null> {
  const lines = (await readFile(passwdFile, 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const line = lines.find((fields) => fields[0] === name);
    const [uid, gid] = [Number(line?.[2]), Number(line?.[3])];
    if (line !== undefined && Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0)
      return { uid, gid };
  }
  return null;
}

/** Options to start a program under the account, with a fixed environment. */
export function under(account: OsUser): {
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
} {
  // English messages, because errors are recognized by their text; no PG* variable may reach the programs.
  const base = { cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin', TZ: 'UTC' } };
  return account.steppedDown ? { ...base, uid: account.uid, gid: account.gid } : base;
}

/** Output of a program and how it ended. */
export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/** Runs a program under the account to its end. A program that cannot be started returns an outcome too. */
export function run(account: OsUser, program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    // Detached: a Ctrl+C in the terminal must not interrupt the creation of a cluster.
    const options = { ...under(account), detached: true, stdio: ['ignore', 'pipe', 'pipe'] as const };
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}
