import type { LastBackup } from '#usecases/backup/last-backup.ts';
import { ageOf, type Finding, failure, gigabytes, ok, warning } from './finding.ts';

const DAY = 24 * 60 * 60_000;
/** The oldest Node that the program runs on. */
const OLDEST_NODE = [20, 19] as const;
/** An import of a large file takes 400 MB (`npm run bench -- memory`); PostgreSQL and the system need theirs too. */
const LITTLE_MEMORY = 1e9;
/** PostgreSQL stops when it cannot write its log. */
const TOO_LITTLE_SPACE = 0.5e9;
const LITTLE_SPACE = 2e9;
const OLD_BACKUP = 7 * DAY;

/** @param version "20.20.2" */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldest, patch] = OLDEST_NODE;
  const isOld = major < oldest || (major === oldest && minor < patch);
  if (!isOld) return ok('node', `Node.js ${version}.`);
  return failure(
    'node',
    `Node.js ${version} is too old.`,
    `Install Node.js ${OLDEST_NODE.join('.')} or newer.`,
  );
}

/** @param bytes what this process and its database may use: the limit of its container, else the machine's memory */
export function checkMemory(bytes: number): Finding {
  if (bytes >= LITTLE_MEMORY) return ok('memory', `${gigabytes(bytes)} of memory.`);
  return warning(
    'memory',
    `Only ${gigabytes(bytes)} of memory: the system may end Pricewright during a large import.`,
    'Raise the memory limit to at least 1 GB.',
  );
}

/**
 * @param folder the data folder
 * @param tooOpen the command that closes it to other users; null when only its owner may enter it
 * @param isWritable whether this process can write into it
 */
export function checkFolder(folder: string, tooOpen: string | null, isWritable: boolean): Finding {
  if (!isWritable) {
    return failure(
      'data_folder',
      `Pricewright cannot write into the data folder ${folder}.`,
      'Run it as the owner of the folder, or name another one with PRICEWRIGHT_DATA.',
    );
  }
  if (tooOpen === null) return ok('data_folder', `The data folder is ${folder}.`);
  return warning(
    'data_folder',
    `Other users of this machine can read the data folder ${folder}.`,
    `Run "${tooOpen}".`,
  );
}

/** @param free bytes that this process may still write */
export function checkDisk(folder: string, free: number): Finding {
  const message = `${gigabytes(free)} free on the disk of ${folder}.`;
  const fix = 'Free some space, or move the data to a larger disk.';
  if (free < TOO_LITTLE_SPACE) return failure('disk', message, fix);
  return free < LITTLE_SPACE ? warning('disk', message, fix) : ok('disk', message);
}

/**
 * @param last null when no backup was recorded
 * @param isThere whether its file is where it was written; null where that was not checked
 */
export function checkBackup(last: LastBackup | null, isThere: boolean | null, now: number): Finding {
  const fix = 'Run "pricewright backup" every day, and keep the files on another disk.';
  if (last === null) return warning('backup', 'No backup was made with "pricewright backup".', fix);
  if (isThere === false) {
    return warning(
      'backup',
      `The last backup is not there any longer: ${last.file}.`,
      'Mount its disk, or make another one with "pricewright backup".',
    );
  }
  const takenAt = Date.parse(last.takenAt);
  const message = `The last backup is ${ageOf(takenAt, now)}: ${last.file}.`;
  return takenAt > now || now - takenAt > OLD_BACKUP
    ? warning('backup', message, fix)
    : ok('backup', message);
}

/**
 * @param publicUrl null when it is not set
 * @param status of its answer for `/healthz`; null when there was none
 */
export function checkPublicUrl(publicUrl: string | null, status: number | null): Finding {
  if (publicUrl === null) return ok('public_url', 'PUBLIC_URL is not set: links name this machine.');
  if (status === 200) return ok('public_url', `Pricewright answers at ${publicUrl}.`);
  return warning(
    'public_url',
    status === null
      ? `Nothing answers at PUBLIC_URL, ${publicUrl}.`
      : `${publicUrl}/healthz answers with ${status}, which is not Pricewright's answer.`,
    'Start Pricewright, and check the proxy, its certificate and the name. A network may also hide its own public address.',
  );
}
