import { basename } from 'node:path';
import type { Db } from '#db/client.ts';
import {
  type BackupSettingsRow,
  forgetOtherBackupFiles,
  listBackupFiles,
  recordBackup,
  recordBackupFiles,
} from '#db/queries/background/backups.ts';
import { type Lease, shareLease } from '#db/queries/background/leases.ts';
import { PASSPHRASE_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { transact } from '#db/transact.ts';
import { keptBackups } from '#domain/backups/backup-schedule.ts';
import type { Instant } from '#domain/units.ts';
import { FileError } from '#files/file-error.ts';
import { LeaseLostError } from '#usecases/background/work-under-lease.ts';
import { openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import { type BackupPlace, openBackupPlace, type PlaceDeps } from './backup-place.ts';
import { writeLastBackup } from './last-backup.ts';
import { backupOf, type FoundBackup } from './old-backups.ts';

/** Backups of a place that are shown and counted, the newest. */
const MAX_BACKUP_FILES = 1_000;

export type ScheduledDeps = PlaceDeps & {
  readonly db: Db;
  readonly now: () => Instant;
  /** Address of the database. */
  readonly url: string;
  /** Version of this program. */
  readonly program: string;
  /** The passphrase of the environment; null when there is none. */
  readonly environmentPassphrase: string | null;
};

/**
 * Makes a backup as the settings say, deletes those that no longer have to be kept, and records what is there.
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
  const place = await openBackupPlace(deps, settings);
  const made = await place.make({ url, program, passphrase, signal });
  const isOnDataDisk = await place.isOnDataDisk();
  const file = backupOf(basename(made.file), made.bytes);
  const checkedAt = now();
  // Before the place is asked what else it has: a failure of that must not hide the backup.
  await transact(db, async (tx) => {
    if (!(await shareLease(tx, lease))) throw new LeaseLostError('Another process took over.');
    await recordBackup(tx, { file: made.file, bytes: made.bytes, isOnDataDisk, begunAt, at: checkedAt });
    if (file !== null) await recordBackupFiles(tx, place.id, [{ ...file, checkedAt }]);
  });
  await writeLastBackup(dataDir, { file: made.file, takenAt: made.manifest.takenAt }).catch(() => undefined);
  await deleteOld(db, place, settings, now(), signal);
}

/**
 * Deletes what need not be kept of the backups that the schedule made and read back, and writes down what is there. Every
 * other file stays.
 */
async function deleteOld(
  db: Db,
  place: BackupPlace,
  settings: BackupSettingsRow,
  now: Instant,
  signal: AbortSignal,
): Promise<void> {
  const found = await place.find(signal);
  await transact(db, async (tx) => writeDown(tx, place, found));
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, timeZone } = settings;
  const own = (await listBackupFiles(db, place.id, MAX_BACKUP_FILES)).filter(
    ({ checkedAt }) => checkedAt !== null,
  );
  const kept = keptBackups(own, { daily, weekly, monthly }, timeZone, now);
  const deleted = new Set<string>();
  for (const { name } of own.filter((file) => !kept.has(file))) {
    await place.remove(name, signal).catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      throw new FileError(`The backup was made, but an old one was not deleted. ${error.message}`);
    });
    deleted.add(name);
  }
  const left = found.filter(({ name }) => !deleted.has(name));
  if (deleted.size > 0) await transact(db, async (tx) => writeDown(tx, place, left));
}

/** Only what was checked before stays checked. */
async function writeDown(tx: Db, place: BackupPlace, found: readonly FoundBackup[]): Promise<void> {
  const newest = found.slice(-MAX_BACKUP_FILES);
  await forgetOtherBackupFiles(
    tx,
    place.id,
    newest.map(({ name }) => name),
  );
  await recordBackupFiles(
    tx,
    place.id,
    newest.map((file) => ({ ...file, checkedAt: null })),
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
