import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Bucket, OpenObjectStore } from '#connectors/object-store.ts';
import type { BackupSettingsRow } from '#db/queries/background/backups.ts';
import { S3_SECRET_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { FileError } from '#files/file-error.ts';
import { openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { type BackupBucket, bucketId, openBackupBucket } from './backup-bucket.ts';
import { isOnOneDisk, requireSpace } from './backup-space.ts';
import { type FileOrder, type MadeBackup, makeBackup, uploadBackup } from './make-backup.ts';
import { type FoundBackup, findBackups } from './old-backups.ts';

export interface PlaceDeps {
  readonly dataDir: string;
  readonly secrets: SecretKeys;
  readonly openStore: OpenObjectStore;
}

/** Where the schedule puts its backups. */
export interface BackupPlace {
  /** Under which its files are recorded. */
  readonly id: string;
  make(order: FileOrder): Promise<MadeBackup>;
  /** Its backups by their names, the oldest first. */
  find(signal: AbortSignal): Promise<FoundBackup[]>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Whether they are lost with the disk of the data; null where that is not known. */
  isOnDataDisk(): Promise<boolean | null>;
}

/** The folder of backups without a chosen one. */
export function defaultBackupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/**
 * The place that the settings name.
 * @throws FileError or SecretError, one sentence for an administrator with the way out
 */
export async function openBackupPlace(deps: PlaceDeps, settings: BackupSettingsRow): Promise<BackupPlace> {
  return settings.destination === 'folder'
    ? folderPlace(deps, settings)
    : bucketPlace(deps, settings, await openSettingsBucket(deps, settings));
}

function folderPlace({ dataDir }: PlaceDeps, { folder: chosen, lastBytes }: BackupSettingsRow): BackupPlace {
  const folder = resolve(chosen ?? defaultBackupFolder(dataDir));
  return {
    id: folder,
    make: async (order) => {
      await requireSpace(chosen ?? dataDir, dataDir, lastBytes);
      // A chosen folder that is missing may be on a disk that is not mounted: it is not created.
      return makeBackup({ ...order, to: chosen === null ? null : `${folder}/`, defaultFolder: folder });
    },
    find: () => findBackups(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
    isOnDataDisk: () => isOnOneDisk(folder, dataDir),
  };
}

function bucketPlace(
  { dataDir }: PlaceDeps,
  { lastBytes }: BackupSettingsRow,
  bucket: BackupBucket,
): BackupPlace {
  return {
    id: bucket.id,
    make: async (order) => {
      await requireSpace(dataDir, dataDir, lastBytes);
      return uploadBackup({ ...order, bucket, folder: defaultBackupFolder(dataDir) });
    },
    find: (signal) => bucket.find(signal),
    remove: (name, signal) => bucket.remove(name, signal),
    isOnDataDisk: async () => false,
  };
}

async function openSettingsBucket(
  { secrets, openStore }: PlaceDeps,
  settings: BackupSettingsRow,
): Promise<BackupBucket> {
  const { s3SecretKey, s3Prefix } = settings;
  const address = bucketOf(settings);
  if (address === null || s3SecretKey === null) {
    throw new FileError('The bucket of backups or its key is missing. Enter it under Settings, Backups.');
  }
  const key = await secrets.current();
  if (key === null) {
    throw new SecretError('The secret key of backups cannot be decrypted. Enter it again under Settings.');
  }
  const secretAccessKey = openSecret(key, S3_SECRET_PLACE, s3SecretKey);
  return openBackupBucket(openStore, { ...address, secretAccessKey, sessionToken: null }, s3Prefix);
}

/** The bucket in the settings, without its secret; null when none was entered. */
function bucketOf(settings: BackupSettingsRow): Omit<Bucket, 'secretAccessKey' | 'sessionToken'> | null {
  const { s3Endpoint, s3Region, s3Bucket, s3AccessKeyId, s3PathStyle: isPathStyle } = settings;
  if (s3Endpoint === null || s3Region === null || s3Bucket === null || s3AccessKeyId === null) return null;
  return { endpoint: s3Endpoint, region: s3Region, name: s3Bucket, accessKeyId: s3AccessKeyId, isPathStyle };
}

/** The id under which the backups of a bucket are recorded; null for other settings. */
export function bucketIdOf(settings: BackupSettingsRow): string | null {
  const bucket = bucketOf(settings);
  return bucket === null ? null : bucketId(bucket, settings.s3Prefix);
}
