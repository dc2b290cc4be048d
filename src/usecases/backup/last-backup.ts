import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The newest backup that was made with this data folder, wherever its file is. */
export interface LastBackup {
  readonly file: string;
  /** The moment that it contains, in ISO 8601 and UTC. */
  readonly takenAt: string;
}

const FILE_NAME = 'last-backup.json';

/** Records a backup for `pricewright doctor`. */
export async function writeLastBackup(folder: string, { file, takenAt }: LastBackup): Promise<void> {
  await replaceFile(join(folder, FILE_NAME), { file, takenAt });
}

/** Writes a record as JSON, readable by its owner alone, in the place of a former one. */
export async function replaceFile(path: string, record: unknown): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** Null when none was recorded, or the record is not readable. */
export async function readLastBackup(folder: string): Promise<LastBackup | null> {
  const text = await readFile(join(folder, FILE_NAME), 'utf8').catch(() => 'null');
  try {
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? found : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is LastBackup {
  if (typeof value !== 'object' || value === null) return false;
  const { file, takenAt } = value as Record<string, unknown>;
  return typeof file === 'string' && typeof takenAt === 'string' && !Number.isNaN(Date.parse(takenAt));
}
