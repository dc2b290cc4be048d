import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Makes the backup of a data folder before another release changes its database. It takes the place of the one before
 * where that has the same content: starts that fail again and again do not fill the disk.
 * The caller has the lock for changes of the schema.
 * @throws FileError when it cannot be made, or could fill the disk of the database
 */
export async function makeUpgradeBackup(order: UpgradeBackupOrder): Promise<MadeBackup> {
  const { url, program, passphrase, dataDir, readFreeBytes } = order;
  const folder = defaultBackupFolder(dataDir);
  const newest = (await findBackups(folder).catch(() => [])).at(-1);
  await requireSpace(dataDir, dataDir, newest?.bytes ?? null, readFreeBytes);
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

function contentOf({ manifest: { schema, sequences }, tables }: MadeBackup): string {
  return createHash('sha256')
    .update(JSON.stringify([schema, tables, sequences]))
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
