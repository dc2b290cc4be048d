import { access, constants, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { doctorCommand } from '#cli/doctor.ts';
import { type Database, type Db, openDatabase } from '#db/client.ts';
import { findDataLocation } from '#db/embedded/data-location.ts';
import { thisMachine } from '#db/embedded/machine.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { readBackupSettings } from '#db/queries/background/backups.ts';
import { readServerFigures, readWorkFigures } from '#db/queries/background/doctor.ts';
import { readSchemaVersion } from '#db/queries/background/health.ts';
import { isBucketText } from '#domain/backups/bucket-address.ts';
import { instant } from '#domain/units.ts';
import { LEASE_DURATION } from '#usecases/background/lease.ts';
import { readLastBackup } from '#usecases/backup/last-backup.ts';
import {
  checkBackupSchedule,
  checkClock,
  checkCredentials,
  checkEngine,
  checkLeases,
  checkMasterKey,
  checkSchema,
  checkServer,
} from '#usecases/doctor/database-findings.ts';
import { type Finding, failure, warning } from '#usecases/doctor/finding.ts';
import {
  checkBackup,
  checkDisk,
  checkFolder,
  checkMemory,
  checkNode,
  checkPublicUrl,
} from '#usecases/doctor/machine-findings.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';
import { findLostSecrets } from '#usecases/identity/users/lost-secrets.ts';
import { openFolderProblem } from './data-folder.ts';
import { masterKeysOf } from './master-keys.ts';
import { addressesOf, inOneSentence } from './open-database.ts';
import { readRelease } from './release.ts';
import { hasDatabase } from './restore-folder.ts';
import { now, type Running } from './running-program.ts';
import { sentenceOf } from './start-error.ts';

/** Milliseconds. */
const ANSWER_TIMEOUT = 5_000;

/** `doctor ...`. */
export async function doctor(running: Running, argv: readonly string[]): Promise<number> {
  return doctorCommand(argv, { out: console.log, err: console.error }, () => examine(running));
}

/** Every check, in the order of the report. Those of a database that cannot be reached are missing. */
async function examine(running: Running): Promise<Finding[]> {
  const { dataDir, publicUrl } = running.config;
  return [
    checkNode(process.versions.node),
    checkMemory(memory()),
    ...(await folderFindings(running)),
    ...(await databaseFindings(running)),
    await backupFinding(dataDir),
    checkPublicUrl(publicUrl, publicUrl === null ? null : await answerOf(`${publicUrl}/healthz`)),
  ];
}

async function backupFinding(dataDir: string): Promise<Finding> {
  const last = await readLastBackup(dataDir);
  // A bucket is not called: its key is the command's.
  const isThere = last === null ? false : isBucketText(last.file) ? null : await isReachable(last.file);
  return checkBackup(last, isThere, now());
}

async function isReachable(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** The limit of the container where there is one. */
function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

async function folderFindings({ config: { dataDir, databaseUrl } }: Running): Promise<Finding[]> {
  if (!(await isReachable(dataDir))) {
    return [
      warning(
        'data_folder',
        `There is no data folder ${dataDir} yet.`,
        'Name the right one with PRICEWRIGHT_DATA, or start Pricewright, which creates it.',
      ),
    ];
  }
  const isWritable = await isReachable(dataDir, constants.W_OK);
  const location =
    databaseUrl === null && (await hasDatabase(dataDir))
      ? (await findDataLocation(thisMachine(), dataDir)).folder
      : dataDir;
  const { bavail, bsize } = await statfs(location);
  return [
    checkFolder(dataDir, (await openFolderProblem(dataDir))?.command ?? null, isWritable),
    checkDisk(location, bavail * bsize),
  ];
}

async function databaseFindings(running: Running): Promise<Finding[]> {
  const { config } = running;
  if (config.databaseUrl === null && !(await hasDatabase(config.dataDir))) {
    return [
      warning(
        'database',
        `The data folder ${config.dataDir} has no database.`,
        'Name the right folder with PRICEWRIGHT_DATA, start Pricewright, or restore a backup.',
      ),
    ];
  }
  try {
    const { url } = await addressesOf(running);
    const database = openDatabase(url, 1);
    running.closers.push(() => database.close());
    return await inOneSentence(running, () => findingsIn(running, database));
  } catch (error) {
    const code = databaseErrorCode(error);
    const message = sentenceOf(error) ?? (code === null ? null : `The database failed a check (${code}).`);
    if (message === null) throw error;
    return [failure('database', message, 'Fix that first: the other checks of the database need it.')];
  }
}

async function findingsIn(running: Running, { db }: Database): Promise<Finding[]> {
  const before = now();
  const server = await readServerFigures(db);
  // The server's clock was read in between.
  const difference = (before + now()) / 2 - server.now;
  const { schemaVersion } = await readRelease();
  const version = server.hasSchema ? await readSchemaVersion(db) : null;
  const findings = [checkServer(server), checkSchema(version, schemaVersion), checkClock(difference)];
  // Tables of another release may differ.
  if (version !== schemaVersion) return findings;
  const work = await readWorkFigures(db, LEASE_DURATION);
  return [
    ...findings,
    checkEngine(work, server.now),
    checkLeases(work),
    await masterKeyFinding(running, db),
    checkCredentials(work, server.now),
    checkBackupSchedule(await readBackupSettings(db), instant(Math.round(server.now))),
  ];
}

async function masterKeyFinding({ config }: Running, db: Db): Promise<Finding> {
  try {
    return checkMasterKey((await findLostSecrets(db, masterKeysOf(config))).missing, null);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    return checkMasterKey([], error.message);
  }
}

/** The status of the answer; null when there was none in time. */
async function answerOf(address: string): Promise<number | null> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}
