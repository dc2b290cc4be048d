import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBackupSizes } from '#db/backup/backup-sizes.ts';
import { defaultBackupFolder } from './backup-place.ts';
import { type ReadFreeBytes, requireSpace } from './backup-space.ts';
import { replaceFile, writeLastBackup } from './last-backup.ts';
import { type MadeBackup, makeBackup } from './make-backup.ts';
import { findBackups } from './old-backups.ts';

export interface UpgradeBackupOrder {
  /** Address of the database for the owner of its tables. */
  readonly url: string;
  /** Version of this program. */
  readonly program: string;
  /** Null: the file is not encrypted. */
  readonly passphrase: string | null;
  readonly dataDir: string;
  /** Only for tests. */
  readonly readFreeBytes?: ReadFreeBytes;
}

/** The backup of the upgrade before. */
interface UpgradeBackup {
  readonly file: string;
  /** SHA-256 over what is in it, in hex. */
  readonly content: string;
}

const RECORD = 'upgrade-backup.json';

/**
 * What a backup is of its database at most, where none was made yet: it has no indexes and no dead rows, and its rows are
 * compressed.
 */
const SHARE_OF_DATABASE = 0.25;

/**
 * Makes the backup of a data folder before another release changes its database. It takes the place of the one before
 * where that has the same content: starts that fail again and again do not fill the disk.
 * The caller has the lock for changes of the schema.
 * @throws FileError when it cannot be made, or could fill the disk of the database
 */
export async function makeUpgradeBackup(order: UpgradeBackupOrder): Promise<MadeBackup> {
  const { url, program, passphrase, dataDir, readFreeBytes } = order;
  const folder = defaultBackupFolder(dataDir);
  await requireSpace(dataDir, dataDir, await expectedBytes(url, folder), readFreeBytes);
  const made = await makeBackup({
    url,
    program,
    passphrase,
    to: null,
    defaultFolder: folder,
    hasSchemaLock: true,
  });
  await writeLastBackup(dataDir, { file: made.file, takenAt: made.manifest.takenAt });
  const content = contentOf(made);
  const former = await readRecord(dataDir);
  await replaceFile(join(dataDir, RECORD), { file: made.file, content });
  if (former?.content === content) await rm(former.file, { force: true });
  return made;
}

/** The size of the largest of the last backups, also of one elsewhere; without any, a share of the database. */
async function expectedBytes(url: string, folder: string): Promise<number> {
  const newest = (await findBackups(folder).catch(() => [])).at(-1);
  const { database, lastScheduled } = await readBackupSizes(url);
  const known = Math.max(newest?.bytes ?? 0, lastScheduled ?? 0);
  return known > 0 ? known : SHARE_OF_DATABASE * database;
}

/** Without the sequences: what a migration that failed has taken of them is not rolled back. */
function contentOf({ manifest: { schema }, tables }: MadeBackup): string {
  return createHash('sha256')
    .update(JSON.stringify([schema, tables]))
    .digest('hex');
}

/** Null when there was none, or the record is not readable. */
async function readRecord(dataDir: string): Promise<UpgradeBackup | null> {
  const text = await readFile(join(dataDir, RECORD), 'utf8').catch(() => 'null');
  try {
    const { file, content } = JSON.parse(text) ?? {};
    return typeof file === 'string' && typeof content === 'string' ? { file, content } : null;
  } catch {
    return null;
  }
}
