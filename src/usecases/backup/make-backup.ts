import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type BackupSnapshot, withBackupSnapshot } from '#db/backup/backup-snapshot.ts';
import type { BackupManifest, TableSum } from '#files/backup/backup-manifest.ts';
import { verifyBackup } from '#files/backup/backup-reader.ts';
import { BackupWriter, PART_BYTES } from '#files/backup/backup-writer.ts';
import { sealedSink } from '#files/backup/sealed-stream.ts';
import { FileError } from '#files/file-error.ts';
import { fsyncDirectory } from '#usecases/fsync-directory.ts';
import type { BackupBucket } from './backup-bucket.ts';
import { newFileSink, openBackup } from './backup-file.ts';
import { neededMasterKeys } from './master-key-ids.ts';
import { deleteOldBackups, deleteStalePartials } from './old-backups.ts';

/** What every backup needs. */
export interface FileOrder {
  /** Address of the database. */
  readonly url: string;
  /** Version of this program. */
  readonly program: string;
  /** Null: the file is not encrypted. */
  readonly passphrase: string | null;
  /** Aborted: no backup is made, and its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Whether the caller has the lock for changes of the schema, which would be waited for. */
  readonly hasSchemaLock?: boolean;
}

export interface BackupOrder extends FileOrder {
  /** A folder that exists, or a new file in one; null: `defaultFolder`, which is created. */
  readonly to: string | null;
  readonly defaultFolder: string;
  /** How many of the newest backups stay in the folder, this one included; null: all of them. */
  readonly keep?: number | null;
}

export interface UploadOrder extends FileOrder {
  readonly bucket: BackupBucket;
  /** Where the backup is written and read back before it is uploaded; created where it is missing. */
  readonly folder: string;
  /** How many of the newest backups stay in the bucket, this one included; null: all of them. */
  readonly keep?: number | null;
}

export interface MadeBackup {
  /** Its path, or its place in a bucket. */
  readonly file: string;
  readonly bytes: number;
  readonly manifest: BackupManifest;
  readonly tables: readonly TableSum[];
  /** Old backups that were deleted. */
  readonly deleted: readonly string[];
  /** Why old ones were not, although this one is made. */
  readonly notDeleted?: string;
}

/**
 * Writes a backup of the running database into a file, reads it back and compares every checksum. Until that is done the
 * file has another name.
 * @throws FileError when the file cannot be written, with the way out
 */
export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const place = await placeOf(order);
  if (place.file !== null && order.keep != null) {
    throw new FileError('--keep counts the backups of a folder. Name a folder with --to.');
  }
  const { keep = null } = order;
  const pathOf = async (name: string): Promise<string> => {
    const file = place.file ?? join(place.folder, name);
    if (await exists(file)) throw new FileError(`${file} already exists. Choose another name.`);
    return file;
  };
  return withCheckedFile(order, place.folder, pathOf, async ({ file, partial, takenAt, ...made }) => {
    await rename(partial, file);
    await fsyncDirectory(place.folder);
    const deleted = keep === null ? [] : await deleteOldBackups(place.folder, keep, takenAt);
    await deleteStalePartials(place.folder, takenAt);
    return { ...made, file, deleted };
  });
}

/**
 * Makes a backup in a bucket. It is written into a file and read back first: the database is not kept from cleaning up
 * for as long as the upload takes, and an upload that breaks off goes on with the next part.
 * @throws FileError when it cannot be written or uploaded, with the way out
 */
export async function uploadBackup(order: UploadOrder): Promise<MadeBackup> {
  const { bucket, keep = null, signal = new AbortController().signal } = order;
  const folder = await madeFolder(order.folder);
  const pathOf = async (name: string): Promise<string> => join(folder, name);
  return withCheckedFile(order, folder, pathOf, async ({ file, partial, takenAt, ...made }) => {
    const name = basename(file);
    await bucket.upload(partial, name, signal);
    const old = keep === null ? { deleted: [] } : await deleteOldIn(bucket, keep, takenAt, signal);
    await deleteStalePartials(folder, takenAt);
    await bucket.clear(takenAt, signal);
    return { ...made, file: `${bucket.text}${name}`, ...old };
  });
}

/** A key that may not delete is no reason to call a backup a failure that is made. */
async function deleteOldIn(
  bucket: BackupBucket,
  keep: number,
  now: number,
  signal: AbortSignal,
): Promise<Pick<MadeBackup, 'deleted' | 'notDeleted'>> {
  try {
    return { deleted: await bucket.deleteOld(keep, now, signal) };
  } catch (error) {
    if (signal.aborted || !(error instanceof FileError)) throw error;
    return { deleted: [], notDeleted: error.message };
  }
}

interface CheckedFile extends Omit<MadeBackup, 'deleted' | 'notDeleted'> {
  /** The file as it is named until it is used. */
  readonly partial: string;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
}

/**
 * Writes a backup of the running database into a file of another name, reads it back and compares every checksum.
 * @param pathOf the path that it will have
 * @param use moves the file into its place, or copies it elsewhere: afterwards it is deleted
 */
async function withCheckedFile(
  order: FileOrder,
  folder: string,
  pathOf: (name: string) => Promise<string>,
  use: (checked: CheckedFile) => Promise<MadeBackup>,
): Promise<MadeBackup> {
  const temporary: { path: string | null } = { path: null };
  try {
    // The database may clean up again as soon as all rows are read.
    const written = await withBackupSnapshot(
      order.url,
      async (snapshot) => {
        const manifest = await manifestOf(snapshot, order.program);
        const file = await pathOf(nameOf(manifest, order.passphrase !== null));
        const partial = `${file}.partial-${randomBytes(6).toString('hex')}`;
        temporary.path = partial;
        const tables = await write(partial, snapshot, manifest, order);
        return { file, partial, manifest, tables, takenAt: snapshot.takenAt.getTime() };
      },
      order,
    );
    const read = await readBack(written.partial, order.passphrase);
    if (JSON.stringify(read) !== JSON.stringify(written.tables)) {
      throw new FileError(
        `What was read back from ${written.file} is not what was written. Check that disk, or choose another one.`,
      );
    }
    const { size } = await stat(written.partial);
    return await use({ ...written, bytes: size });
  } catch (error) {
    throw plainWriteError(error, folder);
  } finally {
    if (temporary.path !== null) await rm(temporary.path, { force: true });
  }
}

async function write(
  path: string,
  snapshot: BackupSnapshot,
  manifest: BackupManifest,
  { passphrase, signal }: FileOrder,
): Promise<readonly TableSum[]> {
  const file = await newFileSink(path, signal);
  try {
    const sink = passphrase === null ? file : await sealedSink(file, passphrase);
    const writer = await BackupWriter.begin(sink, manifest);
    for (const table of snapshot.tables) {
      await writer.table(table.name, snapshot.rows(table, PART_BYTES));
    }
    return await writer.finish();
  } finally {
    await file.close();
  }
}

async function readBack(path: string, passphrase: string | null): Promise<readonly TableSum[]> {
  const source = await openBackup(path, passphrase);
  try {
    return (await verifyBackup(source, path)).sums;
  } finally {
    await source.close();
  }
}

async function manifestOf(snapshot: BackupSnapshot, program: string): Promise<BackupManifest> {
  const { db, schema, tables, sequences, takenAt, timeZone } = snapshot;
  return {
    format: 1,
    program,
    schema: { version: schema.version, name: schema.name, checksum: schema.checksum },
    takenAt: takenAt.toISOString(),
    timeZone,
    masterKeys: await neededMasterKeys(db, tables),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences: sequences.map(({ name, lastValue, isCalled }) => ({ name, lastValue, isCalled })),
  };
}

/** "pricewright-2026-11-28T140502Z.tar" */
function nameOf({ takenAt }: BackupManifest, isEncrypted: boolean): string {
  const moment = takenAt.replaceAll(':', '').replace(/\.\d+Z$/, 'Z');
  return `pricewright-${moment}.tar${isEncrypted ? '.enc' : ''}`;
}

/** A folder that is missing is an error: it may be on a disk that is not mounted. */
async function placeOf({ to, defaultFolder }: BackupOrder): Promise<{ folder: string; file: string | null }> {
  if (to === null) return { folder: await madeFolder(defaultFolder), file: null };
  const path = resolve(to);
  if (await isFolder(path)) return { folder: path, file: null };
  const folder = dirname(path);
  if (!/[/\\]$/.test(to) && (await isFolder(folder))) return { folder, file: path };
  throw new FileError(
    `There is no folder ${/[/\\]$/.test(to) ? path : folder} for the backup. Create it, or mount its disk.`,
  );
}

async function madeFolder(path: string): Promise<string> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw plainWriteError(error, folder);
  });
  return folder;
}

function plainWriteError(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(code)) {
    return new FileError(
      `There is not enough space for the backup in ${folder} (${code}). Free some space, or choose another folder.`,
    );
  }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EIO)$/.test(code)) {
    return new FileError(
      `The backup cannot be written in ${folder} (${code}). Check the folder and its permissions, or choose another one.`,
    );
  }
  return error;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
