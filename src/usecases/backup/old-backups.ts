import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Names that the program gives; other files of a folder are never deleted. They sort by time. */
const NAME = /^pricewright-\d{4}-\d\d-\d\dT\d{6}Z\.tar(?:\.enc)?$/;
const PARTIAL = /^pricewright-\d{4}-\d\d-\d\dT\d{6}Z\.tar(?:\.enc)?\.partial-[0-9a-f]{12}$/;
/** Milliseconds. No backup takes so long. */
const STALE = 24 * 60 * 60_000;

/**
 * Deletes the oldest backups of a folder.
 * @param keep how many of the newest stay, at least one
 * @returns the deleted files
 */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, -keep).map((name) => join(folder, name));
  for (const file of old) await rm(file, { force: true });
  return old;
}

/** Deletes what backups that were killed have left in a folder. */
export async function deleteStalePartials(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => PARTIAL.test(each))) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && now - found.mtimeMs > STALE) await rm(file, { force: true });
  }
}
