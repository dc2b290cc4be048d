import { type BackupRequest, backupCommand } from '#cli/backup.ts';
import { type RestoreRequest, restoreCommand } from '#cli/restore.ts';
import { isBucketText } from '#domain/backups/bucket-address.ts';
import type { ByteSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';
import type { Config } from '#src/config.ts';
import { defaultBackupFolder } from '#usecases/backup/backup-place.ts';
import { writeLastBackup } from '#usecases/backup/last-backup.ts';
import { makeBackup, uploadBackup } from '#usecases/backup/make-backup.ts';
import { readPassphrase } from '#usecases/backup/passphrase.ts';
import { checkBackup } from '#usecases/backup/restore-backup.ts';
import type { BackupSetup } from '#usecases/backup/save-backup-settings.ts';
import { environmentBucket, environmentObject } from './environment-bucket.ts';
import { masterKeysOf } from './master-keys.ts';
import { addressesOf, inOneSentence } from './open-database.ts';
import { readRelease } from './release.ts';
import { hasDatabase, restoreInto } from './restore-folder.ts';
import type { Running } from './running-program.ts';
import { StartError } from './start-error.ts';
import { stopRequest } from './stop-request.ts';

const TERMINAL = { out: console.log, err: console.error };

/** What this installation brings to the schedule of backups. */
export function backupSetupOf(config: Config): BackupSetup {
  return {
    // A database of one's own may have its backups already; a sample store needs none.
    isOnByDefault: config.databaseUrl === null && !config.isDemo,
    defaultFolder: defaultBackupFolder(config.dataDir),
    hasEnvironmentPassphrase: config.backupPassphrase !== null,
  };
}

/** `backup ...`: reads the database as it is, without migrating it, so that it can be made before an upgrade. */
export async function backup(running: Running, argv: readonly string[]): Promise<number> {
  const { config } = running;
  return backupCommand(argv, TERMINAL, async ({ to, keep, isEncrypted, passphraseFile }: BackupRequest) => {
    const passphrase = await passphraseOf(running, passphraseFile);
    if (isEncrypted && passphrase === null) {
      throw new StartError(
        '--encrypt needs a passphrase: name a file with --passphrase-file, or set PRICEWRIGHT_BACKUP_PASSPHRASE.',
        2,
      );
    }
    const bucket = to !== null && isBucketText(to) ? environmentBucket(running, to) : null;
    const { version } = await readRelease();
    if (config.databaseUrl === null && !(await hasDatabase(config.dataDir))) {
      throw new StartError(
        `The data folder ${config.dataDir} has no database. Name the right one with PRICEWRIGHT_DATA. No backup was made.`,
      );
    }
    const { ownerUrl } = await addressesOf(running);
    const stopping = new AbortController();
    void stopRequest(running.log).promise.then(() =>
      stopping.abort(new FileError('The backup was interrupted.')),
    );
    const { signal } = stopping;
    const order = { url: ownerUrl, program: version, keep, passphrase, signal };
    const folder = defaultBackupFolder(config.dataDir);
    const made = await inOneSentence(running, () =>
      bucket === null
        ? makeBackup({ ...order, to, defaultFolder: folder })
        : uploadBackup({ ...order, bucket, folder }),
    );
    const record = { file: made.file, takenAt: made.manifest.takenAt };
    // With a database elsewhere there may be no data folder, and the backup is as good without its record.
    await writeLastBackup(config.dataDir, record).catch(() => undefined);
    return made;
  });
}

/** `restore ...`. */
export async function restore(running: Running, argv: readonly string[]): Promise<number> {
  const orderOf = async ({ file, passphraseFile, withoutKey }: RestoreRequest) => ({
    file,
    bytes: bytesOf(running, file),
    passphrase: await passphraseOf(running, passphraseFile),
    master: masterKeysOf(running.config),
    withoutKey,
  });
  return restoreCommand(argv, TERMINAL, {
    check: async (request) => checkBackup(await orderOf(request)),
    restore: async (request) => {
      const interrupted = stopRequest(running.log).promise.then(() => {
        throw new FileError('The restore was interrupted.');
      });
      return restoreInto(running, await orderOf(request), request.replaces, interrupted);
    },
  });
}

/** Undefined for the path of a file. */
function bytesOf(running: Running, file: string): (() => Promise<ByteSource>) | undefined {
  if (!isBucketText(file)) return undefined;
  const { bucket, name } = environmentObject(running, file);
  return () => bucket.open(name);
}

async function passphraseOf({ config }: Running, file: string | null): Promise<string | null> {
  return file === null ? config.backupPassphrase : readPassphrase(file);
}
