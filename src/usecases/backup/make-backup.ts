import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BackupSnapshot, withBackupSnapshot } from '#db/backup/backup-snapshot.ts';
import type { BackupManifest, TableSum } from '#files/backup/backup-manifest.ts';
import { verifyBackup } from '#files/backup/backup-reader.ts';
import { BackupWriter, PART_BYTES } from '#files/backup/backup-writer.ts';
import { sealedSink } from '#files/backup/sealed-stream.ts';
import { FileError } from '#files/file-error.ts';
import { fsyncDirectory } from '#usecases/fsync-directory.ts';
import { newFileSink, openBackup } from './backup-file.ts';
import { neededMasterKeys } from './master-key-ids.ts';
import { deleteOldBackups, deleteStalePartials } from './old-backups.ts';

export interface BackupOrder {
  /** Address of the database. */
  readonly url: string;
  /** Version of this program. */
  readonly program: string;
  /** A folder that exists, or a new file in one; null: `defaultFolder`, which is created. */
  readonly to: string | null;
  readonly defaultFolder: string;
  /** How many of the newest backups stay in the folder, this one included; null: all of them. */
  readonly keep?: number | null;
  /** Null: the file is not encrypted. */
  readonly passphrase: string | null;
  /** Aborted: no backup is made, and its reason is thrown. */
  readonly signal?: AbortSignal;
}

export interface MadeBackup {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: BackupManifest;
  readonly tables: readonly TableSum[];
  /** Old backups that were deleted. */
  readonly deleted: readonly string[];
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
  return withBackupSnapshot(order.url, async (snapshot) => {
    const manifest = await manifestOf(snapshot, order.program);
    const file = place.file ?? join(place.folder, nameOf(manifest, order.passphrase !== null));
    if (await exists(file)) throw new FileError(`${file} already exists. Choose another name.`);
    const partial = `${file}.partial-${randomBytes(6).toString('hex')}`;
    try {
      const written = await write(partial, snapshot, manifest, order);
      const read = await readBack(partial, order.passphrase);
      if (JSON.stringify(read) !== JSON.stringify(written)) {
        throw new FileError(
          `What was read back from ${file} is not what was written. Check that disk, or choose another one.`,
        );
      }
      const { size } = await stat(partial);
      await rename(partial, file);
      await fsyncDirectory(place.folder);
      const deleted = order.keep == null ? [] : await deleteOldBackups(place.folder, order.keep);
      await deleteStalePartials(place.folder, snapshot.takenAt.getTime());
      return { file, bytes: size, manifest, tables: written, deleted };
    } catch (error) {
      throw plainWriteError(error, place.folder);
    } finally {
      await rm(partial, { force: true });
    }
  });
}

async function write(
  path: string,
  snapshot: BackupSnapshot,
  manifest: BackupManifest,
  { passphrase, signal }: BackupOrder,
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
  if (to === null) {
    const folder = resolve(defaultFolder);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw plainWriteError(error, folder);
    });
    return { folder, file: null };
  }
  const path = resolve(to);
  if (await isFolder(path)) return { folder: path, file: null };
  const folder = dirname(path);
  if (!/[/\\]$/.test(to) && (await isFolder(folder))) return { folder, file: path };
  throw new FileError(
    `There is no folder ${/[/\\]$/.test(to) ? path : folder} for the backup. Create it, or mount its disk.`,
  );
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
