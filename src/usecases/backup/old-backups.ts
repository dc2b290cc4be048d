import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instant, instant } from '#domain/units.ts';

/** Names that the program gives; other files of a folder are never deleted. They sort by time. */
const NAME = /^pricewright-\d{4}-\d\d-\d\dT\d{6}Z\.tar(?:\.enc)?$/;
const PARTIAL = /^pricewright-\d{4}-\d\d-\d\dT\d{6}Z\.tar(?:\.enc)?\.partial-[0-9a-f]{12}$/;
/** Milliseconds. No backup takes so long. */
export const STALE = 24 * 60 * 60_000;

/**
 * Deletes the oldest backups of a folder, see {@link oldestOf}.
 * @returns the deleted files
 */
export async function deleteOldBackups(folder: string, keep: number, now: number): Promise<string[]> {
  const old = oldestOf(await readdir(folder), keep, now).map((name) => join(folder, name));
  for (const file of old) await rm(file, { force: true });
  return old;
}

/**
 * The names of backups among these, without the newest, and without those of the future, by a clock that was ahead.
 * @param keep how many of the newest, at least one
 */
export function oldestOf(names: readonly string[], keep: number, now: number): string[] {
  return names
    .filter((name) => (backupOf(name, 0)?.takenAt ?? Number.POSITIVE_INFINITY) <= now)
    .sort()
    .slice(0, -keep);
}

/** Deletes what backups that were killed have left in a folder. */
export async function deleteStalePartials(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => PARTIAL.test(each))) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && now - found.mtimeMs > STALE) await rm(file, { force: true });
  }
}

/** A file of a folder, or an object of a bucket, that has the name of a backup. */
export interface FoundBackup {
  readonly name: string;
  /** The moment in its name. */
  readonly takenAt: Instant;
  readonly bytes: number;
  readonly isEncrypted: boolean;
}

/** The backups of a folder, by their names. */
export async function findBackups(folder: string): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of (await readdir(folder)).filter((each) => NAME.test(each)).sort()) {
    const file = await stat(join(folder, name)).catch(() => null);
    const backup = file?.isFile() === true ? backupOf(name, file.size) : null;
    if (backup !== null) found.push(backup);
  }
  return found;
}

/** What the name of a backup says; null for any other name. */
export function backupOf(name: string, bytes: number): FoundBackup | null {
  const takenAt = NAME.test(name) ? momentIn(name) : null;
  return takenAt === null ? null : { name, takenAt, bytes, isEncrypted: name.endsWith('.enc') };
}

function momentIn(name: string): Instant | null {
  const [, day, hour, minute, second] = /^pricewright-([\d-]{10})T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : instant(at);
}
