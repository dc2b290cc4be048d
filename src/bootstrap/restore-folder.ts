import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#db/client.ts';
import {
  BEFORE_RESTORE,
  exists,
  findDataLocation,
  makeDataFolder,
  NOTE,
} from '#db/embedded/data-location.ts';
import { findHolder } from '#db/embedded/lock-files.ts';
import { thisMachine } from '#db/embedded/machine.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { createLogger } from '#server/logger.ts';
import { restoreBackup } from '#usecases/backup/restore-backup.ts';
import { fsyncDirectory } from '#usecases/fsync-directory.ts';
import { heartbeatOf } from './heartbeat.ts';
import { type Addresses, addressesOf, inOneSentence, prepare } from './open-database.ts';
import { now, type Running } from './running-program.ts';
import { StartError } from './start-error.ts';

type Order = Parameters<typeof restoreBackup>[1];

/** The folder in which a new database is filled. */
const STAGING = /^restore-[0-9a-f]{12}$/;
/** What belongs to a database in a data folder. Its keys, outbox and backups stay where they are. */
const DATABASE_PARTS = ['postgres', NOTE, 'installation.mark'];
/** The keys in a data folder; a copy of them stays with a former database. */
const KEY_FILE = /^secret\.key(\.next|\.old)?$/;

/**
 * Restores a checked backup into the database of `DATABASE_URL`, which must be empty, or into the data folder. There a new
 * database is filled first and then takes its place, so that a failure changes nothing.
 * @param replaces whether the data folder may have a database, which is kept
 * @param interrupted rejects when the restore must end at once; until the new database takes its place nothing is changed
 * @returns the folder with the former database; null when there was none
 * @throws StartError, FileError, SchemaError or EmbeddedPostgresError, each one sentence with the fix
 */
export async function restoreInto(
  running: Running,
  order: Order,
  replaces: boolean,
  interrupted: Promise<never> = new Promise(() => undefined),
): Promise<{ former: string | null }> {
  // It may reject while nothing waits for it.
  interrupted.catch(() => undefined);
  if (running.config.databaseUrl === null) return restoreFolder(running, order, replaces, interrupted);
  if (replaces) {
    throw new StartError(
      '--replace is for the data folder only. Create an empty database, and let DATABASE_URL name it.',
      2,
    );
  }
  await Promise.race([restoreDatabase(running, await addressesOf(running), order), interrupted]);
  return { former: null };
}

/** Also does what the next start would do: grants rights and sets every marketplace to recommend only. */
async function restoreDatabase(running: Running, addresses: Addresses, order: Order): Promise<void> {
  await inOneSentence(running, () => restoreBackup(addresses.ownerUrl, order));
  await prepare(addresses, async () => undefined);
  const { db, close } = openDatabase(addresses.url, 2);
  try {
    // What it would log is said by the command.
    await heartbeatOf({ ...running, log: createLogger('error') }).check(db);
  } finally {
    await close();
  }
}

async function restoreFolder(
  running: Running,
  order: Order,
  replaces: boolean,
  interrupted: Promise<never>,
): Promise<{ former: string | null }> {
  const { dataDir } = running.config;
  await requireFree(running, replaces);
  await makeDataFolder(thisMachine(), dataDir);
  await discardLeftovers(dataDir);
  const staging = join(dataDir, `restore-${randomBytes(6).toString('hex')}`);
  const inStaging = { ...running, config: { ...running.config, dataDir: staging } };
  try {
    const log = (line: string): void => running.log.info(line);
    const server = await joinEmbeddedPostgres({ dataDir: staging, fills: true, log });
    try {
      await Promise.race([restoreDatabase(inStaging, server, order), interrupted]);
    } finally {
      await server.leave();
    }
    // A process may have been started in the meantime.
    await requireFree(running, replaces);
    return { former: await moveIntoPlace(dataDir, staging) };
  } finally {
    await discard(staging);
  }
}

/**
 * Checks that the data folder has no database, or that none of its processes runs and it may be replaced.
 * @throws StartError
 */
async function requireFree({ config: { dataDir } }: Running, replaces: boolean): Promise<void> {
  if (!(await hasDatabase(dataDir))) return;
  if (!replaces) {
    throw new StartError(
      `The data folder ${dataDir} already has a database. Add --replace to keep that one aside, or choose another folder with PRICEWRIGHT_DATA. Nothing was restored.`,
    );
  }
  const location = await findDataLocation(thisMachine(), dataDir);
  if ((await findHolder(location)) === null) return;
  // A server that was left behind stops with its last member.
  await (await joinEmbeddedPostgres({ dataDir })).leave();
  if ((await findHolder(location)) === null) return;
  throw new StartError(
    `Pricewright is running on the data folder ${dataDir}. Stop it, then restore again. Nothing was restored.`,
  );
}

/** Whether a data folder has a database, here or where its note says. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  return (await exists(join(dataDir, NOTE))) || (await exists(join(dataDir, 'postgres')));
}

/** @returns the folder with the former database, which is a data folder itself; null when there was none */
async function moveIntoPlace(dataDir: string, staging: string): Promise<string | null> {
  const moment = new Date(now())
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');
  const former = (await hasDatabase(dataDir)) ? join(dataDir, `${BEFORE_RESTORE}${moment}`) : null;
  if (former !== null) {
    await mkdir(former, { mode: thisMachine().uid === 0 ? 0o711 : 0o700 });
    for (const name of (await readdir(dataDir)).filter((file) => KEY_FILE.test(file)))
      await copyFile(join(dataDir, name), join(former, name));
    await moveParts(dataDir, former);
    await fsyncDirectory(former);
  }
  await moveParts(staging, dataDir);
  await fsyncDirectory(dataDir);
  return former;
}

async function moveParts(from: string, to: string): Promise<void> {
  for (const name of DATABASE_PARTS) {
    if (await exists(join(from, name))) await rename(join(from, name), join(to, name));
  }
}

/** What a restore that was killed has left: a server without a process of ours, and its files. */
async function discardLeftovers(dataDir: string): Promise<void> {
  const machine = thisMachine();
  for (const name of (await readdir(dataDir)).filter((each) => STAGING.test(each))) {
    const staging = join(dataDir, name);
    if (!(await hasDatabase(staging))) {
      await discard(staging);
      continue;
    }
    const location = await findDataLocation(machine, staging);
    if ((await findHolder(location)) !== null)
      await (await joinEmbeddedPostgres({ dataDir: staging })).leave();
    // Else another restore is filling it.
    if ((await findHolder(location)) === null) await discard(staging);
  }
}

/** Removes what is left of a database that was being filled, also where it is not in that folder. */
async function discard(staging: string): Promise<void> {
  const elsewhere = await readFile(join(staging, NOTE), 'utf8').catch(() => null);
  if (elsewhere !== null) await rm(elsewhere.trim(), { recursive: true, force: true });
  await rm(staging, { recursive: true, force: true });
}
