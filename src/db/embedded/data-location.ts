import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError, hasCode, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import type { Machine } from './machine.ts';
import { chooseOsUser, type OsUser, run } from './os-user.ts';

/** Where the database of a data folder is, and which system user runs it. */
export interface DataLocation {
  /** The data folder, absolute and without symbolic links. */
  readonly dataDir: string;
  readonly folder: string;
  readonly cluster: string;
  readonly logs: string;
  readonly sockets: string;
  readonly account: OsUser;
}

/** File in the data folder with one line: the folder that holds the database instead. */
export const NOTE = 'postgres-location';
/** Start of the name of a folder in the data folder that has the database from before a restore. */
export const BEFORE_RESTORE = 'before-restore-';
/** File in the folder of {@link NOTE} with one line: the data folder it belongs to. */
const BACK_NOTE = 'belongs-to';

/**
 * Finds or creates the location of a data folder's database: `<data>/postgres`, or for root, when the server's user
 * cannot enter the data folder or a shell would misread its path, `/var/lib/pricewright/<hash of its path>`. Once
 * chosen it stays.
 * @throws EmbeddedPostgresError `data_missing`, `data_unusable`, `conflict`, `no_account`, `wrong_owner`
 */
export async function findDataLocation(machine: Machine, dataDir: string): Promise<DataLocation> {
  const data = await makeDataFolder(machine, resolve(dataDir));
  const folder = (await followNote(data)) ?? (await chooseFolder(machine, data));
  const cluster = join(folder, 'cluster');
  const account = await chooseOsUser(machine, cluster);
  const home = { dataDir: data, folder, cluster, account, logs: join(folder, 'logs') };
  for (const made of [folder, home.logs]) await makeOwnFolder(made, account);
  return { ...home, sockets: await socketFolder(home.folder, account) };
}

/** Creates the data folder if needed, and checks that folders can be created in it. */
export async function makeDataFolder(machine: Machine, requested: string): Promise<string> {
  try {
    await makeParents(dirname(requested));
    // Root's server runs under another user, who must be able to pass through; the folders inside have their own
    // rights.
    await makeFolder(requested, machine.uid === 0 ? 0o711 : 0o700);
    const data = await realpath(requested);
    if (!(await exists(join(data, NOTE)))) await rmdir(await mkdtemp(join(data, '.trial-')));
    return data;
  } catch (error) {
    // A missing right and a full disk have their own errors.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EINVAL')) throw error;
    throw new EmbeddedPostgresError(
      'data_unusable',
      `The data folder ${requested} cannot be used (it or a parent is a file, or no folder can be created in it): set PRICEWRIGHT_DATA to another folder, ${OR_DATABASE_URL}.`,
      { cause: error },
    );
  }
}

/** Level by level: Node's own recursive mkdir never returns where the system cannot create folders, as in /proc. */
async function makeParents(folder: string): Promise<void> {
  if (await exists(folder)) return;
  await makeParents(dirname(folder));
  await mkdir(folder).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
}

/** The location noted in the data folder, or null when there is no note. */
async function followNote(data: string): Promise<string | null> {
  const folder = await readNote(join(data, NOTE));
  if (folder === null) return null;
  const owner = await readNote(join(folder, BACK_NOTE));
  if (owner === null) {
    throw new EmbeddedPostgresError(
      'data_missing',
      `The database of ${data} is in ${folder}, which no longer exists: restore that folder, or delete ${join(data, NOTE)} to start with an empty database, ${OR_DATABASE_URL}.`,
    );
  }
  if (owner === data) return folder;
  if ((await readNote(join(owner, NOTE))) === folder) {
    throw new EmbeddedPostgresError(
      'conflict',
      `The data folder ${data} is a copy of ${owner}, and both use the database in ${folder}: delete ${join(data, NOTE)} in the copy to give it its own empty database, ${OR_DATABASE_URL}.`,
    );
  }
  // The data folder was moved: its database stays at its location.
  await writeNote(join(folder, BACK_NOTE), data);
  return folder;
}

// initdb runs the programs next to it through a shell that puts their path between double quotes.
const SHELL_READS = /["$`\\]/;

async function chooseFolder(machine: Machine, data: string): Promise<string> {
  const inside = join(data, 'postgres');
  if (machine.uid !== 0 || (await exists(join(inside, 'cluster')))) return inside;
  const account = await chooseOsUser(machine, join(inside, 'cluster'));
  const reachable = await run(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', data]);
  if (reachable.ok && !SHELL_READS.test(data)) return inside;
  const folder = join(machine.rootHome, createHash('sha256').update(data).digest('hex').slice(0, 16));
  const owner = await readNote(join(folder, BACK_NOTE));
  if (owner !== null && owner !== data) {
    throw new EmbeddedPostgresError(
      'conflict',
      `The database of ${data} cannot be stored in ${folder}, which belongs to ${owner} (moved since): set PRICEWRIGHT_DATA to another folder, ${OR_DATABASE_URL}.`,
    );
  }
  await mkdir(machine.rootHome, { recursive: true, mode: 0o755 });
  await makeOwnFolder(folder, account);
  await writeNote(join(folder, BACK_NOTE), data);
  await writeNote(join(data, NOTE), folder);
  return folder;
}

/**
 * PostgreSQL and the system allow about 100 bytes for a socket's path. A longer one moves to a folder whose name every
 * process of this data folder computes alike, so it must not depend on TMPDIR.
 */
async function socketFolder(folder: string, account: OsUser): Promise<string> {
  const inside = join(folder, 'run');
  const fits = Buffer.byteLength(join(inside, '.s.PGSQL.5432.lock')) <= 100;
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const sockets = fits ? inside : `/tmp/pricewright-${account.uid}-${hash}`;
  await makeOwnFolder(sockets, account);
  return sockets;
}

/** Creates a folder that only the account (and root) may enter. An existing one must have exactly these rights. */
async function makeOwnFolder(folder: string, account: OsUser): Promise<void> {
  await makeFolder(folder, 0o700);
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === 0 && account.steppedDown) {
    await lchown(folder, account.uid, account.gid);
  } else if (!found.isDirectory() || found.uid !== account.uid) {
    throw new EmbeddedPostgresError(
      'wrong_owner',
      `The folder ${folder} belongs to user ID ${found.uid}, but the database server runs as ${account.uid}: remove it, or change its owner to that user, ${OR_DATABASE_URL}.`,
    );
  } else if ((found.mode & 0o077) !== 0) {
    await chmod(folder, 0o700);
  }
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
    await chmod(folder, mode);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

async function readNote(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

async function writeNote(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${text}\n`, { mode: 0o644, flush: true });
  await rename(draft, path);
}

/** True when something has this name; links are followed. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
      throw error;
    },
  );
}
