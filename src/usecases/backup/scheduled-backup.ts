import { rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Db } from '#db/client.ts';
import {
  type BackupSettingsRow,
  listBackupFiles,
  recordBackup,
  replaceBackupFiles,
} from '#db/queries/background/backups.ts';
import { type Lease, shareLease } from '#db/queries/background/leases.ts';
import { PASSPHRASE_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { transact } from '#db/transact.ts';
import { keptBackups } from '#domain/backups/backup-schedule.ts';
import type { Instant } from '#domain/units.ts';
import { FileError } from '#files/file-error.ts';
import { LeaseLostError } from '#usecases/background/keep-lease.ts';
import { openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { writeLastBackup } from './last-backup.ts';
import { makeBackup } from './make-backup.ts';
import { type FoundBackup, findBackups } from './old-backups.ts';

/** Files of a folder that are shown and counted, the newest. */
const MAX_BACKUP_FILES = 1_000;
/** Bytes that stay free on the disk of the database: PostgreSQL stops when it cannot write its log. */
const LEAST_FREE = 1e9;
/** A backup may be so much larger than the one before. */
const GROWTH = 1.25;

export interface ScheduledDeps {
  readonly db: Db;
  readonly now: () => Instant;
  /** Address of the database. */
  readonly url: string;
  /** Version of this program. */
  readonly program: string;
  readonly dataDir: string;
  readonly secrets: SecretKeys;
  /** The passphrase of the environment; null when there is none. */
  readonly environmentPassphrase: string | null;
}

/** The folder of backups without a chosen one. */
export function defaultBackupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/**
 * Makes a backup as the settings say, deletes those that no longer have to be kept, and records what the folder has.
 * @param signal aborted: no backup is made, and its reason is thrown
 * @throws FileError or SecretError, one sentence for an administrator with the way out; LeaseLostError
 */
export async function runBackup(
  deps: ScheduledDeps,
  settings: BackupSettingsRow,
  begunAt: Instant,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  const { db, url, program, dataDir, now } = deps;
  const passphrase = await passphraseOf(deps, settings);
  await requireSpace(settings.folder, dataDir, settings.lastBytes);
  const made = await makeBackup({
    url,
    program,
    // A chosen folder that is missing may be on a disk that is not mounted: it is not created.
    to: settings.folder === null ? null : `${settings.folder}/`,
    defaultFolder: defaultBackupFolder(dataDir),
    passphrase,
    signal,
  });
  const folder = dirname(made.file);
  const isOnDataDisk = await isOnOneDisk(folder, dataDir);
  const checkedAt = now();
  await transact(db, async (tx) => {
    if (!(await shareLease(tx, lease))) throw new LeaseLostError('Another process took over.');
    await recordBackup(tx, { file: made.file, bytes: made.bytes, isOnDataDisk, begunAt });
    await writeDown(tx, folder, await findBackups(folder), { name: basename(made.file), checkedAt });
  });
  await writeLastBackup(dataDir, { file: made.file, takenAt: made.manifest.takenAt }).catch(() => undefined);
  await deleteOld(db, folder, settings);
}

/** Deletes what need not be kept of the backups that the schedule made and read back. Every other file stays. */
async function deleteOld(db: Db, folder: string, settings: BackupSettingsRow): Promise<void> {
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, timeZone } = settings;
  const own = (await listBackupFiles(db, folder, MAX_BACKUP_FILES)).filter(
    ({ checkedAt }) => checkedAt !== null,
  );
  const kept = keptBackups(own, { daily, weekly, monthly }, timeZone);
  for (const { name } of own.filter((file) => !kept.has(file))) {
    await rm(join(folder, name), { force: true });
  }
  await transact(db, async (tx) => writeDown(tx, folder, await findBackups(folder)));
}

async function writeDown(
  tx: Db,
  folder: string,
  found: readonly FoundBackup[],
  checked?: { readonly name: string; readonly checkedAt: Instant },
): Promise<void> {
  const newest = found.slice(-MAX_BACKUP_FILES);
  await replaceBackupFiles(
    tx,
    folder,
    newest.map((file) => ({ ...file, checkedAt: file.name === checked?.name ? checked.checkedAt : null })),
  );
}

/** Null: not encrypted. @throws FileError when one is needed and there is none, SecretError when it cannot be decrypted */
async function passphraseOf(
  { secrets, environmentPassphrase }: ScheduledDeps,
  { encrypts, passphrase }: BackupSettingsRow,
): Promise<string | null> {
  if (!encrypts) return null;
  if (passphrase !== null) {
    const key = await secrets.current();
    if (key !== null) return openSecret(key, PASSPHRASE_PLACE, passphrase);
    throw new SecretError('The passphrase of backups cannot be decrypted. Enter it again under Settings.');
  }
  if (environmentPassphrase !== null) return environmentPassphrase;
  throw new FileError('The passphrase of backups is missing. Enter it again under Settings, Backups.');
}

/** @throws FileError when the backup could fill the disk that the database needs */
async function requireSpace(chosen: string | null, dataDir: string, lastBytes: number | null): Promise<void> {
  const folder = chosen ?? dataDir;
  if ((await isOnOneDisk(folder, dataDir)) !== true) return;
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= LEAST_FREE + GROWTH * (lastBytes ?? 0)) return;
  throw new FileError(
    `The disk of ${folder} has ${(free / 1e9).toFixed(1)} GB left, which the database needs. Free some space, keep fewer backups, or choose a folder on another disk.`,
  );
}

/** Null when one of the two cannot be read. */
async function isOnOneDisk(folder: string, dataDir: string): Promise<boolean | null> {
  const [one, other] = await Promise.all([folder, dataDir].map((path) => stat(path).catch(() => null)));
  return one == null || other == null ? null : one.dev === other.dev;
}
