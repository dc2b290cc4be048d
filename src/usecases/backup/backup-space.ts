import { stat, statfs } from 'node:fs/promises';
import { FileError } from '#files/file-error.ts';

/** Bytes that stay free on the disk of the database: PostgreSQL stops when it cannot write its log. */
const LEAST_FREE = 1e9;
/** A backup may be so much larger than the one before. */
const GROWTH = 1.25;

/** Bytes that a disk has left for this process. */
export type ReadFreeBytes = (folder: string) => Promise<number>;

/**
 * @param lastBytes size of the backup before; null when there is none
 * @throws FileError when the backup could fill the disk that the database needs
 */
export async function requireSpace(
  folder: string,
  dataDir: string,
  lastBytes: number | null,
  readFreeBytes: ReadFreeBytes = freeBytesOf,
): Promise<void> {
  if ((await isOnOneDisk(folder, dataDir)) !== true) return;
  const free = await readFreeBytes(folder);
  if (free >= LEAST_FREE + GROWTH * (lastBytes ?? 0)) return;
  throw new FileError(
    `The disk of ${folder} has ${(free / 1e9).toFixed(1)} GB left, which the database needs. Free some space, keep fewer backups, or choose a folder on another disk.`,
  );
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Null when one of the two cannot be read. */
export async function isOnOneDisk(folder: string, dataDir: string): Promise<boolean | null> {
  const [one, other] = await Promise.all([folder, dataDir].map((path) => stat(path).catch(() => null)));
  return one == null || other == null ? null : one.dev === other.dev;
}
